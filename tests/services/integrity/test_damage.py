"""Every kind of damage is found and named, whatever else is damaged, and repairs change only what can be recomputed."""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import chain
from typing import Any, NamedTuple

import pytest
from sqlalchemy import event

from arena.db.models import Version
from arena.services.base.context import Arena
from arena.services.integrity import (
    analyses,
    findings,
    fsck,
    live,
    lti,
    numbers,
    people,
    results,
    storage,
    tables,
    tournaments,
    webhooks,
)  # fmt: skip
from arena.services.integrity.findings import Check

OTHERS = (
    ("UPDATE users SET name_key = 'someone' WHERE id = 2", "user 2: its name in lower case is stored as 'someone'"),
    ("UPDATE variant_scores SET h = h + 1 WHERE version_id = 2", "variant_scores ('suitability-2', 2): stored"),
)
"""Damage that is planted beside every other: in what is checked first, and in what is computed from everything."""


class Damage(NamedTuple):
    """One kind of damage."""

    sql: str
    """Statements that cause it."""
    says: str
    """Part of the finding, with the row's name."""
    repairable: bool = False


def lost(sql: str, says: str) -> Damage:
    """Return damage that cannot be repaired."""
    return Damage(sql, says)


def kept(sql: str, says: str) -> Damage:
    """Return damage that can be repaired."""
    return Damage(sql, says, repairable=True)


PEOPLE = (
    kept("UPDATE users SET name_key = 'x' WHERE id = 1", "user 1: its name in lower case is stored as 'x'"),
    lost("UPDATE users SET name = 'no name', name_key = 'no name' WHERE id = 1", "user 1: its name 'no name'"),
    lost("UPDATE users SET password = '$argon2id$v=19$m=' WHERE id = 1", "user 1: its password"),
    lost("DROP TRIGGER audit_refuses_delete", "audit log: the trigger audit_refuses_delete is missing"),
    lost("DELETE FROM users WHERE id = 1", "refers to created_by_id 1, which is not in users"),
    lost("UPDATE notices SET user_id = 9", "notices: the row with id 1 refers to user_id 9"),
    kept("UPDATE bots SET name_key = 'x' WHERE id = 1", "bot 1: its name in lower case is stored as 'x'"),
    lost("UPDATE bots SET owner_id = 9 WHERE id = 1", "bots: the row with id 1 refers to owner_id 9"),
    kept("UPDATE bot_members SET user_id = 2", "bot 2: its owner is listed among the co-owners"),
    lost("UPDATE bot_members SET accepted = 1", "bot 2: account 1 joined its team before it was invited"),
    lost("UPDATE bot_members SET user_id = 9", "bot_members: the row with bot_id 2, user_id 9 refers to user_id 9"),
    lost("UPDATE former_names SET name_key = 'bot-0'", "former name bot-0: it is reserved as a former name of bot 2"),
    kept("UPDATE bots SET active_version_id = 2 WHERE id = 1", "bot 1: its active version has the ID 2"),
    kept("UPDATE bots SET active_version_id = 5 WHERE id = 1", "bot 1: its active version has the ID 5"),
    kept("UPDATE bots SET active_version_id = NULL WHERE id = 1", "bot 1: its active version has the ID None"),
)  # fmt: skip

GROUPS_OF_MEMBERS = (
    kept("UPDATE groups SET name_key = 'x'", "group 1: its name in lower case is stored as 'x'"),
    lost("UPDATE groups SET name = ' ', name_key = ' '", "group 1: its name ' ' is not a valid name"),
    lost("UPDATE group_members SET real_name = 'Ann' || char(10)", "group 1: the real name of its member 2"),
    lost("DELETE FROM groups", "group_members: the row with group_id 1, user_id 2 refers to group_id 1"),
    lost("UPDATE invitations SET uses = 0 WHERE id = 1", "invitation 1: it was used 1 times; it has 0 uses"),
    lost("UPDATE invitations SET token = 'iiii-0000' WHERE id = 1", "invitation 1: its token is malformed"),
    lost("UPDATE invitations SET real_name = ' ' WHERE id = 2", "invitation 2: the name of its person ' ' is not"),
    lost("DELETE FROM invitations WHERE id = 1", "invitation_uses: the row with invitation_id 1, user_id 2 refers to"),
)  # fmt: skip

LOG_INS = (
    kept("UPDATE user_sessions SET token = 'secret'", "session 1: its token is not stored as a SHA-256 hash"),
    kept("UPDATE user_sessions SET seen = created - 60", "session 1: its times of log-in, last use and end"),
    kept("UPDATE user_sessions SET ends = created - 60", "session 1: its times of log-in, last use and end"),
    lost("UPDATE user_sessions SET user_id = 99", "user_sessions: the row with id 1 refers to user_id 99"),
    kept("UPDATE account_links SET token = 'secret'", "account link 1: its token is not stored as a SHA-256 hash"),
    kept("UPDATE account_links SET ends = ends + 60", "account link 1: it does not end a day after it was made"),
    kept("UPDATE account_links SET ends = created - 60", "account link 1: it does not end a day after it was made"),
    kept("UPDATE access_tokens SET token = 'secret'", "access token 1: its token is not stored as a SHA-256 hash"),
    kept("UPDATE access_tokens SET ends = created", "access token 1: it does not end within a year after it was made"),
    kept("UPDATE access_tokens SET scopes = '[\"rule\"]'", "access token 1: its scopes are ['rule']"),
    kept("UPDATE device_requests SET token = 'secret'", "device request 1: its token is not stored as a SHA-256 hash"),
    kept("UPDATE device_requests SET ends = ends + 60", "device request 1: it does not end ten minutes after it was"),
    kept("UPDATE users SET name = 'Gone', name_key = 'gone' WHERE deleted > 0", "it was deleted, but has a name"),
    kept(
        "UPDATE users SET email = 'a@b' WHERE deleted > 0", "it was deleted, but has a password, an address or a role"
    ),
    kept("UPDATE users SET is_admin = 1 WHERE deleted > 0", "it was deleted, but has a password, an address or a role"),
    kept(
        "UPDATE user_sessions SET user_id = (SELECT id FROM users WHERE deleted > 0)", "but has rows in user_sessions"
    ),
)

