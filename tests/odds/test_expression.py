"""What the language accepts, and what it refuses and where."""

from __future__ import annotations

import contextlib
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcards.cards import Pack
from simcards.errors import UsageError
from simcards.odds.deal import Deal, make_deal
from simcards.odds.expression import DEEPEST, LONGEST, parse
from simcards.odds.ground import Graph, ground
from simcards.odds.tree import ExpressionError

PIQUET = make_deal("32", 12)
SKAT = make_deal("32", hands={"hand1": 10, "hand2": 10, "talon": 2}, trump="hearts")
JOKERS = make_deal("52+2", 13)


def wrong(text: str, deal: Deal = PIQUET) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        ground(parse(text, deal), Graph(deal))
    return caught.value


def value(text: str, deal: Deal) -> tuple[int, int]:
    """Return the bounds of an expression."""
    graph = Graph(deal)
    node = ground(parse(text, deal), graph)
    return graph.low[node], graph.high[node]


SAME = [
    ("n('K')", "n('KS KH KD KC')", PIQUET),
    ("n('10')", "n('T')", PIQUET),
    ("n('hearts')", "n('♥')", PIQUET),
    ("n('h')", "n('H')", PIQUET),
    ("n('A, K')", "n('A K')", PIQUET),
    ("n('A K of hearts')", "n('AH KH')", PIQUET),
    ("n('A of red')", "n('AH AD')", PIQUET),
    ("n('7-9')", "n('7 8 9')", PIQUET),
    ("n('9-7')", "n('7 8 9')", PIQUET),
    ("n('red')", "n('hearts diamonds')", PIQUET),
    ("n('К')", "n('K')", PIQUET),
    ("n('Т')", "n('A')", PIQUET),
    ("n('ДП')", "n('QS')", PIQUET),
    ("n('червы')", "n('hearts')", PIQUET),
    ("n('A A')", "n('A')", PIQUET),
    ("n('AS A')", "n('A')", PIQUET),
    ('n("K")', "n('K')", PIQUET),
    ("  n('K')\n + 1", "n('K') + 1", PIQUET),
    ("points('A4 K3')", "4 * n('A') + 3 * n('K')", PIQUET),
    ("points('10:10 99')", "10 * n('T') + 9 * n('9')", PIQUET),
    ("points('hearts:1 QS13')", "n('hearts') + 13 * n('QS')", PIQUET),
    ("n('K')**2", "n('K') * n('K')", PIQUET),
    ("n('K')**0", "1", PIQUET),
    ("n()", "12", PIQUET),
    ("n('spades hearts diamonds clubs')", "12", PIQUET),
    ("run()", "max_suit(run())", PIQUET),
    ("any_suit(n('K') >= 1)", "n('K') >= 1", PIQUET),
    ("count_suits(n('K') == 1)", "n('K')", PIQUET),
    ("sum_suits(n())", "12", PIQUET),
    ("sum_ranks(n('hearts'))", "n('hearts')", PIQUET),
    ("max_rank(n()) >= 4", "any_rank(n() >= 4)", PIQUET),
    ("any_rank(n() >= 4, 'A K')", "n('A') >= 4 or n('K') >= 4", PIQUET),
    ("any_suit(n() >= 5, 'red')", "n('hearts') >= 5 or n('diamonds') >= 5", PIQUET),
    ("n('K') in (1, 3)", "n('K') == 1 or n('K') == 3", PIQUET),
    ("n('K') not in (1, 3)", "not (n('K') in (1, 3))", PIQUET),
    ("1 <= n('K') <= 3", "n('K') >= 1 and n('K') <= 3", PIQUET),
    ("n('K') > 1", "not n('K') <= 1", PIQUET),
    ("not not n('K') > 1", "n('K') > 1", PIQUET),
    ("2 if n('K') > 1 else 2", "2", PIQUET),
    ("shape() in ('4332', '5322')", "shape() == '4332' or shape() == '5322'", PIQUET),
    ("shape() in '4332 5322'", "shape() == '2334' or shape() == '5322'", PIQUET),
    ("shape() == '4=4=2=2'", "n('spades') == 4 and n('hearts') == 4 and n('diamonds') == 2", PIQUET),
    ("shape() == 'x=x=6=x'", "n('diamonds') == 6", PIQUET),
    ("shape() == '6xxx'", "any_suit(n() == 6)", PIQUET),
    ("n('joker')", "n('*')", JOKERS),
    ("n('J', talon + hand1)", "n('J', talon) + n('J', hand1)", SKAT),
    ("n(talon)", "2", SKAT),
    ("n('trumps', talon)", "n('hearts', talon)", SKAT),
    ("n('plain', talon)", "2 - n('hearts', talon)", SKAT),
    ("n('J of trumps', hand1)", "n('JH', hand1)", SKAT),
]


