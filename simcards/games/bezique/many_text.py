"""Words for the replays of bezique for three and four."""

from __future__ import annotations

from typing import Any

from simcards.games.bezique import FOUR_HANDED, THREE_HANDED, text
from simcards.games.bezique.frame import DECLARING, PICKING
from simcards.games.bezique.many_melds import SHOW


def action_text(state: Any, action: int) -> str:
    """Return an action in words, as `simcards.games.bezique.text.action_text`; one that shows says so."""
    stage = int(state["common"]["stage"])
    if stage == DECLARING and action > SHOW:
        return text.action_text(state, action - SHOW).replace("declares", "shows")
    if stage == PICKING and state["common"]["showing"]:
        return text.action_text(state, action).replace("takes", "shows")
    return text.action_text(state, action)


def state_text(state: Any) -> str:
    """Return a position in words.

    Parameters
    ----------
    state : STATE
        The position.

    Returns
    -------
    str
        As `simcards.games.bezique.text.state_text`; no combination is marked as broken, since none is scored again.
    """
    players = int(state["rules"]["players"])
    seats = (THREE_HANDED if players == 3 else FOUR_HANDED).seats
    whole = state.copy()
    for field in ("marriage", "sequence", "bezique", "four"):
        whole["public"]["table"][field] = 1
    first, rest = text.state_text(whole, seats=seats).split("\n", 1)
    common = state["common"]
    if int(common["led"]) >= 0:
        others = [(int(common["leader"]) + k) % players for k in range(1, players)]
        cards = [text.CARDS.text(int(common["played"][k])) for k in others if int(common["played"][k]) >= 0]
        first += "".join(f", then {card}" for card in cards)
    return f"{first}\n{rest}"