EVENTS = (
    lost("UPDATE events SET kind = 'nothing' WHERE id = 1", "event 1: its kind is 'nothing'"),
    lost("UPDATE events SET data = '{}' WHERE id = 1", "event 1: it cannot be checked: KeyError"),
    kept("UPDATE events SET public = 1 - public WHERE id = 1", "event 1: it is "),
    kept("UPDATE event_cursor SET last = 1", "event cursor: it is at 1; an event has the number"),
    lost("UPDATE webhooks SET secret = 'x' WHERE id = 1", "webhook 1: its secret is malformed"),
    lost("UPDATE webhooks SET kinds = '[]' WHERE id = 1", "webhook 1: its kinds are []"),
    lost("UPDATE deliveries SET attempts = 3 WHERE id = 1", "delivery 1: 3 attempts are counted, but its fence is 0"),
    kept("UPDATE deliveries SET due = 1e12 WHERE id = 1", "delivery 1: it waits for another"),
)

PLATFORMS = (
    lost('UPDATE lti_platforms SET private_key = \'{"kty": "RSA"}\'', "platform 1: its key is malformed"),
    lost("UPDATE lti_platforms SET token_url = 'x'", "platform 1: it cannot be checked: Refused"),
    lost("UPDATE lti_platforms SET deployments = '[]'", "platform 1: it cannot be checked: Refused"),
    lost("DELETE FROM lti_platforms", "lti_courses: the row with id 1 refers to platform_id 1"),
    lost("UPDATE lti_courses SET title = ''", "course 1: its title has 0 characters"),
    lost("UPDATE assignments SET group_id = NULL", "activity 1: assignment 1 is not of the class of course 1"),
    kept("UPDATE lti_links SET looked = 1e12", "activity 1: the last look at its points lies"),
    lost("DELETE FROM lti_links", "lti_scores: the row with id 1 refers to link_id 1"),
    lost("UPDATE lti_scores SET user_id = 99", "lti_scores: the row with id 1 refers to user_id 99"),
    lost("UPDATE lti_scores SET given = -1", "grade 1: its points are -1.0"),
    lost("UPDATE lti_scores SET attempts = 3", "grade 1: 3 attempts are counted, but its fence is 0"),
    lost("UPDATE lti_scores SET attempts = 1, fence = 1", "grade 1: 1 attempts are counted, but it was never sent"),
    kept("UPDATE lti_scores SET due = 1e12", "grade 1: it waits for another"),
    lost("UPDATE lti_launches SET message = '{'", "launch launched: it cannot be checked: JSONDecodeError"),
    kept("UPDATE lti_launches SET message = '{}'", "launch launched: its message is malformed"),
    kept("UPDATE lti_launches SET answer = 'x'", "launch launched: it has an answer, but asked for no activity"),
    kept("UPDATE lti_launches SET at = 1e12", "launch launched: its time lies"),
)

VERSIONS = (
    lost("UPDATE versions SET source = x'6162' WHERE id = 1", "version 1: its source"),
    lost("UPDATE versions SET size = 3 WHERE id = 1", "version 1: its source"),
    lost("UPDATE versions SET sha256 = 'ab' WHERE id = 1", "version 1: its source"),
    lost("UPDATE versions SET files = '[[\"bot.py\", 1]]' WHERE id = 4", "version 4: its list of files"),
    lost("UPDATE versions SET files = '[' WHERE id = 4", "version 4: it cannot be checked: JSONDecodeError"),
    lost("UPDATE versions SET number = 7 WHERE id = 5", "bot 1: its versions are numbered [1, 7]"),
    lost("UPDATE versions SET state = 'invalid' WHERE id = 5", "version 5: it is invalid, but has no report"),
    lost("UPDATE versions SET report = '{\"stage\": 1}' WHERE id = 1", "version 1: it cannot be checked: TypeError"),
    lost("UPDATE versions SET games = '[1]' WHERE id = 1", "version 1: its games are [1]"),
    lost("UPDATE versions SET attempts = 5 WHERE id = 5", "version 5: 5 attempts are counted"),
    kept("UPDATE versions SET lease_until = 1 WHERE id = 4", "version 4: its worker disappeared"),
    kept("UPDATE versions SET lease_until = 1e12 WHERE id = 4", "version 4: its lease lasts for another"),
    kept("UPDATE versions SET lease_until = 1 WHERE id = 1", "version 1: it is valid, but it has a lease"),
    kept("UPDATE versions SET retry_at = 1e12 WHERE id = 5", "version 5: it waits for another"),
    kept("UPDATE versions SET rung_at = 1e12 WHERE id = 5", "version 5: its doorbell rang"),
    lost("DELETE FROM versions WHERE id = 3", "table_seats: the row with table_id 1, position"),
)  # fmt: skip

