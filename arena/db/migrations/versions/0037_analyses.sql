CREATE TABLE analyses (
    id SERIAL NOT NULL,
    match_id INTEGER,
    live_id INTEGER,
    variant VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    asked BOOLEAN NOT NULL,
    wanted DOUBLE NOT NULL,
    attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    lease_until DOUBLE,
    rung_at DOUBLE,
    retry_at DOUBLE,
    version INTEGER,
    deals INTEGER,
    found BLOB,
    CONSTRAINT pk_analyses PRIMARY KEY (id),
    CONSTRAINT uq_analyses_match_id UNIQUE (match_id),
    CONSTRAINT uq_analyses_live_id UNIQUE (live_id),
    CONSTRAINT ck_analyses_state CHECK (state IN ('waiting', 'done', 'failed')),
    CONSTRAINT ck_analyses_match CHECK ((match_id IS NULL) <> (live_id IS NULL)),
    CONSTRAINT ck_analyses_done CHECK ((state = 'done') = (found IS NOT NULL)),
    CONSTRAINT fk_analyses_match_id FOREIGN KEY(match_id) REFERENCES matches (id) ON DELETE CASCADE,
    CONSTRAINT fk_analyses_live_id FOREIGN KEY(live_id) REFERENCES live_tables (id) ON DELETE CASCADE
);
CREATE INDEX ix_analyses_waiting ON analyses (state, asked);
CREATE INDEX ix_analyses_wanted ON analyses (wanted);
CREATE INDEX ix_analyses_latest ON analyses (variant, id);
CREATE TABLE lost_points (
    analysis_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    number INTEGER NOT NULL,
    phase VARCHAR NOT NULL,
    version_id INTEGER,
    decisions INTEGER NOT NULL,
    best INTEGER NOT NULL,
    lost DOUBLE NOT NULL,
    margin DOUBLE NOT NULL,
    inaccuracies INTEGER NOT NULL,
    mistakes INTEGER NOT NULL,
    blunders INTEGER NOT NULL,
    CONSTRAINT pk_lost_points PRIMARY KEY (analysis_id, seat, number),
    CONSTRAINT fk_lost_points_analysis_id FOREIGN KEY(analysis_id) REFERENCES analyses (id) ON DELETE CASCADE,
    CONSTRAINT fk_lost_points_version_id FOREIGN KEY(version_id) REFERENCES versions (id) ON DELETE CASCADE
);
CREATE INDEX ix_lost_points_version_id ON lost_points (version_id);
