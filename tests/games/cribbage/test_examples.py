"""The examples of the encyclopedia, line by line."""

import pytest

from . import slow
from .table import PACK, Table, codes


def test_the_show_of_four_cards():
    hand, (starter,) = codes("4H 5H QH"), codes("6S")
    assert slow.parts(hand, starter) == (2, 0, 3, 3, 0)
    assert slow.points(hand, starter) == 10


def pegged(words):
    """Return what the last of some cards scores for sum, pairs and run; they are laid by two players in turn."""
    ranks = words.replace("10", "T").split("-")
    suits: dict[str, int] = {}
    cards = []
    for rank in ranks:
        cards.append(rank + "SHDC"[suits.get(rank, 0)])
        suits[rank] = suits.get(rank, 0) + 1
    hands = [cards[0::2], cards[1::2]]
    rest = [PACK.text(code) for code in range(51, -1, -1) if PACK.text(code) not in cards]
    for hand in hands:
        while len(hand) < 7:
            hand.append(rest.pop(0))
    table = Table("cribbage-seven-card", [" ".join(hand) for hand in hands])
    for hand in hands:
        kept = set(cards)
        table.discard(" ".join([card for card in hand if card not in kept][:2]))
    table.lay(" ".join(cards[:-1]))
    before = table.points
    player = table.asked().actor
    table.lay(cards[-1])
    return table.points[player] - before[player]


@pytest.mark.parametrize(
    ("words", "points"),
    [
        ("K-5", 2),
        ("J-5", 2),
        ("5-10", 2),
        ("9-6", 2),
        ("6-8-A", 2),
        ("3-8-4", 2),  # the book says that this is a run besides, which it is not
        ("3-6-6", 4),
        ("4-8-2-A", 2),
        ("6-4-A-4", 2),
        ("4-5-6", 5),
        ("5-4-6", 5),
        ("6-4-5", 5),
        ("6-5-4", 5),
        ("4-5-6-3", 4),
        ("5-4-6-3", 4),
        ("6-4-5-3", 4),
        ("6-5-4-3", 4),
        ("4-5-6-7", 4),
        ("6-5-4-7", 4),
        ("3-2-5", 0),
        ("3-2-5-4", 4),
        ("3-2-5-A-4", 5 + 2),
        ("2-A-6-5-3-4", 6),
        ("A-K-Q", 0),
        ("Q-Q", 2),
        ("3-3-3", 6),
        ("7-7-7", 6),
        ("3-3-3-3", 12),
        ("7-7-7-7", 12),
        ("K-A-10-10", 4),  # a pair that makes thirty-one
    ],
)
def test_cards_laid(words, points):
    assert pegged(words) == points


def test_the_fourth_queen_cannot_be_laid():
    table = Table("cribbage-six-card", ["QS QD KS KD 9S 8S", "QH QC KH KC 9H 8H"])
    table.discard("9S 8S", "9H 8H").lay("QS QH QD")
    assert table.asked().legal == {52}
    assert table.points == [6, 2]


@pytest.mark.parametrize(
    ("last", "points", "sources"),
    [
        *((card, 1, ("points_peg_last", "points_peg_thirty_one")) for card in ("AC", "2C", "3C", "5C", "6C")),
        ("7C", 2, ("points_peg_thirty_one", "points_peg_last")),
    ],
)
def test_go_at_24_with_a_nine(last, points, sources):
    """The other lays a card from ace to six and scores one; a seven makes thirty-one, two and nothing besides."""
    table = Table("cribbage-five-card", [f"KS TD {last} 2S 2H", "4H 9H 9D 6S 6H"], "QD")
    table.discard("2S 2H", "6S 6H").lay("KS 4H TD")
    assert table.asked() == (1, "play", {52})
    assert table.points == [3, 0]
    row = table.lay("go").lay(last).row()
    assert row["pegging"] == [points, 0]
    assert row[sources[0]] == [points, 0]
    assert row[sources[1]] == [0, 0]


def test_the_full_deal():
    """B deals. The book lets A say go while he holds a five that he can lay: 30, a pair and the last card are his."""
    table = Table("cribbage-five-card", ["JH 9S 7D 5S 5C", "KS KC JD 8H 6H"], "5H")
    assert table.points == [3, 0]
    table.discard("9S 7D", "8H 6H")
    table.lay("JH")
    assert table.points == [3, 0]
    table.lay("JD")
    assert table.points == [3, 2]
    table.lay("5S go")
    assert table.asked().legal == {codes("5C")[0]}
    table.lay("5C")
    assert table.is_over
    row = table.row()
    assert row["pegging"] == [3, 2]
    assert row["hand"] == [15, 8]
    assert row["crib"] == [0, 9]
    assert row["points"] == [21, 19]
    assert row["points_hand_fifteen"] == [8, 6]
    assert row["points_hand_pairs"] == [6, 2]
    assert row["points_hand_nobs"] == [1, 0]
    assert row["points_crib_fifteen"] == [0, 4]
    assert row["points_crib_runs"] == [0, 5]