TOURNAMENTS = (
    lost("UPDATE tournaments SET variant = 'whist' WHERE id = 1", "tournament 1: it cannot be checked: OptionError"),
    lost("UPDATE tournaments SET options = '{}' WHERE id = 1", "table 1: it has the places [0, 1, 2]; it must have 4"),
    lost("UPDATE tournaments SET options = '{\"cheat\": 1}' WHERE id = 1", "tournament 1: it cannot be checked: O"),
    lost("UPDATE tournaments SET options = '{' WHERE id = 1", "tournament 1: it cannot be checked: JSONDecodeErro"),
    lost("UPDATE tournaments SET format = 'cup' WHERE id = 1", "tournament 1: its format is 'cup'"),
    lost("UPDATE tournaments SET shape = '{}' WHERE id = 1", "tournament 1: its shape {} lacks"),
    lost("UPDATE tournaments SET seatings = 'none' WHERE id = 1", "tournament 1: its seatings is 'none'"),
    lost("UPDATE tournaments SET boards = 2 WHERE id = 1", "table 1: it must have one match for each of 6"),
    lost("UPDATE tournaments SET seed = zeroblob(32) WHERE id = 1", "tournament 1: its seed does not match"),
    lost("UPDATE tournaments SET commitment = 'x' WHERE id = 1", "tournament 1: its seed does not match"),
    lost("UPDATE tournaments SET state = 'scheduled' WHERE id = 3", "tournament 3: it is scheduled, but for no time"),
    lost("UPDATE tournaments SET state = 'draft' WHERE id = 1", "tournament 1: it is draft, but it has 3 entries"),
    lost("UPDATE tournaments SET state = 'finished', finished = 1 WHERE id = 2", "tournament 2: it is finished, but"),
    kept("UPDATE tournaments SET finished = NULL WHERE id = 1", "tournament 1: it is finished, but its time of fin"),
    kept("UPDATE tournaments SET finished = 1 WHERE id = 2", "tournament 2: it is running, but its time of fini"),
    kept("UPDATE tournaments SET started = NULL WHERE id = 2", "tournament 2: it is running, but has not started"),
    kept("UPDATE tournaments SET tables_total = 1 WHERE id = 1", "tournament 1: its tables_total is 1"),
    kept("UPDATE tournaments SET tables_done = 1 WHERE id = 1", "tournament 1: its tables_done is 1"),
    kept("UPDATE tournaments SET tables_failed = 1 WHERE id = 2", "tournament 2: its tables_failed is 1"),
    kept("UPDATE tournaments SET tables_cancelled = 1 WHERE id = 2", "tournament 2: its tables_cancelled is 1"),
    kept("UPDATE tournaments SET tables_insecure = 1 WHERE id = 1", "tournament 1: its tables_insecure is 1"),
    lost("UPDATE tournaments SET stage = 3 WHERE id = 1", "tournament 1: its tables go up to stage 0; 3 stages"),
    lost("UPDATE tournaments SET balanced_from = 9 WHERE id = 1", "tournament 1: its places are balanced from"),
    kept("UPDATE tournaments SET folded = 3 WHERE id = 2", "tournament 2: its first 3 tables count as rated"),
    kept("UPDATE tournaments SET results = 1, fitted = 0 WHERE id = 1", "tournament 1: 1 changes of its results ar"),
    kept("UPDATE tournaments SET fitted = 9 WHERE id = 1", "tournament 1: its strengths are fitted to 9 changes"),
    kept("UPDATE tournaments SET verdict = NULL WHERE id = 4", "tournament 4: its verdict is None, but its tables gi"),
    lost("UPDATE tournaments SET created_by_id = 9 WHERE id = 1", "tournaments: the row with id 1 refers to created"),
    lost("DELETE FROM tournaments WHERE id = 1", "tables: the row with id 1 refers to tournament_id 1, which"),
    lost("DELETE FROM entries WHERE tournament_id = 1 AND number = 2", "tournament 1: version 3 sits at table 1, but "),
    lost("UPDATE entries SET number = 7 WHERE tournament_id = 1 AND number = 2", "its entries are numbered [0, 1, 7]"),
    lost("UPDATE entries SET version_id = 4 WHERE tournament_id = 2 AND number = 2", "tournament 2: version 3 sits at"),
    kept("UPDATE tournament_neighbours SET forward = 9 WHERE a = 0 AND b = 1", "tournament 2: its balance of places"),
    kept("INSERT INTO tournament_neighbours VALUES (1, 0, 1, 1, -1)", "tournament 1: its balance of places of the ent"),
    kept("DELETE FROM tournament_neighbours", "tournament 2: its balance of places of the entries 0 and 1 is (0, 0)"),
    lost("UPDATE assignments SET share = 2", "assignment 1: it cannot be checked: Refused"),
    lost("UPDATE assignments SET points = '{}'", "assignment 1: it cannot be checked: Refused"),
    lost("UPDATE assignment_entries SET user_id = 1", "assignment 1: user 1 takes part with bot 2 of another user"),
    lost("UPDATE assignment_attempts SET problem = 'x'", "assignment 1: the attempt of version 2 must have either"),
    lost("UPDATE assignments SET reference_id = 3", "assignment 1: tournament 4 is not a comparison of version 2"),
    lost("UPDATE assignments SET final_id = 1", "assignment 1: version 1 is in the final, but was late or is of no"),
    lost("UPDATE schedules SET cron = '* *'", "schedule 1: it cannot be checked: Refused"),
    lost("UPDATE schedules SET zone = 'Mars'", "schedule 1: it cannot be checked: Refused"),
    lost("UPDATE schedules SET plan = '{\"variant\": 1}'", "schedule 1: it cannot be checked: "),
)  # fmt: skip

