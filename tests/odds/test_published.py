"""Numbers that others have published, to the last digit given (class A of PUBLISHED.md, CATALOGUE.md 3.16)."""

from __future__ import annotations

from fractions import Fraction

import pytest

import simcards
from simcards.cards import Pack
from simcards.odds.exact import Exact


def counted(question: str, pack: Pack | str, hand: int | str | None = None, **options: object) -> Exact:
    row = simcards.odds(question, pack=pack, hand=hand, deals=0, **options).rows[0]
    assert row.exact is not None, row.reason
    return row.exact


def chance(question: str, pack: Pack | str, hand: int | str | None = None, **options: object) -> Fraction:
    return counted(question, pack, hand, **options).probability


def rounded(value: Fraction, text: str) -> bool:
    """Return whether a value rounds to a decimal text."""
    places = len(text.partition(".")[2])
    return round(value * 10**places) == int(text.replace(".", ""))


def percent(value: Fraction, text: str) -> bool:
    return rounded(100 * value, text)


# -- cribbage ----------------------------------------------------------------------------------------------

CRIBBAGE = Pack.named("52").with_order("A23456789TJQK")
ALL = "hand + starter"
VALUES = "A1 22 33 44 55 66 77 88 99 T10 J10 Q10 K10"
BUT_FLUSH = (
    f"2 * ways(15, '{VALUES}', {ALL}) + sum_ranks(n({ALL}) * (n({ALL}) - 1)) + rank_runs(3, {ALL})"
    " + (1 if any_suit(n('J', hand) >= 1 and n(starter) >= 1) else 0)"
)
HAND = f"{BUT_FLUSH} + (5 if any_suit(n({ALL}) == 5) else 4 if any_suit(n(hand) == 4) else 0)"
CRIB = f"{BUT_FLUSH} + (5 if any_suit(n({ALL}) == 5) else 0)"
LUMETTA = {
    0: 1009008, 1: 99792, 2: 2813796, 3: 505008, 4: 2855676, 5: 697508, 6: 1800268, 7: 751324, 8: 1137236,
    9: 361224, 10: 388740, 11: 51680, 12: 317340, 13: 19656, 14: 90100, 15: 9168, 16: 58248, 17: 11196,
    18: 2708, 20: 8068, 21: 2496, 22: 444, 23: 356, 24: 3680, 28: 76, 29: 4,
}  # fmt: skip


def test_cribbage_hands() -> None:
    made = counted(HAND, CRIBBAGE, hands={"hand": 4, "starter": 1})
    assert made.total == 12_994_800
    assert made.counts == LUMETTA
    assert rounded(made.mean, "4.7691523")
    assert f"{made.sd:.7f}" == "3.1254371"


def test_cribbage_cribs() -> None:
    made = counted(CRIB, CRIBBAGE, hands={"hand": 4, "starter": 1})
    assert made.counts[0] == 1_022_208
    assert rounded(made.mean, "4.7348185")


def test_cribbage_best_hands() -> None:
    fives_and_jack = "any_suit(n('5', starter) == 1 and n('J', hand) == 1)"
    best = f"n('5', hand) == 3 and {fives_and_jack}"
    second = (
        "n('5', hand) == 4 and n('T J Q K', starter) == 1 or"
        f" n('5', hand) == 3 and n('5', starter) == 1 and n('T J Q K', hand) >= 1 and not {fives_and_jack}"
    )
    dealt = {"hand": 6, "starter": 1}
    assert round(1 / chance(best, CRIBBAGE, hands=dealt)) == 216_580
    assert round(1 / chance(second, CRIBBAGE, hands=dealt)) == 15_028


# -- bridge and whist --------------------------------------------------------------------------------------


def test_high_card_points() -> None:
    made = counted("points('A4 K3 Q2 J1')", "52", 13)
    published = {0: "0.3639", 5: "5.1862", 10: "9.4051", 15: "4.4237", 20: "0.6435"}
    assert all(percent(made.chance(points), text) for points, text in published.items())
    assert made.mean == 10
    assert f"{made.sd:.4f}" == "4.1302"


@pytest.mark.parametrize(
    ("shape", "text"),
    [("4432", "21.5512"), ("5332", "15.5168"), ("5431", "12.9307"), ("5422", "10.5797"), ("4333", "10.5361"),
     ("6322", "5.6425")],
)  # fmt: skip
def test_shapes(shape: str, text: str) -> None:
    assert percent(chance(f"shape() == '{shape}'", "52", 13), text)


def test_no_card_above_nine() -> None:
    assert rounded(1 / chance("n('T J Q K A') == 0", "52", 13), "1828.04")


def split(pack: str, size: int, missing: int, known: int) -> list[Fraction]:
    """Return how likely each split of missing hearts is between two unseen hands."""
    ranks = "23456789TJQKA" if pack == "52" else "789TJQKA"
    hearts = [f"{rank}H" for rank in ranks[missing:]]
    others = [f"{rank}{suit}" for suit in "SDC" for rank in ranks][: known - len(hearts)]
    options = {"hands": {"west": size, "east": size}, "known": " ".join(hearts + others)}
    made = counted("abs(n('hearts', west) - n('hearts', east))", pack, **options)
    return [made.chance(difference) for difference in range(missing % 2, missing + 1, 2)]


