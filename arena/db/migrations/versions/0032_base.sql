-- The types of columns are named as `arena.db.statements` says.

CREATE TABLE copy_reports (
    id SERIAL NOT NULL, finished DOUBLE NOT NULL, bots INTEGER NOT NULL, unread INTEGER NOT NULL,
    tables INTEGER NOT NULL, seconds DOUBLE NOT NULL,
    CONSTRAINT pk_copy_reports PRIMARY KEY (id)
);

CREATE TABLE event_cursor (
    id SERIAL NOT NULL, last INTEGER NOT NULL,
    CONSTRAINT pk_event_cursor PRIMARY KEY (id)
);

CREATE TABLE groups (
    id SERIAL NOT NULL, name VARCHAR NOT NULL, name_key VARCHAR NOT NULL, created DOUBLE NOT NULL,
    CONSTRAINT pk_groups PRIMARY KEY (id),
    CONSTRAINT uq_groups_name_key UNIQUE (name_key)
);

CREATE TABLE past_places (
    variant VARCHAR NOT NULL, day INTEGER NOT NULL, noted DOUBLE NOT NULL, places JSON NOT NULL,
    CONSTRAINT pk_past_places PRIMARY KEY (variant, day)
);

CREATE TABLE processes (
    name VARCHAR NOT NULL, kind VARCHAR NOT NULL, release VARCHAR NOT NULL, state VARCHAR NOT NULL,
    detail VARCHAR NOT NULL, started DOUBLE NOT NULL, since DOUBLE NOT NULL, seen DOUBLE NOT NULL, active DOUBLE,
    held DOUBLE, samples JSON NOT NULL, packages ORDERED_JSON, refused ORDERED_JSON,
    CONSTRAINT pk_processes PRIMARY KEY (name)
);

CREATE TABLE rating_cursors (
    variant VARCHAR NOT NULL, last_table INTEGER NOT NULL, refolded DOUBLE NOT NULL,
    fitted INTEGER DEFAULT 0 NOT NULL, estimating DOUBLE DEFAULT 0 NOT NULL, due INTEGER,
    folded DOUBLE DEFAULT 0 NOT NULL, leader_id INTEGER, looked DOUBLE DEFAULT 0 NOT NULL,
    CONSTRAINT pk_rating_cursors PRIMARY KEY (variant)
);

CREATE TABLE rating_parameters (
    variant VARCHAR NOT NULL, beta DOUBLE NOT NULL, draw_probability DOUBLE NOT NULL, tables INTEGER NOT NULL,
    estimated DOUBLE NOT NULL, since INTEGER DEFAULT 0 NOT NULL,
    CONSTRAINT pk_rating_parameters PRIMARY KEY (variant, since)
);

CREATE TABLE users (
    id SERIAL NOT NULL, name VARCHAR NOT NULL, name_key VARCHAR NOT NULL, password VARCHAR,
    is_admin BOOLEAN NOT NULL, created DOUBLE NOT NULL, is_organiser BOOLEAN DEFAULT false NOT NULL, email VARCHAR,
    deleted DOUBLE, disabled VARCHAR, quota_factor DOUBLE DEFAULT 1 NOT NULL, notice_choices JSON,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_name_key UNIQUE (name_key)
);