TABLES = (
    lost("UPDATE tables SET tournament_id = 9 WHERE id = 2", "tables: the row with id 2 refers to tournament_id 9"),
    lost("UPDATE tables SET number = 7 WHERE id = 2", "tournament 1: table 2 has the number 7 instead of 1"),
    lost("UPDATE tables SET state = 'queued' WHERE id = 1", "table 1: it is queued, but it has 3 matches"),
    lost("UPDATE tables SET state = 'done', finished = 1, lease_until = NULL WHERE id = 4", "table 4: it must have on"),
    lost("UPDATE tables SET stage = 5 WHERE id = 1", "tournament 1: its tables go up to stage 5"),
    kept("UPDATE tables SET priority = 5 WHERE id = 5", "table 5: its priority is 5, but its tournament has 0"),
    kept("UPDATE tables SET fence = 9 WHERE id = 5", "table 5: its fence is 9, but it has the attempts []"),
    lost("UPDATE tables SET attempts = 9 WHERE id = 5", "table 5: 9 attempts are counted"),
    kept("UPDATE tables SET finished = NULL WHERE id = 1", "table 1: it is done, but its time of finishing is None"),
    kept("UPDATE tables SET finished = 1 WHERE id = 5", "table 5: it is queued, but its time of finishing is 1.0"),
    kept("UPDATE tables SET lease_until = NULL WHERE id = 4", "table 4: it is being played without a lease"),
    kept("UPDATE tables SET lease_until = 1 WHERE id = 4", "table 4: its worker disappeared"),
    kept("UPDATE tables SET lease_until = 1e12 WHERE id = 4", "table 4: its lease lasts for another"),
    kept("UPDATE tables SET lease_until = 1 WHERE id = 1", "table 1: it is done, but it has a lease"),
    kept("UPDATE tables SET worker = NULL WHERE id = 4", "table 4: it is being played, but by no worker"),
    kept("UPDATE tables SET worker = 'x' WHERE id = 5", "table 5: it is queued, but has a worker"),
    kept("UPDATE tables SET retry_at = 1e12 WHERE id = 5", "table 5: it waits for another"),
    kept("UPDATE tables SET rung_at = 1e12 WHERE id = 5", "table 5: its doorbell rang"),
    lost("UPDATE table_seats SET version_id = 4 WHERE table_id = 5 AND position = 0", "sits at table 5, but is not"),
    lost("DELETE FROM table_seats WHERE table_id = 5 AND position = 1", "table 5: it has the places [0, 2]; it must"),
    lost("UPDATE table_seats SET position = 9 - position WHERE table_id = 2", "table number 1 seats the entries"),
    kept("UPDATE table_seats SET rank = 1 WHERE table_id = 5", "table 5: it is queued, but its places [0, 1, 2]"),
    kept("UPDATE attempts SET outcome = NULL, ended = NULL WHERE table_id = 2", "table 2: attempt 1 has not ended"),
    kept("UPDATE attempts SET outcome = 'expired' WHERE table_id = 2", "table 2: it is done with the fence 1, but att"),
    lost("UPDATE attempts SET outcome = 'expired', ended = 1 WHERE table_id = 4", "table 4: it is being played, but a"),
    lost("UPDATE attempts SET outcome = 'fault' WHERE table_id = 1 AND fence = 1", "it has superseded matches of the "),
    lost("DELETE FROM attempts WHERE table_id = 2", "table 2: its fence is 1, but it has the attempts []"),
    lost("DELETE FROM tables WHERE id = 2", "table_seats: the row with table_id 2, position 0 refers to table_id 2"),
)  # fmt: skip

