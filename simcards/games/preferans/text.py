"""Words for the replays of preferans, and for those who write strategies for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

from simcards.games.preferans import FOUR, HUSSAR, PACK, STRAINS, THREE
from simcards.games.preferans.frame import (
    ALL_PASS,
    BIDDING,
    CARDS,
    CHAIRS,
    CLOSED,
    DEALING,
    DISCARDING,
    DUMMY,
    INVITING,
    LEVELS,
    LOOKING,
    MISERE,
    MISERE_WITHOUT,
    NAMING,
    NINE_WITHOUT,
    NO_TRICK,
    OPEN,
    OVER,
    OWN,
    PASS,
    PASSED,
    PLAYING,
    TALON,
    WHIST,
    WHISTING,
)
from simcards.games.preferans.frame import STRAINS as STRAIN_OF

SPECIAL = {MISERE: "misère", MISERE_WITHOUT: "misère without the talon", NINE_WITHOUT: "nine without the talon"}


def bid_text(bid: int) -> str:
    """Return a bid, such as ``"6S"`` or ``"misère"``."""
    return SPECIAL.get(bid) or f"{LEVELS[bid]}{STRAINS[STRAIN_OF[bid]]}"


def cards_text(mask: Any) -> str:
    """Return a set of cards, such as ``"AS KS"``."""
    return PACK.format([card for card in range(CARDS) if int(mask) >> card & 1])


def seat_names(rules: Any) -> tuple[str, ...]:
    """Return the names of the seats, as of the first deal, and the dummy's."""
    players = int(rules["players"])
    return {2: (*HUSSAR.seats, "dummy"), 3: THREE.seats, 4: FOUR.seats}[players]


def chair_names(rules: Any) -> Callable[[Any], list[str]]:
    """Return ``position -> names`` of the three chairs by their roles; with two players one is the dummy."""
    players = int(rules["players"])

    def names(position: Any) -> list[str]:
        if players != 2:
            return list(seat_names(rules)[:3])
        roles = iter(HUSSAR.seats)
        return ["dummy" if int(who) == DUMMY else next(roles) for who in position["common"]["who"]]

    return names


