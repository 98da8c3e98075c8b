"""The solver in games with marriages against a plain minimax, which keeps trumps and announcements itself."""

from __future__ import annotations

import functools
import itertools
import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

from simcards.kernel import solver
from simcards.kernel.tricks import make_order
from tests.kernel.test_solver import Ending, number, slow_best, slow_legal


@dataclass(frozen=True)
class Wedding:
    """What marriages do: the powers of the two cards, by camp and suit the points, and the two flags."""

    powers: tuple[int, int]
    bonus: tuple[tuple[int, ...], tuple[int, ...]]
    turns: bool
    silent: bool


def minimax(ending: Ending, wedding: Wedding) -> tuple[int, dict]:
    """Return the value of the position, and of every legal card."""
    players = len(ending.hands)
    values = dict(ending.values)

    def is_marriage(hand, card) -> bool:
        if card[1] not in wedding.powers:
            return False
        (other,) = (power for power in wedding.powers if power != card[1])
        return (card[0], other, 0) in hand

    @functools.cache
    def value(hands, turn, trick, trump):
        if not any(hands) and not trick:
            return 0
        now = replace(ending, trump=trump)
        results = [after(hands, turn, trick, trump, card) for card in slow_legal(now, hands[turn], trick)]
        return max(results) if wants(turn) else min(results)

    def wants(turn) -> bool:
        return (ending.camps[turn] == 0) != ending.least

    def after(hands, turn, trick, trump, card):
        if trick or not is_marriage(hands[turn], card):
            return carry_out(hands, turn, trick, trump, card)
        camp, suit = ending.camps[turn], card[0]
        points = wedding.bonus[camp][suit] * (1 if camp == 0 else -1)
        turned = suit if wedding.turns else trump
        announced = points + carry_out(hands, turn, trick, turned, card)
        if not wedding.silent:
            return announced
        both = announced, carry_out(hands, turn, trick, trump, card)
        return max(both) if wants(turn) else min(both)

    def carry_out(hands, turn, trick, trump, card):
        now = replace(ending, trump=trump)
        hands = tuple(
            tuple(other for other in hand if other != card) if player == turn else hand
            for player, hand in enumerate(hands)
        )
        trick = (*trick, card)
        if len(trick) < players:
            return value(hands, (turn + 1) % players, trick, trump)
        taker = (turn + 1 + slow_best(now, trick)) % players
        worth = ending.per_trick + sum(values.get((card[0], card[1]), 0) for card in trick)
        if not any(hands):
            worth += ending.last
        gain = worth if ending.camps[taker] == 0 else 0
        return gain + value(hands, taker, (), trump)

    legal = slow_legal(ending, ending.hands[ending.turn], ending.trick)
    by_card = {card: after(ending.hands, ending.turn, ending.trick, ending.trump, card) for card in legal}
    return value(ending.hands, ending.turn, ending.trick, ending.trump), by_card


def fast(room, ending: Ending, wedding: Wedding, guess: int):
    pack = {card for hand in ending.hands for card in hand} | set(ending.trick)
    suits = [
        [[number((suit, power, copy)) for copy in range(2) if (suit, power, copy) in pack] for power in range(8)]
        for suit in range(4)
    ]
    values = {number(card): dict(ending.values).get((card[0], card[1]), 0) for card in pack}
    order = make_order(suits, ending.trump, ending.duties, values)
    aim = np.zeros(1, solver.AIM)
    aim["players"] = len(ending.hands)
    aim["camp"][0, : len(ending.camps)] = ending.camps
    aim["trick"] = ending.per_trick
    aim["cards"] = int(any(worth for _, worth in ending.values))
    aim["last"] = ending.last
    aim["least"] = ending.least
    aim["marriage"][0, :4] = [sum(1 << number((suit, power, 0)) for power in wedding.powers) for suit in range(4)]
    aim["bonus"][0, :, :4] = wedding.bonus
    aim["turns"] = wedding.turns
    aim["silent"] = wedding.silent
    known = np.zeros(1, solver.CARDS_KNOWN)
    for player, hand in enumerate(ending.hands):
        known["hands"][0, player] = sum(1 << number(card) for card in hand)
    known["turn"] = ending.turn
    known["count"] = len(ending.trick)
    known["trick"][0, : len(ending.trick)] = [number(card) for card in ending.trick]
    by_card = np.zeros(64, np.int64)
    value = solver.solve(room, order[0], aim[0], known[0], guess)
    best = solver.solve_cards(room, order[0], aim[0], known[0], guess, by_card)
    bound = (
        solver.gets(room, order[0], aim[0], known[0], value),
        solver.gets(room, order[0], aim[0], known[0], value + 1),
    )
    return int(value), by_card, int(best), bound


