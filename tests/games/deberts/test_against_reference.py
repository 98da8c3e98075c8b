"""The compiled deberts against the reference: actor, phase and legal actions at every step, every row."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.bezique.compare import Pair, compare_random, compare_traced
from tests.games.bezique.kernel import kernel

from .reference import DEFAULTS, SUITS, Deberts

RANKS = "789JQKTA"
NAMES = [rank + suit for suit in SUITS for rank in RANKS]  # in the order of the card numbers
NUMBERS = {
    "turned": {("pass",): 0, ("play",): 1},
    "name": {("pass",): 0} | {("name", suit): 2 + place for place, suit in enumerate(SUITS)},
    "exchange": {("keep",): 0, ("exchange",): 1},
    "declare": {("silence",): 0, ("announce",): 1},
    "bella": {("silence",): 0, ("announce",): 1},
    "play": {("play", name): place for place, name in enumerate(NAMES)},
}
SOURCES = {"last": "last_trick", "tierces": "tierce", "fifties": "fifty"}  # where the kernel has another name


class Told:
    """The reference with the numbers of the kernel for actions."""

    def __init__(self, rules: dict[str, int | str]) -> None:
        self.game = Deberts(rules)

    @property
    def over(self) -> bool:
        return self.game.over

    def feed(self, deck: list[int]) -> None:
        names = [NAMES[code] for code in deck]
        first = [names[place] for place in range(12) if place // 3 % 2 == 0]
        second = [names[place] for place in range(12) if place // 3 % 2 == 1]
        hands = [second, first] if self.game.deals % 2 else [first, second]
        self.game.feed(hands, names[12], names[13:])

    def phase(self) -> str:
        return {"turned": "bid", "name": "bid"}.get(self.game.step, self.game.step)

    def actor(self) -> int:
        return self.game.turn

    def legal(self) -> set[int]:
        return {NUMBERS[self.game.step][action] for action in self.game.choices()}

    def apply(self, number: int) -> None:
        self.game.act(next(action for action, other in NUMBERS[self.game.step].items() if other == number))

    def row(self) -> dict[str, Any]:
        game = self.game
        totals = [seat.total for seat in game.seats]
        scores = [seat.score for seat in game.seats]
        margin = scores[0] - scores[1]
        value = margin if not game.rules["target"] else game.margin() if margin > 0 else -game.margin()
        as_pone = [total["points as pone"] for total in totals]
        row: dict[str, Any] = {
            "points": scores,
            "value": [value, -value],
            "won": [int(margin > 0), int(margin < 0)],
            "winner_points": max(scores),
            "loser_points": min(scores),
            "margin": margin,
            "points_as_pone": as_pone,
            "points_as_dealer": [score - part for score, part in zip(scores, as_pone, strict=True)],
            "balance": [total["balance"] for total in totals],
            "equal_runs": game.equal_runs,
            "thrown_in": game.thrown_in,
            "deals": game.deals,
            "count_last_tricks": [total["last_trick"] for total in totals],
        }
        for name in ("cards", "last", "tierces", "fifties", "bella", "bait"):
            row["points_" + name] = [total["points " + SOURCES.get(name, name)] for total in totals]
        for name in (
            "plays",
            "plays_turned",
            "plays_named",
            "made",
            "bait",
            "as_pone",
            "deals_won",
            "tierces",
            "fifties",
        ):
            row["count_" + name] = [total[SOURCES.get(name, name)] for total in totals]
        for name in ("runs_beaten", "silences", "bella", "exchanges", "tricks"):
            row["count_" + name] = [total[name] for total in totals]
        return row


VARIATIONS: list[dict[str, int | str]] = [
    {},
    {"target": 0},
    {"target": 0, "run_order": "natural", "long_runs": "parts", "equal_runs": "nobody"},
    {"target": 0, "silence": "no", "exchange_until": "speaking", "overtrump": "yes"},
    {"target": 250, "least_gain": 7, "exchange": "no", "long_runs": "parts"},
    {"target": 0, "trump_runs": "any", "equal_runs": "nobody"},
    {"target": 0, "tierce": 21, "fifty": 53, "bella": 19, "last_trick": 12, "equal_runs": "nobody"},
]


def chances(phase: str, action: int) -> float:
    """Announce and play more often than not, keep the seven as often as not."""
    return {"bid": (1, 1, 1, 1, 1, 1), "exchange": (1, 1), "declare": (1, 4), "bella": (1, 2)}.get(phase, (1,) * 32)[
        action
    ]


def passes(phase: str, action: int) -> float:
    return 0.1 if phase == "bid" and action else 1


def runs_together(seed: int) -> Any:
    """Cards that make runs likely: two suits, or a few neighbouring ranks, come early in the dealing order."""
    rng = random.Random(seed)
    if seed % 2:
        suits = rng.sample(range(4), 2)
        return lambda card: card // 8 in suits
    low = rng.randrange(5)
    return lambda card: low <= card % 8 < low + 4


def random_game(rules: dict[str, int | str], index: int) -> Counter[str]:
    told = Told(rules)
    early = runs_together(index // 3) if index % 3 else lambda card: False
    compare_random(kernel("deberts", rules), told, index, (chances, passes)[index % 7 == 0], early)
    return told.game.events


def traced_game(rules: dict[str, int | str], strategy: str, index: int) -> Counter[str]:
    told = Told(rules)
    compare_traced(kernel("deberts", rules), lambda: told, strategy, index)
    return told.game.events


def games(first: int, last: int) -> Counter[str]:
    """So many games each of random actions, of the strategy random and of basic, under all rules; what happened."""
    seen: Counter[str] = Counter()
    for rules in VARIATIONS:
        for index in range(first, last):
            seen += random_game(rules, index)
            seen += traced_game(rules, ("random", "basic")[index % 2], index)
    return seen


EVENTS = {
    "thrown in",
    "turned pone",
    "turned dealer",
    "name pone",
    "name dealer",
    "exchange",
    "exchange after speaking",
}
EVENTS |= {"fifty", "tierce", "named", "silence", "compared", "equal runs", "better by trumps", "several runs"}
EVENTS |= {"bella", "silent bella", "made", "bait"}


def test_games_alike():
    assert EVENTS - set(games(0, 40)) == set()


@pytest.mark.slow
def test_many_games_alike():
    rare = {"equal", "both over", "fifty and tierce of a suit"}
    assert (EVENTS | rare) - set(games(100, 900)) == set()


def test_row_has_no_unchecked_quantity():
    """`Pair.finish` compares by name; every byte of the row has a name the reference measures."""
    rules: dict[str, int | str] = {"target": 0}
    pair = Pair(kernel("deberts", rules), Told(rules))
    rng = random.Random(1)
    pair.deal(rng.sample(range(32), 32))
    while not pair.reference.over:
        pair.apply(rng.choice(sorted(pair.reference.legal())))
    measured = pair.finish()
    row = kernel("deberts", rules).game.row
    left = set(range(row.itemsize))
    for name in measured:
        kind, offset = row.fields[name][:2]
        left -= set(range(offset, offset + kind.itemsize))
    assert not left


def test_printed_values():
    """The rules of the compiled game have the values which the reference took from the text."""
    found = {rule.name: rule.default for rule in kernel("deberts", {}).game.ruleset.rules}
    assert {name: found.get(name) for name in DEFAULTS} == DEFAULTS