MATCHES = (
    kept("UPDATE table_seats SET half_points = 1 WHERE table_id = 1 AND position = 0", "table 1: place 0 has (half po"),
    kept("UPDATE table_seats SET rank = 9 WHERE table_id = 1 AND position = 0", "table 1: place 0 has (half points"),
    kept("UPDATE table_seats SET faults = 9 WHERE table_id = 1 AND position = 0", "table 1: place 0 has (half point"),
    kept("UPDATE table_seats SET rank = NULL WHERE table_id = 1 AND position = 0", "table 1: place 0 has (half point"),
    lost("UPDATE matches SET record = x'00' WHERE id = 4", "match 4: its record is wrong: a packed record must begin"),
    lost("UPDATE matches SET record = x'02ffff' WHERE id = 4", "match 4: its record is wrong: not a packed record"),
    lost("UPDATE matches SET record = x'01ffff' WHERE id = 1", "table 1: match 1: its record is wrong"),
    lost("UPDATE matches SET record = (SELECT record FROM matches WHERE id = 4) WHERE id = 5", "match 5: its"),
    lost("UPDATE matches SET fence = 7 WHERE id = 4", "table 2: it has matches of the attempts [7]"),
    lost("UPDATE matches SET seating = 7 WHERE id = 4", "match 4: its number within the table is 7; the table has 3"),
    lost("UPDATE matches SET superseded = 1 WHERE id = 4", "table 2: it has superseded matches of the attempts [1]"),
    lost("UPDATE matches SET table_id = 99 WHERE id = 4", "matches: the row with id 4 refers to table_id 99"),
    lost("DELETE FROM matches WHERE id = 4", "match_seats: the row with match_id 4, seat 0 refers to match_id 4"),
    lost("DELETE FROM match_seats WHERE match_id = 4 AND seat = 2", "match 4: its seats (number, version, score, rank"),
    lost("UPDATE match_seats SET version_id = 4 WHERE match_id = 4 AND seat = 2", "match 4: its seats (number, "),
    lost("UPDATE match_seats SET score = score + 1 WHERE match_id = 4 AND seat = 2", "match 4: its seats (number, ver"),
    lost("UPDATE match_seats SET rank = 9 WHERE match_id = 4 AND seat = 2", "match 4: its seats (number, version, sco"),
    lost("UPDATE match_seats SET fault = 'error' WHERE match_id = 4 AND fault IS NULL", "match 4: its seats (number, "),
    lost("UPDATE match_seats SET move = 99 WHERE match_id = 4", "match 4: its seats failed at the moves {0: 99, 1: 99"),
    lost("UPDATE match_seats SET think = x'08' WHERE match_id = 4", "match 4: the histogram of seat 0"),
    lost("UPDATE match_seats SET answers = x'ff' WHERE match_id = 4", "match 4: the answers of seat 0 cannot be read"),
    lost("UPDATE match_seats SET view = '{' WHERE match_id = 4", "match 4: it cannot be checked: JSONDecodeError"),
)  # fmt: skip

ANALYSES = (
    kept("UPDATE analyses SET lease_until = 1 WHERE id = 3", "analysis 3: its worker disappeared"),
    kept("UPDATE analyses SET lease_until = 1e12 WHERE id = 3", "analysis 3: its lease lasts for another"),
    kept("UPDATE analyses SET lease_until = 1 WHERE id = 1", "analysis 1: it is done, but it has a lease"),
    kept("UPDATE analyses SET rung_at = 1e12 WHERE id = 4", "analysis 4: its doorbell rang"),
    lost("UPDATE analyses SET attempts = 5 WHERE id = 4", "analysis 4: 5 attempts are counted, but its fence is 0"),
    kept("UPDATE analyses SET version = 99 WHERE id = 1", "analysis 1: it is done, but its version is 99"),
    kept("UPDATE analyses SET version = 1 WHERE id = 4", "analysis 4: it is waiting, but its version is 1"),
    kept("UPDATE analyses SET found = x'00' WHERE id = 1", "analysis 1: its decisions cannot be read"),
    kept("UPDATE analyses SET deals = 9 WHERE id = 2", "analysis 2: it has 9 deals, but the match has 1"),
    kept("UPDATE analyses SET match_id = 14 WHERE id = 1", "analysis 1: its decisions are not those of the match"),
    kept("UPDATE analyses SET match_id = 6 WHERE id = 1", "analysis 1: its sides are ((0,), (1,)), which are not"),
    kept("UPDATE lost_points SET best = 99 WHERE analysis_id = 1", "analysis 1: its lost points (seat, phase, version"),
    kept("UPDATE lost_points SET version_id = 4 WHERE analysis_id = 2", "analysis 2: its lost points (seat, phase, ve"),
    kept("DELETE FROM lost_points WHERE analysis_id = 2", "analysis 2: its lost points (seat, phase, version, decisio"),
)  # fmt: skip

