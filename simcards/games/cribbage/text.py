"""Words for the replays of cribbage, and for those who write strategies for it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from simcards.games.cribbage import FOUR_HANDED, SIX_CARD
from simcards.games.cribbage.frame import (
    BIDDING,
    DISCARDING,
    GO,
    LIMIT,
    PAIR_FIRST,
    PAIR_SECOND,
    PASS,
    PLAYING,
)
from simcards.games.cribbage.scoring import CARDS, RANKS, VALUE, pairs_before, run_with

PACK = SIX_CARD.pack
_SAME = ("", "a pair", "a pair royal", "a double pair royal")
_SIZES = ("three", "four", "five", "six", "seven")


def codes_of(mask: Any) -> list[int]:
    """Return the codes of a set of cards, lowest first."""
    return [card for card in range(CARDS) if int(mask) >> card & 1]


def cards_text(mask: Any) -> str:
    """Return a set of cards by their ranks, such as ``"AS 5H KD"``."""
    return " ".join(PACK.text(card) for card in sorted(codes_of(mask), key=lambda card: (card % RANKS, card)))


def discarded(state: Any, action: int) -> list[int]:
    """Return the cards that a discard takes from the hand of the player whose turn it is."""
    hand = codes_of(state["private"][int(state["common"]["turn"])]["hand"])
    if int(state["rules"]["players"]) == 4:
        return [hand[action]]
    return [hand[int(PAIR_FIRST[action])], hand[int(PAIR_SECOND[action])]]


def action_text(state: Any, action: int) -> str:
    """Return an action in words.

    Parameters
    ----------
    state : STATE
        The position before it.
    action : int
        The action.

    Returns
    -------
    str
        Such as ``"lays JD: 20, a pair"``.
    """
    common = state["common"]
    stage = int(common["stage"])
    if stage == BIDDING:
        return "passes" if action == PASS else f"bids {action}"
    if stage == DISCARDING:
        return f"discards {cards_text(sum(1 << card for card in discarded(state, action)))}"
    if action == GO:
        return "says go"
    rank = action % RANKS
    total = int(common["count"]) + int(VALUE[rank])
    recent = np.uint64(common["recent"])
    scored = [str(total)]
    if total == 15:
        scored.append("fifteen")
    elif total == LIMIT:
        scored.append("thirty-one")
    same = int(pairs_before(recent, rank))
    run = 0 if same else int(run_with(recent, rank))
    if same:
        scored.append(_SAME[same])
    if run:
        scored.append(f"a run of {_SIZES[run - 3]}")
    return f"lays {PACK.text(action)}: {', '.join(scored)}"


def state_text(state: Any) -> str:
    """Return a position in words: what is done, and for each player score and cards."""
    common = state["common"]
    stage, starter = int(common["stage"]), int(common["starter"])
    players = int(state["rules"]["players"])
    seats = (FOUR_HANDED if players == 4 else SIX_CARD).seats
    dealer = int(common["dealer"])
    parts = [f"deal {int(common['deals'])}, {_name(seats, dealer)} deals"]
    if stage == BIDDING:
        parts.append(f"{int(common['bid'])} bid for the crib" if int(common["bid"]) else "the crib is bid for")
    elif int(common["owner"]) not in (dealer, -1):
        parts.append(f"{_name(seats, int(common['owner']))} has the crib")
    if starter >= 0:
        parts.append(f"starter {PACK.text(starter)}")
    if stage == PLAYING:
        laid = common["pile"][int(common["started"]) : int(common["laid"])]
        parts.append(f"count {int(common['count'])}" + (f" ({PACK.format(laid)})" if len(laid) else ""))
    lines = [", ".join(parts)]
    for player in range(players):
        public, own = state["public"][player], state["private"][player]
        line = f"  {_name(seats, player)}: {int(public['points'])} points, hand {cards_text(own['hand']) or '-'}"
        if int(public["laid"]):
            line += f" | laid {cards_text(public['laid'])}"
        if int(own["discards"]):
            line += f" | discards {cards_text(own['discards'])}"
        lines.append(line)
    return "\n".join(lines)


def _name(seats: tuple[str, ...], player: int) -> str:
    """Return the seat of a player; seats are named by the first deal."""
    return seats[player]


CARD = "13 * suit + rank with the suits S H D C and the ranks A 2 3 … T J Q K, both from 0"
ACTIONS = MappingProxyType(
    {
        "bid": "0: passes; 1 and more: bids so many points for the crib",
        "discard": (
            "0 to 20: discards the cards at the places i < j of the hand, where the action is j * (j - 1) / 2 + i; for"
            f" four players the place of one card, 0 to 5. Places count from 0 in the order of the cards' codes, {CARD}"
        ),
        "play": f"0 to 51: lays this card, {CARD}; 52: says go, when none can be laid",
    }
)
VIEW_DOC = MappingProxyType(
    {
        "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
        "seat": "the player's number; 0 sits to the left of the first dealer",
        "common": "what all know of the deal",
        "common.recent": "the cards of this count, four bits each, the last in the lowest: rank from the ace, 1, on",
        "common.stage": "1: bid, 2: discard, 3: play",
        "common.turn": "number of the player who decides",
        "common.dealer": "number of the dealer",
        "common.first": "number of the player who leads and shows first",
        "common.owner": "number of the player whose the crib is; -1 while it is bid for",
        "common.bid": "the highest bid; 0: none",
        "common.bidder": "number of who made it; -1: nobody",
        "common.starter": "the starter; -1: not turned up yet",
        "common.count": "what the cards of this count make together",
        "common.last": "number of the player who laid the last card; -1: nobody",
        "common.gone": "who has said go in this count: 1 << number for each",
        "common.discarded": "who has discarded: 1 << number for each",
        "common.laid": "cards laid in this deal",
        "common.started": "how many of them belong to earlier counts",
        "common.deals": "number of the deal in the game, from 1",
        "common.winner": "number of the player who has won the game; -1: nobody",
        "common.pile": "the cards laid in this deal, in their order; what lies behind common.laid means nothing",
        "common.by": "numbers of the players who laid them",
        "public": "what all know of the players: [0] the player himself, then the others to the left",
        "public.laid": "cards laid in this deal, as a mask",
        "public.cards": "how many he holds",
        "public.above": "each of these counts more than this, since he said go; 0: he did not",
        "public.points": "the score",
        "own": "what the player alone knows",
        "own.hand": "cards in the hand, as a mask",
        "own.discards": "cards discarded into the crib",
    }
)