@pytest.mark.parametrize(("one", "other", "deal"), SAME)
def test_two_ways_to_write_the_same(one: str, other: str, deal: Deal) -> None:
    from simcards.odds.exact import count

    made = []
    for text in (one, other):
        graph = Graph(deal)
        node = ground(parse(text, deal), graph)
        counted = count(graph, node)
        made.append({value: ways * (10**30 // counted.total) for value, ways in counted.counts.items()})
    assert made[0] == made[1]


REFUSED = [
    # the text, where it points, what it says
    ("n('K') and 3", "n('K')", "needs a condition"),
    ("n('K') > 1 and 3", "3", "needs a condition, and 3 is a number"),
    ("not n('K')", "n('K')", "needs a condition"),
    ("(n('K') > 1) + 1", "n('K') > 1", "needs a number"),
    ("(n('K') > 1) == (n('Q') > 1)", "n('K') > 1", "needs a number"),
    ("any_suit(n('K'))", "n('K')", "needs a condition"),
    ("sum_suits(n('K') > 1)", "n('K') > 1", "needs a number"),
    ("n('Z')", "Z", "'Z' is no card, rank or suit"),
    ("n('A Z K')", "Z", "no card, rank or suit"),
    ("n('harts')", "harts", "did you mean 'hearts'"),
    ("n('2')", "2", "there is no 2 in this pack; its ranks are A K Q J T 9 8 7"),
    ("n('2S')", "2S", "there is no 2S in this pack of 32"),
    ("n('joker')", "joker", "there is no joker in this pack"),
    ("n('trumps')", "trumps", "say which suit is trumps"),
    ("n('A of K')", "K", "is not a suit"),
    ("n('of hearts')", "of", "of stands between ranks and suits"),
    ("n('')", "''", "missing between the quotes"),
    ("n(K)", "K", "cards stand in quotes"),
    ("n(3)", "3", "written as a text"),
    ("n('K', 'Q')", "n('K', 'Q')", "n is written"),
    ("n('K', talon)", "talon", "there is no hand 'talon'"),
    ("foo('K')", "foo", "there is no function 'foo'"),
    ("any_suits(n() > 1)", "any_suits", "did you mean 'any_suit'"),
    ("nn", "nn", "there is nothing called 'nn'"),
    ("hand", "hand", "hand is a hand"),
    ("run", "run", "run is a function"),
    ("carte_blanche", "carte_blanche", "there is nothing called"),
    ("n('K'", "(", "is not closed"),
    ("n('K'))", ")", "closes nothing"),
    ("n('K]", "'K]", "not closed"),
    ("n('K') >=", "", "something is missing at the end"),
    ("n('K') n('Q')", "n('Q')", "not an expression"),
    ("n('K') = 2", "=", "write == to compare"),
    ("n('K') && n('Q')", "&", "write and"),
    ("n('K') & n('Q')", "n('K') & n('Q')", "write and"),
    ("n('K') <> 2", "<", "write !="),
    ("n('K'); n('Q')", ";", "one expression at a time"),
    ("n('K') / 2", "n('K') / 2", "write // for whole numbers"),
    ("n('K') >= 2.5", "2.5", "only whole numbers"),
    ("n('K') is 2", "n('K') is 2", "write =="),
    ("n('K') in 3", "3", "numbers in brackets"),
    ("'K'", "'K'", "a text stands only for cards"),
    ("", "", "empty"),
    ("   ", "", "empty"),
    ("n('K') # kings", "#", "no comments"),
    ("n('K'), n('Q')", "n('K'), n('Q')", "a comma has no meaning"),
    # nothing of Python beyond the language
    ("n('K').real", "n('K').real", "a dot has no meaning"),
    ("().__class__.__bases__", "().__class__.__bases__", "a dot has no meaning"),
    ("__import__('os')", "__import__", "there is no function"),
    ("eval('1')", "eval", "there is no function"),
    ("n('K').__class__()", "n('K').__class__", "a dot has no meaning"),
    ("(lambda: 1)()", "lambda: 1", "only the functions of the language"),
    ("lambda: 1", "lambda: 1", "lambda is not part"),
    ("[n('K') for x in (1, 2)]", "[n('K') for x in (1, 2)]", "loops are not part"),
    ("sum_suits(n() for x in '1')", "(n() for x in '1')", "loops are not part"),
    ("{1: 2}", "{1: 2}", "braces"),
    ("n('K')[0]", "n('K')[0]", "brackets have no meaning"),
    ("(x := 3)", "x := 3", "not part of the language"),
    ("f'{1}'", "f'{1}'", "plain text"),
    ("n(*'K')", "*'K'", "* is only for products"),
    ("n(cards='K')", "'K'", "arguments by place"),
    ("10**10", "10", "an exponent is a number from 0 to 8"),
    ("2**n('K')", "n('K')", "an exponent"),
    ("9**9**9", "9", "an exponent"),
    ("10000000000", "10000000000", "numbers go up to"),
    ("None", "None", "not part of the language"),
    ("...", "...", "not part of the language"),
    ("b'K'", "b'K'", "not part of the language"),
    ("1j", "1j", "not part of the language"),
    ("await n()", "await n()", "not"),
    ("n('K') @ 2", "n('K') @ 2", "not part of the language"),
    ("n('K') << 2", "n('K') << 2", "not part of the language"),
    ("~n('K')", "~n('K')", "write not"),
    # counts of one suit or one rank
    ("any_suit(n('hearts') > 1)", "hearts", "counts are of one suit here"),
    ("any_suit(n('QS') > 1)", "QS", "counts are of one suit here"),
    ("any_rank(n('K') > 1)", "K", "counts are of one rank here"),
    ("any_suit(any_rank(n('K') > 1))", "K", "name nothing"),
    ("any_suit(any_suit(n() > 1))", "any_suit(n() > 1)", "cannot stand inside"),
    ("any_rank(run() > 1)", "run()", "about several ranks"),
    ("any_suit(shape() == '4431')", "shape()", "about several suits"),
    ("any_suit(rank_run() > 1)", "rank_run()", "write run()"),
    ("any_suit(n() > 1, 'purple')", "purple", "is not a suit"),
    ("any_rank(n() > 1, 'A 2')", "2", "there is no 2 in this pack"),
    # shapes, points, sums
    ("shape()", "shape()", "compared with a pattern"),
    ("shape() >= '4431'", "shape() >= '4431'", "no order"),
    ("shape() == '444'", "444", "3 lengths; this pack has 4 suits"),
    ("shape() == '4444'", "4444", "can never hold"),
    ("shape() == '4=4-3=1'", "4=4-3=1", "is not a shape"),
    ("shape() == n()", "n()", "quotes"),
    ("points('A')", "A", "not a card and its value"),
    ("points('A4 AS5')", "AS", "AS is given two values"),
    ("points()", "points()", "points is written"),
    ("ways(15)", "ways(15)", "ways is written"),
    ("ways(15, 'A0')", "'A0'", "positive"),
    ("ways(n(), 'A1')", "n()", "needs a number from 1 to 64 here"),
    ("rank_runs(9)", "9", "needs a number from 1 to 8 here"),
    ("max(n('K'))", "max(n('K'))", "at least two"),
    ("abs()", "abs()", "abs is written"),
    # what cannot be
    ("n('K') >= 5", "n('K') >= 5", "can never hold: n('K') is from 0 to 4"),
    ("n() == 11", "n() == 11", "n() is always 12"),
    ("3 < 2", "3 < 2", "both sides are numbers"),
    ("n('K') >= 1 or n('Q') > 4", "n('Q') > 4", "can never hold"),
    ("any_suit(n('K') >= 2)", "n('K') >= 2", "can never hold"),
    ("run() >= 9", "run() >= 9", "from"),
    ("n('K') - n('Q') > 4", "n('K') - n('Q') > 4", "can never hold"),
    ("2 * n('K') == 3", "2 * n('K') == 3", "can never hold"),
    ("n('K') // n('Q')", "n('Q')", "which can be 0"),
    ("n('K') % 0", "0", "which can be 0"),
    ("(1000000 * n('A'))**4", "(1000000 * n('A'))**4", "too large"),
]


@pytest.mark.parametrize(("text", "place", "reason"), REFUSED)
def test_refused(text: str, place: str, reason: str) -> None:
    error = wrong(text)
    assert reason in error.reason
    assert "\n" not in error.reason
    if place:
        assert text[error.start : error.end] == place or text[error.start :].startswith(place)
    said, shown, carets = str(error).split("\n")
    assert said == error.reason
    assert set(carets.strip()) == {"^"}
    if text.strip() and "…" not in shown:
        assert len(carets) - len(carets.lstrip()) - 2 == error.start


def test_which_hand() -> None:
    assert "say in which hand: hand1, hand2, talon" in wrong("n('J')", SKAT).reason
    assert "did you mean 'talon'" in wrong("n('J', talom)", SKAT).reason
    assert "named twice" in wrong("n('J', talon + talon)", SKAT).reason


def test_long_and_deep() -> None:
    assert "2,000 are the most" in wrong("n() + " * 400 + "1").reason
    assert "nested too deeply" in wrong("(" * 60 + "1" + ")" * 60).reason
    assert "nested too deeply" in wrong("not " * 300 + "True").reason
    assert "nested too deeply" in wrong("-" * 1_900 + "1").reason
    assert "nested too deeply" in wrong("abs(" * (DEEPEST + 2) + "1" + ")" * (DEEPEST + 2)).reason
    assert parse("1+" * 999 + "1", PIQUET)
    assert value("1+" * 999 + "1", PIQUET) == (1000, 1000)
    assert value("1-" * 999 + "1", PIQUET) == (-998, -998)
    assert value("2*" * 20 + "n('A')", PIQUET) == (0, 2**22)
    long = "n('K') + " * 100 + "n('Z')"
    assert len(long) < LONGEST
    lines = str(wrong(long)).split("\n")
    assert max(map(len, lines)) < 110
    assert lines[1][lines[2].index("^")] == "Z"


def test_strange_letters() -> None:
    assert "has no meaning" in wrong("n('K')\x00").reason
    assert "has no meaning" in wrong("n('K\u200b')").reason
    error = wrong("n('♥') + n('Ж')")
    assert error.expression[error.start : error.end] == "Ж"
    assert wrong("n('\\x5a')").start == 2  # an escape: the whole text is pointed at


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet=string.printable + "♥ДК", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ExpressionError):
        parse(text, PIQUET)


WORDS = ["n", "(", ")", "'K'", "'QS'", "any_suit", "run", ",", "and", "or", "not", ">=", "==", "1", "+", "*", "**",
         "shape", "'4431'", "in", "if", "else", "hand", "points", "'A4'", "max_rank", "-", "%", "//", "lambda", ":",
         ".", "[", "]"]  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_any_words_are_read_or_refused(words: list[str]) -> None:
    text = " ".join(words)
    with contextlib.suppress(ExpressionError):
        ground(parse(text, PIQUET), Graph(PIQUET))


def test_names() -> None:
    names = {"carte blanche": "n('K Q J') == 0", "four aces": "n('A') >= 4", "both": "carte_blanche and four_aces"}
    assert parse("both or n('A') == 0", PIQUET, names).is_condition
    with pytest.raises(ExpressionError, match="is defined by itself"):
        parse("a1", PIQUET, {"a1": "b1", "b1": "a1"})
    with pytest.raises(ExpressionError, match="about whole hands"):
        parse("any_suit(four_aces)", PIQUET, names)
    error = pytest.raises(ExpressionError, parse, "bad or four_aces", PIQUET, {**names, "bad": "n('Z')"}).value
    assert error.expression == "n('Z')"


def test_bounds() -> None:
    assert value("n('A')", make_deal("32", 2)) == (0, 2)
    assert value("n('A')", make_deal("32", "AS AH +2")) == (2, 4)
    assert value("n('A')", make_deal("32", 30)) == (2, 4)
    assert value("n('A')", make_deal("32", 10, known="AS AH AD")) == (0, 1)
    assert value("run()", make_deal("32", 3)) == (0, 3)
    assert value("run()", make_deal("32", "AS KS +1")) == (2, 3)
    assert value("points('A4 K3')", make_deal("32", 5)) == (0, 19)
    assert value("run()", make_deal(Pack("789TJQKA").with_order("789JQKTA"), "AS TS KS")) == (3, 3)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"hand": 33}, "33 cards cannot be dealt: the pack has only 32"),
        (
            {"hand": 12, "known": "AS KS QS JS TS 9S 8S 7S AH KH QH JH TH 9H 8H 7H AD KD QD JD TD"},
            "12 cards cannot be dealt: only 11",
        ),
        ({"hand": "AS AS"}, "AS is given 2 times"),
        ({"hand": "AS", "known": "AS"}, "AS cannot be given once more; the pack has only 1"),
        ({"hand": "2S"}, "there is no 2S"),
        ({"hand": -1}, "cannot have -1 cards"),
        ({"hand": 2.5}, "a hand is a number of cards"),
        ({"hand": True}, "a hand is a number of cards"),
        ({"hand": ""}, "is empty"),
        ({}, "how many cards are dealt"),
        ({"hands": {"n": 3}}, "cannot be called 'n'"),
        ({"hands": {"if": 3}}, "cannot be called 'if'"),
        ({"hands": {"a b": 3}}, "one word"),
        ({"hands": {f"h{index}": 1 for index in range(9)}}, "at most 8 hands"),
        ({"hand": 3, "hands": {"hand": 3}}, "given twice"),
        ({"hand": 3, "trump": "purple"}, "is not a suit"),
    ],
)
def test_wrong_deals(options: dict[str, object], reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_deal("32", **options)
    assert reason in str(caught.value)
