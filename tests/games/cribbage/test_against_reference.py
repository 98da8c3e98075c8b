"""All games of cribbage, compiled, against the reference: the same at every step, and the same row."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from simcards.games.cribbage.scoring import KEYS, PARTS, flush_of, has_nobs, place_of

from ..bezique.compare import Pair
from ..bezique.kernel import DEAL, Kernel, kernel
from .numbered import Numbered
from .reference import DEFAULTS, PACK, Rules, show

GAMES = tuple(DEFAULTS)
ODD: Rules = {"fifteen": 3, "thirty_one": 5, "last_card": 4, "pair": 7, "run": 11, "flush": 13, "nobs": 17, "heels": 19}
NOTHING: Rules = dict.fromkeys(ODD, 0)
EVERYWHERE: list[Rules] = [
    {},
    {"target": 0},
    ODD | {"target": 400, "compensation": 6, "three_for_last": "game", "last_card_again": "yes"},
    NOTHING | {"target": 40, "run": 2, "crib_flush": "no"},
    {"target": 31, "crib_flush": "four", "playing": "to_31"},
    {"target": 25, "playing": "to_the_end", "compensation": 2},
    {"target": 200, "most_deals": 2},
    {"target": 90, "most_deals": 1},
]
FOR_TWO: list[Rules] = [
    {"cards": 7, "target": 33, "playing": "to_31"},
    {"auction": "after_discard", "target": 35, "heels_to": "owner"},
    {"auction": "before_discard", "must_open": "no", "highest_bid": 3, "target": 20, "cards": 5},
    {"auction": "after_discard", "must_open": "no", "target": 0, "highest_bid": 62, "cards": 7},
]
FOR_FOUR: list[Rules] = [{"cards": 6}, {"cards": 6, "target": 30, "playing": "to_31", "heels_to": "owner"}]


def variations(game: str) -> list[Rules]:
    return EVERYWHERE + (FOR_FOUR if game == "cribbage-four-handed" else FOR_TWO)


class Both(Pair):
    """Scores are compared at every step as well."""

    def check(self) -> None:
        super().check()
        points = self.states[0]["public"]["points"][: self.reference.game.players].tolist()
        assert points == self.reference.points(), f"step {self.steps}"


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
    """A dealing order; often with cards of a few ranks, or of one suit, ahead of the others."""
    habit = rng.randrange(4)
    ranks = set(rng.sample(range(13), 4))
    first = rng.randrange(9)
    liked = (set[int](), ranks, set(range(first, first + 5)), {code % 13 for code in range(13)})[habit]
    suit = rng.randrange(4) if habit == 3 else None

    def early(code: int) -> bool:
        return code % 13 in liked and suit in (None, code // 13)

    return sorted(range(52), key=lambda code: rng.random() - 0.7 * early(code))


def random_game(compiled: Kernel, game: str, rules: Rules, seed: int) -> Counter[str]:
    """A game of random actions; low bids, or the auction would decide everything."""
    rng = random.Random(seed)
    reference = Numbered(game, rules)
    pair = Both(compiled, reference)
    while not reference.over:
        if reference.phase() == "deal":
            pair.deal(order(rng))
            continue
        legal = sorted(reference.legal())
        chances = [0.5**action if reference.phase() == "bid" else 1.0 for action in legal]
        pair.apply(rng.choices(legal, chances)[0])
    pair.finish()
    return reference.game.events


def left_out(game: str) -> set[str]:
    """What needs more than three cards in a hand."""
    return {"cycle 3", "goes on alone"} if game == "cribbage-five-card" else set()


def play(game: str, games: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for rules in variations(game):
        compiled = kernel(game, dict(rules))
        for index in games:
            # players who bid at random pay so much that nobody ever reaches a target
            bids_for_ever = (DEFAULTS[game] | rules)["auction"] != "no" and (DEFAULTS[game] | rules)["target"]
            for strategy in ("basic",) if bids_for_ever else ("random", "basic"):
                seen += traced(compiled, game, rules, strategy, index)
            seen += random_game(compiled, game, rules, index)
    return seen


IN_ALL = {"go", "cards left", "cycle 2", "cycle 3", "heels", "play pairs", "play runs", "play fifteens"}
IN_ALL |= {"play thirty_one", "play last_card", "won at play", "won at hand", "won at crib"}
IN_ALL |= {f"{stage} {source}" for stage in ("hand", "crib") for source in ("fifteens", "pairs", "runs", "nobs")}
IN_ALL |= {"hand flush", "laid on", "ended without reaching the target"}


@pytest.mark.parametrize("game", GAMES)
def test_games_alike(game: str) -> None:
    seen = play(game, range(4))
    assert not IN_ALL - left_out(game) - set(seen)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_games_alike(game: str) -> None:
    seen = play(game, range(4, 84))
    rare = {"crib flush", "won at heels", "goes on alone", "won at before"}
    assert not (IN_ALL | rare) - left_out(game) - set(seen)


@pytest.mark.parametrize("game", GAMES)
def test_row_has_no_unchecked_quantity(game: str) -> None:
    """`Pair.finish` compares by name; every byte of the row has a name the reference measures."""
    rules: Rules = {"target": 0}
    rng = random.Random(1)
    pair = Both(kernel(game, dict(rules)), Numbered(game, rules))
    pair.deal(rng.sample(range(52), 52))
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


def scored(hand: list[int], starter: int, crib: bool) -> list[int]:
    """The compiled scoring of a hand, source by source."""
    key = sum((KEYS[card] for card in hand), start=KEYS[0] * 0)
    parts = int(PARTS[int(place_of(key + KEYS[starter]))])
    flush = int(flush_of(key, len(hand), starter, 1 if crib else 2))
    return [2 * (parts & 255), 2 * (parts >> 8 & 255), parts >> 16, flush, int(has_nobs(key, starter))]


def compare_hands(number: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(number):
        size = rng.choice((3, 4, 4, 5))
        deck = order(rng)[: size + 1] if rng.random() < 0.2 else rng.sample(range(52), size + 1)
        *hand, starter = deck
        crib = size == 4 and rng.random() < 0.3
        expected = show([PACK[card] for card in hand], PACK[starter], crib)
        assert scored(hand, starter, crib) == list(expected.values()), (hand, starter, crib)


def test_hands_alike() -> None:
    compare_hands(5_000, 1)


@pytest.mark.slow
def test_many_hands_alike() -> None:
    compare_hands(100_000, 2)
