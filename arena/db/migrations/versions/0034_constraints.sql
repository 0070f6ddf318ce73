-- What a single row, or a reference of several columns, must satisfy.

ALTER TABLE alike_pairs ADD CONSTRAINT ck_alike_pairs_order CHECK (a_id < b_id);
ALTER TABLE announcements ADD CONSTRAINT ck_announcements_severity CHECK (severity IN ('info', 'warning', 'urgent'));
ALTER TABLE attempts ADD CONSTRAINT ck_attempts_ended CHECK ((outcome IS NULL) = (ended IS NULL));
ALTER TABLE attempts ADD CONSTRAINT ck_attempts_outcome
    CHECK (outcome IN ('done', 'fault', 'expired', 'cancelled', 'returned', 'superseded'));
ALTER TABLE bots ADD CONSTRAINT ck_bots_archived CHECK (archived IS NULL OR NOT active);
ALTER TABLE bots ADD CONSTRAINT ck_bots_disabled CHECK (length(trim(disabled)) > 0);
ALTER TABLE deliveries ADD CONSTRAINT ck_deliveries_state CHECK (state IN ('waiting', 'delivered', 'failed'));
ALTER TABLE deliveries ADD CONSTRAINT ck_deliveries_status
    CHECK (state <> 'delivered' OR (status IS NOT NULL AND status BETWEEN 200 AND 299));
ALTER TABLE dismissals ADD CONSTRAINT ck_dismissals_order CHECK (a_id < b_id);
ALTER TABLE entries ADD CONSTRAINT ck_entries_out
    CHECK (out IN ('withdrawn', 'faults', 'deactivated', 'replaced', 'eliminated'));
ALTER TABLE event_cursor ADD CONSTRAINT ck_event_cursor_single CHECK (id = 1);
ALTER TABLE former_names ADD CONSTRAINT ck_former_names_name_key
    CHECK (name_key = lower(name_key) AND length(name_key) BETWEEN 3 AND 32);
ALTER TABLE invitations ADD CONSTRAINT ck_invitations_real_name
    CHECK (real_name = '' OR (uses = 1 AND group_id IS NOT NULL));
ALTER TABLE invitations ADD CONSTRAINT ck_invitations_uses CHECK (uses >= 1);
ALTER TABLE match_seats ADD CONSTRAINT ck_match_seats_measured CHECK (cpu >= 0 AND wall >= 0 AND memory >= 0);
ALTER TABLE matches ADD CONSTRAINT ck_matches_cage CHECK (cage IN ('both', 'one', 'none'));
ALTER TABLE matches ADD CONSTRAINT fk_matches_table_id_fence
    FOREIGN KEY (table_id, fence) REFERENCES attempts (table_id, fence);
ALTER TABLE processes ADD CONSTRAINT ck_processes_kind CHECK (kind IN ('worker', 'web'));
ALTER TABLE processes ADD CONSTRAINT ck_processes_state CHECK (state IN ('idle', 'busy', 'paused', 'out'));
ALTER TABLE rating_cursors ADD CONSTRAINT ck_rating_cursors_marks CHECK (due >= 0 AND fitted >= 0);
ALTER TABLE rating_events ADD CONSTRAINT fk_rating_events_table_id_version_id
    FOREIGN KEY (table_id, version_id) REFERENCES table_seats (table_id, version_id);
ALTER TABLE rating_parameters ADD CONSTRAINT ck_rating_parameters_range
    CHECK (beta > 0 AND draw_probability >= 0 AND draw_probability < 1);
ALTER TABLE schedules ADD CONSTRAINT ck_schedules_catch_up CHECK (catch_up IN ('skip', 'once'));
ALTER TABLE tables ADD CONSTRAINT ck_tables_state
    CHECK (state IN ('queued', 'running', 'done', 'infra_failed', 'cancelled'));
ALTER TABLE tournament_neighbours ADD CONSTRAINT ck_tournament_neighbours_order CHECK (a < b);
ALTER TABLE tournament_neighbours ADD CONSTRAINT fk_tournament_neighbours_tournament_id_a
    FOREIGN KEY (tournament_id, a) REFERENCES entries (tournament_id, number);
ALTER TABLE tournament_neighbours ADD CONSTRAINT fk_tournament_neighbours_tournament_id_b
    FOREIGN KEY (tournament_id, b) REFERENCES entries (tournament_id, number);
ALTER TABLE tournament_pairs ADD CONSTRAINT ck_tournament_pairs_order CHECK (a < b);
ALTER TABLE tournaments ADD CONSTRAINT ck_tournaments_boards CHECK (boards >= 1);
ALTER TABLE tournaments ADD CONSTRAINT ck_tournaments_entry_rule
    CHECK (entry_rule IN ('all', 'one_per_owner', 'chosen'));
ALTER TABLE tournaments ADD CONSTRAINT ck_tournaments_fault_cap CHECK (fault_cap >= 0);
ALTER TABLE tournaments ADD CONSTRAINT ck_tournaments_seed
    CHECK (length(seed) = 32 OR (length(seed) = 0 AND origin IS NOT NULL));
ALTER TABLE tournaments ADD CONSTRAINT ck_tournaments_state
    CHECK (state IN ('draft', 'scheduled', 'running', 'paused', 'finished', 'cancelled'));
ALTER TABLE tournaments ADD CONSTRAINT ck_tournaments_verdict CHECK (format = 'comparison' OR verdict IS NULL);
ALTER TABLE users ADD CONSTRAINT ck_users_disabled CHECK (length(trim(disabled)) > 0);
ALTER TABLE users ADD CONSTRAINT ck_users_quota_factor CHECK (quota_factor BETWEEN 0.01 AND 1000);
ALTER TABLE variant_pairs ADD CONSTRAINT ck_variant_pairs_order CHECK (a < b);
ALTER TABLE versions ADD CONSTRAINT ck_versions_state
    CHECK (state IN ('pending', 'valid', 'invalid', 'infra_failed', 'imported'));
ALTER TABLE webhooks ADD CONSTRAINT ck_webhooks_url
    CHECK (substr(url, 1, 8) = 'https://' OR substr(url, 1, 7) = 'http://');
