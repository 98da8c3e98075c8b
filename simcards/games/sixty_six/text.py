"""Words for the replays of sixty-six, and for those who write strategies for it."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from simcards.games.sixty_six import SWABIAN
from simcards.games.sixty_six.frame import CLOSING, EXCHANGING, TYPES, WITH_MARRIAGE

CARDS = SWABIAN.pack  # in which a card can be there twice; the codes are those of both packs
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


def listed(cards: Any) -> list[int]:
    """Return the codes of a set of cards, like ones twice."""
    mask = int(cards)
    return [card for card in range(TYPES) for copy in (0, TYPES) if mask >> (card + copy) & 1]


def cards_text(cards: Any) -> str:
    """Return a set of cards, such as ``"AS KS"``."""
    return CARDS.format(listed(cards))


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
        Such as ``"leads QH with the marriage in hearts"``.
    """
    common = state["common"]
    stage = int(common["stage"])
    if stage == EXCHANGING:
        turn_up = CARDS.text(int(common["turn_up"]))
        return f"exchanges the nine of trumps for {turn_up}" if action else f"does not exchange the nine for {turn_up}"
    if stage == CLOSING:
        return "closes the stock" if action else "leaves the stock open"
    if int(common["count"]):
        return f"plays {CARDS.text(action)}"
    if action < WITH_MARRIAGE:
        return f"leads {CARDS.text(action)}"
    card = action - WITH_MARRIAGE
    return f"leads {CARDS.text(card)} with the marriage in {SUIT_NAMES[card // 6]}"


def state_text(state: Any) -> str:
    """Return a position in words: the trick, trumps and stock, and for each player hand and points."""
    common = state["common"]
    players = int(state["rules"]["players"])
    first = int(common["first"])
    parts = [f"deal {int(common['deals'])}", f"trick {int(common['trick']) + 1}"]
    parts.append(f"trumps {SUIT_NAMES[int(common['trump'])]}")
    if int(common["stock"]):
        parts.append(f"stock {int(common['stock'])}, turn-up {CARDS.text(int(common['turn_up']))}")
    else:
        parts.append("no stock")
    if int(common["closer"]) >= 0:
        parts.append(f"closed by {_role(first, int(common['closer']), players)}")
    if int(common["led"]) >= 0:
        parts.append(f"led {CARDS.text(int(common['led']))}")
    lines = [", ".join(parts)]
    for k in range(players):
        player = (first + k) % players
        public = state["public"][player]
        line = f"  {_role(first, player, players)}: {int(public['points'])} points"
        if sum(map(int, public["pending"])):
            line += f" and {sum(map(int, public['pending']))} with the first trick"
        if int(public["total"]):
            line += f", {int(public['total'])} big point{'' if int(public['total']) == 1 else 's'}"
        line += f", hand {cards_text(state['hand'][player])}"
        if int(public["known"]):
            line += f" (known: {cards_text(public['known'])})"
        lines.append(line)
    return "\n".join(lines)


def _role(first: int, player: int, players: int) -> str:
    """Return what a player is called in a deal by the place in which he plays first."""
    if (player - first) % players == players - 1:
        return "dealer"
    return "pone" if players == 2 else ("first", "second", "third")[(player - first) % players]


CARD = "6 * suit + rank with the suits S H D C and the ranks 9 J Q K T A, both from 0"
_MASK = "as a mask: bit card is set when there is one, bit 24 + card when there are two"
ACTIONS = MappingProxyType(
    {
        "exchange": "0: keeps the nine of trumps; 1: exchanges it for the turn-up",
        "close": "0: leaves the stock open; 1: closes it",
        "play": f"0 to 23: plays this card, {CARD}; 24 to 47: leads the card 24 less and announces its marriage",
    }
)
VIEW_DOC = MappingProxyType(
    {
        "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
        "seat": "the player's number; 0 led first in the first deal, the others follow in the order of play",
        "hand": f"the player's cards {_MASK}",
        "common": "what lies between the players",
        "common.gone": f"all cards played in this deal, {_MASK}",
        "common.stage": "1: exchange, 2: close, 3: play",
        "common.turn": "number of the player who decides",
        "common.leader": "number of the player who leads, or led, the trick",
        "common.led": "the card led; -1 before the lead",
        "common.best": "the card that wins the trick so far; -1 before the lead",
        "common.ahead": "number of the player who played it",
        "common.count": "cards played to this trick",
        "common.played": "for each player number the card played to this trick, -1 for none yet",
        "common.trump": "the suit of trumps, from 0",
        "common.turn_up": "the card under the stock; -1 when there is none",
        "common.stock": "cards in the stock, the turn-up among them",
        "common.due": "1: the last cards are drawn after the decision about the nine",
        "common.closer": "number of the player who closed the stock; -1: it was not closed",
        "common.trick": "tricks played so far in this deal",
        "common.deals": "number of the deal in the game, from 1",
        "common.first": "number of the player who led first in this deal",
        "common.winner": "number of the winner, when the game has ended; -1: none",
        "public": "what all know of each player, by his number",
        "public.known": f"cards that he is known to hold, {_MASK}",
        "public.wed": "those of them that were in a marriage",
        "public.lacks": "cards that he has shown not to hold, one of each",
        "public.points": "his points in this deal, in cards and marriages",
        "public.pending": "points of plain and of royal marriages that wait for his first trick",
        "public.tricks": "tricks won in this deal",
        "public.total": "his big points",
    }
)