@pytest.mark.parametrize(
    ("missing", "texts"),
    [(3, ["78.0", "22.0"]), (4, ["40.70", "49.74", "9.57"]), (5, ["67.83", "28.26", "3.91"]),
     (6, ["35.53", "48.45", "14.53", "1.49"])],
)  # fmt: skip
def test_splits_at_bridge(missing: int, texts: list[str]) -> None:
    assert all(map(percent, split("52", 13, missing, 26), texts))


# -- skat and preferans ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "texts"),
    [(4, ["41.80", "49.54", "8.67"]), (5, ["69.66", "27.09", "3.25"]), (6, ["37.15", "48.76", "13.00", "1.08"]),
     (7, ["65.02", "29.26", "5.42", "0.31"])],
)  # fmt: skip
def test_splits_at_skat(missing: int, texts: list[str]) -> None:
    assert all(map(percent, split("32", 10, missing, 12), texts))


@pytest.mark.parametrize(
    ("wanted", "text"), [(1, "9.1"), (2, "17.7"), (5, "41.1"), (6, "48.1"), (7, "54.5"), (11, "76.2")]
)
def test_talon(wanted: int, text: str) -> None:
    cards = [f"{rank}{suit}" for suit in "SHDC" for rank in "AKQJT987"]
    question = f"n('{' '.join(cards[:wanted])}', talon) >= 1"
    assert percent(chance(question, "32", hands={"hand": " ".join(cards[-10:]), "talon": 2}), text)


def test_jacks() -> None:
    made = counted("n('J')", "32", 10)
    assert all(map(percent, map(made.chance, range(5)), ["20.34", "42.83", "28.91", "7.34", "0.58"]))
    assert percent(chance("n('J', skat) == 2", "32", hands={"hand": 10, "skat": 2}), "1.21")
    assert made.chance(4) == Fraction(21, 3596)


def test_preferans_talon() -> None:
    talon = {"talon": 2}
    assert chance("n('A') == 2", "32", hands=talon) == Fraction(3, 248)
    assert chance("any_suit(n('K') == 1 and n('Q') == 1)", "32", hands=talon) == Fraction(1, 124)
    assert chance("any_suit(n('A') == 1 and n('K') == 1)", "32", hands=talon) == Fraction(1, 124)


# -- piquet, écarté ----------------------------------------------------------------------------------------

TWELVE = "AS KS QS JS TS 9S 8S 7S AH KH QH JH"  # seen: twelve cards, so that twenty are not


def test_piquet() -> None:
    assert chance("n('K Q J') == 0", "32", 12) == Fraction(323, 578956)
    assert rounded(1 / chance("n('K Q J') == 0", "32", 12), "1792.43")

    def against(question: str, draw: int) -> Fraction:
        value = chance(question, "32", hands={"draw": draw}, known=TWELVE)
        return 1 / value - 1

    assert against("n('AD') == 1", 5) == 3
    assert against("n('AD AC') == 2", 5) == 18
    assert round(against("n('AD AC') == 2", 3)) == 62
    assert against("n('AD AC KD') == 3", 3) == 1139


def test_aces_drawn_at_piquet() -> None:
    known = "KS QS JS TS 9S 8S 7S KH QH JH TH 9H"
    assert percent(chance("n('A') >= 2", "32", hands={"draw": 5}, known=known), "24.87")


def test_filling_a_sequence_at_piquet() -> None:
    """Elder keeps seven cards and draws five; of the twenty unseen ones the jack makes five in a row."""
    kept, discarded = "AS KS QS TS AH AD AC", "TH TD TC 7H 7C"
    drawn = chance("run() >= 5", "32", f"{kept} +5", known=discarded)
    assert drawn == chance("n('JS') == 1", "32", hands={"draw": 5}, known=f"{kept} {discarded}") == Fraction(1, 4)


def test_ecarte() -> None:
    """Of the 26 unseen cards six are trumps when I hold one besides the one turned up, five when I hold two."""
    one, two = "7H 8H AS KS QS JS", "7H 8H 9H AS KS QS"
    held = counted("n('hearts', dealer) <= 1", "32", hands={"dealer": 5}, known=one)
    assert (held.total, held.counts[1]) == (65_780, 44_574)
    assert counted("n('hearts', dealer) <= 1", "32", hands={"dealer": 5}, known=two).counts[1] == 50_274
    assert chance("n('K') == 1", "32", 1) == Fraction(1, 8)


# -- sixty-six and thousand --------------------------------------------------------------------------------

MARRIAGE = "any_suit(n('K') >= 1 and n('Q') >= 1)"


