"""All games of preferans, compiled, against the reference: the same at every step, and the same row."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from ..bezique.compare import Pair
from ..bezique.kernel import DEAL, Kernel, kernel
from .numbered import CODES, Numbered
from .reference import BIDS, DEFAULTS, MISERE, MISERE_DARK, NINE_DARK, Rules

EVERYWHERE: list[Rules] = [
    {"pool": 0},
    {"pool": 60, "most_deals": 12},
    {"pool": 40, "most_deals": 30, "surplus": "lost", "shortfall": "own", "consolation": "whisters"},
    {"pool": 60, "most_deals": 12, "surplus": "whole", "jumps": "no", "misere_bid": "any", "invitation": "no"},
    {"pool": 80, "most_deals": 9, "blind_bidding": "yes", "responsible": "first", "own": "no"},
    {"pool": 40, "most_deals": 8, "blind_bidding": "yes", "blind_doubles": "declarer", "misere_opens": "after_lead"},
    {"pool": 20, "most_deals": 40, "all_types": "yes", "duty_6": 3, "duty_7": 3, "duty_8": 2, "duty_9": 0},
    {"pool": 60, "most_deals": 10, "game_value": 30, "whist_value": 3, "misere": 70, "all_pass_deals": 2},
]
ALL_PASS_GAMES: list[Rules] = [
    {"pool": 0, "passed_out": "redealt"},
    {"pool": 60, "most_deals": 12, "passed_out": "redealt", "all_pass_deals": 1},
    {"pool": 60, "most_deals": 12, "all_pass": 14, "progression": "add", "all_pass_talon": "takes"},
    {"pool": 60, "most_deals": 12, "progression": "none", "all_pass_talon": "unseen", "winnings": "half_hill"},
    {"pool": 60, "most_deals": 14, "forced_circles": 1, "forced_prices": "by_circle", "ladder": "yes"},
    {"pool": 30, "most_deals": 24, "forced_circles": 2, "forced_prices": "by_circle", "winnings": "half_hill"},
    {"pool": 40, "most_deals": 16, "ladder": "yes", "winnings": "half_hill", "all_pass_talon": "shows"},
]
DEALERS_GAMES: list[Rules] = [
    {"pool": 0, "talon_misere": "yes", "dealer_clean": "yes"},
    {"pool": 60, "most_deals": 12, "talon_ace": 2, "talon_marriage": 3, "talon_ace_king": 4, "talon_two_aces": 5},
]
HUSSAR_GAMES: list[Rules] = [
    {"pool": 0, "dummy_seat": "first"},
    {"pool": 60, "most_deals": 12, "dummy_seat": "third", "halving": "entries"},
    {"pool": 60, "most_deals": 12, "dummy_seat": "first", "halving": "entries", "blind_bidding": "yes"},
]


def variations(game: str) -> list[Rules]:
    if game == "preferans-hussar":
        return EVERYWHERE + HUSSAR_GAMES
    return EVERYWHERE + ALL_PASS_GAMES + (DEALERS_GAMES if game == "preferans-four-handed" else [])


PLACES: dict[Any, list[int]] = {chair: list(range(10 * chair, 10 * chair + 10)) for chair in range(3)}
PLACES["talon"] = [30, 31]


class Both(Pair):
    """The sheet is compared at every step as well."""

    def check(self) -> None:
        super().check()
        players = self.reference.game.players
        written = [
            (int(line["pool"]), int(line["hill"]), line["whists"][:players].tolist())
            for line in self.states[0]["sheet"][:players]
        ]
        assert written == self.reference.sheets(), f"step {self.steps}"


def traced(compiled: Kernel, game: str, rules: Rules, strategy: str, index: int) -> Counter[str]:
    """A game that the compiled players play."""
    record = compiled.trace(strategy, 11, index)
    pair = Both(compiled, Numbered(game, rules, PLACES))
    decks = iter(record.decks)
    for action in record.actions:
        if action == DEAL:
            pair.deal(next(decks))
        else:
            pair.apply(action)
    pair.finish()
    return pair.reference.game.events


def order(rng: random.Random) -> list[int]:
    """A dealing order; often with the high cards, or with one suit, ahead of the others or behind them."""
    liked = rng.choice(("", "AK", "789", "QK", rng.choice("SHDC")))
    sign = rng.choice((-1, 1))
    return sorted(range(32), key=lambda code: rng.random() - 0.6 * sign * bool(set(CODES[code]) & set(liked)))


def chance(reference: Numbered, action: int, habit: int) -> float:
    """Bids of different boldness, misère among them; habits of leading high or low."""
    deal = reference.game.current
    assert deal
    word = reference.words()[action]
    if word[0] == "pass" and deal.step == "bid":
        return (3.0, 0.5, 8.0)[habit]
    if word[0] == "bid":
        if word[1] in (MISERE, MISERE_DARK, NINE_DARK):
            return (0.3, 1.0, 1.0)[habit]
        return (0.6, 0.8, 0.4)[habit] ** BIDS.index(word[1])
    if word[0] == "contract":
        return 0.7 ** BIDS.index(word[1])
    if word[0] in ("play", "discard") and habit:
        return (4.0 if habit == 1 else 0.25) ** "789TJQKA".index(word[1][0])
    return 1.0


def random_game(compiled: Kernel, game: str, rules: Rules, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    habit = rng.randrange(3)
    reference = Numbered(game, rules, PLACES)
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
            for strategy in ("random", "basic"):
                seen += traced(compiled, game, rules, strategy, index)
            seen += random_game(compiled, game, rules, index)
    return seen


WANTED = {MISERE, MISERE_DARK, NINE_DARK, "all pass", "blind", "nobody whists", "own", "closed", "open"}


def wanted(game: str) -> set[str]:
    return WANTED - ({"closed"} if game == "preferans-hussar" else set())  # the dummy's cards lie open


@pytest.mark.parametrize("game", DEFAULTS)
def test_games_alike(game: str) -> None:
    assert not wanted(game) - set(play(game, range(3)))


@pytest.mark.slow
@pytest.mark.parametrize("game", DEFAULTS)
def test_many_games_alike(game: str) -> None:
    assert not wanted(game) - set(play(game, range(3, 23)))


def test_forced_deals_are_played_where_others_are_dealt_again() -> None:
    """Once such a deal was written as if nobody had taken a trick."""
    rules: Rules = {"pool": 0, "forced_circles": 1, "passed_out": "redealt"}
    row = kernel("preferans-classical", dict(rules)).trace("random", 1, 0).row
    assert sum(row["tricks_all_pass"]) == 10  # type: ignore[arg-type]
    assert (row["all_passed"], row["redealt"]) == (1, 0)


@pytest.mark.parametrize("game", DEFAULTS)
def test_printed_values(game: str) -> None:
    """The rules of the compiled game have the values which the reference took from the text."""
    assert {rule.name: rule.default for rule in kernel(game, {}).game.ruleset.rules} == DEFAULTS[game]
