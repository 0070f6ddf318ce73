ALTER TABLE users ADD COLUMN listed BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE bots ADD COLUMN plays_people BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE bots ADD COLUMN division VARCHAR NOT NULL DEFAULT 'caged';
ALTER TABLE bots ADD CONSTRAINT ck_bots_division CHECK (division IN ('caged', 'quick', 'slow'));
ALTER TABLE versions DROP CONSTRAINT ck_versions_state;
ALTER TABLE versions ADD CONSTRAINT ck_versions_state
    CHECK (state IN ('pending', 'valid', 'invalid', 'infra_failed', 'imported', 'declared'));
CREATE TABLE presences (
    bot_id INTEGER NOT NULL,
    tables INTEGER NOT NULL,
    variants JSON,
    seen DOUBLE NOT NULL,
    CONSTRAINT pk_presences PRIMARY KEY (bot_id),
    CONSTRAINT ck_presences_tables CHECK (tables >= 0),
    CONSTRAINT fk_presences_bot_id FOREIGN KEY(bot_id) REFERENCES bots (id)
);
CREATE TABLE live_sets (
    id SERIAL NOT NULL,
    variant VARCHAR NOT NULL,
    deals INTEGER NOT NULL,
    bots JSON NOT NULL,
    day VARCHAR,
    group_id INTEGER,
    closes DOUBLE,
    created DOUBLE NOT NULL,
    CONSTRAINT pk_live_sets PRIMARY KEY (id),
    CONSTRAINT uq_live_sets_day_variant UNIQUE (day, variant),
    CONSTRAINT ck_live_sets_whose CHECK (day IS NULL OR group_id IS NULL),
    CONSTRAINT ck_live_sets_closes CHECK ((closes IS NULL) = (day IS NULL AND group_id IS NULL)),
    CONSTRAINT fk_live_sets_group_id FOREIGN KEY(group_id) REFERENCES groups (id)
);
CREATE INDEX ix_live_sets_group_id ON live_sets (group_id);
CREATE TABLE live_boards (
    id SERIAL NOT NULL,
    variant VARCHAR NOT NULL,
    options JSON NOT NULL,
    seed BLOB NOT NULL,
    commitment VARCHAR NOT NULL,
    bots JSON NOT NULL,
    set_id INTEGER,
    number INTEGER,
    created DOUBLE NOT NULL,
    CONSTRAINT pk_live_boards PRIMARY KEY (id),
    CONSTRAINT uq_live_boards_set_id_number UNIQUE (set_id, number),
    CONSTRAINT ck_live_boards_seed CHECK (length(seed) = 32),
    CONSTRAINT ck_live_boards_set CHECK ((set_id IS NULL) = (number IS NULL)),
    CONSTRAINT fk_live_boards_set_id FOREIGN KEY(set_id) REFERENCES live_sets (id)
);
CREATE TABLE live_field (
    boards_id INTEGER NOT NULL,
    version_id INTEGER NOT NULL,
    score INTEGER,
    fault VARCHAR,
    record BLOB,
    CONSTRAINT pk_live_field PRIMARY KEY (boards_id, version_id),
    CONSTRAINT ck_live_field_played CHECK ((score IS NULL) = (record IS NULL)),
    CONSTRAINT fk_live_field_boards_id FOREIGN KEY(boards_id) REFERENCES live_boards (id) ON DELETE CASCADE,
    CONSTRAINT fk_live_field_version_id FOREIGN KEY(version_id) REFERENCES versions (id)
);
CREATE INDEX ix_live_field_version_id ON live_field (version_id);
CREATE INDEX ix_live_field_waiting ON live_field (score);
CREATE TABLE live_tables (
    id SERIAL NOT NULL,
    code VARCHAR NOT NULL,
    boards_id INTEGER NOT NULL,
    table_id INTEGER,
    state VARCHAR NOT NULL,
    clock DOUBLE,
    bank DOUBLE NOT NULL,
    resumed DOUBLE,
    created DOUBLE NOT NULL,
    touched DOUBLE NOT NULL,
    finished DOUBLE,
    attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    lease_until DOUBLE,
    retry_at DOUBLE,
    undone INTEGER NOT NULL,
    hints INTEGER NOT NULL,
    problem VARCHAR,
    record BLOB,
    CONSTRAINT pk_live_tables PRIMARY KEY (id),
    CONSTRAINT ck_live_tables_state CHECK (state IN ('waiting', 'playing', 'finished', 'failed', 'abandoned')),
    CONSTRAINT ck_live_tables_record CHECK ((state = 'finished') = (record IS NOT NULL)),
    CONSTRAINT uq_live_tables_code UNIQUE (code),
    CONSTRAINT uq_live_tables_table_id UNIQUE (table_id),
    CONSTRAINT fk_live_tables_boards_id FOREIGN KEY(boards_id) REFERENCES live_boards (id),
    CONSTRAINT fk_live_tables_table_id FOREIGN KEY(table_id) REFERENCES tables (id)
);
CREATE INDEX ix_live_tables_boards_id ON live_tables (boards_id);
CREATE INDEX ix_live_tables_state ON live_tables (state, touched);
CREATE TABLE live_seats (
    table_id INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    version_id INTEGER,
    user_id INTEGER,
    guest VARCHAR,
    program BOOLEAN NOT NULL,
    score INTEGER,
    rank INTEGER,
    fault VARCHAR,
    CONSTRAINT pk_live_seats PRIMARY KEY (table_id, seat),
    CONSTRAINT ck_live_seats_person CHECK ((version_id IS NULL) <> (user_id IS NULL AND guest IS NULL)),
    CONSTRAINT ck_live_seats_guest CHECK (user_id IS NULL OR guest IS NULL),
    CONSTRAINT ck_live_seats_program CHECK (user_id IS NOT NULL OR NOT program),
    CONSTRAINT fk_live_seats_table_id FOREIGN KEY(table_id) REFERENCES live_tables (id) ON DELETE CASCADE,
    CONSTRAINT fk_live_seats_version_id FOREIGN KEY(version_id) REFERENCES versions (id),
    CONSTRAINT fk_live_seats_user_id FOREIGN KEY(user_id) REFERENCES users (id)
);
CREATE INDEX ix_live_seats_guest ON live_seats (guest);
CREATE INDEX ix_live_seats_user_id ON live_seats (user_id);
CREATE INDEX ix_live_seats_version_id ON live_seats (version_id);
CREATE TABLE live_moves (
    id SERIAL NOT NULL,
    table_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    token VARCHAR NOT NULL,
    fault VARCHAR,
    late BOOLEAN NOT NULL,
    spent DOUBLE,
    made DOUBLE NOT NULL,
    CONSTRAINT pk_live_moves PRIMARY KEY (id),
    CONSTRAINT uq_live_moves_table_id_number UNIQUE (table_id, number),
    CONSTRAINT fk_live_moves_table_id FOREIGN KEY(table_id) REFERENCES live_tables (id) ON DELETE CASCADE
);
DROP TABLE processes;
CREATE TABLE processes (
    name VARCHAR NOT NULL, kind VARCHAR NOT NULL, release VARCHAR NOT NULL, state VARCHAR NOT NULL,
    detail VARCHAR NOT NULL, started DOUBLE NOT NULL, since DOUBLE NOT NULL, seen DOUBLE NOT NULL, active DOUBLE,
    held DOUBLE, samples JSON NOT NULL, packages ORDERED_JSON, refused ORDERED_JSON,
    CONSTRAINT pk_processes PRIMARY KEY (name),
    CONSTRAINT ck_processes_kind CHECK (kind IN ('worker', 'web', 'live')),
    CONSTRAINT ck_processes_state CHECK (state IN ('idle', 'busy', 'paused', 'out'))
);
