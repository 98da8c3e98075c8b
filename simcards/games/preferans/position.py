"""Positions of preferans in words, for advice, in every phase of a deal.

The auction stands in them as what each player has bid last and whether he has passed; what comes after it is carried
out by the game itself, with hands that nobody asks about. Players are named by their places in the deal: the eldest
hand is forehand, and the dummy of the game for two is called so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.game import Position, Positions
from simcards.games.preferans import PACK
from simcards.games.preferans.frame import (
    ALL_PASS,
    BIDDING,
    BIDS,
    CARDS,
    CHAIRS,
    CLOSED,
    CONTRACT,
    DISCARDING,
    DUMMY,
    INVITING,
    LEVELS,
    LOOKING,
    MISERE_WITHOUT,
    NAMING,
    NINE_WITHOUT,
    NO_TRICK,
    OPEN,
    PASS,
    PASSED,
    PLAYING,
    STATE,
    TALON,
    WHIST,
    WHISTING,
    contracts_from,
    is_misere,
)
from simcards.games.preferans.text import bid_text, cards_text, chair_names
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel

# `bids` by chair, as "6S pass, pass, 6C"; `talon`: the cards that the declarer has shown; `laid` away by him; `whist`
# by the opponents from the declarer's left, as "whist, pass open"; `open`: their open hands, as "AS KS | QH JH";
# `turned`: cards of the talon turned up when all passed. The rest is the sheet: `pools` and `hills` from forehand on,
# `whists` of each player on every other, `games` made as a number each, `ladder`: deals with all passing, games made.
KEYS = (
    "seat", "hand", "bids", "talon", "laid", "contract", "whist", "open", "turned", "played", "phase",
    "deal", "dealer", "row", "forced", "pools", "hills", "whists", "games", "ladder",
)  # fmt: skip
BID_OF_TEXT = {bid_text(bid).casefold(): bid for bid in range(1, BIDS)}
_CALL = re.compile(r"(?:(?P<bid>.*?)\s*)??(?P<passed>pass)?\s*(?P<blind>blind)?")


@kernel
def _begin(states):
    protocol.begin(states[0])


@kernel
def _deal(states, deck):
    protocol.deal(states[0], deck)


@kernel
def _play_on(states, action):
    protocol.apply(states[0], action)


@kernel
def _look(states, player, views):
    protocol.observe(states[0], player, views[0])


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


class _Reader:
    """The texts of a position, taken apart."""

    def __init__(self, values: Mapping[str, str], rules: Any) -> None:
        self.values = values
        self.rules = rules
        self.players = int(rules["players"])
        self.names = chair_names(rules)
        self.seen: dict[int, str] = {}

    def cards(self, key: str, text: str, most: int) -> list[int]:
        """Read cards that nobody has said to be elsewhere."""
        try:
            cards = PACK.parse(text.strip(" -"))
        except UsageError as error:
            raise UsageError(f"{key}: {error}") from None
        if len(cards) > most:
            raise UsageError(f"{key}: at most {most} cards, not {len(cards)}")
        return cards

    def own(self, key: str, most: int) -> list[int]:
        """Read cards that can be in one place only."""
        cards = self.cards(key, self.values.get(key, ""), most)
        for card in cards:
            self.place(card, key)
        return cards

    def place(self, card: int, key: str) -> None:
        """Note where a card is, once."""
        if card in self.seen:
            raise UsageError(f"{key}: {PACK.text(card)} is in {self.seen[card]} already")
        self.seen[card] = key

    def numbers(self, key: str, count: int, signed: bool = False) -> list[int]:
        """Read so many whole numbers; noughts where nothing is said."""
        text = self.values.get(key)
        if text is None:
            return [0] * count
        parts = text.replace(",", " ").split()
        if len(parts) != count or not all(re.fullmatch(r"-?\d{1,6}" if signed else r"\d{1,6}", part) for part in parts):
            raise UsageError(f"{key}: {count} whole number{'s' if count > 1 else ''}, not {text!r}")
        return [int(part) for part in parts]

    def number(self, key: str, low: int, high: int, usual: int) -> int:
        if key not in self.values:
            return usual
        (number,) = self.numbers(key, 1)
        if not low <= number <= high:
            raise UsageError(f"{key}: a whole number from {low} to {high}, not {number}")
        return number

    def bids(self) -> list[tuple[int, bool, bool, bool]]:
        """Read the auction: for each chair its last bid, whether it passed, whether blind, whether it has spoken."""
        text = self.values.get("bids", "")
        parts = [part.strip().casefold() for part in text.split(",")] if text.strip() else []
        if len(parts) > CHAIRS:
            raise UsageError(f"bids: one for each of {CHAIRS} players from forehand on, not {len(parts)}")
        found = []
        for part in parts + ["-"] * (CHAIRS - len(parts)):
            if part in ("-", ""):
                found.append((0, False, False, False))
                continue
            match = _CALL.fullmatch(part)
            word = (match["bid"] or "").strip() if match else part
            if match is None or (word and word not in BID_OF_TEXT) or not (word or match["passed"]):
                raise UsageError(f"bids: a bid such as 6S, 7NT or misère, 'pass', both, or '-', not {part!r}")
            if match["blind"] and not int(self.rules["blind_bidding"]):
                raise UsageError("bids: nobody bids blind under these rules; --set blind_bidding=yes allows it")
            found.append((BID_OF_TEXT.get(word, 0), bool(match["passed"]), bool(match["blind"]), True))
        values = [bid for bid, *_ in found if bid]
        if len(values) != len(set(values)):
            raise UsageError("bids: no two players can have bid the same")
        return found


def read(values: Mapping[str, str], views: np.ndarray) -> Position:
    """Read a position: the player's cards, the auction, what became of it, the cards played, and the sheet."""
    rules = views[0]["rules"]
    reader = _Reader(values, rules)
    assumed: list[str] = []
    states = np.zeros(1, STATE)
    states["rules"] = rules
    _begin(states)
    _read_sheet(reader, states, assumed)
    state = states[0]
    common = state["common"]
    if int(common["kind"]) == ALL_PASS or all(passed for _, passed, *_ in _read_auction(reader, state)):
        player = _read_all_pass(reader, states)
    elif int(common["stage"]) in (BIDDING, LOOKING):
        player = _read_bidding(reader, state)
    else:
        player = _read_game(reader, states)
    _look(states, player, views)
    return Position(views, assumed=tuple(assumed))


