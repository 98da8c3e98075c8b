"""All games of thousand, compiled, against the reference: the same at every step, and the same row."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ..bezique.compare import Pair
from ..bezique.kernel import DEAL, Kernel, kernel
from .numbered import Numbered
from .reference import DEFAULTS, PACK, Rules

GAMES = tuple(DEFAULTS)
EVERYWHERE: list[Rules] = [
    {},
    {"target": 0},
    {"target": 260, "hearts": 7, "diamonds": 0, "clubs": 130, "spades": 71},
    {"target": 100_000, "most_deals": 3},
]
WITH_BIDS: list[Rules] = [
    {"target": 300, "both_over": "declarer", "blind": "yes"},
    {"target": 0, "blind": "yes", "blind_raise": "no", "first_bid": 90, "step": 5},
    {"target": 200, "first_bid": 110, "highest_bid": 120, "step": 7, "blind": "yes"},
    {"target": 150, "both_over": "declarer", "hearts": 130, "highest_bid": 140},
]
SWEEPS: list[Rules] = [
    {"target": 0, "sweep": "up_to_120"},
    {"target": 0, "highest_bid": 120},
    {"target": 0, "highest_bid": 120, "sweep": "up_to_120", "blind": "yes", "first_bid": 90},
]


def variations(game: str) -> list[Rules]:
    bids = WITH_BIDS if game != "thousand-two-stock" else []
    return EVERYWHERE + bids + (SWEEPS if game == "thousand-two-auction" else [])


class Both(Pair):
    """Scores are compared at every step as well."""

    def check(self) -> None:
        super().check()
        seats = self.reference.game.players
        assert self.states[0]["public"]["total"][:seats].tolist() == self.reference.points(), f"step {self.steps}"


def traced(compiled: Kernel, game: str, rules: Rules, strategy: str, index: int) -> Counter[str]:
    """A game that the compiled players play."""
    record = compiled.trace(strategy, 11, index)
    pair = Both(compiled, Numbered(game, rules))
    decks = iter(record.decks)
    for action in record.actions:
        if action == DEAL:
            pair.deal(next(decks))
        else:
            pair.apply(action)
    pair.finish()
    return pair.reference.game.events


def order(rng: random.Random) -> list[int]:
    """A dealing order; often with the high cards, or with kings and queens, ahead of the others or behind them."""
    liked = rng.choice(("", "AT", "KQ", "ATKQ"))
    sign = rng.choice((-1, 1))
    return sorted(range(24), key=lambda code: rng.random() - 0.8 * sign * (PACK[code][0] in liked))


def chance(reference: Numbered, action: int, habit: int) -> float:
    """Modest bids; marriages and high leads in one of the habits, so that sweeps come up too."""
    phase = reference.phase()
    if phase in ("bid", "raise"):
        return 0.4**action if action else 0.7
    if phase == "play" and habit:
        if action >= 24:
            return (0, 20, 0.01)[habit]
        return 8.0 ** "9JQKTA".index(PACK[action][0])
    if phase == "exchange" and habit == 2:
        return 0.2 ** "9JQKTA".index(PACK[action][0])
    return 1.0


def random_game(compiled: Kernel, game: str, rules: Rules, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    habit = rng.randrange(3)
    reference = Numbered(game, rules)
    pair = Both(compiled, reference)
    while not reference.over:
        if reference.phase() == "deal":
            pair.deal(order(rng))
            continue
        legal = sorted(reference.legal())
        pair.apply(rng.choices(legal, [chance(reference, action, habit) for action in legal])[0])
    pair.finish()
    return reference.game.events


def play(game: str, games: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for rules in variations(game):
        compiled = kernel(game, dict(rules))
        for index in games:
            # players who bid at random hardly ever reach the target, so these games are long
            short = rules.get("target") == 0 or index % 4 == 0
            for strategy in ("random", "basic") if short else ("basic",):
                seen += traced(compiled, game, rules, strategy, index)
            seen += random_game(compiled, game, rules, index)
    return seen


IN_ALL = {f"marriage {suit}" for suit in "SHDC"} | {"several above"}
WHERE_BID = {"made", "failed", "raised", "looked", "won blind"}


def wanted(game: str) -> set[str]:
    bids = WHERE_BID if game != "thousand-two-stock" else set()
    return IN_ALL | bids | ({"swept"} if game == "thousand-two-auction" else set())


@pytest.mark.parametrize("game", GAMES)
def test_games_alike(game: str) -> None:
    seen = play(game, range(12 if game == "thousand-two-stock" else 4))
    assert not wanted(game) - set(seen)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_games_alike(game: str) -> None:
    seen = play(game, range(4, 104))
    assert not wanted(game) - set(seen)


@pytest.mark.parametrize("game", GAMES)
def test_row_has_no_unchecked_quantity(game: str) -> None:
    """`Pair.finish` compares by name; every byte of the row has a name the reference measures."""
    rules: Rules = {"target": 0}
    rng = random.Random(1)
    pair = Both(kernel(game, dict(rules)), Numbered(game, rules))
    pair.deal(rng.sample(range(24), 24))
    while not pair.reference.over:
        pair.apply(rng.choice(sorted(pair.reference.legal())))
    measured = pair.finish()
    row = kernel(game, dict(rules)).game.row
    left = set(range(row.itemsize))
    for name in measured:
        kind, offset = row.fields[name][:2]
        left -= set(range(offset, offset + kind.itemsize))
    assert not left


@pytest.mark.parametrize("game", GAMES)
def test_printed_values(game: str) -> None:
    """The rules of the compiled game have the values which the reference took from the text."""
    assert {rule.name: rule.default for rule in kernel(game, {}).game.ruleset.rules} == DEFAULTS[game]
