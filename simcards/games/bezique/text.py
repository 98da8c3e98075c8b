"""Words for the replays of the bezique family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simcards.cards import Pack
from simcards.games.bezique.frame import (
    CAPTURED,
    PICKING,
    PLAYING,
    RANKS,
    SHOWING,
    TABLE,
    TAKING,
    TYPES,
)
from simcards.games.bezique.ledger import (
    BEZIQUE,
    EXCHANGE,
    FOUR,
    LEVEL,
    LEVELS,
    MARRIAGE,
    PASS,
    SEQUENCE,
    TRUMP_FOUR,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
    USED_TRUMP_FOUR,
)

CARDS = Pack(RANKS)
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
SEATS = ("pone", "dealer")  # of the first deal
BEZIQUES = ("bezique", "double bezique", "triple bezique", "quadruple bezique")
FOURS = ("four aces", "four kings", "four queens", "four jacks")
TRUMP_FOURS = ("aces", "tens", "kings", "queens", "jacks")


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
        Such as ``"plays QS from the table"``.
    """
    stage = int(state["common"]["stage"])
    if stage == SHOWING:
        return "shows carte blanche" if action else "does not show"
    if stage == PICKING:
        return f"takes {CARDS.text(action)} for the four"
    if stage == PLAYING:
        card = CARDS.text(action % TABLE)
        return f"plays {card} from the table" if action >= TABLE else f"plays {card}"
    if stage == TAKING:
        return "takes the points for the last trick" if action else "declines the points for the last trick"
    if action == PASS:
        return "declares nothing"
    if action == EXCHANGE:
        return "exchanges the seven of trumps"
    if action >= TRUMP_FOUR:
        return f"declares four {TRUMP_FOURS[action - TRUMP_FOUR]} of trumps"
    if action >= FOUR:
        return f"declares {FOURS[action - FOUR]}"
    if action >= BEZIQUE:
        return f"declares {BEZIQUES[action - BEZIQUE]}"
    if action >= SEQUENCE:
        return f"declares a sequence in {SUIT_NAMES[action - SEQUENCE]}"
    return f"declares a marriage in {SUIT_NAMES[action - MARRIAGE]}"


def _slot_text(slot: Any, high: str) -> str:
    used = int(slot["used"])
    marks = ""
    if used & USED_MARRIAGE:
        marks += "m" if slot["marriage"] else "m-"
    if used & USED_SEQUENCE:
        marks += "s" if slot["sequence"] else "s-"
    if used & LEVELS:
        marks += f"b{(used & LEVELS) // LEVEL}"
    if used & USED_TRUMP_FOUR:
        marks += high if slot["four"] else f"{high}-"
    elif used & USED_FOUR:
        marks += "f" if slot["four"] else "f-"
    return CARDS.text(int(slot["type"])) + (f"({marks})" if marks else "")


def hand_text(hand: Any, cards: Pack = CARDS) -> str:
    """Return the cards of a count by type, such as ``"AS KS KS"``."""
    return cards.format([card for card in range(TYPES) for _ in range(int(hand[card]))])


def state_text(
    state: Any, marks: bool = True, cards: Pack = CARDS, seats: Sequence[str] = SEATS, high: str = "t"
) -> str:
    """Return a position in words: trumps, stock, and for each player hand, table and score.

    Parameters
    ----------
    state : STATE
        The position.
    marks : bool
        Whether to write behind a card on the table what it has been scored in (m marriage, s sequence, b and the level
        of bezique, f four, t four of trumps), with ``-`` where that combination has been broken.
    cards : Pack
        The cards by their codes.
    seats : sequence of str
        Names of the players.
    high : str
        The mark of what is above a four.

    Returns
    -------
    str
    """
    common = state["common"]
    trump = int(common["trump"])
    parts = [f"trick {int(common['trick']) + 1}", f"stock {int(common['stock'])}"]
    parts.append(f"trumps {SUIT_NAMES[trump]}" if trump >= 0 else "no trumps")
    if int(common["turn_up"]) >= 0 and int(common["stock"]) > 0:
        parts.append(f"turn-up {cards.text(int(common['turn_up']))}")
    if int(common["led"]) >= 0:
        parts.append(f"led {cards.text(int(common['led']))}")
    lines = [", ".join(parts)]
    for player in range(len(seats)):
        public = state["public"][player]
        slots = public["table"][: int(public["laid"])]
        table, captured = (
            " ".join(_slot_text(slot, high) if marks else cards.text(int(slot["type"])) for slot in slots if kept(slot))
            for kept in (lambda slot: int(slot["used"]) < CAPTURED, lambda slot: int(slot["used"]) >= CAPTURED)
        )
        hand = hand_text(state["private"][player]["hand"], cards)
        line = f"  {seats[player]}: {int(public['points'])} points, hand {hand}"
        line += f" | table {table}" if table else ""
        lines.append(line + (f" | captured {captured}" if captured else ""))
    return "\n".join(lines)
