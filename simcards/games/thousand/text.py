"""Words for the replays of thousand, and for those who write strategies for it."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from simcards.games.thousand import BLIND, PACK, STOCK_HAND, TWO_AUCTION, TWO_HAND
from simcards.games.thousand.frame import (
    ANNOUNCE,
    BIDDING,
    CARDS,
    CHOOSING,
    DEALING,
    EXCHANGING,
    FIRST_PACKET,
    LOOKING,
    OVER,
    PACKET,
    PASS,
    PLAYING,
    TALON,
)

SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


def cards_text(mask: Any) -> str:
    """Return a set of cards, such as ``"AS KS"``."""
    return PACK.format([card for card in range(CARDS) if int(mask) >> card & 1])


def seat_names(rules: Any) -> tuple[str, ...]:
    """Return the names of the seats in the order of play."""
    return (TWO_AUCTION if int(rules["players"]) == 2 else BLIND).seats


def name_of(state: Any, player: int) -> str:
    """Return the name of a player's seat, which is that of the first deal."""
    return seat_names(state["rules"])[player]


def points_of(rules: Any, action: int) -> int:
    """Return the points of a bid."""
    return int(rules["first_bid"]) + (action - 1) * int(rules["step"])


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
        Such as ``"bids 110"``.
    """
    common = state["common"]
    rules = state["rules"]
    stage = int(common["stage"])
    player = int(common["turn"])
    if stage == LOOKING:
        return "looks at the cards" if action else "does not look"
    if stage == BIDDING:
        return "passes" if action == PASS else f"bids {points_of(rules, action)}"
    if stage == CHOOSING:
        return f"opens the {('first', 'second')[action]} packet"
    if stage == EXCHANGING:
        if int(rules["hand"]) == TWO_HAND:
            return f"lays away {PACK.text(action)}"
        given = state["private"][player]["given"]
        following = (player + 1) % int(rules["players"])
        other = following if not int(given[following]) else (player + 2) % int(rules["players"])
        return f"gives {PACK.text(action)} to {name_of(state, other)}"
    if stage == PLAYING:
        if action >= ANNOUNCE:
            card = action - ANNOUNCE
            return f"leads {PACK.text(card)}, marriage of {SUIT_NAMES[card // 6]}"
        return f"{'leads' if int(common['led']) < 0 else 'plays'} {PACK.text(action)}"
    return "stands by the bid" if action == PASS else f"raises to {points_of(rules, action)}"


def exchange_text(state: Any, actions: Sequence[int]) -> str:
    """Return the cards laid away or given in words, such as ``"lays away 9S JD"``.

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
    rules, player = state["rules"], int(state["common"]["turn"])
    if int(rules["hand"]) == TWO_HAND:
        return f"lays away {PACK.format(list(actions))}"
    players = int(rules["players"])
    given = state["private"][player]["given"]
    open_to = [(player + steps) % players for steps in range(1, players)]
    open_to = [other for other in open_to if not int(given[other])]
    parts = [f"{PACK.text(card)} to {name_of(state, other)}" for card, other in zip(actions, open_to, strict=True)]
    return f"gives {' and '.join(parts)}"


def state_text(state: Any) -> str:
    """Return a position in words: what is done, and for each player hand and score."""
    common, rules = state["common"], state["rules"]
    stage, hand, players = int(common["stage"]), int(rules["hand"]), int(rules["players"])
    declarer = int(common["declarer"])
    parts = [f"deal {int(common['deals'])}"]
    if stage in (PLAYING, DEALING, OVER):
        if stage == PLAYING:
            parts.append(f"trick {int(common['trick']) + 1}")
        if declarer >= 0:
            blind = " without having looked" if int(common["blind"]) else ""
            parts.append(f"{name_of(state, declarer)} plays for {int(common['high'])}{blind}")
        if hand == STOCK_HAND and stage == PLAYING:
            parts.append(f"{int(common['stock'])} cards in the stock")
        trump = int(common["trump"])
        parts.append(f"trump {SUIT_NAMES[trump]}" if trump >= 0 else "no trump")
    else:
        parts.append("bidding" if stage in (BIDDING, LOOKING) else "exchange")
        if declarer >= 0:
            parts.append(f"{name_of(state, declarer)} has bid {int(common['high'])}")
        asides = _asides(state)
        if asides:
            parts.append(asides)
    lines = [", ".join(parts)]
    for player in range(players):
        public, own = state["public"][player], state["private"][player]
        points = int(public["cards"]) + int(public["marriages"])
        first = int(common["deals"]) > 1 and player == int(common["forehand"]) and stage != OVER
        line = f"  {name_of(state, player)}{', now forehand' if first else ''}: {points} points"
        if int(public["total"]):
            line += f", total {int(public['total'])}"
        if stage not in (DEALING, OVER):
            line += f", {int(public['tricks'])} tricks, hand {cards_text(own['hand']) or '-'}"
        if int(own["laid"]):
            line += f" | laid away {cards_text(own['laid'])}"
        lines.append(line)
    return "\n".join(lines)


