"""Words for the replays of skat, and for those who write strategies for it."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from simcards.games.skat import FOUR_HANDED, PACK, SKAT
from simcards.games.skat.frame import (
    BIDDING,
    CARDS,
    DEALING,
    DECLARED,
    DISCARDING,
    GAMES,
    HAND,
    LADDER,
    LEVELS,
    NULL,
    OUVERT,
    OVER,
    PASS,
    PLAYING,
    TAKING,
    VALUES,
)


def cards_text(mask: Any) -> str:
    """Return a set of cards, such as ``"JC AS TS"``."""
    return PACK.format([card for card in range(CARDS) if int(mask) >> card & 1])


def seat_names(rules: Any) -> tuple[str, ...]:
    """Return the names of the seats in the order of play."""
    return (SKAT if int(rules["players"]) == 3 else FOUR_HANDED).seats


def name_of(state: Any, player: int) -> str:
    """Return the name of a player's seat, which is that of the first deal."""
    return seat_names(state["rules"])[player]


def game_text(game: int, skat: bool, level: int) -> str:
    """Return a game in words, such as ``"hearts hand schneider"``."""
    if game == NULL and level == OUVERT:
        return "null ouvert" if skat else "null ouvert hand"
    return " ".join(word for word in (GAMES[game], "" if skat else "hand", LEVELS[level]) if word)


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
        Such as ``"calls 18"``.
    """
    common, rules = state["common"], state["rules"]
    stage = int(common["stage"])
    if stage == BIDDING:
        if action == PASS:
            return "passes"
        if int(common["turn"]) == int(common["caller"]):
            return f"calls {int(LADDER[int(rules['open_null'])][int(common['step']) + action])}"
        return f"holds {int(common['high'])}"
    if stage == TAKING:
        return "plays from the hand" if action == HAND else "takes the skat"
    if stage == DISCARDING:
        return f"lays away {PACK.text(action)}"
    if stage == PLAYING:
        return f"{'leads' if int(common['led']) < 0 else 'plays'} {PACK.text(action)}"
    return f"declares {game_text(action % DECLARED, bool(common['skat']), action // DECLARED)}"


def discard_text(state: Any, actions: Sequence[int]) -> str:
    """Return the cards laid away in words.

    Parameters
    ----------
    state : STATE
        The position before them.
    actions : sequence of int
        The cards.

    Returns
    -------
    str
    """
    return f"lays away {PACK.format(list(actions))}"


def _points(mask: Any) -> int:
    return sum(VALUES[card % 8] for card in range(CARDS) if int(mask) >> card & 1)


def state_text(state: Any) -> str:
    """Return a position in words: what is done, and for each player hand and score."""
    common, rules = state["common"], state["rules"]
    stage, declarer = int(common["stage"]), int(common["declarer"])
    players, forehand = int(rules["players"]), int(common["forehand"])
    parts = [f"deal {int(common['deals'])}"]
    if stage == PLAYING:
        parts.append(f"trick {int(common['trick']) + 1}")
    elif stage == BIDDING:
        parts.append("bidding")
    if declarer >= 0:
        if int(common["game"]) >= 0:
            game = game_text(int(common["game"]), bool(common["skat"]), int(common["level"]))
            parts.append(f"{name_of(state, declarer)} plays {game}, bid {int(common['high'])}")
        else:
            parts.append(f"{name_of(state, declarer)} has the game for {int(common['high'])}")
        if stage in (DEALING, OVER):
            points = int(common["cards"][declarer]) + _points(state["aside"])
            parts.append(f"{points} points with the skat, {int(common['tricks'][declarer])} tricks")
    elif int(common["high"]):
        parts.append(f"{int(common['high'])} is bid")
    elif stage in (DEALING, OVER) and int(common["deals"]):
        parts.append("all have passed")
    if int(state["aside"]) and stage not in (DEALING, OVER):
        parts.append(f"skat {cards_text(state['aside'])}")
    lines = [", ".join(parts)]
    for player in range(players):
        role = (player - forehand) % players
        line = f"  {name_of(state, player)}"
        if int(common["deals"]) > 1 and stage not in (DEALING, OVER):
            line += f", now {seat_names(rules)[role]}"
        line += f": {int(common['totals'][player])}"
        if stage not in (DEALING, OVER):
            if role == 3:
                line += ", sits out"
            else:
                line += f", {int(common['cards'][player])} points, {int(common['tricks'][player])} tricks"
                line += f", hand {cards_text(state['private'][player]['hand']) or '-'}"
        lines.append(line)
    return "\n".join(lines)


CARD = "8 * suit + rank with the suits S H D C and the ranks 7 8 9 Q K T A J, both from 0"
ACTIONS = MappingProxyType(
    {
        "play": f"0 to 31: plays this card, {CARD}",
        "bid": (
            "0: passes; who calls bids with 1 the next value above the last bid, with 2, … (if calls=any) later ones;"
            " who is called to holds with 1, and forehand whom nobody has called to plays for 18 with 1"
        ),
        "skat": "0: plays from the hand; 1: takes the skat",
        "discard": f"0 to 31: lays this card away ({CARD}); the second above the first",
        "declare": (
            "0 to 5: declares spades, hearts, diamonds, clubs, grand, null; 6 more with schneider announced, 12 more"
            " with schwarz, 18 more with open cards"
        ),
    }
)
VIEW_DOC = MappingProxyType(
    {
        "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
        "seat": "the player's number, from 0; the first forehand is 0",
        "common": "what all know of the deal; arrays go by the number of a player",
        "common.shown": "the declarer's hand as he laid it open, as a mask; cards that he has played are still in it",
        "common.played": "cards that each player has played, as masks",
        "common.absent": "cards that each player cannot hold, by suits not followed",
        "common.totals": "scores of the deals before",
        "common.bid": "the last bid that each player has called or held, 0 for none",
        "common.passed": "1: has passed",
        "common.table": "the card that each player has played to the trick; -1 for none",
        "common.tricks": "tricks won",
        "common.cards": "points in tricks won",
        "common.stage": "1: play, 2: bid, 3: skat, 4: discard, 5: declare",
        "common.turn": "number of the player who decides",
        "common.forehand": "number of the player who is forehand in this deal",
        "common.deals": "number of the deal in the list, from 1",
        "common.redeals": "deals passed in so far that were dealt again",
        "common.again": "1 between a deal that was passed in and the next, if it is dealt again",
        "common.duel": "1: the first two bid, 2: who is left of them and rearhand",
        "common.caller": "number of the player who calls",
        "common.hearer": "number of the player who is called to; -1 when only forehand is left",
        "common.step": "place of the highest bid among the values, from 1; 0 before the first",
        "common.high": "the highest bid, 0 before the first",
        "common.declarer": "number of the player who has the game, -1 for none",
        "common.skat": "1: he has taken the skat",
        "common.game": "0 to 3: trumps S H D C, 4: grand, 5: null; -1 before it is declared",
        "common.level": "1: schneider announced, 2: schwarz, 3: cards laid open",
        "common.leader": "number of the player who leads, or led, the trick",
        "common.trick": "tricks played so far",
        "common.led": "the card led; -1 before the lead",
        "common.best": "the card that wins the trick so far; -1 before the lead",
        "common.ahead": "number of the player who played it; -1 before the lead",
        "common.count": "cards played to the trick",
        "common.history": "the cards played in this deal in their order; -1 behind them",
        "own": "what the player alone knows",
        "own.hand": "cards in the hand, as a mask",
        "own.found": "cards that he found in the skat",
        "own.laid": "cards that he laid away",
    }
)