def _read_sheet(reader: _Reader, states: np.ndarray, assumed: list[str]) -> None:
    """Enter what is written so far, and deal."""
    state, rules, players = states[0], reader.rules, reader.players
    common = state["common"]
    single = int(rules["pool"]) == 0
    common["deals"] = reader.number("deal", 1, 1 if single else 100_000, 1) - 1
    if not single and "deal" not in reader.values:
        assumed.append("the first deal")
    common["dealer"] = reader.number("dealer", 1, players, players) - 1
    common["row"] = reader.number("row", 0, int(rules["all_pass_deals"]) - 1, 0)
    most = int(rules["forced_circles"]) * players
    common["forced"] = reader.number("forced", 0, most, 0)
    common["passed_deals"], common["made_games"] = reader.numbers("ladder", 2)
    forehand = (int(common["dealer"]) + 1) % players
    order = [(forehand + steps) % players for steps in range(players)]
    pools, hills = reader.numbers("pools", players), reader.numbers("hills", players, signed=True)
    games, whists = reader.numbers("games", players), reader.numbers("whists", players * (players - 1))
    for place, player in enumerate(order):
        sheet = state["sheet"][player]
        sheet["pool"], sheet["hill"], sheet["types"] = pools[place], hills[place], games[place]
        for other in order:
            if other != player:
                sheet["whists"][other] = whists.pop(0)
    deck = np.arange(CARDS, dtype=np.uint8)
    _deal(states, deck)


def _read_auction(reader: _Reader, state: Any) -> list[tuple[int, bool, bool, bool]]:
    """Enter the bids; the stage says whether the auction goes on."""
    found = reader.bids()
    common = state["common"]
    dummy = [int(who) == DUMMY and reader.players == 2 for who in common["who"]]
    for chair in range(CHAIRS):
        if dummy[chair]:
            found[chair] = (0, True, False, True)
    for chair, (bid, passed, blind, spoken) in enumerate(found):
        public = state["public"][chair]
        public["bid"], public["passed"] = bid, passed
        unseen = int(reader.rules["blind_bidding"]) and (blind or not spoken) and not dummy[chair]
        public["looked"] = 0 if unseen else 1
        if bid > int(common["high"]):
            common["high"], common["declarer"] = bid, chair
    left = [chair for chair, entry in enumerate(found) if not entry[1]]
    high, declarer = int(common["high"]), int(common["declarer"])
    if high and declarer not in left:
        raise UsageError("bids: the highest bidder cannot have passed")
    have_spoken = [entry[3] for chair, entry in enumerate(found) if not dummy[chair]]
    if sorted(have_spoken, reverse=True) != have_spoken:
        raise UsageError("bids: the players speak in their order from forehand on")
    if high and left == [declarer]:
        common["stage"] = DISCARDING
    return found


