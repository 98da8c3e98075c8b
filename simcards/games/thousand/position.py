"""Positions of thousand in words, for advice, in every phase of a deal.

The auction stands in them as what each player has bid last and whether he has passed, the tricks as the cards in the
order in which they were played. Those are played again by the game itself, from hands that nobody asks about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.game import Position, Positions
from simcards.games.thousand import PACK, STOCK_HAND, TWO_HAND
from simcards.games.thousand.frame import (
    ANNOUNCE,
    BIDDING,
    CARDS,
    CHOOSING,
    EXCHANGING,
    LOOKING,
    PACKET,
    PLAYING,
    RAISING,
    STATE,
)
from simcards.games.thousand.text import cards_text, seat_names
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel

# `bids` in the order of play, as "100, 110 pass, -"; `packet`: the cards that were taken, seen by all unless blind;
# `laid` away, `given` to the next player and the one after him, `received` from the declarer; `played`: "KH*" announces
KEYS = (
    "seat",
    "hand",
    "bids",
    "packet",
    "laid",
    "given",
    "received",
    "contract",
    "played",
    "phase",
    "deal",
    "totals",
)
STAGES = {
    "play": PLAYING,
    "bid": BIDDING,
    "exchange": EXCHANGING,
    "raise": RAISING,
    "look": LOOKING,
    "packet": CHOOSING,
}
_BID = re.compile(r"(?:(\d{1,3})\s*)?(pass)?\s*(blind)?")


@kernel
def _begin(states, deck):
    protocol.begin(states[0])
    protocol.deal(states[0], deck)


@kernel
def _play_on(states, actions):
    for action in actions:
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
        self.names = seat_names(rules)
        self.players = len(self.names)
        self.hand_size = int(rules["hand"])
        self.auction = self.hand_size != STOCK_HAND
        self.two_packets = self.hand_size == TWO_HAND
        self.seen: dict[int, str] = {}

    def cards(self, key: str, most: int) -> list[int]:
        """Read cards that nobody has said to be elsewhere."""
        try:
            text = self.values.get(key, "").strip(" -")
            if key == "packet" and self.two_packets:
                text = re.sub(r"^(first|second)\b", "", text, flags=re.IGNORECASE)
            cards = PACK.parse(text)
        except UsageError as error:
            raise UsageError(f"{key}: {error}") from None
        if len(cards) > most:
            raise UsageError(f"{key}: at most {most} cards, not {len(cards)}")
        return cards

    def own(self, key: str, most: int) -> list[int]:
        """Read cards of the player's own, which can be in one place only."""
        cards = self.cards(key, most)
        for card in cards:
            self.place(card, key)
        return cards

    def place(self, card: int, key: str) -> None:
        """Note where a card is, once."""
        if card in self.seen:
            raise UsageError(f"{key}: {PACK.text(card)} is in {self.seen[card]} already")
        self.seen[card] = key

    def number(self, key: str, low: int, high: int, usual: int) -> int:
        text = self.values.get(key)
        if text is None:
            return usual
        if not text.isdecimal() or not low <= int(text) <= high:
            raise UsageError(f"{key}: a whole number from {low} to {high}, not {text!r}")
        return int(text)

    def seat(self, usual: int) -> int:
        text = self.values.get("seat")
        if text is None:
            return usual
        if text.casefold() not in self.names:
            raise UsageError(f"seat: {' or '.join(self.names)}, not {text!r}")
        return self.names.index(text.casefold())

    def totals(self) -> list[int]:
        text = self.values.get("totals")
        if text is None:
            return [0] * self.players
        parts = text.replace(",", " ").split()
        if len(parts) != self.players or not all(re.fullmatch(r"-?\d{1,6}", part) for part in parts):
            raise UsageError(f"totals: {self.players} numbers, in the order of play, not {text!r}")
        return [int(part) for part in parts]

    def bids(self) -> list[tuple[int, bool, bool, bool]]:
        """Read the auction: for each player his last bid, whether he passed, whether blind, whether he has spoken."""
        text = self.values.get("bids", "")
        parts = [part.strip().casefold() for part in text.split(",")] if text.strip() else []
        if len(parts) > self.players:
            raise UsageError(f"bids: one for each of {self.players} players in the order of play, not {len(parts)}")
        found = []
        for part in parts + ["-"] * (self.players - len(parts)):
            if part in ("-", ""):
                found.append((0, False, False, False))
                continue
            match = _BID.fullmatch(part)
            if match is None or not (match[1] or match[2]):
                raise UsageError(f"bids: a number, 'pass', both, or '-' for each player, not {part!r}")
            points = int(match[1] or 0)
            first, step = int(self.rules["first_bid"]), int(self.rules["step"])
            if points and (points < first or (points - first) % step or points > int(self.rules["highest_bid"])):
                raise UsageError(f"bids: {points} is no bid; bids are {first}, {first + step}, …")
            if match[3] and not int(self.rules["blind"]):
                raise UsageError("bids: nobody bids blind under these rules; --set blind=yes allows it")
            found.append((points, bool(match[2]), bool(match[3]), True))
        values = [points for points, *_ in found if points]
        if len(values) != len(set(values)):
            raise UsageError("bids: no two players can have bid the same")
        return found


