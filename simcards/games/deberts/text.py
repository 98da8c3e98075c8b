"""Words for the replays of deberts, and for those who write strategies for it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from simcards.games.deberts import DEBERTS
from simcards.games.deberts.frame import (
    BELLA,
    BIDDING,
    DECLARING,
    EXCHANGING,
    FIFTY,
    NAME,
    PASS,
    PLAY_TURNED,
    SEVEN,
    YES,
    best_run,
    deal_points,
    height_of,
    kind_of,
)

CARDS = DEBERTS.pack
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_NAMES = ("seven", "eight", "nine", "jack", "queen", "king", "ten", "ace")
HEIGHT_RANKS = ((0, 1, 2, 3, 4, 5, 6, 7), (0, 1, 2, 6, 3, 4, 5, 7))  # the rank by the height of a run, by run_order


def cards_text(mask: Any) -> str:
    """Return a set of cards, such as ``"AS KS"``."""
    return CARDS.format([card for card in range(32) if int(mask) >> card & 1])


def run_text(rules: Any, key: int) -> str:
    """Return a run by its key in words, such as ``"a tierce from the king in trumps"``."""
    kind = "fifty" if int(kind_of(key)) == FIFTY else "tierce"
    rank = RANK_NAMES[HEIGHT_RANKS[int(rules["run_order"])][int(height_of(key))]]
    return f"a {kind} from the {rank}{' in trumps' if key & 1 else ''}"


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
        Such as ``"plays hearts"``.
    """
    common = state["common"]
    stage = int(common["stage"])
    turn = int(common["turn"])
    turned = CARDS.text(int(common["turned"]))
    trump = int(common["trump"])
    if stage == BIDDING:
        if action == PASS:
            return "passes"
        if action == PLAY_TURNED:
            return f"plays with the turned {turned}"
        return f"plays with {SUIT_NAMES[action - NAME]}"
    if stage == EXCHANGING:
        return f"takes {turned} for {CARDS.text(8 * trump + SEVEN)}" if action == YES else f"leaves {turned}"
    if stage == DECLARING:
        if action != YES:
            return "says nothing of runs"
        key = int(best_run(state["rules"], np.uint64(state["hands"][turn]), trump))
        return f"declares {run_text(state['rules'], key)}"
    if stage == BELLA:
        return "announces bella" if action == YES else "says nothing of bella"
    verb = "leads" if int(common["led"]) < 0 else "plays"
    return f"{verb} {CARDS.text(action)}"


def state_text(state: Any) -> str:
    """Return a position in words: what is done, and for each player hand and score."""
    common = state["common"]
    dealer = int(common["dealer"])
    trump = int(common["trump"])
    parts = [f"deal {int(common['deals'])}"]
    if trump < 0:
        parts.append(f"{'second' if int(common['offer']) >= 2 else 'first'} round of bidding")
        parts.append(f"turned {CARDS.text(int(common['turned']))}")
    else:
        role = "dealer" if int(common["by"]) == dealer else "pone"
        parts.append(f"{role} plays with {SUIT_NAMES[trump]}")
        lying = int(common["turned"]) if int(common["seven"]) < 0 else 8 * trump + SEVEN
        parts.append(f"{CARDS.text(lying)} lies turned")
        parts.append(f"trick {int(common['trick']) + 1}")
    if int(common["led"]) >= 0:
        parts.append(f"led {CARDS.text(int(common['led']))}")
    if int(common["pending"]) >= 0:
        parts.append(f"about to play {CARDS.text(int(common['pending']))}")
    lines = [", ".join(parts)]
    for player in (1 - dealer, dealer):
        public = state["public"][player]
        line = f"  {'dealer' if player == dealer else 'pone'}: {int(deal_points(public))} points"
        if int(public["total"]):
            line += f", total {int(public['total'])}"
        lines.append(f"{line}, {int(public['tricks'])} tricks, hand {cards_text(state['hands'][player])}")
    return "\n".join(lines)


CARD = "8 * suit + rank with the suits S H D C and the ranks 7 8 9 J Q K T A, both from 0"
ACTIONS = MappingProxyType(
    {
        "bid": "0: passes; 1: plays with the turned suit; 2 to 5: plays with this suit less 2, in the second round",
        "exchange": "0: leaves the turned trump; 1: takes it for the seven",
        "declare": "0: says nothing of runs; 1: names the best run",
        "bella": "0: says nothing of bella; 1: announces it",
        "play": f"0 to 31: plays this card, {CARD}",
    }
)
_HEIGHT = "by its place in the order of runs, from 0"
VIEW_DOC = MappingProxyType(
    {
        "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
        "seat": "the player's number, 0 or 1; pone of the first deal is 0",
        "common": "what both know of the deal",
        "common.stage": "1: bid, 2: exchange, 3: declare, 4: bella, 5: play",
        "common.turn": "number of the player who decides",
        "common.dealer": "number of the player who dealt",
        "common.offer": "passes so far; the second round begins with 2",
        "common.turned": "the card that was turned",
        "common.trump": "the trump suit; -1 before it is made",
        "common.by": "number of the player who plays; -1 before",
        "common.step": "what is asked next before the tricks; 9: only tricks are left",
        "common.seven": "number of the player who exchanged the seven; -1: nobody",
        "common.late": "1: he did so after he had spoken of runs",
        "common.led": "the card led; -1 before the lead",
        "common.pending": "the card about to be played while bella may be announced; -1: none",
        "common.trick": "tricks played so far",
        "common.deals": "number of the deal in the game, from 1",
        "public": "what both know: [0] of the player, [1] of the opponent",
        "public.played": "cards played to tricks, as a mask",
        "public.shown": "cards that he is known to hold or to have held: runs, the turned trump, bella",
        "public.absent": "cards that he is known not to hold: suits he did not follow, what would lengthen a run shown",
        "public.said": "of runs: 0 not asked yet, 1 nothing, 2 named one, 3 was beaten, 4 scored",
        "public.kind": "of the best run that he named: 3 a tierce, 4 a fifty, 0 none",
        "public.height": f"of it the top card, {_HEIGHT}, as far as it was said; -1: not known",
        "public.in_trumps": "1: it is in trumps, 0: not; -1: not known",
        "public.cards": "points in cards won in this deal",
        "public.last": "points for the last trick",
        "public.runs": "points for runs in this deal",
        "public.bella": "points for bella in this deal",
        "public.tricks": "tricks won in this deal",
        "public.total": "the score of the deals before",
        "hand": "cards in the hand, as a mask",
    }
)
