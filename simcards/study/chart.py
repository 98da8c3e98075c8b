"""A bidding chart: what to bid with which class of hands.

Every deal is played out once for each contract, so what a contract gains over passing is known deal by deal, and the
deals of a class of hands are averaged. What is best with a class is chosen by one half of its deals and judged by the
other, so that the choice looks no better than it is.
"""

from __future__ import annotations

import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcards.errors import UsageError, unknown
from simcards.results import Result
from simcards.study.advise import estimate_of
from simcards.study.bids import (
    LEVEL_TEXT,
    PASS,
    Played,
    bids_of,
    check_level,
    chosen_contracts,
    chosen_levels,
    mean_and_error,
    search_options,
    terms,
    usual_play,
)
from simcards.study.engine import Crew, Progress, Teller
from simcards.study.plan import MOST_DEALS, Plan, whole_number
from simcards.study.table import table

if TYPE_CHECKING:
    from simcards.report.tables import Table

DEALS = 50_000
"""How many deals a chart rests on if not told otherwise."""

LEAST_HANDS = 100
"""Classes with fewer hands are not shown."""

BLOCK = 64  # deals that are played together
_MOST_CLASSES = 2_000


@dataclass(frozen=True)
class _Part:
    """Some deals: what came out, and the values of the features of the hand."""

    played: Played
    features: NDArray[np.int64]


@dataclass(frozen=True)
class _Blocks:
    """The work for the engine's workers: blocks of deals."""

    plan: Plan
    seat: int
    contracts: tuple[int, ...]
    level: str
    listen: bool
    features: tuple[str, ...]

    def __call__(self, low: int, high: int) -> list[_Part]:
        """Return what came out in the blocks ``low`` to ``high - 1``."""
        from simcards.kernel import bidding

        game = self.plan.load()
        ready = table(self.plan)
        states, views = ready.workspace()
        states = np.repeat(states, 2)
        contracts = np.array([*self.contracts, bidding.PASSING], np.int64)
        places = game.places(game.encoded(self.plan.overrides))
        own = places[self.plan.ruleset.seats[self.seat]]
        found = []
        for block in range(low, high):
            start, stop = block * BLOCK, min((block + 1) * BLOCK, self.plan.deals)
            shape = stop - start, len(contracts)
            values, rows, kept = np.empty(shape), np.zeros(shape, game.row), np.empty(shape, np.bool_)
            decks = np.empty((stop - start, max(len(ready.template), len(ready.fixed))), np.uint8)
            bidding.dealt(
                np.uint64(self.plan.seed), start, states, views, ready.template, ready.fixed, ready.dealt, self.seat,
                contracts, terms(game, self.level, self.listen), usual_play(game), search_options(game), decks,
                values, rows, kept,
            )  # fmt: skip
            played = Played.of(bids_of(game), self.seat, values, rows, kept)
            hands = decks[:, own]
            if bids_of(game).turned:
                hands = as_hearts(self.plan, hands, decks[:, places[bids_of(game).turned][0]])
            found.append(_Part(played, classified(self.plan, self.features, hands)))
        return found


