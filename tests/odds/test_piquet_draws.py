"""What may be drawn at piquet: the table of docs/odds.md by the engine, and by going through all draws."""

import itertools
import re
from fractions import Fraction
from pathlib import Path

import pytest

import simcards

PACK = [rank + suit for suit in "SHDC" for rank in "AKQJT987"]
DRAWS = {"elder": 5, "younger": 3}
DOCS = (Path(__file__).parent.parent.parent / "docs" / "odds.md").read_text(encoding="utf-8")

# What is kept, how much is hoped for, the cards kept, the cards that help, the question, and the same in Python
SPADES = [rank + "S" for rank in "AKQJT987"]
ACES = ["AS", "AH", "AD", "AC"]
CHANCES = [
    ("four of a suit, four unseen", "a point of five", SPADES[:4], SPADES[4:], "n('S') >= 5", 1),
    ("four of a suit, four unseen", "a point of six", SPADES[:4], SPADES[4:], "n('S') >= 6", 2),
    ("five of a suit, three unseen", "a point of six", SPADES[:5], SPADES[5:], "n('S') >= 6", 1),
    ("five of a suit, three unseen", "a point of seven", SPADES[:5], SPADES[5:], "n('S') >= 7", 2),
    ("six of a suit, two unseen", "a point of seven", SPADES[:6], SPADES[6:], "n('S') >= 7", 1),
    ("K Q J, ace and ten unseen", "a quart", ["KS", "QS", "JS"], ["AS", "TS"], "n('AS TS') >= 1", 1),
    ("A K Q, jack unseen", "a quart", ["AS", "KS", "QS"], ["JS"], "n('JS') == 1", 1),
    (
        "K Q J, ace, ten and nine unseen",
        "a quint",
        ["KS", "QS", "JS"],
        ["AS", "TS", "9S"],
        "n('TS') == 1 and n('AS 9S') >= 1",
        lambda drawn: "TS" in drawn and ("AS" in drawn or "9S" in drawn),
    ),
    ("A K Q, jack and ten unseen", "a quint", ["AS", "KS", "QS"], ["JS", "TS"], "n('JS TS') == 2", 2),
    ("K Q J T, ace and nine unseen", "a quint", ["KS", "QS", "JS", "TS"], ["AS", "9S"], "n('AS 9S') >= 1", 1),
    ("A K Q J, ten unseen", "a quint", ["AS", "KS", "QS", "JS"], ["TS"], "n('TS') == 1", 1),
    ("one ace, three unseen", "three aces", ACES[:1], ACES[1:], "n('A') >= 3", 2),
    ("two aces, two unseen", "three aces", ACES[:2], ACES[2:], "n('A') >= 3", 1),
    ("two aces, two unseen", "four aces", ACES[:2], ACES[2:], "n('A') == 4", 2),
    ("three aces, one unseen", "four aces", ACES[:3], ACES[3:], "n('A') == 4", 1),
    ("no ace, four unseen", "two aces", [], ACES, "n('A') >= 2", 2),
]


def chances(kept, helping, question, wanted):
    """Return the chance of each seat by the engine, and by all draws there are."""
    made = {}
    for seat, count in DRAWS.items():
        others = [card for card in reversed(PACK) if card not in kept and card not in helping]
        own, discards = kept + others[: 12 - count - len(kept)], others[12 - count - len(kept) : 12 - len(kept)]
        odds = simcards.odds(
            pack="32", hand=f"{' '.join(own)} +{count}", known=" ".join(discards), features=[question], deals=0
        )
        unseen = [card for card in PACK if card not in own and card not in discards]
        assert len(unseen) == 20
        draws = list(itertools.combinations(unseen, count))
        met = sum(wanted(set(draw)) if callable(wanted) else len(set(draw) & set(helping)) >= wanted for draw in draws)
        made[seat] = (odds[question].value, Fraction(met, len(draws)))
    return made


@pytest.mark.parametrize(
    ("kept", "hoped", "cards", "helping", "question", "wanted"), CHANCES, ids=[f"{one[0]}: {one[1]}" for one in CHANCES]
)
def test_the_engine_counts_what_all_draws_say_and_the_table_shows_it(kept, hoped, cards, helping, question, wanted):
    made = chances(list(cards), helping, question, wanted)
    assert all(engine == counted for engine, counted in made.values())
    shown = " | ".join(f"{100.0 * float(engine):.2f} %" for engine, _ in made.values())
    assert f"| {kept} | {hoped} | `{question}` | {shown} |" in DOCS


def test_the_table_has_no_further_lines():
    assert len(re.findall(r"^\| .* unseen \| ", DOCS, re.MULTILINE)) == len(CHANCES)