def _asides(state: Any) -> str:
    """Return what lies in the packets that nobody has opened."""
    deck, common = state["deck"], state["common"]
    if int(state["rules"]["hand"]) != TWO_HAND:
        if int(common["stage"]) not in (BIDDING, LOOKING):
            return ""
        return f"packet {PACK.format([int(card) for card in deck[TALON:]])}"
    packets = []
    for number in range(2):
        if number != int(common["opened"]):
            start = FIRST_PACKET + PACKET * number
            packets.append(PACK.format([int(card) for card in deck[start : start + PACKET]]))
    return f"packets {' and '.join(packets)}" if len(packets) == 2 else f"packet {packets[0]}"


CARD = "6 * suit + rank with the suits S H D C and the ranks 9 J Q K T A, both from 0"
ACTIONS = MappingProxyType(
    {
        "play": f"0 to 23: plays this card, {CARD}; 24 to 47: leads the card 24 below it and announces its marriage",
        "bid": "0: passes; 1, 2, …: bids first_bid, first_bid + step, …",
        "exchange": (
            f"0 to 23: lays this card away ({CARD}; the second above the first), or gives it to the next player, the"
            " second to the one after him"
        ),
        "raise": "0: stands by the bid; 1, 2, …: raises it to first_bid, first_bid + step, …",
        "look": "0: does not look at the cards; 1: looks",
        "packet": "0 or 1: opens this packet",
    }
)
VIEW_DOC = MappingProxyType(
    {
        "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
        "seat": "the player's number, from 0; the first forehand is 0",
        "common": "what all know of the deal",
        "common.shown": "cards of the packet that was opened and shown, as a mask",
        "common.gone": "cards played, as a mask",
        "common.stage": "1: play, 2: bid, 3: exchange, 4: raise, 5: look, 6: packet",
        "common.turn": "number of the player who decides",
        "common.forehand": "number of the player who is forehand in this deal",
        "common.deals": "number of the deal in the game, from 1",
        "common.high": "points of the highest bid, 0 before the first",
        "common.declarer": "number of the player who bid them, -1 for none",
        "common.blind": "1: he won the bidding without having looked at his cards",
        "common.opened": "which of two packets was opened, -1 for none",
        "common.stock": "cards in the stock",
        "common.trump": "the trump suit, 0 to 3 for S H D C; -1 while there is none",
        "common.leader": "number of the player who leads, or led, the trick",
        "common.trick": "tricks played so far",
        "common.led": "the card led; -1 before the lead",
        "common.best": "the card that wins the trick so far; -1 before the lead",
        "common.ahead": "number of the player who played it; -1 before the lead",
        "common.count": "cards played to the trick",
        "common.table": "the card that each player, by his number, has played to the trick; -1 for none",
        "common.history": "the actions by which cards were played in this deal, in their order; -1 behind them",
        "public": "what all know of a player: [0] of the player himself, [1] of the next in the order of play, …",
        "public.played": "cards played, as a mask",
        "public.known": "the other cards of marriages announced, still in the hand",
        "public.absent": "cards that the hand cannot hold, by suits not followed or not trumped with",
        "public.announced": "marriages announced, as a mask of suits",
        "public.bid": "points of his last bid, 0 for none",
        "public.passed": "1: has passed",
        "public.looked": "1: has looked at his cards during the bidding",
        "public.cards": "points in cards won in this deal",
        "public.marriages": "points for marriages announced in this deal",
        "public.tricks": "tricks won in this deal",
        "public.total": "the score of the deals before",
        "own": "what the player alone knows",
        "own.hand": "cards in the hand, as a mask; none while he bids without having looked",
        "own.laid": "cards laid away",
        "own.received": "the card received from the declarer",
        "own.given": "the card given to each player, by his number",
    }
)
