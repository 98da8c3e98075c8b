"""Questions about dealt cards in Python: `odds` and `dealt`."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from simcards._input import count, level, switch, text
from simcards.cards import Pack
from simcards.errors import UsageError, unknown
from simcards.odds.deal import Deal, make_deal
from simcards.odds.expression import identifier, parse
from simcards.odds.result import OddsResult, OddsRow
from simcards.odds.tree import ExpressionError, Node

if TYPE_CHECKING:
    from simcards.games.ruleset import RuleSet
    from simcards.odds.exact import Exact
    from simcards.odds.simulate import Simulation
    from simcards.study.engine import Progress

DEALS = 1_000_000
"""How many deals are simulated if not told otherwise."""

AT_MOST = 100_000_000
"""How many at most when a precision is to be reached, if not told otherwise."""

SEED = 1
"""The seed if not told otherwise."""

_RARE = Fraction(1, 4)  # conditions that are rarer are dealt from directly

SAMPLING = ("auto", "direct", "rejection")
"""How deals are found in which a condition holds."""

Number = int | float | str


@dataclass(frozen=True)
class _Asked:
    name: str
    expression: str
    doc: str
    node: Node
    strict: bool


def odds(
    features: str | Iterable[Any] | Mapping[str, str] | None = None,
    *,
    game: str | None = None,
    pack: Pack | str | int | Mapping[str, Any] | None = None,
    hand: int | str | None = None,
    hands: Mapping[str, int | str] | None = None,
    known: str | Iterable[str] | None = None,
    given: str | None = None,
    trump: str | None = None,
    deals: Number | None = None,
    precision: float | None = None,
    seed: Number = SEED,
    exact: bool = True,
    budget: Number | None = None,
    sampling: str = "auto",
    most_tries: Number | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Callable[[Progress], None] | bool | None = None,
) -> OddsResult:
    """Answer questions about dealt cards: exactly where they can be counted, and by simulation.

    Parameters
    ----------
    features : str or iterable or mapping, optional
        The questions, in the language of `simcards.odds.expression`: one, several, pairs of name and question, or
        a mapping of names to questions. A name of the game's features stands for its question. If left out, all
        of the game's.
    game : str, optional
        A rule set, which gives the pack and the size of the hand unless they are given.
    pack : Pack or str or int or mapping, optional
        The pack, such as ``"32x6"``.
    hand : int or str, optional
        How many cards are dealt; or the cards that are known to be in the hand, or both: ``"AS KS QS +5"``.
    hands : mapping, optional
        Several hands by name, each written in the same way.
    known : str or iterable of str, optional
        Cards that are known to be elsewhere.
    given : str, optional
        A condition; only deals in which it is true count.
    trump : str, optional
        The suit that ``'trumps'`` means.
    deals : int or str, optional
        How many deals are simulated, 0 for none; 1,000,000 if left out. With a precision, the most.
    precision : float, optional
        Stop as soon as every answer is known to within this much.
    seed : int or str
        The same seed gives the same cards.
    exact : bool
        Whether to count.
    budget : int or str, optional
        States that a count may go through, 10**9 if left out; a question that would take more is only simulated.
    sampling : str
        How deals are found in which `given` is true: ``"direct"`` deals from the condition, without throwing
        deals away; ``"rejection"`` deals until it is true; ``"auto"`` takes the former if the condition can be
        counted and is rare.
    most_tries : int or str, optional
        Hands that may be dealt in all by ``"rejection"``, 10**9 if left out.
    confidence : float
        Confidence level of the intervals.
    workers, chunk : int, optional
        Number of workers and size of their portions; they make no difference to the result.
    progress : callable or bool, optional
        Called with how far the simulation has come; True shows it on standard error.

    Returns
    -------
    OddsResult

    Raises
    ------
    ExpressionError
        When a question is not of the language, or not one about these cards; it points at the place.
    UsageError
        When something else is wrong.

    Examples
    --------
    >>> import simcards
    >>> result = simcards.odds(pack="32", hand=12, features={"carte blanche": "n('K Q J') == 0"}, deals=0)
    >>> result["carte blanche"].value
    Fraction(323, 578956)
    """
    from simcards.study.plan import whole_number

    ruleset = _ruleset(game)
    if pack is None and ruleset is not None:
        pack = ruleset.pack
    if pack is None:
        raise UsageError("which cards? give a pack, such as '32x6', or a game")
    if hand is None and not hands and ruleset is not None:
        if not ruleset.hand:
            raise UsageError(f"how many cards are dealt in {ruleset.id}? give the size of the hand, such as 12")
        hand = ruleset.hand
    deal = make_deal(pack, hand, hands, known, trump)
    own = {feature.name: feature.expression for feature in ruleset.features} if ruleset is not None else {}
    asked = _asked(features, deal, ruleset, own)
    if given is not None and not (isinstance(given, str) and given.strip()):
        raise UsageError(f"the condition is written as a question, such as \"n('K') >= 2\", not {given!r}")
    _check_options(sampling, confidence, precision, exact, progress)
    if workers is not None:
        workers = whole_number("the number of workers", workers, 1, 10_000)
    most_deals = count(deals) if deals is not None else DEALS if precision is None else AT_MOST
    if precision is not None and most_deals == 0:
        raise UsageError("a precision needs deals to be simulated, and their number is 0")
    if most_deals < 0 or most_deals > 10**12:
        raise UsageError(f"the number of deals is from 0 to 10**12, not {most_deals}")
    return _answer(
        deal,
        asked,
        given,
        own,
        deals=most_deals,
        precision=precision,
        seed=seed,
        exact=exact,
        budget=budget,
        sampling=sampling,
        most_tries=most_tries,
        confidence=confidence,
        workers=workers,
        chunk=chunk,
        progress=progress,
        labels=("", "") if ruleset is None else (ruleset.title, ruleset.id),
    )


def dealt(
    game: str,
    deals: Number | None = None,
    seed: int = SEED,
    *,
    features: Iterable[str] | None = None,
    hand: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: Callable[[Progress], None] | bool | None = None,
) -> OddsResult:
    """Say what the dealt hand of a game holds: its standard features, counted and simulated.

    Parameters
    ----------
    game : str
        Id or synonym of a rule set.
    deals : int or str, optional
        How many deals are simulated, 0 for none; 1,000,000 if left out.
    seed : int
        The same seed gives the same cards.
    features : iterable of str, optional
        Only these of the game's features.
    hand : int, optional
        Cards dealt to a player, where a rule of the game says otherwise than usual.
    confidence : float
        Confidence level of the intervals.
    workers : int, optional
        Number of workers; it makes no difference to the result.
    progress : callable or bool, optional
        As for `odds`.

    Returns
    -------
    OddsResult
        Without rows when the game has no features of a dealt hand.
    """
    ruleset = _ruleset(game)
    if ruleset is None:
        raise UsageError("which game? name one, such as 'rubicon-bezique'")
    if not ruleset.hand or not ruleset.features:
        return OddsResult(
            make_deal(ruleset.pack, max(1, ruleset.hand)), (), seed, game=ruleset.title, identifier=ruleset.id
        )
    return odds(
        features,
        game=ruleset.id,
        hand=hand,
        deals=deals,
        seed=seed,
        confidence=confidence,
        workers=workers,
        progress=progress,
    )


def _ruleset(game: str | None) -> RuleSet | None:
    if game is None:
        return None
    from simcards.games import registry

    return registry.ruleset(text(game, "a game"))


def _check_options(sampling: str, confidence: float, precision: float | None, exact: bool, progress: Any) -> None:
    if sampling not in SAMPLING:
        raise unknown("sampling", sampling, SAMPLING)
    level(confidence)
    switch(exact, "exact")
    number = precision is None or (isinstance(precision, int | float) and not isinstance(precision, bool))
    if not number or (precision is not None and not 0.0 < precision < float("inf")):
        raise UsageError(f"the precision must be a number above 0, not {precision!r}")
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise UsageError(f"progress is True, False or a function, not {progress!r}")


def _asked(features: Any, deal: Deal, ruleset: RuleSet | None, own: Mapping[str, str]) -> list[_Asked]:
    """Read the questions."""
    docs = {feature.name: feature.doc for feature in ruleset.features} if ruleset is not None else {}
    words = {identifier(name): name for name in own}
    if features is None:
        if not own:
            raise UsageError("what is the question? write an expression, such as \"n('K') >= 2\"")
        features = list(own)
    elif isinstance(features, str):
        features = [features]
    elif isinstance(features, Mapping):
        features = list(features.items())
    elif not isinstance(features, Iterable):
        raise UsageError(f"questions are written as texts, such as \"n('K') >= 2\", not {features!r}")
    named: dict[str, str] = dict(own)
    asked: list[_Asked] = []
    for each in features:
        if isinstance(each, str):
            name = words.get(identifier(each), each)
            expression, mine = own.get(name, each), name in own
        elif isinstance(each, Sequence) and len(each) == 2 and all(isinstance(part, str) for part in each):
            name, expression, mine = each[0], each[1], False
        elif hasattr(each, "expression") and hasattr(each, "name"):
            name, expression, mine = each.name, each.expression, False
            docs.setdefault(name, getattr(each, "doc", ""))
        else:
            raise UsageError(f"a question is an expression, or a name and an expression, not {each!r}")
        node = parse(expression, deal, named)
        name = " ".join(name.split())
        if any(other.name == name for other in asked):
            raise UsageError(f"the question {name!r} is asked twice")
        asked.append(_Asked(name, expression.strip(), docs.get(name, ""), node, strict=not mine))
        if name != expression.strip() and identifier(name):
            named[name] = expression
    if not asked:
        raise UsageError("what is the question? write an expression, such as \"n('K') >= 2\"")
    return asked


def _answer(
    deal: Deal,
    asked: Sequence[_Asked],
    given: str | None,
    names: Mapping[str, str],
    *,
    deals: int,
    precision: float | None,
    seed: Number,
    exact: bool,
    budget: Number | None,
    sampling: str,
    most_tries: Number | None,
    confidence: float,
    workers: int | None,
    chunk: int | None,
    progress: Any,
    labels: tuple[str, str],
) -> OddsResult:
    from simcards.odds.exact import BUDGET
    from simcards.study.plan import whole_number

    seed = whole_number("the seed", count(seed, "the seed"), 0, 2**64 - 1)
    condition = None
    if given is not None:
        condition = parse(given, deal, names)
        if not condition.is_condition:
            raise condition.spot.error(f"a condition is wanted, and {condition.spot.excerpt} is a number")
    given = given.strip() if given is not None else ""
    for each in asked:  # wrong questions are found before anything is counted
        _grounded(deal, each, condition)
    limit = BUDGET if budget is None else whole_number("the budget", count(budget, "the budget"), 1, 10**12)
    began = time.perf_counter()
    ways = None if condition is None else _count_condition(deal, condition, given, limit, workers)
    counts: list[tuple[Exact | None, str]] = []
    for each in asked:
        counts.append(_count(deal, each, condition, limit, workers) if exact else (None, "not asked for"))
    seconds = time.perf_counter() - began
    simulation = None
    if deals:
        simulation = _simulate(
            deal, asked, condition, given, ways, deals, precision, seed, sampling, most_tries, confidence, workers,
            chunk, progress, labels[1] or "odds",
        )  # fmt: skip
    rows = []
    looked = precision is not None
    for index, (each, (counted, reason)) in enumerate(zip(asked, counts, strict=True)):
        sums = simulation.sums[index] if simulation is not None else None
        estimate = None
        if sums is not None:
            estimated = sums.rate if each.node.is_condition else sums.mean
            estimate = estimated(confidence, looked, each.name)
        rows.append(
            OddsRow(each.name, each.expression, each.doc, each.node.is_condition, counted, reason, estimate, sums)
        )
    return OddsResult(deal, tuple(rows), seed, given, ways, simulation, deals, precision, confidence, *labels, seconds)


def _grounded(deal: Deal, each: _Asked, condition: Node | None) -> tuple[Any, int, int | None]:
    """Write a question and the condition out, in a graph of their own."""
    from simcards.odds.ground import Graph, ground

    graph = Graph(deal)
    node = ground(each.node, graph, strict=each.strict)
    return graph, node, None if condition is None else ground(condition, graph)


def _impossible(given: str) -> ExpressionError:
    return ExpressionError("no such hand exists: the condition never holds", given, 0, len(given))


def _count_condition(deal: Deal, condition: Node, given: str, budget: int, workers: int | None) -> Exact | None:
    from simcards.odds.exact import NotCounted, count
    from simcards.odds.ground import Graph, ground

    graph = Graph(deal)
    node = ground(condition, graph)
    if node == graph.false:
        raise _impossible(given)
    try:
        made = count(graph, graph.true, node, budget=budget, workers=workers)
    except NotCounted:
        return None
    if not made.total:
        raise _impossible(given)
    return made


def _count(
    deal: Deal, each: _Asked, condition: Node | None, budget: int, workers: int | None
) -> tuple[Exact | None, str]:
    from simcards.odds.exact import NotCounted, count

    graph, node, given = _grounded(deal, each, condition)
    try:
        return count(graph, node, given, budget=budget, workers=workers), ""
    except NotCounted as error:
        return None, str(error)


def _simulate(
    deal: Deal,
    asked: Sequence[_Asked],
    condition: Node | None,
    given: str,
    ways: Exact | None,
    deals: int,
    precision: float | None,
    seed: int,
    sampling: str,
    most_tries: Number | None,
    confidence: float,
    workers: int | None,
    chunk: int | None,
    progress: Any,
    title: str,
) -> Simulation:
    from simcards.odds import kernels
    from simcards.odds.ground import MOST_NODES, Graph, ground
    from simcards.odds.simulate import MOST_TRIES, NoneFound, simulate
    from simcards.study.progress import shown

    graph = Graph(deal, MOST_NODES * (len(asked) + 1))
    nodes = [ground(each.node, graph, strict=each.strict) for each in asked]
    node = None if condition is None else ground(condition, graph)
    conditional = node is not None and node != graph.true
    recipe = None
    if conditional:
        assert node is not None
        recipe = _recipe(graph, node, ways, sampling)
    program = kernels.program(graph, nodes, node)
    limit = MOST_TRIES if most_tries is None else count(most_tries, "the number of tries")
    if limit < 1:
        raise UsageError(f"the number of tries is at least 1, not {limit}")
    if callable(progress):
        showing: Any = contextlib.nullcontext(progress)
    else:
        showing = shown(title, show=bool(progress), at_most=precision is not None)
    try:
        with showing as tell:
            return simulate(
                program,
                deal,
                seed,
                deals,
                conditions=[each.node.is_condition for each in asked],
                recipe=recipe,
                conditional=conditional,
                precision=precision,
                confidence=confidence,
                most_tries=limit,
                workers=workers,
                chunk=chunk,
                progress=tell,
            )
    except NoneFound as error:
        raise ExpressionError(f"no such hand was found: {error}", given, 0, len(given)) from None


def _recipe(graph: Any, node: int, ways: Exact | None, sampling: str) -> Any:
    """Return how to deal from a condition, or None when hands are to be dealt until it holds."""
    from simcards.odds.exact import NotCounted
    from simcards.odds.sampling import recipe

    if sampling == "rejection":
        return None
    rare = ways is not None and Fraction(ways.total, ways.all_deals) < _RARE
    if sampling == "auto" and not rare:
        return None
    try:
        return recipe(graph, node)
    except NotCounted as error:
        if sampling == "direct":
            raise UsageError(f"the condition cannot be dealt from directly: {error}") from None
        return None
