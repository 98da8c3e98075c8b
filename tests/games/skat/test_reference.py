"""The slow skat by itself: the examples of the book, and deals that can be followed by hand."""

from __future__ import annotations

import random

import pytest

from .reference import (
    BASE,
    HIGHEST,
    JACKS,
    LOWEST,
    PACK,
    TENS,
    Contract,
    Skat,
    all_values,
    beats,
    matadors,
    points_of,
    replies,
    settle,
    trumps,
)


def holding(kind: str, run: int, with_jack: bool) -> set[str]:
    """Twelve cards with, or without, so many of the highest trumps."""
    order = trumps(kind)
    high = set(order[:run]) if with_jack else set()
    next_one = set(order[run : run + 1])
    if not with_jack:
        high = next_one
    others = [card for card in PACK if card not in order]
    cards = high | set(others[: 12 - len(high)])
    assert len(cards) == 12
    assert matadors(cards, kind) == run
    return cards


def value(
    kind: str, run: int, jack: bool = True, points: int = 61, others: int = 5, contract: Contract | None = None
) -> int:
    contract = contract or Contract(kind)
    own = 10 - others
    return settle(contract, LOWEST, holding(kind, run, jack), points, own, others).score


@pytest.mark.parametrize(
    ("kind", "run", "jack", "points", "others", "expected"),
    [
        ("H", 2, False, 61, 5, 30),
        ("H", 2, True, 61, 5, 30),
        ("S", 5, True, 61, 5, 66),
        ("C", 3, False, 61, 5, 48),
        ("C", 8, True, 61, 5, 108),
        ("H", 2, False, 90, 2, 40),
        ("S", 5, True, 90, 2, 77),
        ("C", 8, True, 90, 2, 120),
        ("S", 5, True, 120, 0, 88),
        ("grand", 2, True, 61, 5, 72),
        ("grand", 3, True, 90, 1, 120),
        ("grand", 4, True, 120, 0, 168),
        ("D", 1, True, 61, 5, 18),
        ("D", 1, False, 61, 5, 18),
    ],
)
def test_printed_values(kind: str, run: int, jack: bool, points: int, others: int, expected: int) -> None:
    assert value(kind, run, jack, points, others) == expected


def test_the_highest_game() -> None:
    contract = Contract("grand", True, "schwarz", True)
    assert value("grand", 4, True, 120, 0, contract) == HIGHEST == max(all_values())
    assert min(all_values()) == LOWEST


@pytest.mark.parametrize(("contract", "expected"), [((False, False), 23), ((True, False), 35), ((True, True), 59)])
def test_null(contract: tuple[bool, bool], expected: int) -> None:
    hand, ouvert = contract
    cards = set(PACK[:12])
    null = Contract("null", hand, "", ouvert)
    assert settle(null, LOWEST, cards, 0, 0, 10).score == expected
    assert settle(null, LOWEST, cards, 4, 1, 9).score == -expected * (1 if hand else 2)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("JC JH JD AH TH KH 8H", 1),
        ("JC JS JH JD AH KH QH", 5),
        ("JS JH JD AH TH KH", 1),
        ("TH KH QH 8H", 5),
    ],
)
def test_printed_matadors(cards: str, expected: int) -> None:
    assert matadors(set(cards.split()), "H") == expected


def test_card_points() -> None:
    assert points_of(PACK) == 120


def test_sixty_points_lose() -> None:
    assert value("H", 2, points=60) == -60
    assert value("H", 2, points=61) == 30
    assert value("H", 2, points=89) == 30
    assert value("H", 2, points=31) == -60
    assert value("H", 2, points=30) == -80


def test_lost_by_hand_counts_once() -> None:
    assert value("H", 2, points=55) == -60
    assert value("H", 2, points=55, contract=Contract("H", True)) == -40


def test_lost_without_a_trick() -> None:
    assert value("H", 2, points=7, others=10) == -100
    assert value("H", 2, points=7, others=9) == -80


def test_promises() -> None:
    schneider = Contract("S", True, "schneider")
    assert value("S", 1, points=90, others=3, contract=schneider) == 11 * (1 + 4)
    assert value("S", 1, points=120, others=0, contract=schneider) == 11 * (1 + 5)
    assert value("S", 1, points=89, others=3, contract=schneider) == -11 * (1 + 4)
    assert value("S", 1, points=20, others=9, contract=schneider) == -11 * (1 + 4)
    assert value("S", 1, points=5, others=10, contract=schneider) == -11 * (1 + 5)
    schwarz = Contract("S", True, "schwarz")
    assert value("S", 1, points=120, others=0, contract=schwarz) == 11 * (1 + 6)
    # a trick without points is enough
    assert value("S", 1, points=120, others=1, contract=schwarz) == -11 * (1 + 6)
    assert value("S", 1, points=120, others=0, contract=Contract("S", True, "schwarz", True)) == 11 * (1 + 7)


def test_overbid() -> None:
    cards = holding("H", 1, True)
    assert settle(Contract("H"), 22, cards, 70, 6, 4).score == -2 * 30
    assert settle(Contract("H"), 20, cards, 70, 6, 4).score == 20
    assert settle(Contract("H", True), 33, cards, 70, 6, 4).score == -40
    # schneider saves it
    assert settle(Contract("H"), 30, cards, 90, 8, 2).score == 30
    # a lost game stands for the bid at least
    assert settle(Contract("H"), 33, cards, 50, 4, 6).score == -2 * 40
    assert settle(Contract("H"), 20, cards, 50, 4, 6).score == -2 * 20


