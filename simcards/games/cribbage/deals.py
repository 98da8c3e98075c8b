"""How points fall in a deal, and from this the chance to win from every score; ``python -m`` makes the tables anew.

Two sensible players (`basic`), or two pairs of them, play single deals. Every point is noted in the order in which it
comes: the starter, the play, the hand of the pone, the dealer's, the crib. Of a deal three things matter: with how
many points each side ends it; at how many points of the dealer the pone came to any number; and at how many of the
pone the dealer did. From these follows for any two needs how often each side reaches its own first in the middle of
the deal, and how often the game goes on, with which needs. So the chance to win from every pair of needs is reckoned,
the smaller ones first; only deals without a point lead back to the same needs.
"""

from __future__ import annotations

import csv
import sys

import numpy as np
from numpy.typing import NDArray

from simcards.games.cribbage.board import BOARD, IN_CRIB, KINDS, PARTS, POINTS, ROOM, TARGETS
from simcards.games.cribbage.frame import COMPENSATION, CRIB_FIFTEEN, HAND_FIFTEEN, SOURCES, after
from simcards.games.cribbage.players import USUAL
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.rng import OTHER as OTHER_STREAM
from simcards.kernel.rng import new_stream, seed_stream
from simcards.kernel.shuffle import shuffle_prefix

DEALS = 1_000_000
SIDE = 160  # points of a side in a deal, from 0
_GAMES = ("cribbage-five-card", "cribbage-six-card", "cribbage-seven-card", "cribbage-four-handed")


@kernel
def _of_source(state, player, low, high):
    """Return the points that a player has from some sources."""
    total = 0
    for source in range(low, high):
        total += np.int64(state.tally.points[source, player])
    return total


@kernel
def _note(now, side, points, reached):
    """Add points to a side's, and note the other's at every number that it comes to."""
    for more in range(points):
        reached[side, now[side] + more + 1, now[1 - side]] += 1
    now[side] += points


@kernel
def _note_play(state, now, reached):
    """Note what the last action brought, without the show."""
    players = np.int64(state.rules.players)
    for side in range(2):
        total = 0
        for player in range(side, players, 2):
            total += _of_source(state, player, 0, HAND_FIFTEEN)
        _note(now, side, total - now[side], reached)


@kernel
def play_deals(state, views, rng, options, seed, deals, ends, reached, parts):
    """Play deals and count how points fell.

    Parameters
    ----------
    state, views : record, array
        A position with the rules of a single deal, without an auction, and room for views.
    rng : array
        A stream.
    options : record
        The habits of the players.
    seed : int
        Where the cards come from.
    deals : int
        How many.
    ends : ndarray of int64, shape (SIDE, SIDE)
        Result, added to: deals by the points of the pone's side and the dealer's.
    reached : ndarray of int64, shape (2, SIDE, SIDE)
        Result, added to: deals in which a side came to so many points, by those of the other at that moment.
    parts : ndarray of int64, shape (5, ROOM)
        Result, added to: deals by the points of each of the `PARTS`.
    """
    deck = np.arange(52).astype(np.uint8)
    now = np.zeros(2, np.int64)
    players = np.int64(state.rules.players)
    for number in range(deals):
        seed_stream(rng, seed, OTHER_STREAM, number)
        shuffle_prefix(rng, deck, 52)
        protocol.begin(state)
        protocol.deal(state, deck)
        now[:] = 0
        _note_play(state, now, reached)
        while not protocol.is_over(state):
            legal = protocol.legal(state)
            protocol.apply(state, protocol.usual(state, views, legal, rng, options))
            _note_play(state, now, reached)
        before = np.int64(state.tally.points[COMPENSATION, 0])
        parts[0, now[0] - before] += 1
        parts[1, now[1]] += 1
        dealer = np.int64(state.common.dealer)
        for k in range(players):
            player = after(state.rules, dealer, k + 1)
            points = _of_source(state, player, HAND_FIFTEEN, CRIB_FIFTEEN)
            _note(now, player & 1, points, reached)
            if players == 2:
                parts[2 + k, points] += 1
        points = _of_source(state, dealer, CRIB_FIFTEEN, len(SOURCES))
        _note(now, 1, points, reached)
        parts[IN_CRIB, points] += 1
        ends[now[0], now[1]] += 1


@kernel
def win_chances(ends, reached, target):
    """Reckon the chance to win from every pair of needs.

    Parameters
    ----------
    ends, reached : ndarray of float64
        As of `play_deals`, as shares of the deals.
    target : int
        The most points needed.

    Returns
    -------
    ndarray of float64, shape (target + 1, target + 1)
        Chance of the side that does not deal next, by its needs and the other's, from 1.
    """
    won = np.zeros((target + 1, target + 1))
    most = ends.shape[0]
    same = ends[0, 0]
    for both in range(2, 2 * target + 1):
        for need in range(max(1, both - target), min(target, both - 1) + 1):
            other = both - need
            total = 0.0
            if need < most:
                for points in range(min(other, most)):
                    total += reached[0, need, points]
            for mine in range(min(need, most)):
                for his in range(min(other, most)):
                    if mine + his > 0:
                        total += ends[mine, his] * (1.0 - won[other - his, need - mine])
            won[need, other] = total
        for need in range(max(1, both - target), both // 2 + 1):  # a deal without points changes the dealer alone
            other = both - need
            one = won[need, other] + same
            two = won[other, need] + same
            won[need, other] = (one - same * two) / (1.0 - same * same)
            won[other, need] = (two - same * one) / (1.0 - same * same)
    return won


def gather(game: str, deals: int, seed: int = 1) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Play deals of a game; return what `play_deals` counts.

    Parameters
    ----------
    game : str
        Id of the rule set.
    deals : int
        How many.
    seed : int
        Where the cards come from.

    Returns
    -------
    ends, reached, parts : ndarray of int64
    """
    from simcards.games.registry import load

    states, views = load(game).workspace({"target": 0})
    ends = np.zeros((SIDE, SIDE), np.int64)
    reached = np.zeros((2, SIDE, SIDE), np.int64)
    parts = np.zeros((len(PARTS), ROOM), np.int64)
    play_deals(states[0], views, new_stream(), USUAL[0], seed, deals, ends, reached, parts)
    return ends, reached, parts


def main(wanted: list[str]) -> None:
    """Make the tables for these games anew; for all if none is named."""
    with BOARD.open(encoding="utf-8", newline="") as file:
        board_head, *board = csv.reader(file)
    with POINTS.open(encoding="utf-8", newline="") as file:
        points_head, *points = csv.reader(file)
    for (players, cards), target, game in zip(KINDS, TARGETS, _GAMES, strict=True):
        if wanted and game not in wanted:
            continue
        ends, reached, parts = gather(game, DEALS)
        won = win_chances(ends / DEALS, reached / DEALS, int(target))
        kind = [str(players), str(cards)]
        board = [row for row in board if row[:2] != kind]
        for need in range(1, int(target) + 1):
            board.append([*kind, str(need), " ".join(f"{round(1e5 * chance)}" for chance in won[need, 1:])])
        points = [row for row in points if row[:2] != kind]
        for name, counts in zip(PARTS, parts, strict=True):
            if players == 2:
                points += [
                    [*kind, name, str(number), f"{count / DEALS:.7f}"] for number, count in enumerate(counts) if count
                ]
        print(f"{game}: the dealer wins {100.0 - 100.0 * won[-1, -1]:.2f} % of all games", flush=True)
    for path, head, rows in ((BOARD, board_head, board), (POINTS, points_head, points)):
        rows.sort(key=lambda row: row[:2])  # the others keep their order
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