def _check_absent(reader: _Reader, keys: Sequence[str], why: str) -> None:
    for key in keys:
        if key in reader.values:
            raise UsageError(f"{key}: {why}")


def _check_hand(hand: Sequence[int], expected: int) -> None:
    if len(hand) != expected or not expected:
        raise UsageError(f"hand: {expected} cards at this point, not {len(hand)}")


def _enter(state: Any, chair: int, hand: Sequence[int], laid: Sequence[int] = ()) -> int:
    """Enter the cards of a chair, and return the number of its player."""
    own = state["private"][chair]
    own["hand"], own["laid"] = _mask(hand), _mask(laid)
    return int(state["common"]["who"][chair])


def _chair_of(reader: _Reader, state: Any, usual: int) -> int:
    """Return the chair whose player is asked: the one who has to decide."""
    text = reader.values.get("seat")
    if text is None:
        return usual
    names = reader.names(state)
    if text.casefold() not in names or text.casefold() == "dummy":
        raise UsageError(f"seat: {' or '.join(name for name in names if name != 'dummy')}, not {text!r}")
    return names.index(text.casefold())


def _read_bidding(reader: _Reader, state: Any) -> int:
    """Enter a decision of the auction."""
    _check_absent(reader, ("talon", "laid", "contract", "whist", "open", "turned", "played"), "the bidding is not over")
    common = state["common"]
    declarer = int(common["declarer"])
    waiting = [
        chair
        for chair in ((declarer + 1 + k) % CHAIRS for k in range(CHAIRS))
        if not int(state["public"][chair]["passed"]) and chair != declarer
    ]
    chair = _chair_of(reader, state, waiting[0])
    if chair not in waiting:
        raise UsageError(f"seat: {reader.names(state)[chair]} is not asked for a bid now")
    hand = reader.own("hand", 10)
    blind = bool(int(reader.rules["blind_bidding"]))
    phase = reader.values.get("phase", "bid" if hand or not blind else "look")
    if phase not in ("bid", "look") or (phase == "look" and (hand or not blind)):
        raise UsageError(f"phase: bid{' or, without a hand, look' if blind else ''}, not {phase!r}")
    if hand or not blind:
        _check_hand(hand, 10)
    state["public"][chair]["looked"] = 1 if hand else 0
    common["stage"] = LOOKING if phase == "look" else BIDDING
    common["turn"], common["decider"] = chair, common["who"][chair]
    return _enter(state, chair, hand)


def _everything(states: np.ndarray) -> None:
    """Let everybody hold everything, so that nobody runs out; what they hold is not asked."""
    states[0]["private"]["hand"] = (1 << CARDS) - 1


def _play_again(reader: _Reader, states: np.ndarray) -> list[list[int]]:
    """Play the tricks again, and return the cards played from each chair."""
    state = states[0]
    by_chair: list[list[int]] = [[] for _ in range(CHAIRS)]
    deals = int(state["common"]["deals"])
    for card in reader.own("played", 3 * 10 - 1):
        chair = int(state["common"]["turn"])
        if int(state["public"][chair]["absent"]) >> card & 1:
            raise UsageError(f"played: {PACK.text(card)} is of a suit that its player did not have earlier")
        by_chair[chair].append(card)
        _play_on(states, card)
    assert int(state["common"]["deals"]) == deals
    return by_chair