def read(values: Mapping[str, str], views: np.ndarray) -> Position:
    """Read a position: the player's cards, the auction, the packet, and the cards played."""
    rules = views[0]["rules"]
    reader = _Reader(values, rules)
    assumed: list[str] = []
    for key in ("bids", "packet", "laid", "given", "received", "contract"):
        if key in values and not reader.auction:
            raise UsageError(f"{key}: there is no bidding in this game")
    if reader.auction and reader.two_packets and ("given" in values or "received" in values):
        raise UsageError("given, received: with two players cards are laid away")
    if "laid" in values and not reader.two_packets:
        raise UsageError("laid: with three players cards are given to the others")
    single = int(rules["target"]) == 0
    deal = reader.number("deal", 1, 1 if single else 100_000, 1)
    if not single and "deal" not in values:
        assumed.append("the first deal")
    states = np.zeros(1, STATE)
    states["rules"] = rules
    _begin(states, np.arange(CARDS, dtype=np.uint8))
    state = states[0]
    common = state["common"]
    forehand = (deal - 1) % reader.players
    common["deals"], common["forehand"], common["leader"], common["turn"] = deal, forehand, forehand, forehand
    totals = reader.totals()
    for steps in range(reader.players):
        state["public"][(forehand + steps) % reader.players]["total"] = totals[steps]
    seat = _read_auction(reader, state, forehand) if reader.auction else -1
    player = _read_cards(reader, states, forehand, seat, assumed)
    _look(states, player, views)
    return Position(views, assumed=tuple(assumed))


def _read_auction(reader: _Reader, state: Any, forehand: int) -> int:
    """Enter the bids; return the steps to the declarer, -1 while the auction goes on."""
    found = reader.bids()
    common = state["common"]
    high = 0
    for steps, (points, passed, blind, _) in enumerate(found):
        player = (forehand + steps) % reader.players
        public = state["public"][player]
        public["bid"], public["passed"] = points, passed
        public["looked"] = 1
        if int(reader.rules["blind"]) and (blind or not found[steps][3]):
            public["looked"] = 0
        if points > high:
            high, common["high"], common["declarer"] = points, points, player
    spoken = [entry[3] for entry in found]
    if any(spoken) and not found[0][0]:
        raise UsageError(f"bids: {reader.names[0]} must bid first")
    if sorted(spoken, reverse=True) != spoken:
        raise UsageError("bids: the players speak in the order of play")
    left = [steps for steps, entry in enumerate(found) if not entry[1]]
    if high and not left:
        raise UsageError("bids: the highest bidder cannot have passed")
    if high and found[(int(common["declarer"]) - forehand) % reader.players][1]:
        raise UsageError("bids: the highest bidder cannot have passed")
    return left[0] if len(left) == 1 and all(spoken) else -1


