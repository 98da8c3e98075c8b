"""A hundred thousand deals settled by the compiled game and by the reference."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import simcards

from .numbered import KINDS
from .reference import DEFAULTS, Contract, Rules, settle, trumps

SEATS = ("forehand", "middlehand", "rearhand")
SUITS = ("spades", "hearts", "diamonds", "clubs")
# Bids at random are hardly ever made, so most deals are bid with sense; cards are played at random in half of them.
PLAYERS = {"random": 0.2, "bid=basic+skat=random+declare=random+random": 0.5, "basic": 0.3}
RULES: list[Rules] = [
    {"calls": "any"},
    {"calls": "any", "hand_loss": "double", "schneider": 91, "schneidered": 31, "open_null": "yes"},
]


def cards(kind: str, run: int, has: bool) -> set[str]:
    """Cards with so many matadors, or without so many; the rest makes no difference."""
    order = trumps(kind)
    return set(order[:run]) if has else set(order[run:])


def settled(deal: dict[str, Any], seat: str, rules: Rules) -> tuple[int, str]:
    """The score by the reference of what the compiled game has counted, and what it was."""

    def of(name: str) -> Any:
        return deal[f"{name}.{seat}"]

    (kind,) = (kind for kind, name in KINDS.items() if of("played_" + name))
    promise = "schwarz" if of("schwarz_announced") else "schneider" if of("schneider_announced") else ""
    contract = Contract(kind, bool(of("hand_games")), promise, bool(of("open_games")))
    own = int(of("tricks"))
    others = sum(int(deal[f"tricks.{other}"]) for other in SEATS) - own
    if kind == "null":
        return settle(contract, int(of("bid")), set(), 0, own, others, rules).score, "null"
    has = of("with_jacks") is not None
    run = int(of("with_jacks") if has else of("without_jacks"))
    result = settle(contract, int(of("bid")), cards(kind, run, has), int(of("declarer_points")), own, others, rules)
    return result.score, "overbid" if result.made and result.score < 0 else "made" if result.made else "failed"


@pytest.mark.slow
@pytest.mark.parametrize("changes", RULES, ids=["printed", "others"])
def test_settlement_alike(changes: Rules) -> None:
    game = simcards.game("skat")
    seen: Counter[str] = Counter()
    for players, share in PLAYERS.items():
        for deal in game.sample(players, deals=int(share * 100_000), seed=5, rules=changes).to_dict("records"):
            for seat in SEATS:
                score = 0
                if deal[f"declared.{seat}"]:
                    score, what = settled(deal, seat, DEFAULTS | changes)
                    seen[what] += 1
                assert deal[f"points.{seat}"] == score, deal
    assert min(seen[what] for what in ("null", "overbid", "made", "failed")) > 1000
    assert sum(seen.values()) > 80_000
