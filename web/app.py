"""The web application: `create_app` wires the other modules of this package together."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask_wtf import CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix

from arena.services.base.context import Arena
from web import (
    access_tokens,
    accounts,
    administration,
    admission,
    assets,
    assignments,
    authors,
    background,
    bots,
    breaks,
    cards,
    comparisons,
    context,
    copies,
    crosstables,
    device,
    downloads,
    errors,
    feeds,
    games,
    groups,
    health,
    home,
    hosts,
    ids,
    invitations,
    ladders,
    leaderboard,
    limits,
    manual,
    matches,
    notices,
    openid,
    operations,
    own_account,
    programs,
    provider,
    releases,
    request_ids,
    resets,
    schedules,
    security,
    shared,
    sheets,
    statistics,
    tables,
    tournaments,
    trials,
    webhooks,
    well_known,
)
from web.api import access
from web.api import blueprint as api

BLUEPRINTS = (
    home.bp,
    accounts.bp,
    own_account.bp,
    access_tokens.bp,
    device.bp,
    resets.bp,
    bots.bp,
    leaderboard.bp,
    ladders.bp,
    crosstables.bp,
    statistics.bp,
    comparisons.bp,
    trials.bp,
    tournaments.bp,
    tables.bp,
    schedules.bp,
    assignments.bp,
    matches.bp,
    sheets.bp,
    feeds.bp,
    notices.bp,
    groups.bp,
    invitations.bp,
    manual.bp,
    programs.bp,
    games.bp,
    authors.bp,
    health.bp,
    operations.bp,
    copies.bp,
    administration.bp,
    provider.bp,
    webhooks.bp,
    well_known.bp,
)


csrf = CSRFProtect()


def create_app(arena: Arena, config: Mapping[str, Any] | None = None) -> Flask:
    """Create the web application of an arena; `config` overrides Flask's settings."""
    app = Flask("web", template_folder="templates", static_folder=None)
    app.extensions["arena"] = arena
    app.url_map.converters["int"] = ids.Id
    app.config.from_mapping(
        SECRET_KEY=arena.settings.secret_key,
        WTF_CSRF_TIME_LIMIT=None,  # a form is valid as long as its session: lessons last longer than an hour
        RATELIMIT_STORAGE_URI=limits.storage(arena.settings.broker_url),
        RATELIMIT_STORAGE_OPTIONS=limits.patience(arena.settings.broker_url),
    )
    app.config.from_mapping(config or {})
    shared.init_app(app)
    assets.init_app(app, Path(app.root_path, "static"))
    if proxies := arena.settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, proxies, proxies, proxies)  # type: ignore[method-assign]
    request_ids.register_request_ids(app)
    health.measure_requests(app)
    security.secure(app)
    hosts.register_hosts(app, arena.settings)
    app.before_request(releases.SchemaCheck(arena))  # before anything else that reads the database
    app.before_request(access.identify)
    app.before_request(admission.admit_body)
    limits.count_early(app)
    csrf.init_app(app)  # reads the body
    csrf.exempt(notices.unsubscribe)  # mail programs send it; its token is the authorisation
    trials.hide_trials(app)
    errors.register_errors(app)
    context.register_context(app)
    cards.init_app(app)
    breaks.init_app(app)
    downloads.init_app(app)
    background.register_background(app)
    openid.init_app(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    csrf.exempt(api.register(app))
    return app
