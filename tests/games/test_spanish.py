"""The Spanish pack."""

from arena.games.spanish import CARDS, INDEX, RANK_NAMES, RANKS, SUIT_NAMES, SUIT_OF, SUITS


def test_pack_has_48_cards_in_canonical_order() -> None:
    """Suits are cups, coins, swords, clubs; each from the ace, the lowest, to the rey."""
    assert len(CARDS) == len(INDEX) == 48
    assert " ".join(CARDS[:13]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C JC NC KC AO"
    assert [INDEX[card] for card in CARDS] == list(range(48))
    assert all(SUITS[SUIT_OF[card]] == CARDS[card].suit for card in range(48))


def test_card_knows_its_rank_suit_and_number() -> None:
    """The sota is 10, the caballo 11, the rey 12."""
    assert [(card.rank, card.suit, card.number) for card in (CARDS[0], CARDS[21], CARDS[-1])] == [
        ("A", "C", 1), ("J", "O", 10), ("K", "B", 12),
    ]  # fmt: skip


def test_every_rank_and_suit_has_a_name() -> None:
    """Pages and screen readers use the names."""
    assert [*RANK_NAMES] == [*RANKS]
    assert [*SUIT_NAMES] == [*SUITS]
    assert (RANK_NAMES["N"], SUIT_NAMES["E"]) == ("caballo", "swords")