def draw(chance: random.Random, players: int) -> tuple[Ending, Wedding]:
    """A small ending in which somebody holds a marriage at first, with any duties, camps, values and flags."""
    tricks = chance.randint(2, {2: 5, 3: 4, 4: 3}[players])
    low, high = sorted(chance.sample(range(6), 2))
    copies = chance.choice((1, 1, 1, 2))
    suits = range(chance.choice((2, 3, 4)))
    pack = [
        (suit, power, copy)
        for suit, power, copy in itertools.product(suits, range(6), range(copies))
        if copy == 0 or power not in (low, high)
    ]
    tricks = min(tricks, len(pack) // players)
    chance.shuffle(pack)
    hands = [pack[k * tricks : (k + 1) * tricks] for k in range(players)]
    for suit in chance.sample(suits, chance.randint(1, 2)):  # swap cards until somebody holds this marriage
        owner = chance.randrange(players)
        for power in (low, high):
            wanted = (suit, power, 0)
            if wanted in hands[owner]:
                continue
            given = chance.choice([card for card in hands[owner] if card not in ((suit, low, 0), (suit, high, 0))])
            for hand in hands:
                if wanted in hand:
                    hand[hand.index(wanted)] = given
                    break
            hands[owner][hands[owner].index(given)] = wanted
    camps = tuple(chance.randint(0, 1) for _ in range(players))
    counting = chance.choice(("tricks", "points", "points", "both"))
    worths = [chance.choice((0, 0, 2, 3, 4, 10)) for _ in range(6)]
    values = () if counting == "tricks" else tuple(((s, p), worths[p]) for s in range(4) for p in range(6))
    theirs = chance.random() < 0.5
    bonus = (
        tuple(chance.choice((0, 1, 3, 20)) for _ in range(4)),
        tuple(chance.choice((0, 1, 3, 20)) if theirs else 0 for _ in range(4)),
    )
    wedding = Wedding((low, high), bonus, chance.random() < 0.6, chance.random() < 0.25)
    duties = chance.choice(
        ("F", "FR", "FHR", "FHRO", "FH", "", "R", "".join(c for c in "FHRO" if chance.random() < 0.5))
    )
    ending = Ending(
        tuple(tuple(sorted(hand)) for hand in hands), chance.randrange(players), (),
        chance.choice((-1, -1, *suits)), duties, camps, values, 0 if counting == "points" else 1,
        chance.choice((0, 0, 10)), chance.random() < 0.2,
    )  # fmt: skip
    hands, turn, trick = [list(hand) for hand in ending.hands], ending.turn, ()
    for _ in range(chance.choice((0, 0, chance.randrange(players)))):
        card = chance.choice(slow_legal(ending, hands[turn], trick))
        hands[turn].remove(card)
        trick = (*trick, card)
        turn = (turn + 1) % players
    return replace(ending, hands=tuple(tuple(hand) for hand in hands), turn=turn, trick=trick), wedding


def compare(players: int, trials: int, seed: int) -> int:
    chance = random.Random(seed)
    room = solver.workspace(8)  # so small that positions push each other out
    counted = 0
    for trial in range(trials):
        ending, wedding = draw(chance, players)
        value, by_card = minimax(ending, wedding)
        found, cards, best, bound = fast(room, ending, wedding, chance.randint(-5, 30))
        assert found == value, (trial, ending, wedding)
        assert {card: int(cards[number(card)]) for card in by_card} == by_card, (trial, ending, wedding)
        assert int((cards != solver.ILLEGAL).sum()) == len(by_card)
        assert cards[best] == value
        assert bound == (True, False)
        counted += value != minimax(ending, replace(wedding, bonus=((0,) * 4, (0,) * 4), turns=False))[0]
    return counted


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (2, 2), (3, 1), (3, 2)])
def test_marriages_are_reckoned_as_by_plain_minimax(players: int, seed: int) -> None:
    assert compare(players, 300, 10 * players + seed) > 60  # so often they make a difference


def test_marriages_in_games_for_four() -> None:
    assert compare(4, 100, 41) > 10


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_marriages_in_thousands_of_endings(players: int) -> None:
    compare(players, {2: 1000, 3: 3000}[players], 100 + players)


def test_an_announced_suit_is_trumps_from_that_trick_on() -> None:
    # the queen of suit 0 is led with the king in hand; the ace of suit 1 is led last and ruffed only where trumps turn
    hands = (((0, 4, 0), (0, 5, 0)), ((1, 7, 0), (1, 6, 0)))
    ending = Ending(hands, 0, (), 1, "FR", (0, 1), (), 1, 0, False)
    stays = Wedding((4, 5), ((20, 0, 0, 0), (0, 0, 0, 0)), turns=False, silent=False)
    room = solver.workspace(8)
    assert fast(room, ending, stays, 0)[0] == 20  # both cards are ruffed
    assert fast(room, ending, replace(stays, turns=True), 0)[0] == 22
    assert fast(room, replace(ending, turn=1), replace(stays, turns=True), 0)[0] == 0  # never on lead


def test_saying_nothing_can_be_better_where_it_is_free() -> None:
    # suit 1 is trumps, of which the leader holds the ace and the other a low card: announcing gives away the ace
    hands = (((0, 1, 0), (0, 2, 0), (1, 7, 0)), ((0, 3, 0), (0, 4, 0), (1, 0, 0)))
    ending = Ending(hands, 0, (), 1, "FR", (0, 1), (), 1, 0, False)
    forced = Wedding((1, 2), ((0, 0, 0, 0), (0, 0, 0, 0)), turns=True, silent=False)
    room = solver.workspace(8)
    for wedding in (forced, replace(forced, silent=True)):
        value, by_card = minimax(ending, wedding)
        found, cards, _, _ = fast(room, ending, wedding, 1)
        assert (found, {card: cards[number(card)] for card in by_card}) == (value, by_card)