CREATE TABLE access_tokens (
    id SERIAL NOT NULL, user_id INTEGER NOT NULL, name VARCHAR NOT NULL, token VARCHAR NOT NULL,
    scopes JSON NOT NULL, created DOUBLE NOT NULL, used DOUBLE, ends DOUBLE NOT NULL,
    CONSTRAINT pk_access_tokens PRIMARY KEY (id),
    CONSTRAINT uq_access_tokens_token UNIQUE (token),
    CONSTRAINT fk_access_tokens_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_access_tokens_ends ON access_tokens (ends);
CREATE INDEX ix_access_tokens_user_id ON access_tokens (user_id);

CREATE TABLE account_links (
    id SERIAL NOT NULL, user_id INTEGER NOT NULL, token VARCHAR NOT NULL, email VARCHAR, created DOUBLE NOT NULL,
    ends DOUBLE NOT NULL,
    CONSTRAINT pk_account_links PRIMARY KEY (id),
    CONSTRAINT uq_account_links_token UNIQUE (token),
    CONSTRAINT fk_account_links_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_account_links_ends ON account_links (ends);
CREATE INDEX ix_account_links_user_id ON account_links (user_id);

CREATE TABLE announcements (
    id SERIAL NOT NULL, text VARCHAR NOT NULL, severity VARCHAR NOT NULL, until DOUBLE NOT NULL,
    created_by_id INTEGER NOT NULL, created DOUBLE NOT NULL,
    CONSTRAINT pk_announcements PRIMARY KEY (id),
    CONSTRAINT fk_announcements_created_by_id FOREIGN KEY (created_by_id) REFERENCES users (id)
);
CREATE INDEX ix_announcements_until ON announcements (until);

CREATE TABLE audit (
    id SERIAL NOT NULL, at DOUBLE NOT NULL, actor_id INTEGER, actor VARCHAR NOT NULL, action VARCHAR NOT NULL,
    subject VARCHAR NOT NULL, detail VARCHAR NOT NULL,
    CONSTRAINT pk_audit PRIMARY KEY (id),
    CONSTRAINT fk_audit_actor_id FOREIGN KEY (actor_id) REFERENCES users (id)
);
CREATE INDEX ix_audit_actor_id ON audit (actor_id);
CREATE INDEX ix_audit_subject ON audit (subject);

CREATE TABLE bots (
    id SERIAL NOT NULL, owner_id INTEGER NOT NULL, name VARCHAR NOT NULL, name_key VARCHAR NOT NULL,
    active BOOLEAN NOT NULL, active_version_id INTEGER, created DOUBLE NOT NULL, disabled VARCHAR, archived DOUBLE,
    CONSTRAINT pk_bots PRIMARY KEY (id),
    CONSTRAINT uq_bots_name_key UNIQUE (name_key),
    CONSTRAINT fk_bots_owner_id FOREIGN KEY (owner_id) REFERENCES users (id)
);
CREATE INDEX ix_bots_owner_id ON bots (owner_id);

CREATE TABLE device_requests (
    id SERIAL NOT NULL, token VARCHAR NOT NULL, code VARCHAR NOT NULL, client VARCHAR NOT NULL,
    scopes JSON NOT NULL, user_id INTEGER, refused BOOLEAN NOT NULL, polled DOUBLE, created DOUBLE NOT NULL,
    ends DOUBLE NOT NULL,
    CONSTRAINT pk_device_requests PRIMARY KEY (id),
    CONSTRAINT uq_device_requests_code UNIQUE (code),
    CONSTRAINT uq_device_requests_token UNIQUE (token),
    CONSTRAINT fk_device_requests_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_device_requests_ends ON device_requests (ends);
CREATE INDEX ix_device_requests_user_id ON device_requests (user_id);

CREATE TABLE events (
    id SERIAL NOT NULL, number INTEGER, at DOUBLE NOT NULL, kind VARCHAR NOT NULL, public BOOLEAN NOT NULL,
    tournament_id INTEGER, bot_id INTEGER, version_id INTEGER, user_id INTEGER, data JSON NOT NULL,
    CONSTRAINT pk_events PRIMARY KEY (id),
    CONSTRAINT uq_events_number UNIQUE (number),
    CONSTRAINT fk_events_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_events_at ON events (at);
CREATE INDEX ix_events_bot_id_number ON events (bot_id, number);
CREATE INDEX ix_events_new ON events (id) WHERE number IS NULL;
CREATE INDEX ix_events_tournament_id_number ON events (tournament_id, number);
CREATE INDEX ix_events_user_id ON events (user_id);

CREATE TABLE group_members (
    group_id INTEGER NOT NULL, user_id INTEGER NOT NULL, real_name VARCHAR NOT NULL, joined DOUBLE NOT NULL,
    CONSTRAINT pk_group_members PRIMARY KEY (group_id, user_id),
    CONSTRAINT fk_group_members_group_id FOREIGN KEY (group_id) REFERENCES groups (id),
    CONSTRAINT fk_group_members_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_group_members_user_id ON group_members (user_id);

CREATE TABLE identities (
    issuer VARCHAR NOT NULL, subject VARCHAR NOT NULL, user_id INTEGER NOT NULL, connected DOUBLE NOT NULL,
    CONSTRAINT pk_identities PRIMARY KEY (issuer, subject),
    CONSTRAINT uq_identities_user_id_issuer UNIQUE (user_id, issuer),
    CONSTRAINT fk_identities_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);

CREATE TABLE invitations (
    id SERIAL NOT NULL, token VARCHAR NOT NULL, group_id INTEGER, real_name VARCHAR NOT NULL, uses INTEGER NOT NULL,
    expires DOUBLE NOT NULL, created DOUBLE NOT NULL, created_by_id INTEGER NOT NULL, revoked DOUBLE,
    CONSTRAINT pk_invitations PRIMARY KEY (id),
    CONSTRAINT uq_invitations_token UNIQUE (token),
    CONSTRAINT fk_invitations_created_by_id FOREIGN KEY (created_by_id) REFERENCES users (id),
    CONSTRAINT fk_invitations_group_id FOREIGN KEY (group_id) REFERENCES groups (id)
);
CREATE INDEX ix_invitations_group_id ON invitations (group_id);

CREATE TABLE repeats (
    user_id INTEGER NOT NULL, "key" VARCHAR NOT NULL, digest VARCHAR NOT NULL, answer JSON, created DOUBLE NOT NULL,
    CONSTRAINT pk_repeats PRIMARY KEY (user_id, "key"),
    CONSTRAINT fk_repeats_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_repeats_created ON repeats (created);

CREATE TABLE schedules (
    id SERIAL NOT NULL, name VARCHAR NOT NULL, "plan" JSON NOT NULL, cron VARCHAR NOT NULL, zone VARCHAR NOT NULL,
    catch_up VARCHAR NOT NULL, paused BOOLEAN NOT NULL, seen_until DOUBLE NOT NULL, problem VARCHAR,
    created_by_id INTEGER NOT NULL, created DOUBLE NOT NULL, due_at DOUBLE DEFAULT 0 NOT NULL,
    CONSTRAINT pk_schedules PRIMARY KEY (id),
    CONSTRAINT fk_schedules_created_by_id FOREIGN KEY (created_by_id) REFERENCES users (id)
);
CREATE INDEX ix_schedules_due ON schedules (paused, due_at);

CREATE TABLE user_sessions (
    id SERIAL NOT NULL, user_id INTEGER NOT NULL, token VARCHAR NOT NULL, browser VARCHAR NOT NULL,
    created DOUBLE NOT NULL, seen DOUBLE NOT NULL, ends DOUBLE NOT NULL,
    CONSTRAINT pk_user_sessions PRIMARY KEY (id),
    CONSTRAINT uq_user_sessions_token UNIQUE (token),
    CONSTRAINT fk_user_sessions_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_user_sessions_ends ON user_sessions (ends);
CREATE INDEX ix_user_sessions_user_id ON user_sessions (user_id);

CREATE TABLE validation_requests (
    id SERIAL NOT NULL, user_id INTEGER NOT NULL, at DOUBLE NOT NULL,
    CONSTRAINT pk_validation_requests PRIMARY KEY (id),
    CONSTRAINT fk_validation_requests_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_validation_requests_user_id_at ON validation_requests (user_id, at);

CREATE TABLE webhooks (
    id SERIAL NOT NULL, user_id INTEGER NOT NULL, url VARCHAR NOT NULL, kinds JSON NOT NULL,
    everything BOOLEAN NOT NULL, secret VARCHAR NOT NULL, failing DOUBLE, disabled VARCHAR, created DOUBLE NOT NULL,
    CONSTRAINT pk_webhooks PRIMARY KEY (id),
    CONSTRAINT fk_webhooks_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_webhooks_user_id ON webhooks (user_id);

CREATE TABLE bot_members (
    bot_id INTEGER NOT NULL, user_id INTEGER NOT NULL, invited DOUBLE NOT NULL, accepted DOUBLE,
    CONSTRAINT pk_bot_members PRIMARY KEY (bot_id, user_id),
    CONSTRAINT fk_bot_members_bot_id FOREIGN KEY (bot_id) REFERENCES bots (id),
    CONSTRAINT fk_bot_members_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_bot_members_user_id ON bot_members (user_id);

CREATE TABLE deliveries (
    id SERIAL NOT NULL, webhook_id INTEGER NOT NULL, event_id INTEGER NOT NULL, state VARCHAR NOT NULL,
    due DOUBLE NOT NULL, attempts INTEGER NOT NULL, fence INTEGER NOT NULL, sent DOUBLE, status INTEGER,
    answer VARCHAR NOT NULL, milliseconds INTEGER,
    CONSTRAINT pk_deliveries PRIMARY KEY (id),
    CONSTRAINT uq_deliveries_webhook_id_event_id UNIQUE (webhook_id, event_id),
    CONSTRAINT fk_deliveries_event_id FOREIGN KEY (event_id) REFERENCES events (id) ON DELETE CASCADE,
    CONSTRAINT fk_deliveries_webhook_id FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
);
CREATE INDEX ix_deliveries_due ON deliveries (due) WHERE state = 'waiting';
CREATE INDEX ix_deliveries_event_id ON deliveries (event_id);

CREATE TABLE dismissals (
    a_id INTEGER NOT NULL, b_id INTEGER NOT NULL, reason VARCHAR NOT NULL, "by" VARCHAR NOT NULL,
    at DOUBLE NOT NULL,
    CONSTRAINT pk_dismissals PRIMARY KEY (a_id, b_id),
    CONSTRAINT fk_dismissals_a_id FOREIGN KEY (a_id) REFERENCES bots (id) ON DELETE CASCADE,
    CONSTRAINT fk_dismissals_b_id FOREIGN KEY (b_id) REFERENCES bots (id) ON DELETE CASCADE
);

CREATE TABLE former_names (
    name_key VARCHAR NOT NULL, bot_id INTEGER NOT NULL, until DOUBLE NOT NULL,
    CONSTRAINT pk_former_names PRIMARY KEY (name_key),
    CONSTRAINT fk_former_names_bot_id FOREIGN KEY (bot_id) REFERENCES bots (id)
);
CREATE INDEX ix_former_names_bot_id ON former_names (bot_id);

CREATE TABLE invitation_uses (
    invitation_id INTEGER NOT NULL, user_id INTEGER NOT NULL, at DOUBLE NOT NULL,
    CONSTRAINT pk_invitation_uses PRIMARY KEY (invitation_id, user_id),
    CONSTRAINT fk_invitation_uses_invitation_id FOREIGN KEY (invitation_id) REFERENCES invitations (id),
    CONSTRAINT fk_invitation_uses_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_invitation_uses_user_id ON invitation_uses (user_id);

CREATE TABLE tournaments (
    id SERIAL NOT NULL, name VARCHAR NOT NULL, variant VARCHAR NOT NULL, options JSON NOT NULL,
    format VARCHAR NOT NULL, state VARCHAR NOT NULL, boards INTEGER NOT NULL, seed BLOB NOT NULL,
    commitment VARCHAR NOT NULL, priority INTEGER NOT NULL, created_by_id INTEGER NOT NULL, created DOUBLE NOT NULL,
    finished DOUBLE, tables_total INTEGER NOT NULL, tables_done INTEGER NOT NULL, tables_failed INTEGER NOT NULL,
    folded INTEGER NOT NULL, tables_insecure INTEGER DEFAULT 0 NOT NULL, shape JSON DEFAULT '{}' NOT NULL,
    problem VARCHAR, seatings VARCHAR DEFAULT 'rotations' NOT NULL, entry_rule VARCHAR DEFAULT 'chosen' NOT NULL,
    chosen JSON, fault_cap INTEGER, starts_at DOUBLE, started DOUBLE, schedule_id INTEGER, due DOUBLE,
    stage INTEGER DEFAULT 1 NOT NULL, tables_cancelled INTEGER DEFAULT 0 NOT NULL, verdict JSON,
    balanced_from INTEGER DEFAULT 0 NOT NULL, results INTEGER DEFAULT 0 NOT NULL, fitted INTEGER DEFAULT 0 NOT NULL,
    rest VARCHAR, origin VARCHAR,
    CONSTRAINT pk_tournaments PRIMARY KEY (id),
    CONSTRAINT uq_tournaments_schedule_id_due UNIQUE (schedule_id, due),
    CONSTRAINT fk_tournaments_created_by_id FOREIGN KEY (created_by_id) REFERENCES users (id),
    CONSTRAINT fk_tournaments_schedule_id FOREIGN KEY (schedule_id) REFERENCES schedules (id)
);
CREATE INDEX ix_tournaments_failed ON tournaments (id) WHERE tables_failed > 0;
CREATE INDEX ix_tournaments_format ON tournaments (format, created);
CREATE INDEX ix_tournaments_ladders ON tournaments (variant, state) WHERE format = 'ladder';
CREATE INDEX ix_tournaments_state ON tournaments (state);
CREATE INDEX ix_tournaments_variant ON tournaments (variant);

CREATE TABLE versions (
    id SERIAL NOT NULL, bot_id INTEGER NOT NULL, number INTEGER NOT NULL, source BLOB NOT NULL,
    size INTEGER NOT NULL, sha256 VARCHAR NOT NULL, state VARCHAR NOT NULL, report JSON, games JSON,
    attempts INTEGER NOT NULL, fence INTEGER NOT NULL, lease_until DOUBLE, rung_at DOUBLE, created DOUBLE NOT NULL,
    files JSON, retry_at DOUBLE, faulted DOUBLE, spent DOUBLE DEFAULT 0 NOT NULL, passed JSON,
    CONSTRAINT pk_versions PRIMARY KEY (id),
    CONSTRAINT uq_versions_bot_id_number UNIQUE (bot_id, number),
    CONSTRAINT fk_versions_bot_id FOREIGN KEY (bot_id) REFERENCES bots (id)
);
CREATE INDEX ix_versions_disposable ON versions (state, created) WHERE state = 'invalid' AND length(source) > 0;
CREATE INDEX ix_versions_state ON versions (state);

CREATE TABLE alike_pairs (
    id SERIAL NOT NULL, a_id INTEGER NOT NULL, b_id INTEGER NOT NULL, a_version_id INTEGER NOT NULL,
    b_version_id INTEGER NOT NULL, variant VARCHAR NOT NULL, share DOUBLE NOT NULL, counted INTEGER NOT NULL,
    expected DOUBLE, by_chance DOUBLE, lines JSON,
    CONSTRAINT pk_alike_pairs PRIMARY KEY (id),
    CONSTRAINT uq_alike_pairs_a_id_b_id_variant UNIQUE (a_id, b_id, variant),
    CONSTRAINT fk_alike_pairs_a_id FOREIGN KEY (a_id) REFERENCES bots (id) ON DELETE CASCADE,
    CONSTRAINT fk_alike_pairs_a_version_id FOREIGN KEY (a_version_id) REFERENCES versions (id) ON DELETE CASCADE,
    CONSTRAINT fk_alike_pairs_b_id FOREIGN KEY (b_id) REFERENCES bots (id) ON DELETE CASCADE,
    CONSTRAINT fk_alike_pairs_b_version_id FOREIGN KEY (b_version_id) REFERENCES versions (id) ON DELETE CASCADE
);
CREATE INDEX ix_alike_pairs_b_id ON alike_pairs (b_id);

CREATE TABLE assignments (
    id SERIAL NOT NULL, name VARCHAR NOT NULL, group_id INTEGER, variant VARCHAR NOT NULL,
    reference_id INTEGER NOT NULL, company JSON NOT NULL, share DOUBLE NOT NULL, confidence DOUBLE NOT NULL,
    tables INTEGER NOT NULL, opens DOUBLE NOT NULL, deadline DOUBLE NOT NULL, points JSON NOT NULL, "plan" JSON,
    public BOOLEAN NOT NULL, final_id INTEGER, problem VARCHAR, closed DOUBLE, created_by_id INTEGER NOT NULL,
    created DOUBLE NOT NULL, reminded DOUBLE,
    CONSTRAINT pk_assignments PRIMARY KEY (id),
    CONSTRAINT fk_assignments_created_by_id FOREIGN KEY (created_by_id) REFERENCES users (id),
    CONSTRAINT fk_assignments_final_id FOREIGN KEY (final_id) REFERENCES tournaments (id),
    CONSTRAINT fk_assignments_group_id FOREIGN KEY (group_id) REFERENCES groups (id),
    CONSTRAINT fk_assignments_reference_id FOREIGN KEY (reference_id) REFERENCES versions (id)
);
CREATE INDEX ix_assignments_group_id ON assignments (group_id);
CREATE INDEX ix_assignments_open ON assignments (closed, opens);

CREATE TABLE entries (
    tournament_id INTEGER NOT NULL, number INTEGER NOT NULL, version_id INTEGER NOT NULL, out VARCHAR,
    out_after INTEGER, rank INTEGER,
    CONSTRAINT pk_entries PRIMARY KEY (tournament_id, number),
    CONSTRAINT uq_entries_tournament_id_version_id UNIQUE (tournament_id, version_id),
    CONSTRAINT fk_entries_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id),
    CONSTRAINT fk_entries_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_entries_version_id ON entries (version_id);

CREATE TABLE notices (
    id SERIAL NOT NULL, user_id INTEGER NOT NULL, text VARCHAR NOT NULL, tournament_id INTEGER,
    created DOUBLE NOT NULL, seen BOOLEAN NOT NULL, kind VARCHAR DEFAULT 'other' NOT NULL, bot_id INTEGER,
    mail_due DOUBLE,
    CONSTRAINT pk_notices PRIMARY KEY (id),
    CONSTRAINT fk_notices_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id),
    CONSTRAINT fk_notices_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_notices_mail_due ON notices (mail_due) WHERE mail_due IS NOT NULL;
CREATE INDEX ix_notices_user_id ON notices (user_id);

CREATE TABLE ratings (
    variant VARCHAR NOT NULL, version_id INTEGER NOT NULL, mu DOUBLE NOT NULL, sigma DOUBLE NOT NULL,
    tables INTEGER NOT NULL, matches INTEGER NOT NULL,
    CONSTRAINT pk_ratings PRIMARY KEY (variant, version_id),
    CONSTRAINT fk_ratings_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_ratings_version_id ON ratings (version_id);

CREATE TABLE rejudgements (
    id SERIAL NOT NULL, tournament_id INTEGER NOT NULL, table_number INTEGER, version_id INTEGER,
    reason VARCHAR NOT NULL, tables INTEGER NOT NULL, created_by_id INTEGER NOT NULL, created DOUBLE NOT NULL,
    CONSTRAINT pk_rejudgements PRIMARY KEY (id),
    CONSTRAINT fk_rejudgements_created_by_id FOREIGN KEY (created_by_id) REFERENCES users (id),
    CONSTRAINT fk_rejudgements_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id),
    CONSTRAINT fk_rejudgements_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_rejudgements_tournament_id ON rejudgements (tournament_id);

CREATE TABLE tables (
    id SERIAL NOT NULL, tournament_id INTEGER NOT NULL, number INTEGER NOT NULL, state VARCHAR NOT NULL,
    priority INTEGER NOT NULL, attempts INTEGER NOT NULL, fence INTEGER NOT NULL, lease_until DOUBLE,
    worker VARCHAR, rung_at DOUBLE, finished DOUBLE, stage INTEGER DEFAULT 0 NOT NULL, retry_at DOUBLE,
    CONSTRAINT pk_tables PRIMARY KEY (id),
    CONSTRAINT uq_tables_tournament_id_number UNIQUE (tournament_id, number),
    CONSTRAINT fk_tables_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id)
);
CREATE INDEX ix_tables_announced ON tables (state, rung_at);
CREATE INDEX ix_tables_pace ON tables (state, finished);
CREATE INDEX ix_tables_progress ON tables (tournament_id, state, number);

CREATE TABLE tournament_neighbours (
    tournament_id INTEGER NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL, forward INTEGER NOT NULL,
    backward INTEGER NOT NULL,
    CONSTRAINT pk_tournament_neighbours PRIMARY KEY (tournament_id, a, b),
    CONSTRAINT fk_tournament_neighbours_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id)
);

CREATE TABLE tournament_pairs (
    tournament_id INTEGER NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL, tables INTEGER NOT NULL,
    h INTEGER NOT NULL, n INTEGER NOT NULL, hh INTEGER NOT NULL, hn INTEGER NOT NULL, nn INTEGER NOT NULL,
    p INTEGER DEFAULT 0 NOT NULL,
    CONSTRAINT pk_tournament_pairs PRIMARY KEY (tournament_id, a, b),
    CONSTRAINT fk_tournament_pairs_a FOREIGN KEY (a) REFERENCES versions (id),
    CONSTRAINT fk_tournament_pairs_b FOREIGN KEY (b) REFERENCES versions (id),
    CONSTRAINT fk_tournament_pairs_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id)
);
CREATE INDEX ix_tournament_pairs_b ON tournament_pairs (b);

CREATE TABLE tournament_scores (
    tournament_id INTEGER NOT NULL, version_id INTEGER NOT NULL, matches INTEGER NOT NULL, faults INTEGER NOT NULL,
    tables INTEGER NOT NULL, h INTEGER NOT NULL, n INTEGER NOT NULL, hh INTEGER NOT NULL, hn INTEGER NOT NULL,
    nn INTEGER NOT NULL, p INTEGER DEFAULT 0 NOT NULL, pp INTEGER DEFAULT 0 NOT NULL, pn INTEGER DEFAULT 0 NOT NULL,
    strength DOUBLE, reach DOUBLE,
    CONSTRAINT pk_tournament_scores PRIMARY KEY (tournament_id, version_id),
    CONSTRAINT fk_tournament_scores_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id),
    CONSTRAINT fk_tournament_scores_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_tournament_scores_version_id ON tournament_scores (version_id);

CREATE TABLE variant_pairs (
    variant VARCHAR NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL, tables INTEGER NOT NULL, h INTEGER NOT NULL,
    n INTEGER NOT NULL, hh INTEGER NOT NULL, hn INTEGER NOT NULL, nn INTEGER NOT NULL, p INTEGER DEFAULT 0 NOT NULL,
    CONSTRAINT pk_variant_pairs PRIMARY KEY (variant, a, b),
    CONSTRAINT fk_variant_pairs_a FOREIGN KEY (a) REFERENCES versions (id),
    CONSTRAINT fk_variant_pairs_b FOREIGN KEY (b) REFERENCES versions (id)
);
CREATE INDEX ix_variant_pairs_b ON variant_pairs (b);

CREATE TABLE variant_scores (
    variant VARCHAR NOT NULL, version_id INTEGER NOT NULL, matches INTEGER NOT NULL, faults INTEGER NOT NULL,
    tables INTEGER NOT NULL, h INTEGER NOT NULL, n INTEGER NOT NULL, hh INTEGER NOT NULL, hn INTEGER NOT NULL,
    nn INTEGER NOT NULL, p INTEGER DEFAULT 0 NOT NULL, pp INTEGER DEFAULT 0 NOT NULL, pn INTEGER DEFAULT 0 NOT NULL,
    strength DOUBLE, reach DOUBLE,
    CONSTRAINT pk_variant_scores PRIMARY KEY (variant, version_id),
    CONSTRAINT fk_variant_scores_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_variant_scores_version_id ON variant_scores (version_id);

CREATE TABLE assignment_attempts (
    assignment_id INTEGER NOT NULL, version_id INTEGER NOT NULL, user_id INTEGER NOT NULL, tournament_id INTEGER,
    problem VARCHAR, created DOUBLE NOT NULL,
    CONSTRAINT pk_assignment_attempts PRIMARY KEY (assignment_id, version_id),
    CONSTRAINT uq_assignment_attempts_tournament_id UNIQUE (tournament_id),
    CONSTRAINT fk_assignment_attempts_assignment_id FOREIGN KEY (assignment_id) REFERENCES assignments (id),
    CONSTRAINT fk_assignment_attempts_tournament_id FOREIGN KEY (tournament_id) REFERENCES tournaments (id),
    CONSTRAINT fk_assignment_attempts_user_id FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT fk_assignment_attempts_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);

CREATE TABLE assignment_entries (
    assignment_id INTEGER NOT NULL, user_id INTEGER NOT NULL, bot_id INTEGER NOT NULL, first INTEGER NOT NULL,
    entered DOUBLE NOT NULL,
    CONSTRAINT pk_assignment_entries PRIMARY KEY (assignment_id, user_id),
    CONSTRAINT fk_assignment_entries_assignment_id FOREIGN KEY (assignment_id) REFERENCES assignments (id),
    CONSTRAINT fk_assignment_entries_bot_id FOREIGN KEY (bot_id) REFERENCES bots (id),
    CONSTRAINT fk_assignment_entries_user_id FOREIGN KEY (user_id) REFERENCES users (id)
);
CREATE INDEX ix_assignment_entries_bot_id ON assignment_entries (bot_id);

CREATE TABLE attempts (
    table_id INTEGER NOT NULL, fence INTEGER NOT NULL, worker VARCHAR NOT NULL, started DOUBLE NOT NULL,
    ended DOUBLE, outcome VARCHAR, reason VARCHAR,
    CONSTRAINT pk_attempts PRIMARY KEY (table_id, fence),
    CONSTRAINT fk_attempts_table_id FOREIGN KEY (table_id) REFERENCES tables (id)
);

CREATE TABLE matches (
    id SERIAL NOT NULL, table_id INTEGER NOT NULL, seating INTEGER NOT NULL, record BLOB NOT NULL,
    finished DOUBLE NOT NULL, cage VARCHAR, fence INTEGER DEFAULT 0 NOT NULL,
    superseded BOOLEAN DEFAULT false NOT NULL, packages ORDERED_JSON,
    CONSTRAINT pk_matches PRIMARY KEY (id),
    CONSTRAINT uq_matches_table_id_fence_seating UNIQUE (table_id, fence, seating),
    CONSTRAINT fk_matches_table_id FOREIGN KEY (table_id) REFERENCES tables (id)
);

CREATE TABLE rating_events (
    table_id INTEGER NOT NULL, version_id INTEGER NOT NULL, variant VARCHAR NOT NULL, rank INTEGER NOT NULL,
    mu DOUBLE NOT NULL, sigma DOUBLE NOT NULL, tables INTEGER NOT NULL, matches INTEGER NOT NULL,
    created DOUBLE NOT NULL,
    CONSTRAINT pk_rating_events PRIMARY KEY (table_id, version_id),
    CONSTRAINT fk_rating_events_table_id FOREIGN KEY (table_id) REFERENCES tables (id),
    CONSTRAINT fk_rating_events_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_rating_events_history ON rating_events (variant, version_id, table_id);

CREATE TABLE table_seats (
    table_id INTEGER NOT NULL, position INTEGER NOT NULL, version_id INTEGER NOT NULL, half_points INTEGER,
    rank INTEGER, faults INTEGER NOT NULL,
    CONSTRAINT pk_table_seats PRIMARY KEY (table_id, position),
    CONSTRAINT uq_table_seats_table_id_version_id UNIQUE (table_id, version_id),
    CONSTRAINT fk_table_seats_table_id FOREIGN KEY (table_id) REFERENCES tables (id),
    CONSTRAINT fk_table_seats_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_table_seats_version_id ON table_seats (version_id);

CREATE TABLE match_seats (
    match_id INTEGER NOT NULL, seat INTEGER NOT NULL, version_id INTEGER NOT NULL, score INTEGER NOT NULL,
    rank INTEGER NOT NULL, fault VARCHAR, cpu DOUBLE NOT NULL, memory INTEGER NOT NULL, detail TEXT NOT NULL,
    traceback TEXT NOT NULL, output TEXT NOT NULL, move INTEGER, "view" ORDERED_JSON,
    think BLOB DEFAULT EMPTY NOT NULL, wall DOUBLE, answers BLOB DEFAULT EMPTY NOT NULL,
    CONSTRAINT pk_match_seats PRIMARY KEY (match_id, seat),
    CONSTRAINT fk_match_seats_match_id FOREIGN KEY (match_id) REFERENCES matches (id),
    CONSTRAINT fk_match_seats_version_id FOREIGN KEY (version_id) REFERENCES versions (id)
);
CREATE INDEX ix_match_seats_version ON match_seats (version_id, match_id);

ALTER TABLE bots ADD CONSTRAINT fk_bots_active_version_id FOREIGN KEY (active_version_id) REFERENCES versions (id);
