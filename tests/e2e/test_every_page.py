"""All pages as seen by visitors and admins: accessible in both colour schemes, as wide as the screen, and steady."""

from collections.abc import Iterator
from random import Random
from typing import Final, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.games.registry import GAMES
from arena.services.analyses import actions as analyses
from arena.services.base.access import Account
from arena.services.base.context import open_arena
from arena.services.bots.declared import OpenBot, declare
from arena.services.copies import pages, reports
from arena.services.live import presence
from arena.services.live.people import Person
from arena.services.live.presence import Ready
from arena.services.live.tables import Wish, find
from arena.services.people import accounts
from tests import factories
from tests.analyses import make_all
from tests.e2e.conftest import SOON, Site, barriers, compare, log_in, register
from tests.likeness.programs import disguised, independent

pytestmark = [pytest.mark.browser, pytest.mark.service]

PAGES = {
    "home": "/",
    "webhooks": "/account/webhooks",
    "webhook": "/account/webhooks/made",
    "notices-choose": "/account/notices",
    "leaderboard": "/leaderboard/",
    "leaderboard-empty": "/leaderboard/suits-steere-6",
    "leaderboard-open": "/leaderboard/suitability-4-quick",
    "ladder-open": "/ladders/suitability-4-slow",
    "bot-outside": "/bots/outside",
    "leaderboard-search": "/leaderboard/?search=an&sort=-mu",
    "ladder": "/ladders/",
    "crosstable": "/crosstables/",
    "statistics": "/statistics/",
    "statistics-version": "/versions/1/statistics/suitability-4",
    "comparison": "/comparisons/made",
    "comparison-new": "/comparisons/new",
    "lesson": "/games/suits_steere/lesson",
    "play": "/play",
    "play-daily": "/play/daily",
    "play-me": "/play/me",
    "play-people": "/play/people",
    "models": "/models",
    "models-notes": "/play/made/notes",
    "playground": "/playground",
    "playground-new": "/bots/1/try",
    "playground-trial": "/playground/made",
    "tournaments": "/tournaments/",
    "tournament": "/tournaments/1",
    "tournament-wall": "/tournaments/1/wall",
    "tournament-new": "/tournaments/new",
    "tournament-plan": "/tournaments/new?format=knockout",
    "tournament-tables": "/tournaments/1/tables",
    "tournament-again": "/tournaments/1/rejudge",
    "table": "/tables/1",
    "schedules": "/schedules/",
    "schedule": "/schedules/made",
    "schedule-plan": "/schedules/new?format=swiss",
    "assignments": "/assignments/",
    "assignment": "/assignments/made",
    "assignment-new": "/assignments/new",
    "assignment-edit": "/assignments/made/edit",
    "notices": "/notices",
    "groups": "/groups/",
    "group": "/groups/made",
    "group-new": "/groups/new",
    "group-add": "/groups/made/add",
    "group-deals": "/groups/made/deals",
    "group-leave": "/groups/made/leave",
    "invitations": "/invitations/",
    "invitation-new": "/invitations/new",
    "invitation": "/invitations/1",
    "join": "/join/abcd-efgh-jkmn",
    "account": "/account",
    "account-password": "/account/password",
    "account-token": "/account/tokens/new",
    "device": "/device",
    "account-delete": "/account/delete",
    "operations": "/operations/",
    "copies": "/copies/",
    "copies-pair": "/copies/pair",
    **{f"admin-{page}": f"/admin/{page}" for page in ("members", "bots", "uploads", "tables", "announcements", "log")},
    "admin-platforms": "/admin/platforms",
    "admin-member": "/admin/members/1",
    "admin-disable": "/admin/bots/1/disable",
    "bots": "/bots",
    "bot": "/bots/1",
    "bot-rejected": "/bots/rejected",
    "bot-versions": "/bots/made/versions/results",
    "bot-decisions": "/bots/made/versions/decisions",
    "bot-source": "/bots/made/versions/source",
    "bot-settings": "/bots/rejected/settings",
    "bot-archive": "/bots/rejected/archive",
    "bots-archived": "/bots/archived",
    "upload": "/bots/upload?example=1",
    "my-bots": "/me",
    "matches": "/matches/",
    "matches-closest": "/matches/?show=closest&tournament=1",
    "match": "/matches/1",
    "match-embed": "/matches/1/embed",
    "play-analysed": "/play/own/replay",
    "games": "/games/",
    **{f"game-{game}": f"/games/{game}" for game in GAMES},
    "author": "/authors/house",
    "help": "/help",
    "docs": "/docs/",
    **{
        f"docs-{name}": f"/docs/{name}.html"
        for name in ("api-bots", "architecture", "engine", "lessons", "sdk", "seeds")
    },
    "api": "/api",
    "about": "/about",
    "not-found": "/nothing",
}
FOR_VISITORS = {"visitor-home": "/", "register": "/register", "log-in": "/login", "forgotten": "/forgotten"}
LOADED: Final[tuple[tuple[int, Literal["light", "dark"], tuple[int, ...]], ...]] = (
    (1280, "light", (1280, 1920)),
    (360, "dark", (360, 320)),
)
"""Width and colour scheme in which a page is loaded and checked, and the widths that it must then fit.

No rule but those of colours depends on the scheme, and hardly any element is visible at one width alone.
"""
STEADY: Final = 0.05
"""Largest cumulative layout shift of a page that loads."""
SHIFT: Final = """() => new Promise((resolve) => {
  let sum = 0;
  const add = (list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; };
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(sum), 50);
})"""


