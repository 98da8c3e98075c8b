"""Sampled worlds: what a player has seen holds in them, and all that agree with it are equally likely."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from ...contract import compiled
from ..bezique.kernel import kernel

PLAYING = 3


def listed(mask):
    return [card for card in range(24) for copy in (0, 24) if int(mask) >> (card + copy) & 1]


def views_of(game, rules, strategy, deals):
    """Return the actor's view and the state at every lead or answer where somebody has shown to lack something."""
    driver = kernel(game, rules)
    players = driver.game.ruleset.players
    for index in range(deals):
        for state in driver.trace(strategy, 6, index).seen:
            if int(state["common"]["stage"]) != PLAYING:
                continue
            seat = int(state["common"]["turn"])
            if not any(int(state["public"]["lacks"][other]) for other in range(players) if other != seat):
                continue
            view = driver.views[seat : seat + 1].copy()
            compiled.observe(np.array([state]), seat, view)
            yield driver, view, state, seat


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("sixty-six", {"target": 0}),
        ("sixty-six-three-handed", {"target": 0}),
        ("sixty-six-swabian-three-handed", {"target": 0}),
        ("sixty-six-swabian-four-handed", {"target": 0, "head": "yes", "overruff": "yes"}),
    ],
)
def test_what_was_shown_holds(game, rules):
    rng = np.array([1, 2, 3, 4], np.uint64)
    tried = 0
    for driver, view, state, _ in views_of(game, rules, "random", 40):
        players = driver.game.ruleset.players
        # what the rules took for granted holds in truth
        for player in range(players):
            assert not any(int(state["public"]["lacks"][player]) >> card & 1 for card in listed(state["hand"][player]))
            known = Counter(listed(state["public"]["known"][player]))
            assert not known - Counter(listed(state["hand"][player]))
        world, _ = driver.game.workspace(rules)
        compiled.determinize(view, rng, world)
        for player in range(players):
            hand = listed(world[0]["hand"][player])
            assert len(hand) == len(listed(state["hand"][player]))
            assert not any(int(state["public"]["lacks"][player]) >> card & 1 for card in hand)
            assert not Counter(listed(state["public"]["known"][player])) - Counter(hand)
        tried += 1
    assert tried > 30


def deals_of(view, seat, players, pack):
    """Return every way to deal the unseen cards, like cards told apart, as hands of the others; each equally likely."""
    public = view["public"]
    seen = Counter(listed(view["hand"])) + Counter(listed(view["common"]["gone"]))
    if int(view["common"]["stock"]):
        seen[int(view["common"]["turn_up"])] += 1
    others = [player for player in range(players) if player != seat]
    held = {player: listed(public["known"][player]) for player in others}
    for cards in held.values():
        seen += Counter(cards)
    pool = list((Counter(dict.fromkeys(range(24), pack)) - seen).elements())
    size = len(listed(view["hand"])) + (int(view["common"]["played"][seat]) >= 0)
    need = {player: size - (int(view["common"]["played"][player]) >= 0) - len(held[player]) for player in others}
    ways = Counter()

    def fill(k, left, hands):
        if k == len(others):
            ways[tuple(hands)] += 1
            return
        player = others[k]
        lacks = int(public["lacks"][player])
        for chosen in combinations(range(len(left)), need[player]):
            cards = [left[place] for place in chosen]
            if any(lacks >> card & 1 for card in cards):
                continue
            rest = [card for place, card in enumerate(left) if place not in chosen]
            fill(k + 1, rest, [*hands, tuple(sorted([*held[player], *cards]))])

    if math.comb(len(pool), min(need.values())) > 400 or len(pool) > 10:
        return None
    fill(0, pool, [])
    return ways


@pytest.mark.parametrize(
    ("game", "rules", "pack"),
    [
        ("sixty-six", {"target": 0}, 1),
        ("sixty-six-three-handed", {"target": 0}, 1),
        ("sixty-six-swabian-four-handed", {"target": 0, "goal": 200}, 2),
    ],
)
def test_all_deals_that_agree_are_equally_likely(game, rules, pack):
    rng = np.array([5, 6, 7, 8], np.uint64)
    checked = 0
    for driver, view, _, seat in views_of(game, rules, "random", 60):
        players = driver.game.ruleset.players
        ways = deals_of(view[0], seat, players, pack)
        if ways is None or not 2 <= len(ways) <= 60:
            continue
        world, _ = driver.game.workspace(rules)
        draws = 1500
        found = Counter()
        for _ in range(draws):
            compiled.determinize(view, rng, world)
            hands = world[0]["hand"]
            found[tuple(tuple(listed(hands[player])) for player in range(players) if player != seat)] += 1
        assert set(found) <= set(ways)
        total = sum(ways.values())
        chi = sum((found[way] - draws * n / total) ** 2 / (draws * n / total) for way, n in ways.items())
        freedom = len(ways) - 1
        assert chi < freedom + 5 * math.sqrt(2 * freedom) + 5, (chi, freedom)
        checked += 1
        if checked == 12:
            break
    assert checked >= 5