LIVE = (
    kept("UPDATE live_tables SET lease_until = 1e12 WHERE id = 2", "live table 2: its lease lasts for another"),
    kept("UPDATE live_tables SET lease_until = 1 WHERE id = 1", "live table 1: it is finished, but it has a lease"),
    kept("UPDATE live_tables SET retry_at = 1e12 WHERE id = 2", "live table 2: it waits for another"),
    lost("UPDATE live_tables SET attempts = 5 WHERE id = 2", "live table 2: 5 attempts are counted, but its fence is"),
    lost("UPDATE live_tables SET finished = NULL WHERE id = 1", "live table 1: it is finished, but its time of finish"),
    lost("DELETE FROM live_seats WHERE table_id = 2 AND seat = 1", "live table 2: it has the seats [0]; its game has"),
    lost("UPDATE live_seats SET version_id = 4 WHERE table_id = 2 AND version_id = 1", "sit others than the bots of "),
    lost("UPDATE live_seats SET rank = 1 WHERE table_id = 2", "live table 2: it is playing, but its seats [0, 1] have"),
    lost("UPDATE live_seats SET score = score + 1 WHERE table_id = 1", "live table 1: its seats have (score, rank, fa"),
    lost("UPDATE live_seats SET fault = 'error' WHERE table_id = 1", "live table 1: its seats have (score, rank, faul"),
    lost("DELETE FROM live_moves WHERE table_id = 2 AND number = 2", "live table 2: its move 2 is missing"),
    lost("UPDATE live_moves SET seat = 1 - seat WHERE table_id = 2", "live table 2: its move 0, 'trump:"),
    lost("UPDATE live_moves SET token = 'X' WHERE table_id = 2 AND number = 4", "live table 2: its move 4, 'X' of sea"),
    lost("DELETE FROM live_moves WHERE table_id = 1 AND number = 20", "live table 1: its moves are not those of its r"),
    lost("UPDATE live_tables SET record = x'00' WHERE id = 1", "live table 1: it cannot be checked: RecordError"),
    lost("UPDATE live_boards SET seed = zeroblob(32)", "live table 1: the boards of its record do not follow from its"),
    lost("UPDATE live_tables SET record = (SELECT record FROM matches WHERE id = 4) WHERE id = 1", "is of another gam"),
    lost("UPDATE live_tables SET table_id = 6 WHERE id = 1", "live table 1: its record is not that of table 6 of its"),
    lost("UPDATE live_tables SET table_id = 6 WHERE id = 2", "live table 2: it is playing, but table 6 of its tournam"),
    lost("UPDATE live_boards SET commitment = 'x'", "live boards 1: its commitment is not that of its seed"),
    lost("UPDATE live_field SET score = score + 1", "live boards 1: version 2 of its field: it has"),
    lost("UPDATE live_field SET record = (SELECT record FROM matches WHERE id = 4)", "of its field: its record is of"),
)  # fmt: skip

NUMBERS = (
    kept("UPDATE tournaments SET folded = 0 WHERE id = 1", "ratings of suitability-3: table 1, version 1: event wi"),
    kept("UPDATE rating_cursors SET last_table = 999", "cursor of suitability-2: its last rated table is 6, but"),
    kept("UPDATE rating_cursors SET last_table = 0", "cursor of suitability-3: its last rated table is 3, but its cur"),
    kept("UPDATE rating_cursors SET due = 999", "cursor of suitability-2: its ratings are outdated from table 999"),
    kept("UPDATE rating_cursors SET fitted = 999", "cursor of suitability-2: its strengths are fitted to 999"),
    kept("UPDATE rating_cursors SET refolded = 1e12", "cursor of suitability-2: its time refolded lies"),
    kept("UPDATE rating_cursors SET estimating = 1e12", "cursor of suitability-2: its time estimating lies"),
    kept("DELETE FROM rating_cursors WHERE variant = 'suitability-3'", "cursor of suitability-3: it has ratings, but"),
    lost("DELETE FROM rating_parameters", "cursor of suitability-2: its parameters start at the tables []"),
    kept("UPDATE ratings SET mu = mu + 1 WHERE version_id = 1", "ratings of suitability-2: version 1: the rating is"),
    kept("UPDATE ratings SET matches = 99 WHERE version_id = 1", "ratings of suitability-3: version 1: the rating is"),
    kept("DELETE FROM ratings WHERE version_id = 1", "ratings of suitability-2: version 1: the rating is missing"),
    kept("UPDATE rating_events SET sigma = 1 WHERE table_id = 2", "ratings of suitability-3: table 2, version 1: the"),
    kept("UPDATE rating_events SET tables = 9 WHERE table_id = 2", "ratings of suitability-3: table 2, version 1: the"),
    kept("DELETE FROM rating_events WHERE table_id = 2", "ratings of suitability-3: table 2, version 1: the event is"),
    kept("UPDATE rating_events SET version_id = 4 WHERE table_id = 6 AND version_id = 1", "version 4 has an event at"),
    kept("UPDATE rating_events SET variant = 'suitability-2' WHERE table_id = 2", "version 1 has an event at table 2"),
    kept("UPDATE tournament_scores SET faults = 9", "tallies: tournament_scores (1, 1): stored"),
    kept("UPDATE tournament_pairs SET p = p + 1", "tallies: tournament_pairs (1, 1, 2): stored"),
    kept("DELETE FROM variant_pairs", "tallies: variant_pairs ('suitability-2', 1, 2): stored None"),
    kept("UPDATE tournament_scores SET strength = 9", "strengths of 1: version 1 has"),
    kept("UPDATE entries SET rank = 9", "final ranks of tournament 1: version 1 has the final rank 9"),
)  # fmt: skip