@pytest.fixture(scope="module")
def rejected(browser: Browser, site: Site) -> str:
    """Address of a bot that did not pass its check, with a traceback."""
    with browser.new_context(base_url=site.address) as context:
        page = context.new_page()
        register(page, "unlucky")
        page.get_by_label("Name of the bot").fill("a_name_of_thirty_two_letters_ok")
        page.get_by_label("Or paste the source").fill("import nothing_like_this\n")
        page.get_by_role("button", name="Upload").click()
        expect(page.get_by_role("heading", name="Version 1 did not pass the check")).to_be_visible(timeout=SOON)
        return page.url.removeprefix(site.address)


@pytest.fixture(scope="module")
def versions(browser: Browser, site: Site) -> str:
    """Address of a bot with two versions that passed the check."""
    with browser.new_context(base_url=site.address) as context:
        page = context.new_page()
        register(page, "twice")
        page.get_by_label("Name of the bot").fill("twice")
        for number, choice in enumerate((0, -1), 1):
            page.get_by_label("Or paste the source").fill(f"def act(view):\n    return view.legal[{choice}]\n")
            page.get_by_role("button", name="Upload").click()
            expect(page.get_by_role("heading", name=f"Version {number} passed the check")).to_be_visible(timeout=SOON)
            if number == 1:
                page.get_by_role("link", name="Upload a new version").click()
        return page.url.removeprefix(site.address)


@pytest.fixture(scope="module")
def webhook(admin: Page) -> str:
    """Address of a webhook whose test waits."""
    admin.goto("/account/webhooks")
    admin.get_by_label("URL").fill("https://example.org/hook")
    admin.get_by_role("button", name="Add").click()
    admin.get_by_role("button", name="Send a test").click()
    return urlsplit(admin.url).path


@pytest.fixture(scope="module")
def schedule(admin: Page, site: Site) -> str:
    """Address of a schedule."""
    admin.goto("/schedules/new?format=swiss")
    admin.get_by_label("Name", exact=True).fill("Friday night")
    admin.locator("aside").get_by_role("button", name="Create the schedule").click()
    expect(admin.get_by_role("heading", name="Friday night")).to_be_visible()
    return admin.url.removeprefix(site.address)


@pytest.fixture(scope="module")
def group(admin: Page, site: Site) -> str:
    """Address of a group with a person who has not joined yet; the link of that person is the first invitation."""
    admin.goto("/groups/new")
    admin.get_by_label("Name", exact=True).fill("Class 4b")
    admin.get_by_role("button", name="Create the group").click()
    admin.get_by_role("link", name="Add people").click()
    admin.get_by_label("Or type the lines").fill("account,real_name\nadmin,Grace Hopper\n,Alan Turing\n")
    admin.get_by_role("button", name="Add", exact=True).click()
    expect(admin.get_by_role("heading", name="Not joined yet")).to_be_visible()
    return admin.url.removeprefix(site.address)


@pytest.fixture(scope="module")
def assignment(admin: Page, site: Site) -> str:
    """Address of an assignment for all members."""
    admin.goto("/assignments/new")
    admin.get_by_label("Name", exact=True).fill("Homework")
    admin.get_by_label("Deadline", exact=True).fill("2090-01-31T18:00")
    admin.get_by_label("Group", exact=True).select_option("All members")
    admin.get_by_role("button", name="Create the assignment").click()
    expect(admin.get_by_role("heading", name="Homework")).to_be_visible()
    return admin.url.removeprefix(site.address)


@pytest.fixture(scope="module")
def comparison(admin: Page, site: Site) -> str:
    """Address of a finished comparison."""
    return compare(admin, "greedy", "random").removeprefix(site.address)


