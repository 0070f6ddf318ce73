"""Quotas limit what members keep and ask for; refusals say the limit, what is used, and when it frees up."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import func, select, update

from arena.db.models import AuditEntry, Bot, BotMember, Group, GroupMember, User, ValidationRequest, Version
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.people import quotas
from arena.services.people.quotas import DAY, MIB
from tests import factories

Limited = Callable[..., Arena]


@pytest.fixture
def limited(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Limited:
    """Function that returns the arena with other quotas."""

    def with_quotas(**limits: int) -> Arena:
        for name, value in limits.items():
            monkeypatch.setattr(quotas, name.upper(), value)
        return arena

    return with_quotas


@pytest.fixture
def author(arena: Arena) -> Account:
    """Create an author whose account is older than a day."""
    made = factories.user(arena, "author")
    age(arena, made)
    return made


def age(arena: Arena, account: Account, days: float = 2) -> None:
    """Make an account older."""
    with arena.transaction() as session:
        session.execute(update(User).where(User.id == account.id).values(created=User.created - days * DAY))


def settle(arena: Arena, state: str = "valid") -> None:
    """Give all waiting versions this state."""
    with arena.transaction() as session:
        report = {"stage": "load", "message": "No."}
        session.execute(update(Version).where(Version.state == "pending").values(state=state, report=report))


def test_bots_of_a_member_are_limited(limited: Limited, author: Account) -> None:
    """The next bot is refused until one is archived; archived bots cannot come back above the limit."""
    arena = limited(bots=2)
    first = bots.upload(arena, author, "first", factories.FIRST)
    bots.upload(arena, author, "second", factories.FIRST)

    with pytest.raises(Refused, match=r"author owns 2 bots; the limit is 2, without archived bots\. Archive one, or "):
        bots.upload(arena, author, "third", factories.FIRST)
    with arena.transaction() as session:
        session.execute(update(Bot).where(Bot.id == first.bot_id).values(archived=1.0, active=False))
    bots.upload(arena, author, "third", factories.FIRST)

    assert quotas.usage(arena, author).bots == 2


def test_versions_of_a_bot_are_limited_per_day(limited: Limited, author: Account) -> None:
    """The refusal says from when on the next one is accepted, and then it is."""
    arena = limited(versions=2)
    ref = bots.upload(arena, author, "eager", factories.FIRST)
    bots.upload_version(arena, author, ref.bot_id, factories.LAST)

    with pytest.raises(Refused, match=r"2 versions of eager .* 24 hours; the limit is 2\. The next .* from \d+ \w+ 20"):
        bots.upload_version(arena, author, ref.bot_id, factories.FIRST)
    bots.upload(arena, author, "another", factories.FIRST)
    with arena.transaction() as session:
        session.execute(update(Version).where(Version.id == ref.version_id).values(created=Version.created - DAY))
    bots.upload_version(arena, author, ref.bot_id, factories.FIRST)


def test_storage_of_a_member_is_limited(limited: Limited, author: Account) -> None:
    """Rejected sources count until they are deleted; the refusal says when that is."""
    arena = limited(storage=MIB)
    big = factories.FIRST + b"#" * (MIB // 2)
    ref = bots.upload(arena, author, "big", big)

    with pytest.raises(Refused, match=r"author's bots take 0\.5 MiB, and .* add 0\.5 MiB; the limit is 1\.0 MiB\. Del"):
        bots.upload_version(arena, author, ref.bot_id, big)
    settle(arena, "invalid")
    with pytest.raises(Refused, match=r"Sources of rejected versions are deleted after 7 days, which frees 0\.5 MiB"):
        bots.upload_version(arena, author, ref.bot_id, big)
    with arena.transaction() as session:
        session.execute(update(Version).values(source=b""))
    bots.upload_version(arena, author, ref.bot_id, big)

    assert quotas.usage(arena, author).storage == len(big)


def test_storage_may_be_used_up_to_the_last_byte(limited: Limited, author: Account) -> None:
    """An upload that fits exactly is accepted, and one byte more is refused."""
    arena = limited(storage=MIB)
    most = factories.FIRST.ljust(MIB, b"#")

    with pytest.raises(Refused, match=r"the limit is 1\.0 MiB"):
        bots.upload(arena, author, "exact", most + b"#")
    bots.upload(arena, author, "exact", most)

    assert quotas.usage(arena, author).storage == MIB


def test_validations_of_a_member_are_limited_per_day(limited: Limited, author: Account) -> None:
    """Deleting a bot gives none back; after a day they are forgotten."""
    arena = limited(validations=2)
    for name in ("one", "two"):
        bots.upload(arena, author, name, factories.FIRST)
    with arena.transaction() as session:
        session.query(Version).delete()
        session.query(Bot).delete()

    with pytest.raises(
        Refused, match=r"You uploaded 2 versions .* the limit is 2\. You can upload again from \d+ \w+ "
    ):
        bots.upload(arena, author, "three", factories.FIRST)
    with arena.transaction() as session:
        session.execute(update(ValidationRequest).values(at=ValidationRequest.at - DAY))
    bots.upload(arena, author, "three", factories.FIRST)

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(ValidationRequest)) == 1
    assert quotas.usage(arena, author).validations == 1


def test_concurrent_uploads_cannot_exceed_a_quota(limited: Limited, author: Account) -> None:
    """Several uploads at the same time are accepted up to the quota."""
    arena = limited(validations=2)

    def upload(number: int) -> bool:
        try:
            bots.upload(arena, author, f"bot-{number}", factories.FIRST)
        except Refused:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(upload, range(6))) == 2
    assert quotas.usage(arena, author).bots == 2


def test_new_account_has_a_share_of_the_limits(arena: Arena, limited: Limited) -> None:
    """For a day, unless an organiser has put it in a group; refusals say when the limits rise."""
    new = factories.user(arena, "new")
    arena = limited(bots=4)
    bots.upload(arena, new, "first", factories.FIRST)

    with pytest.raises(Refused, match=r"the limit is 1, .* The limits of a new account rise on \d+ \w+ 20"):
        bots.upload(arena, new, "second", factories.FIRST)
    limits = quotas.usage(arena, new).limits
    assert limits is not None
    assert (limits.bots, limits.storage, limits.validations, limits.versions) == (1, 62.5 * MIB, 50, 25)

    with arena.transaction() as session:
        session.add(Group(id=1, name="Class", name_key="class"))
        session.flush()
        session.add(GroupMember(group_id=1, user_id=new.id))
    bots.upload(arena, new, "second", factories.FIRST)
    grouped = quotas.usage(arena, new).limits
    assert grouped is not None
    assert (grouped.bots, grouped.rise) == (4, None)


def test_administrators_have_no_limits(limited: Limited, admin: Account, author: Account) -> None:
    """Neither for their own bots, nor when they upload to a bot of a member."""
    arena = limited(bots=1, versions=1, validations=1)
    ref = bots.upload(arena, author, "mine", factories.FIRST)
    for name in ("one", "two"):
        bots.upload(arena, admin, name, factories.FIRST)
    bots.upload_version(arena, admin, ref.bot_id, factories.LAST)

    assert quotas.usage(arena, admin).limits is None
    with pytest.raises(Refused, match="versions of mine"):
        bots.upload_version(arena, author, ref.bot_id, factories.LAST)


def test_administrator_raises_the_limits_of_a_member(limited: Limited, admin: Account, author: Account) -> None:
    """A factor multiplies the limits; the change is in the audit log."""
    arena = limited(bots=1)
    bots.upload(arena, author, "one", factories.FIRST)

    quotas.set_factor(arena, admin, "AUTHOR", 2.5)
    bots.upload(arena, author, "two", factories.FIRST)

    limits = quotas.usage(arena, author).limits
    assert limits is not None
    assert (limits.bots, limits.validations) == (2, 500)
    with arena.reading() as session:
        entry = session.scalars(select(AuditEntry)).one()
    assert (entry.action, entry.subject, entry.detail) == (
        "changed the quotas of a member", "member author", "2.5 times",
    )  # fmt: skip
    with pytest.raises(Refused, match=r"must be 0\.01 to 1000, not 0"):
        quotas.set_factor(arena, admin, "author", 0)
    with pytest.raises(NotFound, match="There is no account nobody"):
        quotas.set_factor(arena, admin, "nobody", 1)
    with pytest.raises(Refused, match="Only an administrator"):
        quotas.set_factor(arena, author, "author", 9)


def test_work_counts_towards_the_uploader_and_storage_towards_the_owner(limited: Limited, author: Account) -> None:
    """A co-owner cannot use up the owner's validations, and a team uploads versions of a bot no faster than one."""
    arena = limited(versions=3, storage=MIB)
    friend = factories.user(arena, "friend")
    age(arena, friend)
    ref = bots.upload(arena, author, "ours", factories.FIRST)
    with arena.transaction() as session:
        session.add(BotMember(bot_id=ref.bot_id, user_id=friend.id, accepted=1.0))

    bots.upload_version(arena, friend, ref.bot_id, factories.LAST)

    owner, other = quotas.usage(arena, author), quotas.usage(arena, friend)
    assert (owner.validations, owner.bots, owner.storage) == (1, 1, len(factories.FIRST) + len(factories.LAST))
    assert (other.validations, other.bots, other.storage) == (1, 0, 0)
    with pytest.raises(Refused, match=r"The sources of author's bots take .* the limit is 1\.0 MiB"):
        bots.upload_version(arena, friend, ref.bot_id, factories.FIRST + b"#" * MIB)
    bots.upload_version(arena, friend, ref.bot_id, factories.MIDDLE)
    with pytest.raises(Refused, match="3 versions of ours"):
        bots.upload_version(arena, author, ref.bot_id, factories.CHANCE)


def test_operator_scales_all_quotas(arena: Arena, author: Account) -> None:
    """The factor of the settings multiplies the factor of a member; every limit stays at least 1."""

    def limits(factor: float) -> quotas.Limits:
        scaled = replace(arena.settings, quota=factor)
        with arena.reading() as session:
            found = quotas.limits_of(session, scaled, author.id)
        assert found is not None
        return found

    with arena.transaction() as session:
        session.execute(update(User).where(User.id == author.id).values(quota_factor=3))

    doubled = limits(2)
    assert (doubled.bots, doubled.storage, doubled.trials) == (6 * 30, 6 * 250 * MIB, 6 * 1000)
    assert limits(0.01).bots == 1