REFUSED = (
    ("UPDATE users SET disabled = '' WHERE id = 1", "ck_users_disabled"),
    ("UPDATE bots SET disabled = ' ' WHERE id = 1", "ck_bots_disabled"),
    ("UPDATE announcements SET severity = 'loud'", "ck_announcements_severity"),
    ("UPDATE users SET quota_factor = 0 WHERE id = 1", "ck_users_quota_factor"),
    ("UPDATE bots SET archived = 1 WHERE id = 1", "ck_bots_archived"),
    ("UPDATE former_names SET name_key = 'X Y'", "ck_former_names_name_key"),
    ("UPDATE invitations SET uses = 0 WHERE id = 2", "ck_invitations_real_name"),
    ("UPDATE invitations SET uses = 2 WHERE id = 2", "ck_invitations_real_name"),
    ("UPDATE invitations SET group_id = NULL WHERE id = 2", "ck_invitations_real_name"),
    ("UPDATE webhooks SET url = 'ftp://x' WHERE id = 1", "ck_webhooks_url"),
    ("UPDATE deliveries SET state = 'lost' WHERE id = 1", "ck_deliveries_state"),
    ("UPDATE deliveries SET state = 'delivered' WHERE id = 1", "ck_deliveries_status"),
    ("UPDATE lti_scores SET state = 'lost'", "ck_lti_scores_state"),
    ("UPDATE lti_scores SET maximum = 0", "ck_lti_scores_maximum"),
    ("UPDATE versions SET state = 'fine' WHERE id = 4", "ck_versions_state"),
    ("UPDATE tournaments SET state = 'over' WHERE id = 1", "ck_tournaments_state"),
    ("UPDATE tournaments SET entry_rule = 'none' WHERE id = 1", "ck_tournaments_entry_rule"),
    ("UPDATE tournaments SET boards = 0 WHERE id = 1", "ck_tournaments_boards"),
    ("UPDATE tournaments SET fault_cap = -1 WHERE id = 1", "ck_tournaments_fault_cap"),
    ("UPDATE entries SET out = 'tired' WHERE tournament_id = 1 AND number = 2", "ck_entries_out"),
    ("UPDATE schedules SET catch_up = 'all'", "ck_schedules_catch_up"),
    ("UPDATE tables SET state = 'lost' WHERE id = 1", "ck_tables_state"),
    ("UPDATE attempts SET ended = NULL WHERE table_id = 2", "ck_attempts_ended"),
    ("UPDATE attempts SET outcome = 'lost' WHERE table_id = 2", "ck_attempts_outcome"),
    ("UPDATE matches SET cage = 'steel' WHERE id = 4", "ck_matches_cage"),
    ("UPDATE match_seats SET cpu = -1 WHERE match_id = 4", "ck_match_seats_measured"),
    ("UPDATE match_seats SET memory = -1 WHERE match_id = 4", "ck_match_seats_measured"),
    ("UPDATE match_seats SET wall = -1 WHERE match_id = 4", "ck_match_seats_measured"),
    ("UPDATE rating_parameters SET draw_probability = 2", "ck_rating_parameters_range"),
    ("UPDATE tournaments SET verdict = '{}' WHERE id = 1", "ck_tournaments_verdict"),
    ("UPDATE tournaments SET seed = x'00' WHERE id = 1", "ck_tournaments_seed"),
    ("UPDATE rating_cursors SET fitted = -1", "ck_rating_cursors_marks"),
    ("UPDATE event_cursor SET id = 2", "ck_event_cursor_single"),
    ("UPDATE tournament_pairs SET a = b, b = a", "ck_tournament_pairs_order"),
    ("UPDATE variant_pairs SET a = b, b = a", "ck_variant_pairs_order"),
    ("UPDATE tournament_neighbours SET a = b, b = a", "ck_tournament_neighbours_order"),
)
"""Damage that the database refuses, and the constraint that does. Whoever switches constraints off can still do it."""
UNREFERRED = (
    ("UPDATE matches SET fence = 7 WHERE id = 4", "matches: the row with id 4 refers to table_id 2, fence 7, which"),
    (
        "UPDATE rating_events SET version_id = 4 WHERE table_id = 6 AND version_id = 1",
        "refers to table_id 6, version_id 4",
    ),
    (
        "INSERT INTO tournament_neighbours VALUES (1, 0, 9, 1, -1)",
        "refers to tournament_id 1, b 9, which is not in ent",
    ),
    ("UPDATE notices SET user_id = 9", "notices: the row with id 1 refers to user_id 9, which is not in users"),
)
"""References that the database refuses, and part of the finding."""

GROUPS = (
    (people, PEOPLE + GROUPS_OF_MEMBERS + LOG_INS + VERSIONS),
    (webhooks, EVENTS),
    (lti, PLATFORMS),
    (tournaments, TOURNAMENTS),
    (tables, TABLES),
    (results, MATCHES),
    (live, LIVE),
    (analyses, ANALYSES),
    (numbers, NUMBERS),
)
DAMAGES = tuple((room.CHECKS, damage) for room, group in GROUPS for damage in group)
REPAIRABLE = tuple((checks, damage) for checks, damage in DAMAGES if damage.repairable)
OBSTACLES = tuple(
    damage
    for _, damage in DAMAGES
    if not damage.repairable
    and any(word in damage.says for word in ("cannot be", "refers", "record", "places", "seats"))
)
"""Damage that makes rows unreadable or contradictory."""
EVIDENCE = (
    "SELECT * FROM matches",
    "SELECT * FROM match_seats",
    "SELECT id, bot_id, number, source, size, sha256, files, state, report, games FROM versions",
    "SELECT table_id, fence, worker, started FROM attempts",
    "SELECT id, state, record FROM live_tables",
    "SELECT * FROM live_moves",
)
"""What repairs never change."""


