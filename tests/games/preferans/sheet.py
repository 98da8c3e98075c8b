"""Deals of preferans that are over: only the tricks are said, and the game writes its sheet."""

from __future__ import annotations

import numba
import numpy as np

from simcards.games.preferans import PACK
from simcards.games.preferans.frame import ALL_PASS, CONTRACT, NO_TRICK, OWN, PASSED, WHIST
from simcards.games.preferans.play import end_deal, seat_players
from simcards.games.preferans.position import BID_OF_TEXT
from simcards.games.preferans.scoring import settle
from simcards.games.registry import load
from simcards.kernel import protocol

SAID = {"pass": PASSED, "whist": WHIST, "own": OWN, "": -1}


@numba.njit
def _begin(states):
    protocol.begin(states[0])


@numba.njit
def _end(states):
    end_deal(states[0])


@numba.njit
def _seat(states):
    seat_players(states[0])


@numba.njit
def _settle(states, values):
    settle(states[0], values)


@numba.njit
def _worth(states, player):
    return protocol.worth(states[0], player)


class Sheet:
    """A game in which deals are entered by what became of them."""

    def __init__(self, game="preferans", **rules):
        self.game = load(game)
        self.players = self.game.ruleset.players
        self.states, _ = self.game.workspace({"pool": 1000, **rules})
        _begin(self.states)
        self.state = self.states[0]

    def _start(self, kind, tricks):
        common = self.state["common"]
        _seat(self.states)
        common["deals"] += 1
        common["kind"] = kind
        common["trick"] = 10
        self.state["public"]["tricks"] = tricks
        return common

    def all_pass(self, *tricks, talon=0):
        """Enter a deal in which all passed, with the tricks from the eldest hand on."""
        self._start(ALL_PASS, tricks)["talon_tricks"] = talon
        _end(self.states)
        return self

    def contract(self, bid, tricks, said=("whist", "whist"), blind=False, opened=True, talon="7S 7C", declarer=0):
        """Enter a contract: tricks of the declarer and of both opponents from his left, and what these said."""
        at = [(declarer + steps) % 3 for steps in range(3)]
        by_chair = [0, 0, 0]
        for chair, count in zip(at, tricks, strict=True):
            by_chair[chair] = count
        number = BID_OF_TEXT[bid.casefold()]
        misere = bid.startswith("misère")
        common = self._start(NO_TRICK if misere else CONTRACT, by_chair)
        common["declarer"], common["bid"], common["high"] = declarer, number, number
        common["blind"], common["open"] = int(blind), int(opened)
        common["unplayed"] = int("whist" not in said and not misere)
        common["shown"] = sum(1 << code for code in PACK.parse(talon))
        self.state["public"]["whist"] = -1
        for chair, word in zip(at[1:], said, strict=True):
            self.state["public"][chair]["whist"] = SAID[word]
        _end(self.states)
        return self

    @property
    def pools(self):
        return self.state["sheet"]["pool"][: self.players].tolist()

    @property
    def hills(self):
        return self.state["sheet"]["hill"][: self.players].tolist()

    def whists(self, writer, on):
        return int(self.state["sheet"][writer]["whists"][on])

    def write(self, pools=None, hills=None, whists=None):
        """Write on the sheet: whists as {(writer, on): whists}."""
        for player in range(self.players):
            if pools:
                self.state["sheet"][player]["pool"] = pools[player]
            if hills:
                self.state["sheet"][player]["hill"] = hills[player]
        for (writer, on), count in (whists or {}).items():
            self.state["sheet"][writer]["whists"][on] = count
        return self

    @property
    def settled(self):
        values = np.zeros(4, np.int64)
        _settle(self.states, values)
        return values[: self.players].tolist()

    def worth(self, player):
        return _worth(self.states, player)

    @property
    def is_over(self):
        return int(self.state["common"]["stage"]) == 8