@pytest.fixture(scope="module")
def trial(admin: Page, site: Site) -> str:
    """Address of a finished trial."""
    admin.goto("/bots/1/try?variant=suitability-2&matches=2")
    admin.get_by_role("button", name="Play", exact=True).click()
    expect(admin.locator("#live[data-state=finished]")).to_be_visible(timeout=SOON)
    return admin.url.removeprefix(site.address)


@pytest.fixture(scope="module")
def alike(site: Site) -> str:
    """Address of two bots that are alike."""
    source = independent(Random("ann"))
    arena = open_arena(factories.settings_in(site.home))
    for name, text in (("ann", source), ("ben", disguised(source, Random(2)))):
        factories.bot(arena, factories.user(arena, name), f"{name}s-bot", text.encode())
    reports.compare(arena)
    pair = next(pair for pair in pages.report(arena).pairs if pair.a.bot == "anns-bot")
    arena.close()
    return f"/copies/{pair.a.bot_id}/{pair.b.bot_id}"


@pytest.fixture(scope="module")
def noted(site: Site) -> str:
    """Address of the notes of a finished table."""
    arena = open_arena(factories.settings_in(site.home))
    code, _ = factories.noted_table(arena, factories.user(arena, "zoe"), Wish("separate-suits-2"))
    arena.close()
    return f"/play/{code}/notes"


@pytest.fixture(scope="module")
def analysed(site: Site) -> str:
    """Address of a match that the admin has played, which is analysed, as the first match of bots is."""
    arena = open_arena(factories.settings_in(site.home))
    admin = Account(accounts.id_of(arena, "admin"), "admin", is_admin=True)
    code, _ = factories.finished_table(arena, Person.member(admin), Wish("suitability-2"))
    with arena.transaction() as session:
        analyses.want_live(session, find(session, code).id, "suitability-2")
        analyses.want(session, [1], asked=True)
    make_all(arena)
    arena.close()
    return f"/play/{code}/replay"


@pytest.fixture(scope="module")
def outside(site: Site) -> str:
    """Address of a bot outside the arena, which is ready to play."""
    arena = open_arena(factories.settings_in(site.home))
    owner = factories.user(arena, "yara")
    made = declare(arena, owner, OpenBot(name="comet", division="slow", commit="1a2b3c", model="m-1", cost="0.02 USD"))
    presence.offer(arena, owner, Ready(bot="comet", tables=4))
    arena.close()
    return f"/bots/{made.bot_id}"


@pytest.fixture(scope="module")
def visitor(browser: Browser, site: Site) -> Iterator[Page]:
    """A tab of a browser without a session."""
    with browser.new_context(base_url=site.address, reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def admin(browser: Browser, site: Site) -> Iterator[Page]:
    """The tab of a browser in which the admin is logged in. Opening one for each page would double the time."""
    with browser.new_context(base_url=site.address, reduced_motion="reduce") as context:
        page = context.new_page()
        log_in(page, "admin", site.admin_password)
        yield page


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_accessible_and_fits(
    admin: Page,
    rejected: str,
    schedule: str,
    comparison: str,
    group: str,
    assignment: str,
    trial: str,
    versions: str,
    alike: str,
    webhook: str,
    noted: str,
    outside: str,
    analysed: str,
    name: str,
) -> None:
    """Pages have no violation of WCAG 2.2 AA, one main heading, no sideways scrolling, and no shifts on loading."""
    made = {
        "/bots/rejected": rejected, "/schedules/made": schedule, "/comparisons/made": comparison, "/groups/made": group,
        "/assignments/made": assignment, "/bots/made": versions, "/playground/made": trial,
        "/copies/pair": alike,
        "/account/webhooks/made": webhook, "/play/made/notes": noted, "/bots/outside": outside,
        "/play/own/replay": analysed,
    }  # fmt: skip
    address = PAGES[name]
    for stand_in, real in made.items():
        address = address.replace(stand_in, real)
    look(admin, address)


@pytest.mark.parametrize("name", FOR_VISITORS)
def test_every_page_for_visitors_is_accessible_and_fits(visitor: Page, name: str) -> None:
    """Pages that only visitors see meet the same criteria."""
    look(visitor, FOR_VISITORS[name])


def look(page: Page, address: str) -> None:
    """Load a page at either width, check it in a scheme each, and look whether it fits four widths."""
    for loaded, scheme, widths in LOADED:
        page.set_viewport_size({"width": loaded, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(address)
        if page.locator("#replay").count():
            expect(page.locator("#replay")).to_have_attribute("aria-busy", "false")
        assert page.evaluate(SHIFT) <= STEADY
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        assert barriers(page) == [], f"{loaded} px, {scheme}"
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
