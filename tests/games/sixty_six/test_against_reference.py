"""The compiled games of sixty-six against the reference: actor, phase and legal actions at every step, every row."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.games.bezique.compare import MISSING, Pair, compare_random, compare_traced, stacked
from tests.games.bezique.kernel import kernel

from .reference import FORMS, RANKS, SUITS, SixtySix, defaults

NAMES = [rank + suit for suit in SUITS for rank in RANKS]  # in the order of the card numbers
PRIZES = ("single", "double", "triple", "closed", "failed")
SOURCES = ("cards", "marriage", "royal_marriage", "last_trick")
COUNTS = (*PRIZES, "marriage", "royal_marriage", "exchange", "closing", "closing_won", "closing_lost")
MAIN = ("sixty-six", "sixty-six-three-handed", "sixty-six-swabian")
OTHERS = ("sixty-six-swabian-three-handed", "sixty-six-swabian-four-handed")


class Told:
    """The reference as the kernel asks it: exchange, close and play are three questions, actions are numbers."""

    def __init__(self, form: str, rules: dict[str, int | str]) -> None:
        self.game = SixtySix(form, rules)
        self.refused: set[str] = set()

    @property
    def over(self) -> bool:
        return self.game.over

    def feed(self, deck: list[int]) -> None:
        names = [NAMES[code] for code in deck]
        form = self.game.form
        first = self.game.deals % form.players
        hands: list[list[str]] = [[] for _ in range(form.players)]
        for role in range(form.players):
            hands[(first + role) % form.players] = names[role * form.hand : (role + 1) * form.hand]
        rest = names[form.players * form.hand :]
        self.game.feed(hands, *((rest[0], rest[1:]) if form.stock else (names[-1], [])))
        self.refused = set()

    def phase(self) -> str:
        if self.game.step == "deal":
            return "deal"
        choices = self.game.choices()
        for question in ("exchange", "close"):
            if (question,) in choices and question not in self.refused:
                return question
        return "play"

    def actor(self) -> int:
        return self.game.turn

    def legal(self) -> set[int]:
        if self.phase() != "play":
            return {0, 1}
        choices = self.game.choices()
        return {NAMES.index(action[1]) + 24 * (action[0] == "marry") for action in choices if len(action) == 2}

    def apply(self, number: int) -> None:
        question = self.phase()
        if question == "play":
            self.game.act(("marry" if number >= 24 else "play", NAMES[number % 24]))
            self.refused = set()
        elif number:
            self.game.act((question,))
            self.refused.add("exchange")  # one that is closed, or has been exchanged, is not asked for
        elif self.game.step == "due":
            self.game.act(("draw",))
        else:
            self.refused.add(question)

    def row(self) -> dict[str, Any]:
        game = self.game
        seats = range(len(game.seats))
        bigs = [seat.big for seat in game.seats]
        if game.rules["target"]:
            won = [int(seat == game.winner) for seat in seats]
            value = [len(seats) * flag - 1 for flag in won]
        else:
            won = [int(big > 0) for big in bigs]
            value = [sum(bigs[seat] - other for other in bigs) for seat in seats]
        totals = [seat.total for seat in game.seats]
        first = [
            next((closing[1:] for closing in game.closings if closing[0] == seat), (MISSING,) * 3) for seat in seats
        ]
        row: dict[str, Any] = {
            "big": bigs,
            "value": value,
            "won": won,
            "points": [sum(total["points_" + source] for source in SOURCES) for total in totals],
            "tricks": [total["tricks"] for total in totals],
            "all_tricks": sum(total["tricks"] for total in totals),
            "no_result": game.no_result,
            "deals": game.deals,
        }
        for place, name in enumerate(("closing_trick", "closing_points", "closing_trumps")):
            row[name] = [closing[place] for closing in first]
        for names, start in ((PRIZES, "big_"), (SOURCES, "points_"), (COUNTS, "count_")):
            source = "" if start == "count_" else start
            row |= {start + name: [total[source + name] for total in totals] for name in names}
        return row


RULES: dict[str, list[dict[str, int | str]]] = {
    "sixty-six": [
        {},
        {"target": 0},
        {"target": 7, "exactly_half": "double", "marriage_counts": "with_trick", "half": 22},
        {"target": 0, "closing": "no", "last_trick": 10, "head": "yes"},
        {"exchange": "no", "goal": 40, "overruff": "yes", "closed": 2, "closed_lost": 4, "marriage": 7},
        {"target": 9, "single": 3, "double": 4, "triple": 5, "royal_marriage": 77, "last_trick": 3, "head": "yes"},
    ],
    "sixty-six-three-handed": [
        {},
        {"target": 0, "judged_by": "worst"},
        {"head": "no", "overruff": "no", "last_trick": 11, "goal": 50},
        {"overruff": "no", "marriage_counts": "with_trick", "marriage": 45, "target": 0, "exactly_half": "double"},
        {"head": "no", "marriage_counts": "with_trick", "half": 20},
    ],
    "sixty-six-swabian": [
        {},
        {"target": 0, "remarry": "one_new"},
        {"target": 0, "remarry": "one_new", "goal": 300, "closing": "no", "exchange": "no"},
        {"target": 0, "goal": 300, "closing": "no", "marriage_counts": "with_trick", "head": "yes", "overruff": "yes"},
    ],
    "sixty-six-swabian-three-handed": [{}, {"target": 0, "remarry": "one_new", "judged_by": "worst"}],
    "sixty-six-swabian-four-handed": [{}, {"target": 0, "marriage_counts": "with_trick", "closing": "no"}],
}


def calm(phase: str, action: int) -> float:
    """Close seldom, exchange mostly, show marriages mostly."""
    if phase == "play":
        return 5 if action >= 24 else 1
    return (1, 0.05 if phase == "close" else 3)[action]


def waits(phase: str, action: int) -> float:
    """Never close, keep the nines and exchange late."""
    if phase == "play":
        return 0.02 if action % 6 == 0 else 1
    return (1, 0.4 if phase == "exchange" else 0)[action]


def keeps_pairs(phase: str, action: int) -> float:
    """Kings and queens are kept for marriages."""
    if phase != "play":
        return calm(phase, action)
    return 20 if action >= 24 else 0.05 if action % 6 in (2, 3) else 1


def wild(phase: str, action: int) -> float:
    return 1


HABITS = (waits, calm, keeps_pairs, wild)


def random_game(form: str, rules: dict[str, int | str], index: int) -> Counter[str]:
    told = Told(form, rules)
    compare_random(kernel(form, rules), told, index, HABITS[index % len(HABITS)])
    return told.game.events


def traced_game(form: str, rules: dict[str, int | str], strategy: str, index: int) -> Counter[str]:
    told = Told(form, rules)
    compare_traced(kernel(form, rules), lambda: told, strategy, index)
    return told.game.events


def games(form: str, first: int, last: int) -> Counter[str]:
    """So many games each of random actions, of the strategy random and of basic, under all rules; what happened."""
    seen: Counter[str] = Counter()
    for rules in RULES[form]:
        for index in range(first, last):
            seen += random_game(form, rules, index)
            seen += traced_game(form, rules, ("random", "basic")[index % 2], index)
    return seen


STOCK = {"exchange", "asked before the last cards", "closed", "failed", "closed in vain by all", "closing_won"}
ALL = {"single", "double", "marriage", "royal_marriage", "won by a marriage"}


@pytest.mark.parametrize("form", MAIN + OTHERS)
def test_games_alike(form):
    seen = games(form, 0, {"sixty-six-swabian": 32}.get(form, 8))
    if form in MAIN:
        expected = ALL | (STOCK if FORMS[form].stock else set())
        assert expected - set(seen) == set()


@pytest.mark.slow
@pytest.mark.parametrize("form", MAIN + OTHERS)
def test_many_games_alike(form):
    seen = games(form, 100, 350 if form in MAIN else 150)
    rare = STOCK | {"exchange before the last cards"}
    assert (ALL | (rare if FORMS[form].stock else set()) | {"triple"}) - set(seen) == set()


def test_one_new_card_is_enough():
    """Where a card of a marriage may be in another one, the player leads the copy that leaves him more marriages."""
    rules: dict[str, int | str] = {"target": 0, "remarry": "one_new", "goal": 300}
    pair = Pair(kernel("sixty-six-swabian", rules), Told("sixty-six-swabian", rules))
    first = ["KH", "KH", "QH", "QH", "AS", "AS", "AH", "AH", "9C", "9C", "JC", "JC", "9D", "9D", "JD", "JD", "9S"]
    pair.deal(stacked([NAMES.index(name) for name in first], [NAMES.index(name) for name in pair.reference.game.pack]))
    for led, replied in (("KH", "9C"), ("QH", "9C"), ("KH", "JC")):
        if pair.reference.phase() == "exchange":
            pair.apply(0)
        pair.apply(0, 24 + NAMES.index(led), NAMES.index(replied))
    assert pair.reference.game.seats[0].total["marriage"] == 3


@pytest.mark.parametrize("form", MAIN + OTHERS)
def test_row_has_no_unchecked_quantity(form):
    """`Pair.finish` compares by name; every byte of the row has a name the reference measures."""
    rules: dict[str, int | str] = {"target": 0}
    pair = Pair(kernel(form, rules), Told(form, rules))
    rng = random.Random(1)
    pack = [NAMES.index(name) for name in pair.reference.game.pack]
    pair.deal(rng.sample(pack, len(pack)))
    while not pair.reference.over:
        pair.apply(rng.choice(sorted(pair.reference.legal())))
    measured = pair.finish()
    row = kernel(form, rules).game.row
    left = set(range(row.itemsize))
    for name in measured:
        kind, offset = row.fields[name][:2]
        left -= set(range(offset, offset + kind.itemsize))
    assert not left


@pytest.mark.parametrize("form", MAIN + OTHERS)
def test_printed_values(form):
    """The rules of the compiled game have the values which the reference took from the text."""
    found = {rule.name: rule.default for rule in kernel(form, {}).game.ruleset.rules}
    assert {name: found.get(name) for name in defaults(form)} == defaults(form)