def plant(arena: Arena, *statements: str) -> None:
    """Damage the database, without the checks that prevent it."""
    with closing(sqlite3.connect(str(arena.database.engine.url.database), isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)


def enforced(arena: Arena, statement: str) -> None:
    """Run a statement as the arena does, with all constraints."""
    with closing(sqlite3.connect(str(arena.database.engine.url.database))) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(statement)


def evidence(arena: Arena) -> list[list[Any]]:
    """Return what results follow from."""
    with closing(sqlite3.connect(str(arena.database.engine.url.database))) as connection:
        return [connection.execute(query).fetchall() for query in EVIDENCE]


def test_arena_is_consistent(copy: Arena) -> None:
    """Nothing is found before the damage, by the complete check or the quick one."""
    assert fsck.check(copy) == []
    assert fsck.check(copy, quick=True) == []


@pytest.mark.parametrize(("checks", "damage"), DAMAGES, ids=lambda damage: getattr(damage, "sql", ""))
def test_damage_is_found(copy: Arena, checks: Sequence[Check], damage: Damage) -> None:
    """The finding names the row and says whether it can be repaired."""
    plant(copy, damage.sql)

    every = chain.from_iterable(check.findings(copy) for check in (*checks, *fsck.CHECKS))
    found = next(finding for finding in every if damage.says in str(finding))

    assert found.repairable == damage.repairable


@pytest.mark.parametrize(("sql", "constraint"), REFUSED, ids=lambda value: value)
def test_damage_is_refused_and_found(copy: Arena, sql: str, constraint: str) -> None:
    """The database names the constraint; the check names the row and the rule if it was switched off."""
    with pytest.raises(sqlite3.IntegrityError, match=rf"{constraint}$"):
        enforced(copy, sql)
    plant(copy, sql)

    found = [str(finding) for check in storage.CHECKS for finding in check.findings(copy)]

    assert any(f" does not satisfy {constraint}: " in line for line in found), found


@pytest.mark.parametrize(("sql", "says"), UNREFERRED, ids=lambda value: value)
def test_dangling_reference_is_refused_and_found(copy: Arena, sql: str, says: str) -> None:
    """References of one column and of two are checked."""
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        enforced(copy, sql)
    plant(copy, sql)

    found = [str(finding) for check in storage.CHECKS for finding in check.findings(copy)]

    assert any(says in line for line in found), found


def test_missing_constraints_are_found(copy: Arena) -> None:
    """A table that was made anew by hand may lack a constraint or an index."""
    plant(
        copy,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'ck_tables_state', 'mine') WHERE name = 'tables'",
        "PRAGMA writable_schema = RESET",
        "DROP INDEX ix_tables_pace",
    )

    assert [finding.what for finding in storage.CHECKS[0].findings(copy)] == [
        "the constraint or index ck_tables_state is not in force",
        "the constraint or index ix_tables_pace is not in force",
    ]


@pytest.mark.parametrize("damage", OBSTACLES, ids=lambda damage: damage.sql)
def test_damage_hides_no_other(copy: Arena, damage: Damage) -> None:
    """Checks go on after a row that cannot be read, in what comes later and in what is computed from everything."""
    plant(copy, damage.sql, *(sql for sql, _ in OTHERS))

    found = [str(finding) for finding in fsck.check(copy)]

    for says in (damage.says, *(says for _, says in OTHERS)):
        assert any(says in line for line in found), (says, found)


@pytest.mark.parametrize(("checks", "damage"), REPAIRABLE, ids=lambda damage: getattr(damage, "sql", ""))
def test_damage_is_repaired(copy: Arena, checks: Sequence[Check], damage: Damage) -> None:
    """A repair leaves nothing to find, and leaves sources, records and scores as they were."""
    plant(copy, damage.sql)
    before = evidence(copy)

    repaired = [str(finding) for check in checks for finding in check.repair(copy)]

    assert any(damage.says in line for line in repaired), repaired
    assert fsck.check(copy) == []
    assert evidence(copy) == before


def test_pages_of_the_database_are_checked(copy: Arena) -> None:
    """An index that lacks a row is found by the database's own check."""
    plant(copy, "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = NULL WHERE name = 'none'")
    with closing(sqlite3.connect(str(copy.database.engine.url.database), isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("CREATE TABLE spare AS SELECT * FROM sqlite_schema WHERE name = 'ix_versions_state'")
        connection.execute("DELETE FROM sqlite_schema WHERE name = 'ix_versions_state'")
        connection.execute("PRAGMA writable_schema = RESET")
        connection.execute("UPDATE versions SET state = 'pending' WHERE id = 1")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_schema SELECT * FROM spare")
        connection.execute("DROP TABLE spare")

    assert any("ix_versions_state" in finding.what for finding in storage.CHECKS[0].findings(copy))


def test_source_replaced_with_its_hash_is_not_found(copy: Arena) -> None:
    """Nothing else in the database follows from a source, as docs/operating.md says."""
    source = b"def act(view):\n    return view.legal[1]\n"
    with copy.transaction() as session:
        version = session.get_one(Version, 1)
        version.source, version.size, version.sha256 = source, len(source), hashlib.sha256(source).hexdigest()

    assert fsck.check(copy) == []


def test_rows_are_read_in_batches(copy: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rows need many transactions, so none stays open for long."""
    monkeypatch.setattr(findings, "BATCH", 1)
    opened = Counter[str]()
    event.listen(copy.database.engine, "begin", lambda _: opened.update(["begin"]))

    assert fsck.check(copy, quick=True) == []
    assert opened["begin"] > 40