def _read_cards(reader: _Reader, states: np.ndarray, forehand: int, declarer: int, assumed: list[str]) -> int:
    """Enter the cards, play those that were played, and return whose decision it is."""
    state = states[0]
    common, players = state["common"], reader.players
    played = _played(reader)
    hand = reader.own("hand", CARDS)
    if not reader.auction:
        by_player = _play_again(states, forehand, played)
        _check_hand(hand, min(STOCK_HAND, (CARDS - len(played) - int(common["stock"]) + 1) // 2))
        return _enter_own(reader, state, hand)
    if declarer < 0:
        return _read_bidding(reader, state, forehand, hand)
    leader = (forehand + declarer) % players
    common["blind"] = not int(state["public"][leader]["looked"])
    common["turn"] = leader
    by_player = _play_again(states, leader, played)
    steps = (int(common["turn"]) - forehand) % players
    if "seat" in reader.values and not played and reader.seat(steps) != steps:
        raise UsageError(f"seat: {reader.names[steps]} has won the bidding, and it is his turn")
    mine = steps == declarer
    laid = reader.own("laid", 2) if mine else []
    given = reader.cards("given", 2) if mine else []
    for card in given:  # its new holder may have played it
        if reader.seen.get(card) == "hand" or card in by_player[leader] or given.count(card) > 1:
            raise UsageError(f"given: {PACK.text(card)} is the player's still, or was")
    for key in ("laid", "given"):
        if key in reader.values and not mine:
            raise UsageError(f"{key}: only the highest bidder knows these cards")
    own = [*hand, *laid, *given, *by_player[int(common["turn"])]]
    received = _read_packet(reader, common, mine, own, hand + laid + given)
    contract = reader.number("contract", int(common["high"]), int(reader.rules["highest_bid"]), -1)
    if contract >= 0:
        _enter_contract(reader, state, contract)
    stage = PLAYING if played else _stage(reader, hand, laid + given, contract)
    if stage == PLAYING:
        if contract < 0:
            assumed.append(f"{int(common['high'])} was not raised")
        if mine and len(laid) + len(given) != 2:
            key = "laid" if reader.two_packets else "given"
            raise UsageError(f"{key}: two cards are wanted, not {len(laid) + len(given)}")
        tricks = TWO_HAND if reader.two_packets else CARDS // players
        _check_hand(hand, tricks - len(by_player[int(common["turn"])]))
    else:
        packet = 0 if stage == CHOOSING else PACKET if reader.two_packets else players
        _check_hand(hand, reader.hand_size + packet - len(laid) - len(given))
    if stage not in (CHOOSING, PLAYING) and len(laid) == 1 and all(card < laid[0] for card in hand):
        raise UsageError("laid: the lower card is laid away first")
    if stage != CHOOSING and not int(common["blind"]) and not int(common["shown"]):
        raise UsageError("packet: the cards of the packet are wanted, which all have seen")
    if reader.two_packets:
        second = reader.values.get("packet", "").casefold().startswith("second")
        common["opened"] = -1 if stage == CHOOSING else int(second)
    common["stage"] = stage
    if stage != PLAYING:
        common["leader"] = forehand
    return _enter_own(reader, state, hand, laid, given, received)


def _check_hand(hand: list[int], expected: int) -> None:
    if len(hand) != expected or not expected:
        raise UsageError(f"hand: {expected} cards at this point, not {len(hand)}")


def _played(reader: _Reader) -> list[int]:
    """Read the cards played, as actions."""
    actions = []
    for word in reader.values.get("played", "").replace(",", " ").replace("|", " ").split():
        cards = PACK.parse(word.rstrip("*"))
        if len(cards) != 1:
            raise UsageError(f"played: one card a word, as in 'AS 9S KH*', not {word!r}")
        reader.place(cards[0], "played")
        actions.append(cards[0] + (ANNOUNCE if word.endswith("*") else 0))
    return actions


def _read_bidding(reader: _Reader, state: Any, forehand: int, hand: list[int]) -> int:
    """Enter a decision of the auction."""
    common, players = state["common"], reader.players
    for key in ("packet", "laid", "given", "received", "contract", "played"):
        if key in reader.values:
            raise UsageError(f"{key}: the bidding is not over")
    high = int(common["high"])
    last = (int(common["declarer"]) - forehand) % players if high else -1
    usual = next(
        steps
        for steps in (last + 1 + k for k in range(players))
        if not int(state["public"][(forehand + steps) % players]["passed"])
    )
    steps = reader.seat(usual % players)
    player = (forehand + steps) % players
    public = state["public"][player]
    if int(public["passed"]) or player == int(common["declarer"]) or (not high and steps):
        raise UsageError(f"seat: {reader.names[steps]} is not asked for a bid now")
    may_be_blind = bool(int(reader.rules["blind"]))
    phase = reader.values.get("phase", "bid" if hand or not may_be_blind else "look")
    if phase not in ("bid", "look") or (phase == "look" and (hand or not may_be_blind)):
        raise UsageError(f"phase: bid{' or, without a hand, look' if may_be_blind else ''}, not {phase!r}")
    if len(hand) != reader.hand_size and (hand or not may_be_blind):
        raise UsageError(f"hand: {reader.hand_size} cards, not {len(hand)}")
    public["looked"] = 1 if hand else 0
    common["turn"], common["stage"] = player, STAGES[phase]
    state["private"][player]["hand"] = _mask(hand)
    return player


def _read_packet(reader: _Reader, common: Any, mine: bool, own: list[int], left: list[int]) -> list[int]:
    """Show the packet as far as it is shown, and return the card that the player got from the highest bidder."""
    size = PACKET if reader.two_packets else reader.players
    packet = reader.cards("packet", size)
    if len(packet) not in (0, size):
        raise UsageError(f"packet: {size} cards, not {len(packet)}")
    received: list[int] = []
    if not mine and not reader.two_packets:
        received = reader.cards("received", 1)
        if not received or received[0] not in own:
            raise UsageError("received: the card that the player got from the highest bidder is wanted, one of his own")
    elif "received" in reader.values:
        raise UsageError("received: only the opponents of the highest bidder get a card, and only with three players")
    if int(common["blind"]) and packet:
        raise UsageError("packet: who won the bidding blind does not show it")
    for card in packet:
        if mine and card not in own:
            raise UsageError(f"packet: {PACK.text(card)} is not among the player's cards; name it there too")
        if not mine and card in left and card not in received:
            raise UsageError(f"packet: {PACK.text(card)} is in the player's own hand")
    common["shown"] = _mask(packet)
    return received


def _enter_contract(reader: _Reader, state: Any, contract: int) -> None:
    step = int(reader.rules["step"])
    if (contract - int(state["common"]["high"])) % step:
        raise UsageError(f"contract: bids go up by {step}")
    state["common"]["high"] = contract
    state["public"][int(state["common"]["declarer"])]["bid"] = contract


def _stage(reader: _Reader, hand: list[int], gone: list[int], contract: int) -> int:
    """Return the stage of a deal after the auction and before the first card."""
    if reader.two_packets and not gone and len(hand) == reader.hand_size:
        return CHOOSING
    if len(gone) < 2:
        return EXCHANGING
    usual = "raise" if contract < 0 else "play"
    phase = reader.values.get("phase", usual)
    if phase not in ("raise", "play"):
        raise UsageError(f"phase: raise or play, not {phase!r}")
    return STAGES[phase]


def _play_again(states: np.ndarray, leader: int, played: list[int]) -> list[list[int]]:
    """Play the tricks again, and return the cards played by each player."""
    state = states[0]
    common = state["common"]
    common["stage"], common["leader"], common["turn"] = PLAYING, leader, leader
    state["private"]["hand"] = (1 << CARDS) - 1  # so that nobody runs out; what they hold is not asked
    by_player: list[list[int]] = [[] for _ in state["public"]]
    for action in played:
        card, turn = action % ANNOUNCE, int(common["turn"])
        text = PACK.text(card)
        if action >= ANNOUNCE and (int(common["led"]) >= 0 or text[0] not in "KQ"):
            raise UsageError(f"played: {text} is no king or queen led, so no marriage was announced with it")
        if int(state["public"][turn]["absent"]) >> card & 1:
            raise UsageError(f"played: {text} is of a suit that its player did not have earlier")
        by_player[turn].append(card)
        _play_on(states, np.array([action]))
    return by_player


def _enter_own(
    reader: _Reader,
    state: Any,
    hand: Sequence[int],
    laid: Sequence[int] = (),
    given: Sequence[int] = (),
    received: Sequence[int] = (),
) -> int:
    """Enter the cards of the player whose turn it is, and return who he is."""
    player = int(state["common"]["turn"])
    own = state["private"][player]
    own["hand"], own["laid"], own["received"] = _mask(hand), _mask(laid), _mask(received)
    own["given"] = 0
    for steps, card in enumerate(given, 1):
        own["given"][(player + steps) % reader.players] = 1 << card
    return player


def _bids_text(publics: Mapping[int, Any], forehand: int, blind: bool) -> str:
    """Return the auction as text."""
    parts = []
    for steps in range(len(publics)):
        public = publics[(forehand + steps) % len(publics)]
        words = [str(int(public["bid"]))] if int(public["bid"]) else []
        words += ["pass"] if int(public["passed"]) else []
        words += ["blind"] if words and blind and not int(public["looked"]) else []
        parts.append(" ".join(words) or "-")
    return ", ".join(parts)


def _played_text(history: Any) -> str:
    return " ".join(
        PACK.text(int(action) % ANNOUNCE) + "*" * (int(action) >= ANNOUNCE) for action in history if int(action) >= 0
    )


def write(view: Any) -> dict[str, str]:
    """Return a position as text by key."""
    common, own, rules = view["common"], view["own"], view["rules"]
    names = seat_names(rules)
    players, seat, stage = len(names), int(view["seat"]), int(common["stage"])
    forehand = int(common["forehand"])
    publics = {(seat + steps) % players: view["public"][steps] for steps in range(players)}
    written = {"seat": names[(seat - forehand) % players]}
    if int(own["hand"]):
        written["hand"] = cards_text(own["hand"])
    if int(common["declarer"]) >= 0:
        written["bids"] = _bids_text(publics, forehand, bool(int(rules["blind"])))
        packet = ("second " if int(common["opened"]) == 1 else "") + cards_text(common["shown"])
        if packet:
            written["packet"] = packet.strip()
        if int(own["laid"]):
            written["laid"] = cards_text(own["laid"])
        cards = [int(own["given"][(seat + steps) % players]) for steps in range(1, players)]
        if any(cards):
            written["given"] = " ".join(cards_text(card) for card in cards if card)
        if int(own["received"]):
            written["received"] = cards_text(own["received"])
        if stage == PLAYING:
            written["contract"] = str(int(common["high"]))
    if int(common["history"][0]) >= 0:
        written["played"] = _played_text(common["history"])
    if int(rules["blind"]) and stage in (LOOKING, BIDDING):
        written["phase"] = "look" if stage == LOOKING else "bid"
    if int(rules["target"]):
        written["deal"] = str(int(common["deals"]))
        totals = [int(publics[(forehand + steps) % players]["total"]) for steps in range(players)]
        if any(totals):
            written["totals"] = " ".join(map(str, totals))
    return written


POSITIONS = Positions(KEYS, read, write)
