"""Positions of cribbage in words, for advice: bids, discards, and the cards laid one after another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcards.errors import UsageError
from simcards.games.cribbage import FOUR_HANDED, SIX_CARD
from simcards.games.cribbage.frame import AFTER_DISCARD, BIDDING, CRIB, DISCARDING, LIMIT, NO_AUCTION, PLAYING, TO_31
from simcards.games.cribbage.scoring import RANKS, VALUE
from simcards.games.cribbage.text import PACK, cards_text
from simcards.games.game import Position, Positions

# `bid`: the other's, which is to be answered; `crib`: whose it is and for how much, where it was bid for
KEYS = ("seat", "hand", "discards", "bid", "crib", "starter", "laid", "points", "deal")
_CRIB = re.compile(r"(mine|other)(?:\s+(\d{1,2}))?")


@dataclass
class _Play:
    """The cards laid, one after another: whose turn it is then.

    Attributes
    ----------
    held : list of int
        Cards that each player holds.
    turn : int
        Whose turn it is; -1 when all is over.
    once : bool
        Whether there is one count only.
    """

    held: list[int]
    turn: int
    once: bool
    count: int = 0
    last: int = -1
    started: int = 0
    pile: list[int] = field(default_factory=list)
    by: list[int] = field(default_factory=list)
    above: list[int] = field(default_factory=lambda: [0] * 4)
    gone: set[int] = field(default_factory=set)

    def fits(self, card: int) -> bool:
        return self.count + int(VALUE[card % RANKS]) <= LIMIT

    def lay(self, card: int) -> None:
        self.pile.append(card)
        self.by.append(self.turn)
        self.held[self.turn] -= 1
        self.count += int(VALUE[card % RANKS])
        self.last = self.turn
        if self.count == LIMIT:
            self._end()
        else:
            self._pass()

    def go(self) -> None:
        self.gone.add(self.turn)
        self.above[self.turn] = LIMIT - self.count
        self._pass()

    def _following(self, player: int) -> list[int]:
        players = len(self.held)
        return [(player + k) % players for k in range(1, players + 1)]

    def _pass(self) -> None:
        for other in self._following(self.turn):
            if self.held[other] and other not in self.gone:
                self.turn = other
                return
        self._end()

    def _end(self) -> None:
        after = [other for other in self._following(self.last) if self.held[other]]
        if self.once or not after:
            self.turn = -1
            return
        self.turn, self.count, self.started = after[0], 0, len(self.pile)
        self.gone = set()


def _cards(values: Mapping[str, str], key: str) -> list[int]:
    try:
        return PACK.parse(values.get(key, "").strip(" -"))
    except UsageError as error:
        raise UsageError(f"{key}: {error}") from None


def _mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def _number(values: Mapping[str, str], key: str, low: int, high: int, usual: int) -> int:
    text = values.get(key)
    if text is None:
        return usual
    if not text.isdecimal() or not low <= int(text) <= high:
        raise UsageError(f"{key}: a whole number from {low} to {high}, not {text!r}")
    return int(text)


def _points(values: Mapping[str, str], players: int) -> list[int]:
    text = values.get("points")
    if text is None:
        return [0] * players
    found = re.fullmatch(r"\s*[-–:,/]\s*".join([r"(-?\d{1,6})"] * players), text)
    if not found:
        who = "one's own and the other's, as in '10 - 0'" if players == 2 else "one's own and the others' to the left"
        raise UsageError(f"points: {players} numbers, {who}, not {text!r}")
    return [int(number) for number in found.groups()]


def _seats(players: int) -> tuple[str, ...]:
    return (FOUR_HANDED if players == 4 else SIX_CARD).seats


def _refuse(values: Mapping[str, str], keys: tuple[str, ...], why: str) -> None:
    for key in keys:
        if key in values:
            raise UsageError(f"{key}: {why}")


def read(values: Mapping[str, str], views: np.ndarray) -> Position:
    """Read a position."""
    view = views[0]
    rules, common, own = view["rules"], view["common"], view["own"]
    players, cards = int(rules["players"]), int(rules["cards"])
    assumed: list[str] = []
    seats = _seats(players)
    seat = values.get("seat", seats[0]).casefold()
    if seat not in seats:
        raise UsageError(f"seat: {', '.join(seats[:-1])} or {seats[-1]}, not {values['seat']!r}")
    deal = _number(values, "deal", 1, 1_000_000, 1)
    pone = (deal - 1) % players
    player = (pone + seats.index(seat)) % players
    dealer = (pone - 1) % players
    hand, discards, starter = (_cards(values, key) for key in ("hand", "discards", "starter"))
    gone = CRIB // players
    view["seat"] = player
    common["dealer"], common["deals"], common["winner"] = dealer, deal, -1
    common["first"], common["turn"], common["starter"], common["last"], common["bidder"] = pone, player, -1, -1, -1
    common["owner"] = dealer if int(rules["auction"]) == NO_AUCTION else -1
    _read_crib(values, view, player)
    sold = int(common["owner"]) >= 0
    if starter or "laid" in values:
        if len(starter) != 1:
            raise UsageError(f"starter: one card, not {len(starter)}")
        _refuse(values, ("bid",), "the auction is over when the starter is turned up")
        if not sold:
            raise UsageError("crib: say whose it is, as in 'crib: mine 5' or 'crib: other 5'")
        stage = PLAYING
    elif sold and int(rules["auction"]) != AFTER_DISCARD:
        stage = DISCARDING
        _refuse(values, ("bid",), "there is no auction in this position")
    elif int(rules["auction"]) == AFTER_DISCARD and not discards:
        stage = DISCARDING
        _refuse(values, ("bid",), "the auction comes after the discard")
    else:
        stage = BIDDING
    common["stage"] = stage
    order = [(pone + k) % players for k in range(players)]
    done = [] if stage == DISCARDING or not discards else order
    if stage == DISCARDING:
        done = order[: order.index(player)]
        _refuse(values, ("discards",), "they come with the starter, or in an auction after the discard")
    if stage == PLAYING:
        done = order
    kept = cards - gone
    held = [kept if other in done else cards for other in range(players)]
    if player in done and len(discards) != gone:
        raise UsageError(f"discards: {gone} for the crib, not {len(discards)}")
    play = _Play(held, int(common["first"]), int(rules["playing"]) == TO_31)
    if stage == PLAYING:
        _read_laid(values, play, player, hand)
    if len(hand) != play.held[player]:
        raise UsageError(f"hand: {len(hand)} cards, and there are {play.held[player]} to be held here")
    everything = hand + discards + starter + play.pile
    for card in everything:
        if everything.count(card) > 1:
            raise UsageError(f"{PACK.text(card)} is named twice")
    if stage == BIDDING:
        _read_bid(values, view, player, pone)
    common["discarded"] = sum(1 << other for other in done)
    common["starter"] = starter[0] if starter else -1
    own["hand"], own["discards"] = _mask(hand), _mask(discards)
    _fill_play(view, play, player)
    for public, points in zip(view["public"], _points(values, players)):
        public["points"] = points
    if "points" not in values:
        assumed.append("no points so far")
    if "seat" not in values:
        assumed.append(f"the seat is that of {seat}")
    return Position(views, assumed=tuple(assumed))


def _read_crib(values: Mapping[str, str], view: Any, player: int) -> None:
    """Read whose the crib is, where it was bid for."""
    text = values.get("crib")
    if text is None:
        return
    rules, common = view["rules"], view["common"]
    if int(rules["auction"]) == NO_AUCTION:
        raise UsageError("crib: it is the dealer's, and not bid for under these rules")
    found = _CRIB.fullmatch(text.casefold())
    if not found:
        raise UsageError(f"crib: 'mine' or 'other' and what was bid, as in 'mine 5', not {text!r}")
    owner = player if found[1] == "mine" else 1 - player
    bid = int(found[2] or 0)
    if not bid and (int(rules["must_open"]) or owner != int(common["dealer"])):
        raise UsageError("crib: say what was bid for it, as in 'mine 5'")
    if bid > int(rules["highest_bid"]):
        raise UsageError(f"crib: no more than {int(rules['highest_bid'])} can be bid")
    common["owner"] = common["first"] = owner
    common["bid"], common["bidder"] = bid, owner if bid else -1


def _read_bid(values: Mapping[str, str], view: Any, player: int, pone: int) -> None:
    """Read the bid that is to be answered."""
    high = int(view["rules"]["highest_bid"]) - 1
    bid = _number(values, "bid", 1, high, 0)
    if not bid and player != pone:
        raise UsageError("bid: the dealer answers a bid; say which, as in 'bid: 3'")
    view["common"]["bid"], view["common"]["bidder"] = bid, 1 - player if bid else -1


def _read_laid(values: Mapping[str, str], play: _Play, player: int, hand: list[int]) -> None:
    """Lay the cards that were laid, and check what was said of go."""
    silent: list[tuple[int, int, int]] = []  # who said go, how many cards were laid then, and up to what he has none
    for token in values.get("laid", "").replace(",", " ").split():
        if play.turn < 0:
            raise UsageError(f"laid: the play is over before {token!r}")
        if token.casefold() == "go":
            silent.append((play.turn, len(play.pile), LIMIT - play.count))
            play.go()
            continue
        try:
            (card,) = PACK.parse(token)
        except (UsageError, ValueError):
            raise UsageError(f"laid: a card such as QS, or go, not {token!r}") from None
        if not play.fits(card):
            raise UsageError(f"laid: {PACK.text(card)} does not fit to {play.count}; say go first")
        play.lay(card)
    if play.turn != player:
        raise UsageError("laid: after these it is not this player's turn" if play.turn >= 0 else "laid: all is over")
    for who, number, room in silent:
        later = [card for card, by in zip(play.pile[number:], play.by[number:]) if by == who]
        for card in later + (hand if who == player else []):
            if int(VALUE[card % RANKS]) <= room:
                raise UsageError(f"laid: who held {PACK.text(card)} could not say go at {LIMIT - room}")


def _fill_play(view: Any, play: _Play, player: int) -> None:
    """Write what was laid into a view."""
    common, players = view["common"], len(play.held)
    common["count"], common["laid"], common["started"], common["last"] = (
        play.count,
        len(play.pile),
        play.started,
        play.last,
    )
    common["gone"] = sum(1 << other for other in play.gone)
    recent = 0
    for card in play.pile[play.started :]:
        recent = recent << 4 | (card % RANKS + 1)
    common["recent"] = recent
    common["pile"][: len(play.pile)] = play.pile
    common["by"][: len(play.by)] = play.by
    for k in range(players):
        other = (player + k) % players
        public = view["public"][k]
        public["laid"] = _mask([card for card, by in zip(play.pile, play.by) if by == other])
        public["cards"], public["above"] = play.held[other], play.above[other]


def write(view: Any) -> dict[str, str]:
    """Return a position as text by key."""
    rules, common, own = view["rules"], view["common"], view["own"]
    players = int(rules["players"])
    player, dealer, stage = int(view["seat"]), int(common["dealer"]), int(common["stage"])
    written = {
        "seat": _seats(players)[(player - dealer - 1) % players],
        "hand": cards_text(own["hand"]),
    }
    if int(own["discards"]):
        written["discards"] = cards_text(own["discards"])
    if stage == BIDDING and int(common["bid"]):
        written["bid"] = str(int(common["bid"]))
    if int(rules["auction"]) != NO_AUCTION and int(common["owner"]) >= 0:
        whose = "mine" if int(common["owner"]) == player else "other"
        written["crib"] = f"{whose} {int(common['bid'])}" if int(common["bid"]) else whose
    if stage == PLAYING:
        written["starter"] = PACK.text(int(common["starter"]))
        laid = _write_laid(rules, common)
        if laid:
            written["laid"] = laid
    points = [int(public["points"]) for public in view["public"][:players]]
    if any(points):
        written["points"] = " - ".join(map(str, points))
    if int(common["deals"]) > 1:
        written["deal"] = str(int(common["deals"]))
    return written


def _write_laid(rules: Any, common: Any) -> str:
    """Return the cards laid, and every go, which has to be where the cards could not have gone on otherwise."""
    players = int(rules["players"])
    kept = int(rules["cards"]) - CRIB // players
    play = _Play([kept] * players, int(common["first"]), int(rules["playing"]) == TO_31)
    words = []

    def say_go() -> None:
        words.append("go")
        play.go()

    number = int(common["laid"])
    for card, by in zip(common["pile"][:number].tolist(), common["by"][:number].tolist()):
        while play.turn != by or not play.fits(card):
            say_go()
        words.append(PACK.text(card))
        play.lay(card)
    while play.started != int(common["started"]) or len(play.gone) != int(common["gone"]).bit_count():
        say_go()
    return " ".join(words)


POSITIONS = Positions(KEYS, read, write)
