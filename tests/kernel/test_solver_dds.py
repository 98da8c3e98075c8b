"""The solver against DDS, which has solved bridge deals since 2006, on deals of the 52-card pack."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simcards.kernel import solver
from simcards.kernel.tricks import make_order

dds = pytest.importorskip("endplay.dds", reason="needs endplay")
types = pytest.importorskip("endplay.types")

RANKS = "23456789TJQKA"
STRAINS = ("spades", "hearts", "diamonds", "clubs", "nt")


def tricks_of_leader(room, hands, trump: int, leader: int) -> tuple[int, dict[tuple[int, int], int]]:
    """Tricks of the leader's side, and by each of his cards (suit, rank)."""
    order = make_order([[[16 * suit + rank] for rank in range(13)] for suit in range(4)], trump)
    aim = np.zeros(1, solver.AIM)
    aim["players"] = 4
    aim["trick"] = 1
    aim["camp"] = [(seat - leader) % 2 for seat in range(4)]
    known = np.zeros(1, solver.CARDS_KNOWN)
    known["turn"] = leader
    known["hands"] = [sum(1 << (16 * suit + rank) for suit, rank in hand) for hand in hands]
    values = np.zeros(64, np.int64)
    best = solver.solve_cards(room, order[0], aim[0], known[0], len(hands[0]) // 2, values)
    cards = {(suit, rank): int(values[16 * suit + rank]) for suit, rank in hands[leader]}
    return int(values[best]), cards


def by_dds(hands, trump: int, leader: int) -> dict[tuple[int, int], int]:
    text = " ".join(
        ".".join("".join(RANKS[rank] for rank in range(12, -1, -1) if (suit, rank) in hand) for suit in range(4))
        for hand in hands
    )
    deal = types.Deal(f"N:{text}")
    deal.trump = getattr(types.Denom, STRAINS[trump])
    deal.first = types.Player(leader)
    return {(int(card.suit), RANKS.index(card.rank.abbr)): int(tricks) for card, tricks in dds.solve_board(deal)}


def compare(cards: int, deals: int, seed: int, bits: int) -> None:
    chance = random.Random(seed)
    room = solver.workspace(bits)
    pack = [(suit, rank) for suit in range(4) for rank in range(13)]
    for _ in range(deals):
        chance.shuffle(pack)
        hands = [pack[13 * seat : 13 * seat + cards] for seat in range(4)]
        trump, leader = chance.choice((-1, 0, 1, 2, 3)), chance.randrange(4)
        value, by_card = tricks_of_leader(room, hands, trump, leader)
        theirs = by_dds(hands, trump, leader)
        assert by_card == theirs
        assert value == max(theirs.values())


@pytest.mark.parametrize("cards", [3, 5, 7, 8])
def test_every_card_of_an_ending_takes_as_many_tricks_as_dds_says(cards: int) -> None:
    compare(cards, deals=60 if cards < 8 else 30, seed=cards, bits=18)


@pytest.mark.slow
def test_every_lead_to_a_whole_deal_takes_as_many_tricks_as_dds_says() -> None:
    compare(13, deals=3, seed=13, bits=22)