def test_bids() -> None:
    """The beginning of the row that every player of skat knows, and its end."""
    values = all_values()
    known = [18, 20, 22, 23, 24, 27, 30, 33, 35, 36, 40, 44, 45, 48, 50, 54, 55, 59, 60, 63, 66, 70, 72, 77, 80, 81]
    assert values[: len(known)] == known
    # clubs with eleven and all seven factors; grand with four and all six; then grand with open cards
    assert values[-6:] == [216, 240, 252, 288, 324, 360]


def test_trump_order() -> None:
    assert trumps("H") == JACKS + [rank + "H" for rank in TENS]
    assert len(trumps("H")) == 11
    assert beats("JD", "AH", "H")
    assert beats("7H", "AS", "H")
    assert not beats("AS", "7H", "H")
    assert beats("TS", "KS", "H")
    assert not beats("TS", "KS", "null")
    assert beats("JS", "TS", "null")
    assert not beats("AC", "7S", "null")
    assert beats("JH", "JD", "grand")
    assert not beats("AC", "7S", "grand")


def test_jacks_are_not_of_their_suit() -> None:
    hand = {"JS", "7H", "AD"}
    assert replies(hand, "AS", "H") == hand
    assert replies(hand, "AS", "null") == {"JS"}
    assert replies(hand, "JD", "H") == {"JS", "7H"}
    assert replies(hand, "JD", "grand") == {"JS"}
    assert replies(hand, "KH", "grand") == {"7H"}


def cards(text: str) -> list[str]:
    return text.split()


HANDS = [
    cards("JC JS AH TH KH QH 9H AS AD 7C"),
    cards("JH JD AC TC KC 8H TS KS 7D 8D"),
    cards("QC 9C 8C 7H QS 9S 8S TD KD QD"),
]
SKAT = cards("7S 9D")


def test_the_auction() -> None:
    game = Skat()
    game.deal(HANDS, SKAT)
    assert game.order == [0, 1, 2]
    assert game.turn == 1
    game.apply(("bid", "18"))
    assert game.turn == 0
    assert game.legal() == {("pass",), ("hold",)}
    game.apply(("hold",))
    assert game.turn == 1
    assert ("bid", "18") not in game.legal()
    game.apply(("bid", "20"))
    game.apply(("pass",))  # forehand
    assert game.turn == 2  # rearhand calls to middlehand
    game.apply(("bid", "22"))
    assert game.turn == 1
    game.apply(("hold",))
    game.apply(("pass",))
    assert (game.turn, game.soloist, game.bid) == (1, 1, 22)


def test_rearhand_alone() -> None:
    game = Skat()
    game.deal(HANDS, SKAT)
    game.apply(("pass",))
    assert (game.turn, game.step) == (2, "call")
    game.apply(("bid", "18"))
    game.apply(("pass",))
    assert (game.soloist, game.bid) == (2, 18)


def test_all_pass() -> None:
    for last in (("pass",), ("bid", "18")):
        game = Skat({"deals": 3})
        game.deal(HANDS, SKAT)
        game.apply(("pass",))
        game.apply(("pass",))
        assert (game.turn, game.step) == (0, "open")
        game.apply(last)
        assert (game.step == "deal") == (last == ("pass",))
        assert game.done == 0
        assert game.scores == [0, 0, 0]


def played() -> Skat:
    """Forehand plays hearts with two from the hand: nine top tricks by force."""
    game = Skat()
    game.deal(HANDS, SKAT)
    for action in [("pass",), ("bid", "18"), ("hold",), ("pass",), ("hand",), ("announce", "H", "schneider")]:
        game.apply(action)
    for trick in (
        "JC JD 7H",
        "JS JH 8S",
        "AH 8H QC",
        "TH 7D 8C",
        "KH 8D 9C",
        "QH KS 9S",
        "9H TS QS",
        "AS KC TD",
        "AD AC QD",
        "7C TC KD",
    ):
        for card in trick.split():
            game.apply(("play", card))
    return game


def test_a_deal_by_hand() -> None:
    game = played()
    assert game.over
    # the others have the last trick: 10 + 4 = 14; all else, skat included, is the soloist's
    assert game.history[0]["standing"] == (106, 9, 1)
    # with two: game, hand, schneider, schneider announced
    assert game.scores == [60, 0, 0]
    assert [trick.winner for trick in game.tricks] == [0] * 9 + [1]


def test_four_at_the_table() -> None:
    game = Skat({"players": 4, "deals": 4})
    dealers, first = [], []
    rng = random.Random(1)
    while not game.over:
        if game.step == "deal":
            pack = rng.sample(PACK, 32)
            game.deal([pack[:10], pack[10:20], pack[20:30]], pack[30:])
            dealers.append(game.dealer)
            first.append(game.order)
            continue
        assert game.turn != game.dealer
        choice = sorted(game.legal())
        if game.step == "call":
            choice = [("bid", str(LOWEST))] if game.bid == 0 else [("pass",)]
        game.apply(rng.choice(choice))
    assert dealers == [3, 0, 1, 2]
    assert first == [[0, 1, 2], [1, 2, 3], [2, 3, 0], [3, 0, 1]]
    assert sum(1 for deal in game.history if deal["result"]) == 4


def test_null_is_barred_above_its_value() -> None:
    game = Skat({"calls": "any"})
    game.deal(HANDS, SKAT)
    for action in [("bid", "24"), ("pass",), ("pass",)]:
        game.apply(action)
    game.apply(("hand",))
    assert ("announce", "null") in game.legal()
    game = Skat({"calls": "any"})
    game.deal(HANDS, SKAT)
    for action in [("bid", "24"), ("pass",), ("pass",), ("take",), ("discard", "7S"), ("discard", "9D")]:
        game.apply(action)
    assert game.legal() == {("announce", kind) for kind in BASE}