def name_of(state: Any, chair: int) -> str:
    """Return the name of who sits at a chair."""
    return seat_names(state["rules"])[int(state["common"]["who"][chair])]


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
        Such as ``"bids 6C"``.
    """
    common = state["common"]
    stage, chair = int(common["stage"]), int(common["turn"])
    if stage == LOOKING:
        return "looks at the cards" if action else "does not look"
    if stage == BIDDING:
        return "passes" if action == PASS else f"bids {bid_text(action)}"
    if stage == DISCARDING:
        return f"lays away {PACK.text(action)}"
    if stage == NAMING:
        return f"plays {bid_text(action)}"
    if stage == WHISTING:
        return {PASSED: "passes", WHIST: "whists", OWN: "takes his own whists"}[action]
    if stage == INVITING:
        return {CLOSED: "invites closed", OPEN: "invites open", OWN: "takes his own whists"}[action]
    verb = "leads" if int(common["led"]) < 0 else "plays"
    foreign = int(common["who"][chair]) != int(common["decider"])
    return f"{verb} {PACK.text(action)}{f' for {name_of(state, chair)}' if foreign else ''}"


def discard_text(state: Any, actions: Sequence[int]) -> str:
    """Return the cards laid away in words; the position before them, and the actions."""
    return f"lays away {PACK.format(list(actions))}"


def _contract_text(state: Any) -> list[str]:
    common = state["common"]
    kind, bid = int(common["kind"]), int(common["bid"])
    if kind == ALL_PASS:
        turned = [int(card) for card in common["turned"] if int(card) >= 0]
        forced = "all have to pass" if int(common["forced"]) else "all passed"
        return [forced, *([f"turned up {PACK.format(turned)}"] if turned else [])]
    if int(common["declarer"]) < 0:
        return ["bidding"]
    name = name_of(state, int(common["declarer"]))
    parts = []
    if int(common["stage"]) in (BIDDING, LOOKING, DISCARDING, NAMING):
        parts.append(f"{name} has bid {bid_text(int(common['high']))}")
    else:
        parts.append(f"{name} plays {bid_text(bid)}")
        if kind == NO_TRICK and bid != int(common["high"]):
            parts.append("misère")
    if int(common["blind"]):
        parts.append("bid without looking")
    if int(common["shown"]):
        parts.append(f"talon {cards_text(common['shown'])}")
    return parts


def _said_text(public: Any) -> str:
    return {PASSED: ", does not whist", WHIST: ", whists", OWN: ", takes his own whists"}.get(int(public["whist"]), "")


def state_text(state: Any) -> str:
    """Return a position in words, all cards open."""
    common = state["common"]
    stage = int(common["stage"])
    names = seat_names(state["rules"])
    parts = [f"deal {int(common['deals'])}"]
    if stage == PLAYING:
        parts.append(f"trick {int(common['trick']) + 1}")
    if int(common["deals"]):
        parts.append(f"{names[int(common['dealer'])]} deals")
        if stage not in (DEALING, OVER):
            parts += _contract_text(state)
    lines = [", ".join(parts)]
    if stage not in (DEALING, OVER):
        for chair in range(CHAIRS):
            public, own = state["public"][chair], state["private"][chair]
            line = f"  {name_of(state, chair)}: {cards_text(own['hand']) or '-'}"
            if int(own["laid"]):
                line += f" | laid away {cards_text(own['laid'])}"
            if stage == PLAYING:
                line += f", {int(public['tricks'])} tricks"
            lines.append(line + _said_text(public))
        if not int(common["shown"]):
            lines.append(f"  talon: {PACK.format([int(card) for card in state['deck'][TALON:]])}")
    lines += [sheet_text(state, player) for player in range(int(state["rules"]["players"])) if _is_written(state)]
    return "\n".join(lines)


def _is_written(state: Any) -> bool:
    return any(int(sheet["pool"]) or int(sheet["hill"]) or sheet["whists"].any() for sheet in state["sheet"])


def sheet_text(state: Any, player: int) -> str:
    """Return what is written of a player."""
    names = seat_names(state["rules"])
    sheet = state["sheet"][player]
    whists = [
        f"{int(sheet['whists'][other])} on {names[other]}"
        for other in range(int(state["rules"]["players"]))
        if int(sheet["whists"][other])
    ]
    told = f"; whists {', '.join(whists)}" if whists else ""
    return f"  sheet of {names[player]}: pool {int(sheet['pool'])}, hill {int(sheet['hill'])}{told}"


CARD = "8 * suit + rank with the suits S H D C and the ranks 7 8 9 T J Q K A, both from 0"
_CONTRACTS = "1 to 15: 6S 6C 6D 6H 6NT 7S … 8NT; 17 to 21: 9S … 9NT; 24 to 28: 10S … 10NT"
ACTIONS = MappingProxyType(
    {
        "play": f"0 to 31: plays this card, {CARD}; with open cards also for the other opponent of the declarer",
        "bid": f"0: passes; {_CONTRACTS}; 16: misère; 22: misère, 23: nine without the talon",
        "look": "0: does not look at the cards; 1: looks",
        "discard": f"0 to 31: lays this card away ({CARD}; the second above the first)",
        "contract": _CONTRACTS,
        "whist": "0: passes; 1: whists; 2: takes his own share of whists without play",
        "invite": "0: invites the other one, cards closed; 1: open; 2: takes his own share of whists without play",
    }
)
VIEW_DOC = MappingProxyType(
    {
        "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
        "seat": "the player's number, from 0; the last one deals first",
        "chair": "his place in this deal: 0 is the eldest hand; -1 for one who deals and does not play",
        "common": "what all know of the deal",
        "common.shown": "the talon that the declarer has taken, as a mask of cards",
        "common.gone": "cards played from hands, as a mask",
        "common.stage": "1: play, 2: bid, 3: look, 4: discard, 5: contract, 6: whist, 7: invite",
        "common.turn": "the chair whose cards are next",
        "common.decider": "number of the player who decides on them",
        "common.dealer": "number of the dealer",
        "common.deals": "number of the deal in the game, from 1",
        "common.forced": "deals left, with this one, in which all have to pass",
        "common.row": "deals just before this one in which all passed and the same player dealt",
        "common.passed_deals": "deals of the game so far in which all passed",
        "common.made_games": "contracts and misères made so far",
        "common.high": "the highest bid, 0 before the first",
        "common.declarer": "the chair that bid it, -1 for none",
        "common.kind": "what is played: 0 not known yet, 1 a contract, 2 a misère, 3 all passed",
        "common.bid": "the contract or misère played, as a bid; before it is announced the highest bid",
        "common.trump": "the trump suit, 0 to 3 for S H D C; -1 for none",
        "common.blind": "1: the declarer won the auction without having looked",
        "common.without": "1: he plays without the talon",
        "common.open": "1: a single whister has invited the other one with open cards",
        "common.exposed": "1: the opponents' cards lie open",
        "common.unplayed": "1: the deal is not played, the contract counts as made",
        "common.leader": "the chair that leads, or led, the trick",
        "common.trick": "tricks played so far",
        "common.led": "the card led, also one of the talon when all passed; -1 before the lead",
        "common.best": "the card that wins the trick so far; -1 for none",
        "common.ahead": "the chair that played it, 3 for the talon; -1 for none",
        "common.count": "cards played to the trick from hands",
        "common.talon_tricks": "tricks that the talon has taken",
        "common.table": "the card that each chair has played to the trick; -1 for none",
        "common.who": "number of the player at each chair; with two players 2 is the dummy",
        "common.turned": "cards of the talon turned up when all passed; -1 for none",
        "common.history": "the cards played from hands in this deal, in their order; -1 behind them",
        "public": "what all know of each chair",
        "public.played": "cards played, as a mask",
        "public.absent": "cards that the hand cannot hold, by suits not followed or not trumped with",
        "public.exposed": "cards that lie open",
        "public.bid": "the last bid, 0 for none",
        "public.passed": "1: has passed, or is the dummy",
        "public.looked": "1: has looked at his cards during the bidding",
        "public.whist": "what was said to the contract: 0 pass, 1 whist, 2 own share; -1 for nothing",
        "public.tricks": "tricks won in this deal",
        "sheet": "what is written of each player, by his number",
        "sheet.pool": "the pool",
        "sheet.hill": "the hill",
        "sheet.types": "games made, as bits: 6, 7, 8, 9, 10, misère",
        "sheet.whists": "whists on each player, by his number",
        "own": "what the player alone knows",
        "own.hand": "cards in the hand, as a mask; none while he bids without having looked",
        "own.laid": "cards laid away",
    }
)