def test_marriages() -> None:
    assert percent(chance(MARRIAGE, "24", 6), "20.90")
    assert percent(chance(MARRIAGE, "24", 7), "28.48")
    assert chance("n('KH') == 1 and n('QH') == 1", "24", 6) == Fraction(5, 92)
    assert chance("n('KH') == 1 and n('QH') == 1", "24", 7) == Fraction(7, 92)
    seen = "9S TS JS QS KS AS 9H"
    assert chance("n('AH', talon) == 1", "24", hands={"hand": seen, "talon": 3}) == Fraction(3, 17)


# -- pinochle, bezique -------------------------------------------------------------------------------------

PINOCHLE = Pack.named("48").with_order("9JQKTA")
ROUNDHOUSE = "all_suits(n('K') >= 1 and n('Q') >= 1)"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("all_suits(n('A') >= 1)", "2.7624"),
        ("all_ranks(n('hearts') >= 1, 'A T K Q J')", "0.9587"),
        ("any_suit(all_ranks(n() >= 1, 'A T K Q J'))", "3.8300"),
        ("n('QS') >= 1 and n('JD') >= 1", "18.571"),
        ("n('QS') >= 2 and n('JD') >= 2", "0.2544"),
        (ROUNDHOUSE, "0.02186"),
        (f"{ROUNDHOUSE} and n('K Q') == 8", "0.01321"),
    ],
)
def test_pinochle(question: str, text: str) -> None:
    assert percent(chance(question, PINOCHLE, 12), text)


def test_bezique() -> None:
    bezique, double = "n('QS') >= 1 and n('JD') >= 1", "n('QS') >= 2 and n('JD') >= 2"
    assert rounded(chance(bezique, "32x2", 8), "0.050289")
    assert chance(double, "32x2", 8) == Fraction(5, 45384)
    assert rounded(chance(bezique, "32x4", 9), "0.059832")
    assert rounded(chance("n('K Q J') == 0", "32x4", 9), "0.012165")
    assert rounded(chance("n('K Q J') == 0", "32x6", 12), "0.002858")


# -- belote, poker, gin, the others ------------------------------------------------------------------------


def test_belote() -> None:
    made = counted("run()", "32", 8)
    assert percent(made.chance(3), "19.140")
    assert percent(made.chance(4), "3.039")
    assert percent(sum(made.chance(length) for length in range(5, 9)), "0.408")
    assert percent(chance("n('KH') == 1 and n('QH') == 1", "32", 8), "5.645")


def test_poker_with_32_cards() -> None:
    flush, straight = "max_suit(n()) == 5", "rank_run() == 5"
    hands = {
        f"{flush} and {straight}": 16,
        "max_rank(n()) == 4": 224,
        "any_rank(n() == 3) and any_rank(n() == 2)": 1_344,
        f"{flush} and not {straight}": 208,
        f"{straight} and not {flush}": 4_080,
        "max_rank(n()) == 3 and not any_rank(n() == 2)": 10_752,
        "count_ranks(n() == 2) == 2": 24_192,
        "max_rank(n()) == 2 and count_ranks(n() == 2) == 1": 107_520,
        f"max_rank(n()) == 1 and not {flush} and not {straight}": 53_040,
    }
    for question, ways in hands.items():
        made = counted(question, "32", 5)
        assert made.total == 201_376
        assert made.counts[1] == ways, question


def test_gin() -> None:
    assert counted("n('A')", "52", 10).total == 15_820_024_220


@pytest.mark.parametrize(
    ("question", "pack", "hand", "value"),
    [
        ("n('joker') == 0", "24+1", 24, Fraction(1, 25)),
        ("n('8') == 0", "52", 13, Fraction(6327, 20825)),
        ("n('A') == 2", "36", 2, Fraction(1, 105)),
        ("n('A') == 1 and n('T') == 1", "36", 2, Fraction(8, 315)),
        ("n('A') == 4", "52", 13, Fraction(11, 4165)),
    ],
)
def test_closed_forms(question: str, pack: str, hand: int, value: Fraction) -> None:
    assert chance(question, pack, hand) == value


def test_canasta() -> None:
    assert rounded(chance("n('3H 3D') == 0", "54x2", 11), "0.646535")


# -- numbers of more than 64 and 128 bits ------------------------------------------------------------------


@pytest.mark.parametrize("route", [None, "enumeration", "classes", "compiled"])
def test_an_ace_for_everybody(route: str | None) -> None:
    """52!/(13!)^4 deals do not fit in 64 bits."""
    from simcards.odds.deal import make_deal
    from simcards.odds.exact import count
    from simcards.odds.expression import parse
    from simcards.odds.ground import Graph, ground

    deal = make_deal("52", hands={"a": 13, "b": 13, "c": 13, "d": 13})
    graph = Graph(deal)
    node = ground(parse("n('A', a) == 1 and n('A', b) == 1 and n('A', c) == 1 and n('A', d) == 1", deal), graph)
    assert count(graph, node, route=route).probability == Fraction(2197, 20825)


def test_half_of_a_large_pack() -> None:
    made = counted("n('A')", "52x8", 208)
    assert made.total > 2**400
    assert made.mean == 16
