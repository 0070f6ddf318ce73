"""Seeds, derived one way from a secret to boards and bots."""

from arena.games.chance import board_rng, bot_seed, commitment, derive, set_rng, table_seed

SEED = bytes(range(32))


def test_commitment_never_changes() -> None:
    """A published hash must remain checkable."""
    assert commitment(SEED) == "a3e7fb59988210f309b517a2c8e1d88ca5aaa26898114829fede8fccd76194be"


def test_labels_separate_children() -> None:
    """Different labels give different seeds."""
    children = {
        derive(SEED, "a", 1),
        derive(SEED, "a", 2),
        derive(SEED, "b", 1),
        derive(SEED, "a"),
        table_seed(SEED, 1),
    }

    assert len(children) == 5


def test_boards_and_bots_draw_from_different_generators() -> None:
    """A bot's own seed reveals nothing about the boards."""
    table = table_seed(SEED, 0)

    assert board_rng(table, 0).random() == board_rng(table, 0).random()
    assert board_rng(table, 0).random() != board_rng(table, 1).random()
    assert bot_seed(table, 0, 0) != bot_seed(table, 0, 1) != bot_seed(table, 1, 1)
    assert 0 <= bot_seed(table, 0, 0) < 2**53


def test_sets_of_boards_share_the_boards_of_a_table() -> None:
    """No board is in two sets, and together they include all."""
    dealt = [set_rng(SEED, index, board_set, 3).random() for index in range(2) for board_set in range(3)]

    assert dealt == [board_rng(SEED, index).random() for index in range(6)]