def as_hearts(plan: Plan, hands: NDArray[np.uint8], turned: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return hands with the suit of a card and hearts exchanged.

    Parameters
    ----------
    plan : Plan
        The game.
    hands : ndarray of uint8, shape (hands, cards)
        The cards.
    turned : ndarray of uint8, shape (hands,)
        A card for each hand.

    Returns
    -------
    ndarray of uint8, shape (hands, cards)
    """
    ranks = len(plan.pack.ranks)
    hearts = plan.pack.code(f"{plan.pack.ranks[0]}H") // ranks
    suits, trumps = hands // ranks, (turned // ranks)[:, None]
    named = np.where(suits == trumps, hearts, np.where(suits == hearts, trumps, suits))
    return (named * ranks + hands % ranks).astype(np.uint8)


def classified(plan: Plan, features: tuple[str, ...], hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the values of features of hands.

    Parameters
    ----------
    plan : Plan
        The game.
    features : tuple of str
        Names of features of the rule set.
    hands : ndarray of uint8, shape (hands, cards)
        The cards.

    Returns
    -------
    ndarray of int64, shape (hands, features)
    """
    from simcards.odds import kernels

    question = _asked(plan.game, features, hands.shape[1])
    counts = np.zeros((len(hands), plan.pack.types), np.int64)
    np.add.at(counts, (np.arange(len(hands))[:, None], hands), 1)
    out = np.empty((len(hands), len(features)), np.int64)
    kernels.ask_all(question, counts, out)
    return out


@functools.lru_cache(maxsize=16)
def _asked(game: str, features: tuple[str, ...], size: int) -> Any:
    """Return the compiled function that gives the values of features."""
    from simcards.games import registry
    from simcards.odds.deal import make_deal
    from simcards.odds.expression import parse
    from simcards.odds.ground import Graph, ground
    from simcards.odds.kernels import program

    ruleset = registry.ruleset(game)
    known = {feature.name: feature.expression for feature in ruleset.features}
    deal = make_deal(ruleset.pack, size)
    graph = Graph(deal)
    nodes = [ground(parse(known[name], deal, known), graph, strict=False) for name in features]
    return program(graph, nodes).function


def make_chart(
    plan: Plan,
    *,
    seat: str | None = None,
    classes: Iterable[str] | None = None,
    contracts: Iterable[str] | None = None,
    level: str = "basic",
    listen: bool = False,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> ChartResult:
    """Play every contract out in many deals, and sort the hands.

    Parameters
    ----------
    plan : Plan
        Game, rules, seed and number of deals.
    seat : str, optional
        Whose bids; the first seat if left out.
    classes : iterable of str, optional
        Names of features of the dealt hand by which hands are sorted; those of the game if left out.
    contracts, listen
        As for `simcards.study.bids.value_bids`.
    level : str
        The level of play.
    workers, progress
        As for `simcards.study.bids.value_bids`.

    Returns
    -------
    ChartResult
        After Ctrl-C it covers the deals done so far.

    Raises
    ------
    UsageError
        When something asked for is not there or out of bounds.
    """
    game, ruleset = plan.load(), plan.ruleset
    bids = bids_of(game)
    (level,) = chosen_levels((level,))
    check_level(game, level)
    chosen = chosen_contracts(bids, contracts)
    place = 0 if seat is None else _seat(plan, seat)
    names = bids.classes if classes is None else tuple(name.strip() for name in classes)
    known = [feature.name for feature in ruleset.features]
    for name in names:
        if name not in known:
            raise unknown(f"feature of a hand of {ruleset.id}", name, known)
    if not names:
        raise UsageError(f"by what are hands sorted? name features of them: {', '.join(known)}")
    whole_number("the number of deals", plan.deals, 2, MOST_DEALS)
    crew = Crew(workers)
    work = _Blocks(plan, place, chosen, level, listen, tuple(names))
    blocks = math.ceil(plan.deals / BLOCK)
    parts: list[_Part] = []
    interrupted = False
    tell = Teller(progress, 0, plan.deals)
    try:
        crew.compile(work, 0)
        tell.begin()
        with contextlib.closing(
            crew.results(work, 0, blocks, lambda upto: tell(min(plan.deals, upto * BLOCK)))
        ) as results:
            for _, part in results:
                parts += part
    except KeyboardInterrupt:
        interrupted = len(parts) < blocks
    played = Played.joined([part.played for part in parts], len(chosen) + 1)
    features = np.concatenate([part.features for part in parts]) if parts else np.empty((0, len(names)), np.int64)
    return ChartResult(
        plan, ruleset.seats[place], chosen, tuple(names), level, listen, played, features, interrupted,
        tell.seconds, crew.workers,
    )  # fmt: skip


def _seat(plan: Plan, name: str) -> int:
    seats = plan.ruleset.seats
    if name not in seats:
        raise unknown(f"seat in {plan.game}", name, seats)
    return seats.index(name)


@dataclass(frozen=True)
class Line:
    """One class of hands.

    Attributes
    ----------
    key : tuple of int
        The values of the features.
    hands : int
        How many there were.
    contract : str
        What was worth most in one half of the deals, ``"pass"`` among them.
    values : dict
        By contract: n, mean worth and its error over all deals.
    worth, gain, made : tuple of float
        Of that contract in the other half: mean and standard error of the worth, of what it gains over passing, and
        how often it was made.
    """

    key: tuple[int, ...]
    hands: int
    contract: str
    values: dict[str, tuple[int, float, float]]
    worth: tuple[float, float]
    gain: tuple[float, float]
    made: tuple[float, float]


@dataclass(frozen=True, repr=False)
class ChartResult(Result):
    """What to bid with which class of hands.

    Attributes
    ----------
    plan : Plan
        Game, rules, seed and number of deals wanted.
    seat : str
        Whose bids.
    contracts : tuple of int
        The contracts.
    classes : tuple of str
        The features that sort hands.
    level : str
        The level of play.
    listen : bool
        Whether the others bid.
    played : Played
        What came out, deal by deal.
    features : ndarray of int64, shape (deals, features)
        Of the hand of each deal.
    interrupted : bool
        Whether it was interrupted before all deals were done.
    seconds : float
        Time taken, without compiling.
    workers : int
        Number of workers.
    """

    plan: Plan
    seat: str
    contracts: tuple[int, ...]
    classes: tuple[str, ...]
    level: str
    listen: bool
    played: Played
    features: NDArray[np.int64]
    interrupted: bool = False
    seconds: float = 0.0
    workers: int = 1
    finished: float = field(default_factory=time.time)

    _file = "chart"

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.features)

    @property
    def names(self) -> tuple[str, ...]:
        """The contracts, and passing as the last."""
        return (*(bids_of(self.plan.load()).contracts[place] for place in self.contracts), PASS)

    @functools.cached_property
    def lines(self) -> list[Line]:
        """The classes, those with more of a feature first; those with too few hands are left out."""
        keys, place_of = np.unique(self.features, axis=0, return_inverse=True)
        place_of = place_of.reshape(-1)
        if len(keys) > _MOST_CLASSES:
            raise UsageError(f"these features make {len(keys):,} classes of hands: sort by fewer")
        lines = []
        for place in range(len(keys) - 1, -1, -1):
            chosen = np.flatnonzero(place_of == place)
            if len(chosen) >= LEAST_HANDS:
                lines.append(self._line(tuple(int(value) for value in keys[place]), chosen))
        return lines

    @property
    def left_out(self) -> int:
        """How many deals are in classes with too few hands."""
        return self.deals - sum(line.hands for line in self.lines)

    def _line(self, key: tuple[int, ...], chosen: NDArray[np.int64]) -> Line:
        values, made = self.played.values[chosen], self.played.made[chosen]
        half = len(chosen) // 2
        means = [mean_and_error(values[:half, place])[0] for place in range(len(self.names))]
        best = max(range(len(means)), key=lambda place: -math.inf if math.isnan(means[place]) else means[place])
        every = {}
        for place, name in enumerate(self.names):
            count = int((~np.isnan(values[:, place])).sum())
            if count:
                every[name] = (count, *mean_and_error(values[:, place]))
        rest = values[half:]
        return Line(
            key,
            len(chosen),
            self.names[best],
            every,
            mean_and_error(rest[:, best]),
            mean_and_error(rest[:, best] - rest[:, -1]),
            mean_and_error(made[half:, best]),
        )

    @property
    def records(self) -> list[dict[str, Any]]:
        """One record a class and contract."""
        records = []
        for line in self.lines:
            for name, (n, mean, se) in line.values.items():
                worth = estimate_of("worth", n, mean, se)
                records.append(
                    {
                        **dict(zip(self.classes, line.key)),
                        "hands": line.hands,
                        "share": line.hands / self.deals,
                        "contract": name,
                        "n": n,
                        "estimate": worth.estimate,
                        "se": worth.se,
                        "ci_low": worth.ci_low,
                        "ci_high": worth.ci_high,
                        "method": worth.method,
                        "recommended": name == line.contract,
                    }
                )
        return records

    @functools.cached_property
    def provenance(self) -> dict[str, Any]:
        """What is needed to obtain the same numbers again."""
        import simcards
        from simcards.kernel.compiled import source_hash

        about = {key: value for key, value in self.plan.describe().items() if key not in ("strategies", "deals")}
        return {
            "version": simcards.__version__,
            "sources": f"{source_hash('games')}-{source_hash('study')}",
            **about,
            "deals": self.deals,
            "seat": self.seat,
            "classes": list(self.classes),
            "level": self.level,
            "others": "bid by basic" if self.listen else "pass",
            "seconds": round(self.seconds, 3),
            "workers": self.workers,
        }

    def headline(self) -> list[str]:
        """Return in a few lines what was played."""
        wanted = f" (interrupted, {self.plan.deals:,} were wanted)" if self.interrupted else ""
        lines = [
            f"{self.plan.ruleset.title}: a chart of bids for {self.seat}, {self.deals:,} deals{wanted},"
            f" seed {self.plan.seed}",
            LEVEL_TEXT[self.level],
        ]
        if self.plan.changes:
            lines.append(f"rules changed: {', '.join(f'{name} = {value}' for name, value in self.plan.changes)}")
        return lines

    def tables(self, everything: bool = False) -> list[Table]:
        """Return a line a class of hands: what to bid, what it is worth, how often it is made."""
        from simcards.report.tables import NONE, Heading, Table, capital, shown

        heads = (
            *(Heading(capital(name)) for name in self.classes),
            Heading("hands"),
            Heading("bid", number=False),
            Heading("worth"),
            Heading("against passing"),
            Heading("made"),
        )
        rows = []
        for line in self.lines:
            passing = line.contract == PASS
            n = line.hands - line.hands // 2
            rows.append(
                (
                    *(f"{value}" for value in line.key),
                    f"{100.0 * line.hands / self.deals:.1f} %",
                    line.contract,
                    NONE if math.isnan(line.worth[0]) else shown(estimate_of("worth", n, *line.worth)),
                    NONE if passing or math.isnan(line.gain[0]) else shown(estimate_of("gain", n, *line.gain)),
                    NONE if passing or math.isnan(line.made[0]) else shown(estimate_of("made", n, *line.made), "flag"),
                )
            )
        return [Table("chart", "What to bid", heads, tuple(rows))]

    def remarks(self, everything: bool = False) -> list[str]:
        """Return how the chart was made."""
        from simcards.report.tables import BY_ERROR

        game = self.plan.load()
        said = [f"{BY_ERROR} Worth is {game.quantity(game.payoff).doc}."]
        said.append("What to bid was chosen by one half of the deals of a class and judged by the other.")
        if self.listen:
            said.append("The others bid by basic: deals in which one of them takes the contract away do not count.")
        else:
            said.append("The others pass where they may; after a pass of one's own they bid by basic.")
        said.append("Who may not pass bids as little as he can, which then stands for a pass.")
        if self.left_out:
            said.append(
                f"Classes of fewer than {LEAST_HANDS} hands are not shown: {100.0 * self.left_out / self.deals:.1f} %"
                " of the deals."
            )
        return said
