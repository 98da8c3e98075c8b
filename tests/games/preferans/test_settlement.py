"""A hundred thousand deals written down, and as many sheets settled, by the compiled game and by the reference."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numba
import numpy as np
import pytest

import simcards
from simcards.games.preferans import scoring

from ..bezique.kernel import kernel
from .reference import (
    ALL_PASS,
    COMMON,
    Entry,
    Rules,
    Sheet,
    own_share,
    price,
    settle,
    whists,
    write_all_pass,
    write_contract,
    write_misere,
)

SEATS = ("forehand", "middlehand", "dealer")
# Bids at random are high and hardly ever made; with sense many deals are passed out.
PLAYERS = {"random": 0.3, "bid=basic+contract=basic+discard=basic+random": 0.5, "basic": 0.2}
OTHERS: Rules = {
    "game_value": 30,
    "whist_value": 3,
    "misere": 70,
    "duty_7": 3,
    "responsible": "first",
    "shortfall": "own",
    "consolation": "whisters",
    "invitation": "no",
    "all_pass": 14,
    "blind_bidding": "yes",
    "blind_doubles": "declarer",
}


def entries(deal: dict[str, Any], rules: Rules) -> tuple[list[Entry], int | None, str]:
    """What the reference writes for what the compiled game has counted, the declarer, and what it was."""

    def of(name: str, seat: int) -> int:
        return int(deal[f"{name}.{SEATS[seat]}"])

    if deal["all_passed"]:
        return (
            write_all_pass({seat: of("tricks_all_pass", seat) for seat in range(3)}, int(rules["all_pass"])),
            None,
            "",
        )
    (declarer,) = (seat for seat in range(3) if of("declared", seat))
    if of("played_misere", declarer):
        return write_misere(declarer, of("tricks_misere", declarer), rules), declarer, "misere"
    level = of("contract", declarer)
    first, second = (declarer + 1) % 3, (declarer + 2) % 3
    if of("conceded", declarer):
        found = [Entry("pool", declarer, declarer, price(level, rules), "contracts")]
        for seat in (first, second):
            if of("own_taken", seat):
                share = own_share(level, rules)
                found.append(Entry("whists", seat, declarer, share * whists(level, rules), "own", share))
        return found, declarer, "own" if len(found) == 2 else "conceded"
    whisted = of("whisted", first), of("whisted", second)
    whisting = {(1, 1): "both", (1, 0): "first", (0, 1): "second"}[whisted]
    tricks = of("tricks_defence", first), of("tricks_defence", second)
    taken = of("tricks_declarer", declarer)
    found = write_contract(level, declarer, (first, second), taken, tricks, whisting, rules)
    return found, declarer, f"{whisting} {'made' if taken >= level else 'down'}"


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{}, OTHERS], ids=["printed", "others"])
def test_deals_written_alike(changes: Rules) -> None:
    rules = COMMON | ALL_PASS | changes | {"pool": 0}
    seen: Counter[str] = Counter()
    game = simcards.game("preferans")
    for players, share in PLAYERS.items():
        for deal in game.sample(players, deals=int(share * 100_000), seed=5, rules=changes).to_dict("records"):
            found, declarer, what = entries(deal, rules)
            blind = declarer is not None and deal[f"blind.{SEATS[declarer]}"]
            sheet = Sheet(3, rules)
            for entry in found:
                doubled = blind and (entry.seat == declarer or rules["blind_doubles"] == "all")
                sheet.write([entry], Fraction(2 if doubled else 1))
            values = settle(sheet, stopped=True)
            for seat, name in enumerate(SEATS):
                written = sheet.pool[seat], sheet.hill[seat], sum(sheet.whists[seat]), values[seat]
                assert tuple(deal[f"{column}.{name}"] for column in ("pool", "hill", "whists", "value")) == written, (
                    deal
                )
            seen[what] += 1
    assert {f"{who} {end}" for who in ("both", "first", "second") for end in ("made", "down")} <= set(seen)
    assert (
        min(seen[what] for what in ("", "misere", "both made", "both down", "first down", "second down", "own")) > 500
    )


@numba.njit
def settle_of(states, values):
    scoring.settle(states[0], values)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["preferans", "preferans-four-handed", "preferans-hussar"])
def test_sheets_settled_alike(game: str) -> None:
    states = kernel(game, {"pool": 200}).states.copy()
    players = int(states[0]["rules"]["players"])
    rng = random.Random(game)
    full = 0
    for _ in range(35_000):
        sheet = Sheet(players, {"pool": 200})
        closed = rng.random() < 0.5
        full += closed
        for seat in range(players):
            sheet.pool[seat] = Fraction(200 if closed else rng.randrange(0, 200))
            sheet.hill[seat] = Fraction(rng.randrange(-50, 600))
            line = states[0]["sheet"][seat]
            line["pool"], line["hill"] = int(sheet.pool[seat]), int(sheet.hill[seat])
            for other in range(players):
                if other != seat:
                    sheet.whists[seat][other] = Fraction(rng.randrange(400))
                    line["whists"][other] = int(sheet.whists[seat][other])
        values = np.zeros(players, np.int64)
        settle_of(states, values)
        assert values.tolist() == settle(sheet, stopped=not closed)
        assert values.sum() == 0
    assert 10_000 < full < 25_000
