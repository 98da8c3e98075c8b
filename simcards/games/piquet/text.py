"""Words for the replays of piquet, and for those who write strategies for it."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from simcards.games.piquet import RUBICON
from simcards.games.piquet.frame import (
    ANSWERING,
    DECLARING,
    EXCHANGING,
    FACE,
    LEAVING,
    LOOK,
    NAMING,
    POINT,
    SEQUENCE,
    SETS,
    SHOWING,
    STOP,
    TALON,
    key_of,
    size_of,
    top_of,
)

CARDS = RUBICON.pack
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_NAMES = ("sevens", "eights", "nines", "tens", "jacks", "queens", "kings", "aces")
RUN_NAMES = {3: "tierce", 4: "quart", 5: "quint", 6: "sixième", 7: "septième", 8: "huitième"}
KIND_NAMES = ("point", "sequences", "sets")


def cards_text(mask: Any) -> str:
    """Return a set of cards, such as ``"AS KS"``."""
    return CARDS.format([card for card in range(32) if int(mask) >> card & 1])


def combination_text(kind: int, hand: Any, name: int) -> str:
    """Return a combination of a hand in words, such as ``"a quart to KH"``."""
    key = int(key_of(kind, np.uint64(hand), name))
    size = int(size_of(kind, key))
    if kind == POINT:
        return f"a point of {size} making {int(top_of(kind, key))} in {SUIT_NAMES[name]}"
    if kind == SEQUENCE:
        return f"a {RUN_NAMES[size]} to {CARDS.text(name)}"
    return f"{'four' if size == 4 else 'three'} {RANK_NAMES[name]}"


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
        Such as ``"discards 7S"``.
    """
    common = state["common"]
    stage = int(common["stage"])
    if stage == SHOWING:
        return "shows carte blanche" if action else "does not show carte blanche"
    if stage == EXCHANGING:
        return "discards no more and draws" if action == STOP else f"discards {CARDS.text(action)}"
    if stage == LEAVING:
        return {LOOK: "looks at the cards left", FACE: "turns the cards left face up"}.get(
            action, "puts the cards left aside unseen"
        )
    if stage == DECLARING:
        kind = int(common["kind"])
        if action == STOP:
            what = KIND_NAMES[kind]
            return f"names no more {what}" if int(common["step"]) == NAMING else f"says nothing of {what}"
        hand = state["private"][int(common["turn"])]["hand"]
        verb = "answers with" if int(common["step"]) == ANSWERING else "declares"
        return f"{verb} {combination_text(kind, hand, action)}"
    verb = "leads" if int(common["led"]) < 0 else "plays"
    return f"{verb} {CARDS.text(action)}"


def discard_text(state: Any, actions: Sequence[int]) -> str:
    """Return the discards of an exchange in words, such as ``"discards 9S 8D 7D"``.

    Parameters
    ----------
    state : STATE
        The position before them.
    actions : sequence of int
        The actions up to the end of the exchange.

    Returns
    -------
    str
    """
    cards = CARDS.format([action for action in actions if action != STOP])
    gone = int(state["private"][int(state["common"]["turn"])]["discards"])
    return f"discards {cards or ('no more' if gone else 'nothing')}"


def state_text(state: Any) -> str:
    """Return a position in words: what is done, and for each player hand, discards and score."""
    common = state["common"]
    elder = int(common["elder"])
    stage = int(common["stage"])
    parts = [f"deal {int(common['deals'])}"]
    if stage == DECLARING:
        parts.append(KIND_NAMES[min(int(common["kind"]), SETS)])
    elif stage > DECLARING:
        parts.append(f"trick {int(common['trick']) + 1}")
    else:
        parts.append("exchange")
    if int(common["led"]) >= 0:
        parts.append(f"led {CARDS.text(int(common['led']))}")
    drawn = [max(0, int(count)) for count in common["drawn"]]
    parts.append(f"{TALON - sum(drawn)} cards in the talon")
    lines = [", ".join(parts)]
    for player in range(2):
        public, own = state["public"][player], state["private"][player]
        role = "elder" if player == elder else "younger"
        line = f"  {role}: {int(public['points'])} points"
        if int(public["total"]):
            line += f" after {int(public['total'])}"
        line += f", {int(public['tricks'])} tricks, hand {cards_text(own['hand'])}"
        if int(own["discards"]):
            line += f" | discards {cards_text(own['discards'])}"
        lines.append(line)
    return "\n".join(lines)


CARD = "8 * suit + rank with the suits S H D C and the ranks 7 8 9 T J Q K A, both from 0"
ACTIONS = MappingProxyType(
    {
        "show": "0: does not show; 1: shows carte blanche",
        "exchange": f"0 to 31: discards this card, {CARD}, each higher than the one before; 32: no more, draws",
        "leave": "0: puts the cards he leaves aside unseen; 1: looks at them; 2: turns them up for both",
        "declare": (
            "a combination of the kind in turn: the suit of the point from 0, the top card of a sequence, the rank of a"
            " set from 0; 32: nothing, or nothing more"
        ),
        "play": f"0 to 31: plays this card, {CARD}",
    }
)
VIEW_DOC = MappingProxyType(
    {
        "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
        "seat": "the player's number, 0 or 1; elder of the first deal is 0",
        "common": "what both know of the deal",
        "common.stage": "1: show, 2: exchange, 3: leave, 4: declare, 5: play",
        "common.turn": "number of the player who decides",
        "common.elder": "number of the player who is elder in this deal",
        "common.kind": "what is being declared: 0 point, 1 sequences, 2 sets; 3 when all is declared",
        "common.step": "of that: 0 elder speaks, 1 younger answers, 2 the better one names what else he has",
        "common.leader": "number of the player who leads, or led, the trick",
        "common.led": "the card led; -1 before the lead",
        "common.trick": "tricks played so far",
        "common.deals": "number of the deal in the game, from 1",
        "common.drawn": "for each player number the cards exchanged; -1 before",
        "public": "what both know: [0] of the player, [1] of the opponent",
        "public.shown": "cards shown in scored combinations, or as a carte blanche before the exchange, as a mask",
        "public.absent": "cards that what was shown says are not in the hand",
        "public.played": "cards played to tricks",
        "public.blanche": "the hand that was dealt, where it was shown as carte blanche; else 0",
        "public.named": (
            "for each kind the combinations named, as a mask of actions: heard when scored, before that one's own alone"
        ),
        "public.said": ("for each kind: 0 not spoken yet, 1 nothing (or good), 2 claims, 3 good, 4 equal, 5 beaten"),
        "public.size": "for each kind the number of cards of what was claimed; -1: nothing",
        "public.top": "for each kind its pips (point) or rank, as far as it was asked or said; -1: not known",
        "public.points": "the score of this deal",
        "public.total": "the score of the deals before",
        "public.tricks": "tricks won in this deal",
        "public.bonus": "1: has scored pique or repique in this deal",
        "own": "what the player alone knows",
        "own.hand": "cards in the hand, as a mask",
        "own.discards": "cards discarded",
        "own.talon": "the cards of the talon by their places, as far as he has seen them; 32: not seen",
        "own.claim": "for each kind how his claim compares: 128 * size + pips of the point, else 8 * size + rank",
        "own.last": "the card discarded last, while he discards; -1: none",
    }
)