def _read_all_pass(reader: _Reader, states: np.ndarray) -> int:
    """Enter a decision when all have passed."""
    _check_absent(reader, ("talon", "laid", "contract", "whist", "open"), "all have passed")
    state = states[0]
    common = state["common"]
    if int(reader.rules["passed_out"]) == 1:
        raise UsageError("bids: when all pass a deal is not played under these rules")
    turned = reader.own("turned", 2)
    unseen = int(reader.rules["all_pass_talon"]) == 2
    wanted = 0 if unseen else min(2, 1 + len(PACK.parse(reader.values.get("played", ""))) // 3)
    if len(turned) != wanted:
        raise UsageError(f"turned: {wanted} cards of the talon lie open at this point, not {len(turned)}")
    for place, card in enumerate(turned):
        state["deck"][TALON + place] = card
    if int(common["forced"]) == 0:
        last = max(chair for chair in range(CHAIRS) if int(common["who"][chair]) < reader.players)
        for chair in range(CHAIRS):
            state["public"][chair]["passed"] = chair != last
        common["stage"], common["turn"] = BIDDING, last
        _play_on(states, PASS)
    else:  # it has been begun with another talon
        common["turned"][0] = turned[0] if turned else -1
        common["led"] = common["turned"][0]
        if int(common["best"]) >= 0:
            common["best"] = common["led"]
    _everything(states)
    by_chair = _play_again(reader, states)
    chair = int(common["turn"])
    if _chair_of(reader, state, chair) != chair:
        raise UsageError(f"seat: it is the turn of {reader.names(state)[chair]}")
    hand = reader.own("hand", 10)
    _check_hand(hand, 10 - len(by_chair[chair]))
    return _enter(state, chair, hand)


def _read_game(reader: _Reader, states: np.ndarray) -> int:
    """Enter a decision after the auction."""
    _check_absent(reader, ("turned",), "not all have passed")
    state = states[0]
    common = state["common"]
    declarer, high = int(common["declarer"]), int(common["high"])
    misere = bool(is_misere(high))
    common["bid"] = high
    common["kind"] = NO_TRICK if misere else CONTRACT
    common["blind"] = 0 if int(state["public"][declarer]["looked"]) else 1
    common["without"] = int(high in (MISERE_WITHOUT, NINE_WITHOUT))
    _read_talon(reader, state)
    contract = _contract(reader, high) if not misere else 0
    whist = [part.strip().casefold() for part in reader.values.get("whist", "").split(",") if part.strip()]
    if misere and ("contract" in reader.values or whist):
        raise UsageError("contract, whist: a misère is played as it was bid, and nobody whists")
    begun = misere and (
        "played" in reader.values
        or "open" in reader.values
        or reader.values.get("phase") == "play"
        or len(reader.values.get("laid", "").split()) == 2
        or bool(common["without"])
    )
    if not contract and not begun:
        return _read_declarer(reader, state, declarer)
    _everything(states)
    if contract:
        common["stage"], common["turn"] = NAMING, declarer
        _play_on(states, contract)
        _say(reader, states, whist)
    else:
        # the game begins a misère itself after the second card laid away, or without the talon
        _begin_misere(states)
    return _read_opponents(reader, states)


def _begin_misere(states: np.ndarray) -> None:
    state = states[0]
    common = state["common"]
    declarer = int(common["declarer"])
    common["stage"], common["turn"] = DISCARDING, declarer
    state["private"][declarer]["laid"] = 1
    shown = int(common["shown"])
    _play_on(states, CARDS - 1)
    state["private"][declarer]["laid"] = 0
    common["shown"] = shown
    _everything(states)


def _read_talon(reader: _Reader, state: Any) -> None:
    common = state["common"]
    talon = reader.cards("talon", reader.values.get("talon", ""), 2)
    wanted = 0 if int(common["without"]) else 2
    if len(talon) != wanted:
        raise UsageError(f"talon: {wanted} cards are shown, not {len(talon)}")
    common["shown"] = _mask(talon)


def _contract(reader: _Reader, high: int) -> int:
    text = reader.values.get("contract")
    if text is None:
        return 0
    bid = BID_OF_TEXT.get(text.strip().casefold(), 0)
    if not bid or not LEVELS[bid] or bid == NINE_WITHOUT:
        raise UsageError(f"contract: such as 6S or 7NT, not {text!r}")
    if not int(contracts_from(high)) >> bid & 1:
        raise UsageError(f"contract: not lower than the bid, {bid_text(high)}")
    return bid


def _read_declarer(reader: _Reader, state: Any, declarer: int) -> int:
    """Enter a decision of the declarer before the contract is announced."""
    _check_absent(reader, ("whist", "open", "played"), "the contract is not announced")
    common = state["common"]
    if _chair_of(reader, state, declarer) != declarer:
        raise UsageError(f"seat: {reader.names(state)[declarer]} has won the bidding, and it is his turn")
    hand, laid = reader.own("hand", 12), reader.own("laid", 2)
    whole = 10 if int(common["without"]) else 12
    _check_hand(hand, whole - len(laid))
    if any(not (_mask(hand) | _mask(laid)) >> card & 1 for card in range(CARDS) if int(common["shown"]) >> card & 1):
        raise UsageError("talon: its cards are among those of the declarer; name them there too")
    if len(laid) == 1 and all(card < laid[0] for card in hand):
        raise UsageError("laid: the lower card is laid away first")
    common["stage"] = DISCARDING if whole == 12 and len(laid) < 2 else NAMING
    common["turn"], common["decider"] = declarer, common["who"][declarer]
    return _enter(state, declarer, hand, laid)


def _say(reader: _Reader, states: np.ndarray, whist: list[str]) -> None:
    """Let the opponents say what they have said."""
    common = states[0]["common"]
    how = ""
    for said in whist:
        words = said.split()
        if words[-1] in ("open", "closed"):
            how = words.pop()
        if words != ["whist"] and words != ["pass"]:
            raise UsageError(f"whist: 'whist' or 'pass' of each opponent, then open or closed, not {said!r}")
        if int(common["who"][int(common["turn"])]) == DUMMY and reader.players == 2:
            raise UsageError("whist: the dummy is not asked")
        if int(common["stage"]) != WHISTING:
            raise UsageError("whist: nobody else is asked")
        _play_on(states, WHIST if words == ["whist"] else PASSED)
    if how:
        if int(common["stage"]) != INVITING:
            raise UsageError(f"whist: {how} says how a single whister invites the other")
        _play_on(states, OPEN if how == "open" else CLOSED)
    if int(common["stage"]) not in (WHISTING, INVITING, PLAYING):
        raise UsageError("whist: with that the deal is over")


def _read_opponents(reader: _Reader, states: np.ndarray) -> int:
    """Enter the tricks, the open hands, and the cards of the player who decides."""
    state = states[0]
    common = state["common"]
    declarer = int(common["declarer"])
    by_chair: list[list[int]] = [[] for _ in range(CHAIRS)]
    if int(common["stage"]) == PLAYING:
        by_chair = _play_again(reader, states)
    else:
        _check_absent(reader, ("played", "open"), "the cards are not played yet")
    decider = int(common["decider"])
    chair = next(place for place in range(CHAIRS) if int(common["who"][place]) == decider)
    if _chair_of(reader, state, chair) != chair:
        raise UsageError(f"seat: it is {reader.names(state)[chair]} who decides")
    _enter_open(reader, state, chair, by_chair)
    hand = reader.own("hand", 10)
    if hand or chair == int(common["turn"]):  # who plays for another may have none left
        _check_hand(hand, 10 - len(by_chair[chair]))
    laid = reader.own("laid", 2) if chair == declarer else []
    if chair == declarer and len(laid) != (0 if int(common["without"]) else 2):
        raise UsageError("laid: the two cards that the declarer has laid away are wanted")
    if chair != declarer:
        _check_absent(reader, ("laid",), "only the declarer knows these cards")
        for card in hand:
            if int(common["shown"]) >> card & 1:
                raise UsageError(f"talon: {PACK.text(card)} is in the player's own hand")
        if int(common["exposed"]):
            state["public"][chair]["exposed"] = _mask(hand)
    return _enter(state, chair, hand, laid)


def _enter_open(reader: _Reader, state: Any, chair: int, by_chair: list[list[int]]) -> None:
    """Enter the open hands of others."""
    common = state["common"]
    declarer = int(common["declarer"])
    others = [(declarer + steps) % CHAIRS for steps in (1, 2)]
    others = [other for other in others if other != chair]
    text = reader.values.get("open", "")
    if not int(common["exposed"]):
        if text:
            raise UsageError("open: no cards lie open at this point")
        return
    parts = text.split("|")
    if len(parts) != len(others):
        told = "both opponents, with | between them" if len(others) == 2 else "the other opponent"
        raise UsageError(f"open: the open cards of {told} are wanted")
    for other, part in zip(others, parts, strict=True):
        cards = reader.cards("open", part, 10)
        for card in cards:
            reader.place(card, "open")
        if len(cards) != 10 - len(by_chair[other]):
            raise UsageError(
                f"open: {reader.names(state)[other]} has {10 - len(by_chair[other])} cards, not {len(cards)}"
            )
        state["public"][other]["exposed"] = _mask(cards)


# -- writing -----------------------------------------------------------------------------------------------------


def _bids_text(view: Any) -> str:
    parts = []
    blind = bool(int(view["rules"]["blind_bidding"]))
    for public, who in zip(view["public"], view["common"]["who"], strict=True):
        dummy = int(who) == DUMMY and int(view["rules"]["players"]) == 2
        words = [bid_text(int(public["bid"]))] if int(public["bid"]) else []
        words += ["pass"] if int(public["passed"]) and not dummy else []
        words += ["blind"] if words and blind and not int(public["looked"]) else []
        parts.append(" ".join(words) or "-")
    return ", ".join(parts)


def _whist_text(view: Any) -> str:
    common = view["common"]
    declarer, parts = int(common["declarer"]), []
    if LEVELS[int(common["bid"])] == 10:
        return ""
    for steps in (1, 2):
        chair = (declarer + steps) % CHAIRS
        said = int(view["public"][chair]["whist"])
        if said >= 0 and not (int(common["who"][chair]) == DUMMY and int(view["rules"]["players"]) == 2):
            parts.append("whist" if said == WHIST else "pass")
    if int(common["stage"]) == PLAYING and sorted(parts) == ["pass", "whist"]:
        parts[-1] += " open" if int(common["open"]) else " closed"
    elif int(common["stage"]) == PLAYING and int(view["rules"]["players"]) == 2 and _invites(view):
        parts[-1] += " open"
    return ", ".join(parts)


def _invites(view: Any) -> bool:
    """Return whether the opponent with a dummy was asked how he goes on: he can only invite or take his own share."""
    common = view["common"]
    first = (int(common["declarer"]) + 1) % CHAIRS
    return bool(int(view["rules"]["own"])) and int(common["who"][first]) != DUMMY


def _write_sheet(view: Any, written: dict[str, str]) -> None:
    common, rules = view["common"], view["rules"]
    players = int(rules["players"])
    forehand = (int(common["dealer"]) + 1) % players
    order = [(forehand + steps) % players for steps in range(players)]
    if int(rules["pool"]):
        written["deal"] = str(int(common["deals"]))
    if int(common["dealer"]) != players - 1:
        written["dealer"] = str(int(common["dealer"]) + 1)
    for key in ("row", "forced"):
        if int(common[key]):
            written[key] = str(int(common[key]))
    for key, field in (("pools", "pool"), ("hills", "hill"), ("games", "types")):
        numbers = [int(view["sheet"][player][field]) for player in order]
        if any(numbers):
            written[key] = " ".join(map(str, numbers))
    whists = [int(view["sheet"][player]["whists"][other]) for player in order for other in order if other != player]
    if any(whists):
        written["whists"] = " ".join(map(str, whists))
    if int(common["passed_deals"]) or int(common["made_games"]):
        written["ladder"] = f"{int(common['passed_deals'])} {int(common['made_games'])}"


def write(view: Any) -> dict[str, str]:
    """Return a position as text by key."""
    common, own = view["common"], view["own"]
    stage, chair = int(common["stage"]), int(view["chair"])
    written = {"seat": chair_names(view["rules"])(view)[chair]}
    if int(own["hand"]):
        written["hand"] = cards_text(own["hand"])
    if not int(common["forced"]) and any(int(public["bid"]) or int(public["passed"]) for public in view["public"]):
        written["bids"] = _bids_text(view)
    if int(common["shown"]):
        written["talon"] = cards_text(common["shown"])
    if int(own["laid"]):
        written["laid"] = cards_text(own["laid"])
    if stage in (PLAYING, WHISTING, INVITING) and int(common["kind"]) == CONTRACT:
        written["contract"] = bid_text(int(common["bid"]))
        whist = _whist_text(view)
        if whist:
            written["whist"] = whist
    if int(common["exposed"]):
        others = [(int(common["declarer"]) + steps) % CHAIRS for steps in (1, 2)]
        hands = [cards_text(view["public"][other]["exposed"]) or "-" for other in others if other != chair]
        written["open"] = " | ".join(hands)
    turned = [int(card) for card in common["turned"] if int(card) >= 0]
    if turned:
        written["turned"] = " ".join(PACK.text(card) for card in turned)
    played = [int(card) for card in common["history"] if int(card) >= 0]
    if played:
        written["played"] = " ".join(PACK.text(card) for card in played)
    elif stage == PLAYING and int(common["kind"]) == NO_TRICK:
        written["phase"] = "play"
    if int(view["rules"]["blind_bidding"]) and stage in (LOOKING, BIDDING):
        written["phase"] = "look" if stage == LOOKING else "bid"
    _write_sheet(view, written)
    return written


POSITIONS = Positions(KEYS, read, write)
