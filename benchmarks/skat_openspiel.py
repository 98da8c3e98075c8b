"""How fast skat is played at random here and by OpenSpiel from Python, in one run on one core.

    pip install simcards open_spiel
    python benchmarks/skat_openspiel.py

OpenSpiel's game is smaller: one round of naming games, no hand games, no announcements. Both sides choose uniformly
among the legal actions, and dealing counts in both.
"""

from __future__ import annotations

import random
import time

import pyspiel

import simcards

OURS, THEIRS = 400_000, 4_000  # deals a round
ROUNDS = 3


def openspiel(deals: int) -> float:
    """Play random deals and return how many a second."""
    game = pyspiel.load_game("skat")
    rng = random.Random(1)
    began = time.perf_counter()
    for _ in range(deals):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return deals / (time.perf_counter() - began)


def ours(deals: int, seed: int) -> float:
    """Play random deals on one core and return how many a second."""
    began = time.perf_counter()
    simcards.game("skat").play("random", deals=deals, seed=seed, workers=1)
    return deals / (time.perf_counter() - began)


def main() -> None:
    """Take turns, so that whatever else the machine does burdens both, and print the best of each."""
    ours(1000, seed=1)  # compiled or loaded
    rates = [(ours(OURS, seed=1 + turn), openspiel(THEIRS)) for turn in range(ROUNDS)]
    for mine, theirs in rates:
        print(f"simcards {mine:12,.0f} deals a second    OpenSpiel {theirs:10,.0f}    ratio {mine / theirs:6.1f}")
    mine, theirs = (max(column) for column in zip(*rates))
    print(f"best: {mine:,.0f} against {theirs:,.0f}, {mine / theirs:.1f} times")


if __name__ == "__main__":
    main()
