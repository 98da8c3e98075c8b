"""What a compiled game offers to the engine besides the functions of the protocol."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from simcards.errors import UsageError, unknown
from simcards.games.ruleset import Rule, RuleSet

if TYPE_CHECKING:
    from simcards.games.strategy import Strategy


def rules_dtype(rules: tuple[Rule, ...]) -> np.dtype[Any]:
    """Return the record type of the rules: one int32 a rule."""
    return np.dtype([(rule.name, "i4") for rule in rules], align=True)


@dataclass(frozen=True)
class Quantity:
    """Something measured once a row; its name is a field of the game's ``ROW`` (int32).

    Attributes
    ----------
    name : str
        Field of the row. A field with one value a seat makes one column a seat.
    doc : str
        What it is.
    kind : str
        ``"points"``, ``"count"``, ``"flag"`` (0 or 1), ``"trick"`` or ``"deals"``: how it is reported.
    section : str
        Where a report shows it: ``"result"``, ``"sources"``, ``"melds"``, ``"timing"``, ``"play"``, and for a series of
        games ``"path"``, ``"line"``.
    parts : tuple of str
        Quantities it is the sum of, in every row.
    bin_width, bin_low, bins : int
        Cells of its histogram; no histogram when `bins` is 0.
    """

    name: str
    doc: str
    kind: str
    section: str
    parts: tuple[str, ...] = ()
    bin_width: int = 1
    bin_low: int = 0
    bins: int = 0


def row_dtype(
    quantities: tuple[Quantity, ...], table_wide: tuple[str, ...], seats: int = 2, **groups: tuple[str, ...]
) -> np.dtype[Any]:
    """Return the record type of a row: one int32 a quantity and seat, in order and without gaps.

    Parameters
    ----------
    quantities : tuple of Quantity
        The fields.
    table_wide : tuple of str
        Quantities that have one value and not one a seat.
    seats : int
        Number of seats.
    **groups : tuple of str
        Further names for runs of fields, by which compiled code writes them at once, as an array of shape
        (fields, seats).

    Returns
    -------
    numpy.dtype
        The fields of the groups overlap those of the quantities.
    """
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    place = 0
    for quantity in quantities:
        count = 1 if quantity.name in table_wide else seats
        names.append(quantity.name)
        formats.append("i4" if count == 1 else ("i4", (seats,)))
        offsets.append(place)
        place += 4 * count
    for group, members in groups.items():
        first = names.index(members[0])
        if tuple(names[first : first + len(members)]) != members:
            raise ValueError(f"the fields of {group} do not follow each other")
        names.append(group)
        formats.append(("i4", (len(members), seats)))
        offsets.append(offsets[first])
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": place}, align=True)


@dataclass(frozen=True)
class Column:
    """One column of the rows: a quantity, for a seat or for the whole table."""

    quantity: Quantity
    seat: str | None

    @property
    def name(self) -> str:
        """Name in tables, such as ``"points.pone"``."""
        return self.quantity.name if self.seat is None else f"{self.quantity.name}.{self.seat}"


@dataclass(frozen=True)
class Field:
    """One field of a view, as somebody who writes a strategy reads it.

    Attributes
    ----------
    path : str
        Its name behind ``view.``, such as ``"common.led"``.
    shape : tuple of int
        Of an array; empty for a single value.
    type : str
        ``"int32"``, ``"uint64"``, …, or ``"record"`` where it has fields of its own.
    doc : str
        What it is.
    """

    path: str
    shape: tuple[int, ...]
    type: str
    doc: str


@dataclass(frozen=True)
class Position:
    """What a player knows at a decision, as somebody put it into words.

    Attributes
    ----------
    view : ndarray of VIEW, shape (1,)
        All of it, but for what was left open.
    complete : callable, optional
        ``(views, seed, low)``: fills in at random what was left open, in copies of `view` for the worlds from `low` on.
        None when nothing was.
    assumed : tuple of str
        What was taken for granted because nothing was said of it.
    """

    view: np.ndarray
    complete: Callable[[np.ndarray, int, int], None] | None = None
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Positions:
    """How positions of a game are written.

    Attributes
    ----------
    keys : tuple of str
        What can be said of one, as in ``"hand: QS JD"``.
    read : callable
        ``(values, view) -> Position``: the texts by key, and a view in which the rules are set and nothing else.
    write : callable
        ``view -> {key: text}``, which `read` makes the same view of.
    """

    keys: tuple[str, ...]
    read: Callable[[Mapping[str, str], np.ndarray], Position]
    write: Callable[[Any], dict[str, str]]


@dataclass(frozen=True)
class Reckoning:
    """What can be said of the actions of a decision without playing them out.

    Attributes
    ----------
    columns : mapping of str to sequence of float
        Names, and a number for each action.
    doc : str
        What they are, in a sentence.
    chances : tuple of mapping
        For each action how likely the number that they come to is which; empty where that says nothing.
    """

    columns: Mapping[str, Sequence[float]]
    doc: str
    chances: tuple[Mapping[int, float], ...] = ()


@dataclass(frozen=True)
class Mark:
    """Something by which decisions are sorted, such as the points that a player has won.

    Attributes
    ----------
    name, doc : str
        What it is called, and what it is.
    of : callable
        ``views -> numbers``: its value for each of an array of views, whole numbers.
    edges : tuple of int
        The least value of each class, ascending.
    """

    name: str
    doc: str
    of: Callable[[np.ndarray], np.ndarray]
    edges: tuple[int, ...]

    def classes(self, views: np.ndarray) -> np.ndarray:
        """Return the class of each of an array of views, by index; what is below the first is in the first."""
        return np.maximum(0, np.searchsorted(self.edges, self.of(views), side="right") - 1)

    def label(self, place: int) -> str:
        """Return a class in words, such as ``"10 to 19"``."""
        low = self.edges[place]
        if place + 1 == len(self.edges):
            return f"{low} or more"
        high = self.edges[place + 1] - 1
        return str(low) if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class Grid:
    """Numbers of a game by two things, such as what two cards are worth in a crib; they are there already.

    Attributes
    ----------
    doc : str
        What the numbers are.
    lines, columns : tuple of str
        Names of the lines and the columns.
    down, across : str
        What these are.
    values : callable
        ``() -> array``: a line each, nan where there is no number.
    kind : str
        ``"rate"`` for numbers that are shown in per cent, else empty.
    digits : int
        Digits behind the point that are shown.
    """

    doc: str
    lines: tuple[str, ...]
    columns: tuple[str, ...]
    down: str
    across: str
    values: Callable[[], np.ndarray]
    kind: str = ""
    digits: int = 2


@dataclass(frozen=True)
class Bids:
    """What can be bid for in a game, for those who ask what a bid is worth; the game also gives ``protocol.aim``.

    Attributes
    ----------
    contracts : tuple of str
        Names of what a player can be after, such as a height or a trump suit, by their index.
    phases : tuple of str
        Phases of the auction, in which the others keep silent when a contract is to be had for the asking.
    silence : int
        The action of these phases by which a player passes.
    taken, made : str
        The quantities, one value a seat, that are 1 when the player got the contract, and when he made it.
    classes : tuple of str
        Features of the rule set by which a chart sorts hands.
    turned : str
        The place of the card whose suit is bid for first, where there is one: features then speak of hearts as
        trumps, and a chart gives the suit of this card that name.
    """

    contracts: tuple[str, ...]
    phases: tuple[str, ...]
    silence: int
    taken: str
    made: str
    classes: tuple[str, ...] = ()
    turned: str = ""


@dataclass(frozen=True)
class Game:
    """A compiled game.

    Attributes
    ----------
    ruleset : RuleSet
        Its rules.
    state, view, row : numpy.dtype
        Record types; `state` and `view` have a field ``rules``.
    phases : tuple of str
        Names of the phases, by index.
    quantities : tuple of Quantity
        What is measured; fields of `row` in this order.
    strategies : mapping
        The strategies by name.
    places : callable
        ``rules -> {place: places}``: the places of the dealing order that make up each hand and the stock.
    action_text, state_text : callable
        ``(state, action) -> str`` and ``state -> str``, for replays.
    payoff : str
        The quantity, one value a seat, by which strategies are compared.
    shares : tuple of pair of str
        Pairs (part, whole) whose ratio is reported, one value a seat.
    limit : int
        More decisions than a game can have.
    scores : callable, optional
        ``state -> numbers``: the score of each seat so far, for replays.
    positions : Positions, optional
        How positions are written, where a game can read them.
    actions : mapping
        What the number of an action means, by phase.
    view_doc : mapping
        What the fields of `view` are, by path such as ``"common.led"``; one text for all rules.
    joint : mapping
        Phases in which a player makes one decision by several actions, such as the cards of a discard, and
        ``(state, actions) -> str``, which puts such a sequence into words. Which sequences there are must not depend
        on what the player cannot see.
    bids : Bids, optional
        What can be bid for, in a game with an auction.
    reckon : callable, optional
        ``(view, actions) -> Reckoning or None``: what is known of the actions of a decision exactly, for advice.
    marks : tuple of Mark
        By what decisions can be sorted.
    inner : str
        Of a series of another game the id of that game, if its positions can be written: they are asked about in it.

    grids : mapping
        Numbers by two things, for pages of the kind ``grids``.
    """

    ruleset: RuleSet
    state: np.dtype[Any]
    view: np.dtype[Any]
    row: np.dtype[Any]
    phases: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    strategies: Mapping[str, Strategy]
    places: Callable[[Mapping[str, int]], dict[str, list[int]]]
    action_text: Callable[[Any, int], str]
    state_text: Callable[[Any], str]
    payoff: str
    limit: int
    shares: tuple[tuple[str, str], ...] = ()
    notes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    scores: Callable[[Any], Sequence[int]] | None = None
    positions: Positions | None = None
    actions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    view_doc: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    joint: Mapping[str, Callable[[Any, Sequence[int]], str]] = field(default_factory=lambda: MappingProxyType({}))
    bids: Bids | None = None
    reckon: Callable[[Any, Sequence[int]], Reckoning | None] | None = None
    marks: tuple[Mark, ...] = ()
    inner: str = ""

    grids: Mapping[str, Grid] = field(default_factory=lambda: MappingProxyType({}))

    @functools.cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of a row seen as a matrix of int32, in order."""
        columns: list[Column] = []
        for quantity in self.quantities:
            shape = self.row[quantity.name].shape
            columns += [Column(quantity, seat) for seat in (self.ruleset.seats if shape else (None,))]
        return tuple(columns)

    @functools.cached_property
    def view_fields(self) -> tuple[Field, ...]:
        """The fields of a view, those of a record behind it; not those of the rules, which are the rules' names."""
        return tuple(self._fields(self.view, ""))

    def _fields(self, dtype: np.dtype[Any], path: str) -> Iterator[Field]:
        for name in dtype.names or ():
            made, inside = dtype[name], f"{path}{name}"
            if name.startswith("is_"):
                continue  # the mark by which compiled code tells games apart
            record = made.base.names is not None
            doc = self.view_doc.get(inside, "")
            yield Field(inside, made.shape, "record" if record else str(made.base), doc)
            if record and inside != "rules":
                yield from self._fields(made.base, f"{inside}.")

    def quantity(self, name: str) -> Quantity:
        """Return the quantity called `name`.

        Raises
        ------
        UsageError
            When there is none.
        """
        for quantity in self.quantities:
            if quantity.name == name:
                return quantity
        raise unknown(f"quantity of {self.ruleset.id}", name, [quantity.name for quantity in self.quantities])

    def strategy(self, name: str) -> Strategy:
        """Return the strategy called `name`.

        Raises
        ------
        UsageError
            When there is none.
        """
        if name not in self.strategies:
            raise unknown(f"strategy for {self.ruleset.id}", name, self.strategies)
        return self.strategies[name]

    def encoded(self, changes: Mapping[str, object]) -> dict[str, int]:
        """Return every rule's value as compiled code sees it, the defaults with `changes`."""
        values = self.ruleset.values(changes)
        return {name: self.ruleset.rule(name).encode(value) for name, value in values.items()}

    def workspace(self, changes: Mapping[str, object]) -> tuple[np.ndarray, np.ndarray]:
        """Return one state and a view for each seat with the rules set in them.

        Parameters
        ----------
        changes : mapping
            Changed rules.

        Returns
        -------
        states : ndarray of STATE, shape (1,)
            A position to play on.
        views : ndarray of VIEW, shape (seats,)
            One for each seat.
        """
        states = np.zeros(1, self.state)
        views = np.zeros(self.ruleset.players, self.view)
        for name, value in self.encoded(changes).items():
            states["rules"][name] = value
            views["rules"][name] = value
        return states, views

    def fixed_places(self, cards: Mapping[str, list[int]], changes: Mapping[str, object]) -> np.ndarray:
        """Return the dealing order with the given cards in their hands and -1 elsewhere.

        Parameters
        ----------
        cards : mapping
            Place name to card codes.
        changes : mapping
            Changed rules.

        Returns
        -------
        ndarray of int16
            As long as the pack; empty when no card is fixed.

        Raises
        ------
        UsageError
            For an unknown place or more cards than it takes.
        """
        if not any(cards.values()):
            return np.empty(0, np.int16)
        places = self.places(self.encoded(changes))
        fixed = np.full(self.ruleset.pack_under(changes).size, -1, np.int16)
        for place, codes in cards.items():
            if place not in places:
                raise unknown(f"hand in {self.ruleset.id}", place, places)
            if len(codes) > len(places[place]):
                raise UsageError(f"{place} takes {len(places[place])} cards, not {len(codes)}")
            fixed[places[place][: len(codes)]] = codes
        return fixed


def check_game(game: Game) -> None:
    """Raise when a game's parts do not fit together; run by the contract tests."""
    names = tuple(quantity.name for quantity in game.quantities)
    if tuple(game.row.names or ())[: len(names)] != names or game.row.itemsize != 4 * len(game.columns):
        raise UsageError(f"{game.ruleset.id}: the row's fields are not its quantities")
    for strategy in game.strategies.values():
        if len(strategy.policies) != len(game.phases):
            raise UsageError(f"{game.ruleset.id}: strategy {strategy.name} has not one policy a phase")
    if not set(game.joint) <= set(game.phases):
        raise UsageError(f"{game.ruleset.id}: a phase of joint decisions is not among the phases")
    if tuple(game.strategies) != game.ruleset.strategies:
        raise UsageError(f"{game.ruleset.id}: the listed strategies are not the game's")
