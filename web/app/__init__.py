"""The web application: `create_app` wires the other modules of this package together."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask_wtf import CSRFProtect
from werkzeug.middleware.proxy_fix import ProxyFix

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.live.changes import Changes
from web.administration import copies, operations
from web.administration import pages as administration
from web.api import access
from web.api import blueprint as api
from web.app import errors
from web.app.resources import RESOURCES
from web.assignments import deals
from web.assignments import pages as assignments
from web.base import context, languages, shared, templates
from web.bots import pages as bots
from web.comparisons import pages as comparisons
from web.docs import pages as docs
from web.drawing import cards
from web.exports import feeds, sheets
from web.home import pages as home
from web.home import well_known
from web.ladders import pages as ladders
from web.languages import bp as choice_of_language
from web.lti import courses, platforms
from web.lti import pages as lti
from web.manual import games, programs
from web.manual import pages as manual
from web.mcp import endpoint as mcp
from web.numbers import crosstables, leaderboard, statistics
from web.people import (
    access_tokens,
    accounts,
    authors,
    device,
    groups,
    invitations,
    notices,
    openid,
    own_account,
    provider,
    resets,
)
from web.play import daily, learning, lessons, models, replays, sets
from web.play import pages as play
from web.schedules import pages as schedules
from web.serving import (
    admission,
    assets,
    background,
    downloads,
    health,
    hosts,
    ids,
    limits,
    releases,
    request_ids,
    security,
)
from web.serving.waiting import Room
from web.tables import analyses, matches
from web.tables import pages as tables
from web.tournaments import pages as tournaments
from web.trials import pages as trials
from web.webhooks import pages as webhooks

BLUEPRINTS = (
    home.bp, well_known.bp,
    accounts.bp, own_account.bp, access_tokens.bp, device.bp, resets.bp, provider.bp,
    authors.bp, groups.bp, invitations.bp, notices.bp,
    bots.bp, leaderboard.bp, ladders.bp, crosstables.bp, statistics.bp, comparisons.bp, trials.bp,
    play.bp, daily.bp, sets.bp, learning.bp, replays.bp, lessons.bp, models.bp,
    tournaments.bp, schedules.bp, assignments.bp, deals.bp,
    tables.bp, matches.bp, analyses.bp,
    sheets.bp, feeds.bp,
    manual.bp, programs.bp, games.bp,
    administration.bp, copies.bp, operations.bp, health.bp,
    webhooks.bp, mcp.bp, lti.bp, courses.bp, platforms.bp,
    choice_of_language,
)  # fmt: skip
"""Blueprints of all pages, one line for each topic."""
LINKED = (invitations.bp,)
"""Blueprints of the pages to which answers of the API have links that are made here."""


csrf = CSRFProtect()


def create_app(arena: Arena, config: Mapping[str, Any] | None = None, operator: Account | None = None) -> Flask:
    """Create the web application of an arena; `config` overrides Flask's settings.

    With `operator`, every request to its API acts for that account: for a command that asks it in its own process. Such
    an application must not be served.
    """
    app = Flask("web", static_folder=None)
    app.extensions["arena"] = arena
    app.extensions["operator"] = operator
    app.extensions["waiting"] = Room(Changes(arena))
    app.url_map.converters["int"] = ids.Id
    app.config.from_mapping(
        SECRET_KEY=arena.settings.secret_key,
        WTF_I18N_ENABLED=False,  # which is about Flask-Babel; `web.base.forms.Form` has translations of its own
        WTF_CSRF_TIME_LIMIT=None,  # a form is valid as long as its session: lessons last longer than an hour
        RATELIMIT_STORAGE_URI=limits.storage(arena.settings.broker_url),
        RATELIMIT_STORAGE_OPTIONS=limits.patience(arena.settings.broker_url),
    )
    app.config.from_mapping(config or {})
    shared.init_app(app)
    templates.init_app(app)
    assets.init_app(app, Path(app.root_path, "static"), () if operator else languages.scripts().items())
    if proxies := arena.settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, proxies, proxies, proxies)  # type: ignore[method-assign]
    request_ids.register_request_ids(app)
    health.measure_requests(app)
    security.secure(app)
    hosts.register_hosts(app, arena.settings)
    languages.init_app(app)
    app.before_request(releases.SchemaCheck(arena))  # before anything else that reads the database
    app.before_request(access.identify)
    app.before_request(admission.admit_body)
    limits.count_early(app)
    csrf.init_app(app)  # reads the body
    csrf.exempt(mcp.bp)
    csrf.exempt(notices.unsubscribe)  # mail programs send it; its token is the authorisation
    csrf.exempt(choice_of_language)  # pages that visitors share have no token, and nothing is at stake
    for view in (lti.log_in, lti.launch):  # platforms send them; a signed state, and a cookie, stand in for the token
        csrf.exempt(view)
    trials.hide_trials(app)
    errors.register_errors(app)
    context.register_context(app)
    cards.init_app(app)
    downloads.init_app(app)
    background.register_background(app)
    openid.init_app(app)
    lti.init_app(app)
    for blueprint in LINKED if operator else BLUEPRINTS:
        app.register_blueprint(blueprint)
    csrf.exempt(api.register(app, RESOURCES))
    docs.init_app(app)
    return app
