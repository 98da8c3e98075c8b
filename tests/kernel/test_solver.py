"""The solver against a plain minimax that knows nothing of its tricks."""

from __future__ import annotations

import functools
import itertools
import random
from dataclasses import dataclass

import numpy as np
import pytest

from simcards.kernel import solver
from simcards.kernel.tricks import make_order


@dataclass(frozen=True)
class Ending:
    """A position in words a slow program understands: cards are (suit, power, copy)."""

    hands: tuple[tuple[tuple[int, int, int], ...], ...]
    turn: int
    trick: tuple[tuple[int, int, int], ...]
    trump: int
    duties: str
    camps: tuple[int, ...]
    values: tuple[tuple[int, int], ...]  # by (suit, power) flattened: value of a power
    per_trick: int
    last: int
    least: bool


def slow_legal(ending: Ending, hand, trick):
    if not trick:
        return list(hand)
    led = trick[0][0]
    best = slow_best(ending, trick)
    own = [card for card in hand if card[0] == led]
    if "F" in ending.duties and own:
        heading = "H" in ending.duties or ("O" in ending.duties and led == ending.trump)
        if heading and trick[best][0] == led:
            higher = [card for card in own if card[1] > trick[best][1]]
            return higher or own
        return own
    if own:
        return list(hand)
    trumps = [card for card in hand if card[0] == ending.trump]
    if "R" in ending.duties and trumps and led != ending.trump:
        if "O" in ending.duties and trick[best][0] == ending.trump:
            higher = [card for card in trumps if card[1] > trick[best][1]]
            return higher or trumps
        return trumps
    return list(hand)


def slow_best(ending: Ending, trick):
    best = 0
    for place, card in enumerate(trick):
        if card[0] == trick[best][0]:
            if card[1] > trick[best][1]:
                best = place
        elif card[0] == ending.trump:
            best = place
    return best


def minimax(ending: Ending) -> tuple[int, dict]:
    """Return the value of the position, and of every legal card."""
    players = len(ending.hands)
    values = dict(ending.values)

    @functools.cache
    def value(hands, turn, trick):
        if not any(hands) and not trick:
            return 0
        results = [after(hands, turn, trick, card) for card in slow_legal(ending, hands[turn], trick)]
        return max(results) if (ending.camps[turn] == 0) != ending.least else min(results)

    def after(hands, turn, trick, card):
        hands = tuple(
            tuple(other for other in hand if other != card) if player == turn else hand
            for player, hand in enumerate(hands)
        )
        trick = (*trick, card)
        if len(trick) < players:
            return value(hands, (turn + 1) % players, trick)
        taker = (turn + 1 + slow_best(ending, trick)) % players
        worth = ending.per_trick + sum(values.get((card[0], card[1]), 0) for card in trick)
        if not any(hands):
            worth += ending.last
        gain = worth if ending.camps[taker] == 0 else 0
        return gain + value(hands, taker, ())

    legal = slow_legal(ending, ending.hands[ending.turn], ending.trick)
    by_card = {card: after(ending.hands, ending.turn, ending.trick, card) for card in legal}
    return value(ending.hands, ending.turn, ending.trick), by_card


def number(card) -> int:
    return 16 * card[0] + 2 * card[1] + card[2]


def fast(room, ending: Ending, guess: int):
    powers = 8
    pack = {card for hand in ending.hands for card in hand} | set(ending.trick)
    suits = [
        [[number((suit, power, copy)) for copy in range(2) if (suit, power, copy) in pack] for power in range(powers)]
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


def draw(chance: random.Random) -> Ending:
    """A small ending with any duties, camps, values, copies and cards on the table."""
    players = chance.choice((2, 3, 3, 4))
    tricks = chance.randint(1, 4 if players < 4 else 3)
    copies = chance.choice((1, 1, 2))
    powers = chance.choice((4, 8))
    pack = list(itertools.product(range(4), range(powers), range(copies)))
    while len(pack) < players * tricks:
        tricks -= 1
    chance.shuffle(pack)
    trump = chance.choice((-1, 0, 1, 2, 3))
    duties = "".join(letter for letter in "FHRO" if chance.random() < 0.6)
    camps = tuple(chance.randint(0, 1) for _ in range(players))
    hands = [tuple(sorted(pack[k * tricks : (k + 1) * tricks])) for k in range(players)]
    counting = chance.choice(("tricks", "points", "both"))
    values = (
        ()
        if counting == "tricks"
        else tuple(((suit, power), chance.choice((0, 0, 2, 3, 10))) for suit in range(4) for power in range(8))
    )
    ending = Ending(
        tuple(hands), chance.randrange(players), (), trump, duties, camps, values,
        0 if counting == "points" else 1, chance.choice((0, 0, 10)), chance.random() < 0.3,
    )  # fmt: skip
    played = chance.randrange(players)
    turn, trick = ending.turn, ()
    for _ in range(played):
        card = chance.choice(slow_legal(ending, hands[turn], trick))
        hands[turn] = tuple(other for other in hands[turn] if other != card)
        trick = (*trick, card)
        turn = (turn + 1) % players
    return Ending(tuple(hands), turn, trick, trump, duties, camps, values, ending.per_trick, ending.last, ending.least)


@pytest.mark.parametrize("part", range(4))
def test_the_solver_agrees_with_plain_minimax(part: int) -> None:
    chance = random.Random(100 + part)
    room = solver.workspace(8)  # so small that positions push each other out
    for trial in range(500):
        ending = draw(chance)
        value, by_card = minimax(ending)
        found, cards, best, bound = fast(room, ending, chance.randint(0, 12))
        assert found == value, (part, trial, ending)
        assert {card: int(cards[number(card)]) for card in by_card} == by_card, (part, trial, ending)
        assert int((cards >= 0).sum()) == len(by_card)
        assert cards[best] == value
        assert bound == (True, False)


def test_positions_with_another_player_on_lead_are_not_mixed_up() -> None:
    """Endings in which a hash that joined the leader to the salt took one position for another."""
    first = Ending(
        (
            ((0, 1, 0), (1, 5, 0), (2, 3, 0), (2, 4, 0), (3, 1, 0)),
            ((1, 4, 0), (2, 2, 0), (2, 5, 0), (3, 2, 0), (3, 5, 0)),
        ),
        0, (), 2, "R", (1, 0), (), 1, 10, False,
    )  # fmt: skip
    worths = tuple(((suit, power), (3, 2, 4, 10, 0, 10)[power]) for suit in range(4) for power in range(6))
    second = Ending(
        (
            ((0, 2, 0), (0, 4, 0), (0, 5, 0), (1, 2, 0), (2, 0, 0)),
            ((1, 0, 0), (1, 4, 0), (2, 1, 0), (2, 2, 0), (3, 1, 0)),
        ),
        0, (), 0, "", (0, 1), worths, 1, 10, False,
    )  # fmt: skip
    for ending, expected in ((first, 13), (second, 35)):
        assert minimax(ending)[0] == expected
        assert [fast(solver.workspace(8), ending, guess)[0] for guess in (0, 3, 13, 25)] == [expected] * 4
