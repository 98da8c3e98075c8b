"""The compiled parts: expressions as functions, dealing many hands, going through all hands.

An expression becomes a function of the counts of cards. Its source is written from the graph of the expression,
never from the text that was typed, and kept in the cache folder, so that it is compiled once.
"""

# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, check-untyped-defs=False
# mypy: disallow-untyped-decorators=False, warn-return-any=False, disallow-incomplete-defs=False

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba import types

from simcards.kernel.compiled import Policy, cache_folder, kernel
from simcards.kernel.rng import ODDS, advance, multiply_high, pointer, seed_stream
from simcards.kernel.shuffle import _deal
from simcards.odds.deal import Deal
from simcards.odds.ground import Graph
from simcards.study.files import uninterrupted

MOST_CELLS = 2**16
"""Values that the histogram of an expression may have; of others only sums are kept."""

_KEPT_SOURCES = 400  # functions kept in the cache folder

_SIGNATURE = types.int64(types.CPointer(types.int64), types.CPointer(types.int64))
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_WORD = np.uint64(64)
_HALF = np.int64(32)
_LOW_HALF = np.int64(0xFFFFFFFF)


# -- expressions as functions ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """Expressions as one function of the counts of cards.

    Attributes
    ----------
    source : str
        The function: it puts the values of the expressions into its second argument and returns the condition.
    places : tuple of int
        The places whose counts it wants, one behind the other.
    bounds : tuple of pair of int
        Least and greatest value of each expression.
    """

    source: str
    places: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]

    @property
    def function(self) -> Policy:
        """The compiled function."""
        return _compiled(self.source)


def program(graph: Graph, outputs: Sequence[int], given: int | None = None) -> Program:
    """Write expressions as a function.

    Parameters
    ----------
    graph : Graph
        The graph.
    outputs : sequence of int
        Nodes.
    given : int, optional
        The node of a condition.

    Returns
    -------
    Program
    """
    wanted = [*outputs, graph.true if given is None else given]
    used = 0
    for node in wanted:
        used |= graph.places[node]
    places = tuple(p for p in range(len(graph.deal.places)) if used >> p & 1)
    column = {place: index * graph.deal.pack.types for index, place in enumerate(places)}
    lines = ["def question(c, out):"]
    for node in graph.reachable(wanted):
        lines += [f"    {line}" for line in _written(graph, node, column)]
    for index, node in enumerate(outputs):
        lines.append(f"    out[{index}] = v{node}")
    lines.append(f"    return v{wanted[-1]}")
    return Program(_renumbered("\n".join(lines) + "\n"), places, tuple((graph.low[n], graph.high[n]) for n in outputs))


def _renumbered(source: str) -> str:
    """Name the variables in the order in which they come, so that the same function has the same text."""
    names: dict[str, str] = {}
    return re.sub(r"\bv\d+", lambda match: names.setdefault(match[0], f"v{len(names)}"), source)


def _written(graph: Graph, node: int, column: Mapping[int, int]) -> list[str]:
    """Return the lines that work out one node; conditions are 0 or 1."""
    key = graph.keys[node]
    kind, name = key[0], f"v{node}"
    if kind == "const":
        return [f"{name} = np.int64({int(key[1])})"]
    if kind == "lin":
        by_weight: dict[int, list[str]] = {}
        for (place, code), weight in key[1]:
            by_weight.setdefault(weight, []).append(f"c[{column[place] + code}]")
        terms = [f"({weight}) * ({' + '.join(cards)})" for weight, cards in by_weight.items()]
        return [f"{name} = {' + '.join(terms)}"]
    if kind == "sum":
        terms = [f"({factor}) * v{inner}" for inner, factor in key[2]]
        return [f"{name} = {' + '.join([str(key[1]), *terms])}"]
    if kind in ("and", "or"):
        sign = " & " if kind == "and" else " | "
        return [f"{name} = {sign.join(f'v{part}' for part in key[1])}"]
    if kind in ("max", "min"):
        lines = [f"{name} = v{key[1][0]}"]
        return lines + [f"{name} = {kind}({name}, v{part})" for part in key[1][1:]]
    if kind in ("run", "rune"):
        lines = [f"{name}m = {' | '.join(f'v{step} << {bit}' for bit, step in enumerate(key[-1]))}"]
        if kind == "rune":
            together = " & ".join(f"({name}m >> {shift})" for shift in range(key[1]))
            return [*lines, f"{name} = np.int64(({together}) != 0)"]
        return [*lines, f"{name} = np.int64(0)", f"while {name}m != 0:", f"    {name}m &= {name}m >> 1",
                f"    {name} += 1"]  # fmt: skip
    if kind == "rows":
        lines = [f"{name} = np.int64(0)", f"{name}r = np.int64(0)", f"{name}p = np.int64(1)"]
        for step in key[2]:
            lines += [f"if v{step} > 0:", f"    {name}r += 1", f"    {name}p *= v{step}", "else:",
                      f"    if {name}r >= {key[1]}:", f"        {name} += {name}r * {name}p",
                      f"    {name}r = np.int64(0)", f"    {name}p = np.int64(1)"]  # fmt: skip
        return [*lines, f"if {name}r >= {key[1]}:", f"    {name} += {name}r * {name}p"]
    if kind == "ways":
        total = key[1]
        lines = [f"{name}w{reached} = np.int64({int(reached == 0)})" for reached in range(total + 1)]
        for value, step in key[2]:
            lines.append(f"for {name}i in range(v{step}):")
            lines += [f"    {name}w{reached} += {name}w{reached - value}" for reached in range(total, value - 1, -1)]
        return [*lines, f"{name} = {name}w{total}"]
    a, b, c = (*(f"v{part}" for part in key[1:]), "", "", "")[:3]
    simple = {
        "ge": f"np.int64({a} >= 0)",
        "eq": f"np.int64({a} == 0)",
        "not": f"1 - {a}",
        "int": a,
        "abs": f"abs({a})",
        "mul": f"{a} * {b}",
        "div": f"{a} // {b}",
        "mod": f"{a} % {b}",
        "pick": f"{b} if {a} != 0 else {c}",
    }
    return [f"{name} = {simple[kind]}"]


_compiling = threading.Lock()


@functools.lru_cache(maxsize=256)
def _compiled(source: str) -> Policy:
    function = _function(source)
    try:
        made = Policy(function, _SIGNATURE)
    except (OSError, RuntimeError):  # the source file could not be kept, so numba cannot keep the function
        made = Policy(numba.njit(nogil=True)(function), _SIGNATURE)
    with _compiling:
        made.__wrapper_address__()
    return made


def _function(source: str) -> Callable[..., Any]:
    """Return the Python function of a source text that `program` has written."""
    digest = hashlib.blake2b(source.encode(), digest_size=12).hexdigest()
    module = ModuleType(f"simcards.odds.question_{digest}")
    text = f"import numpy as np\n\n\n{source}"
    folder = cache_folder("odds")
    path = "<question>" if folder is None else str(folder / "questions" / f"question_{digest}.py")
    if folder is not None:
        with contextlib.suppress(OSError):
            _store(Path(path), text)
    module.__file__ = path
    # what was compiled before is found by the name of the module, which need not be on any path
    sys.modules[module.__name__] = module
    exec(compile(text, path, "exec"), module.__dict__)
    return module.question


def _store(path: Path, text: str) -> None:
    """Write a source file, whole or not at all, and remove old ones when there are many."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".tmp", delete=False) as file:
        file.write(text)
    os.replace(file.name, path)
    sources = list(path.parent.glob("question_*.py"))
    if len(sources) > _KEPT_SOURCES:
        sources.sort(key=lambda each: each.stat().st_mtime)
        for old in sources[: len(sources) // 2]:
            for kept in path.parent.parent.rglob(f"*{old.stem}*"):
                with contextlib.suppress(OSError):
                    kept.unlink()


# -- dealing -----------------------------------------------------------------------------------------------


@kernel
def _add(out, bins, hist, sums, squares):
    """Add the values of one deal to the sums; return whether a value was out of its bounds.

    Values are below 2**53 and deals fewer than 2**24, so that no half can overflow.
    """
    wrong = 0
    for feature in range(bins.shape[0]):
        value = out[feature]
        cells = bins[feature, 1]
        if cells > 0:
            cell = value - bins[feature, 0]
            if cell < 0 or cell >= cells:
                wrong = 1
            else:
                hist[bins[feature, 2] + cell] += 1
        else:
            size = np.uint64(abs(value))
            low = size * size
            sums[feature, 0] += value >> _HALF
            sums[feature, 1] += value & _LOW_HALF
            total = squares[feature, 1] + low
            squares[feature, 0] += multiply_high(size, size) + (_ONE if total < low else _ZERO)
            squares[feature, 1] = total
    return wrong


@kernel
def deal_hands(
    question, seed, low, high, most_tries, stream, template, deck, ends, kinds, counts, out, bins, hist, sums, squares
):
    """Deal hands and ask a question of each, again and again until its condition holds.

    Parameters
    ----------
    question : Policy
        The function of the expressions.
    seed : uint64
        The seed.
    low, high : int64
        Range of deals; each has its own stream.
    most_tries : int64
        How often one deal is dealt anew at most.
    stream, template, deck : arrays
        Room for the stream and the deck, and the cards that may be dealt.
    ends : int64[:]
        Where each place ends in the deck.
    kinds : int64
        Number of types of cards.
    counts : int64[:]
        Zeros, for each place and type.
    out, bins, hist, sums, squares : arrays
        Room for the values; low, cells and offset of each histogram; the histograms; sums and sums of squares of
        values without histogram, both in two halves.

    Returns
    -------
    tuple of int64
        Hands dealt in all, and the deal that failed or -1; -2 when a value was out of its bounds.
    """
    tries = 0
    wrong = 0
    state, source, cards = pointer(stream), pointer(template), pointer(deck)
    held, values = pointer(counts), pointer(out)
    size = np.uint64(template.shape[0])
    places = ends.shape[0]
    wanted = np.uint64(ends[places - 1]) if places > 0 else _ZERO
    for index in range(low, high):
        seed_stream(stream, seed, ODDS, index)
        tried = 0
        while True:
            _deal(state, source, cards, size, wanted)
            first = 0
            for place in range(places):
                base = place * kinds
                for at in range(first, ends[place]):
                    held[base + cards[at]] += 1
                first = ends[place]
            held_true = question(held, values)
            first = 0
            for place in range(places):
                base = place * kinds
                for at in range(first, ends[place]):
                    held[base + cards[at]] = 0
                first = ends[place]
            tried += 1
            if held_true != 0:
                break
            if tried >= most_tries:
                return tries + tried, index
        tries += tried
        wrong |= _add(values, bins, hist, sums, squares)
    return tries, -2 if wrong else -1


@kernel
def ask_all(question, counts, out):
    """Ask a question of hands of one place.

    Parameters
    ----------
    question : Policy
        The function of the expressions.
    counts : ndarray of int64, shape (hands, kinds)
        How many of each card they hold.
    out : ndarray of int64, shape (hands, expressions)
        Result: the values.
    """
    for row in range(counts.shape[0]):
        question(pointer(counts[row]), pointer(out[row]))


@kernel
def _below(state, bound):
    """Draw a number below a bound; `simcards.kernel.rng.bounded` for a stream given by its pointer."""
    word = advance(state)
    rest = word * bound
    if rest < bound:
        threshold = (_ZERO - bound) % bound
        while rest < threshold:
            word = advance(state)
            rest = word * bound
    return np.int64(multiply_high(word, bound))


@kernel
def _select(state, node, starts, cumulated, totals, guide_starts, guide_bits, guide):
    """Choose an alternative of a node, each as likely as its weight says."""
    first = starts[node]
    if starts[node + 1] - first == 1:
        return first
    total = totals[node]
    word = advance(state)
    rest = word * total
    if rest < total:
        threshold = (_ZERO - total) % total
        while rest < threshold:
            word = advance(state)
            rest = word * total
    mark = multiply_high(word, total)
    at = np.int64(guide[guide_starts[node] + np.int64(word >> (_WORD - np.uint64(guide_bits[node])))])
    while cumulated[at] <= mark:
        at += 1
    return at


@kernel
def build_guides(starts, cumulated, totals, guide_starts, guide_bits, guide):
    """Fill the tables in which `_select` looks up where to begin its search."""
    for node in range(totals.shape[0]):
        bits = np.uint64(guide_bits[node])
        total = totals[node]
        quotient, rest = total >> bits, total & ((_ONE << bits) - _ONE)
        at = starts[node]
        for bucket in range(np.int64(_ONE << bits)):
            many = np.uint64(bucket)
            least = many * quotient + ((many * rest) >> bits)
            while cumulated[at] <= least:
                at += 1
            guide[guide_starts[node] + bucket] = at


@kernel
def _deal_from_condition(
    question, seed, low, high, stream, state, template, deck, size_of_deck, kinds, held, values,
    bins, hist, sums, squares,
    starts, cumulated, totals, guide_starts, guide_bits, guide, left, right, row,
    row_starts, row_class, row_place, row_count, class_starts, class_sizes, classes, class_type,
    extra_place, extra_count, extra_places,
    stack, used, chosen,
):  # fmt: skip
    """Do the work of `deal_from_condition` with pointers, whose references are not counted."""
    wrong = 0
    for index in range(low, high):
        seed_stream(stream, seed, ODDS, index)
        for at in range(size_of_deck):
            deck[at] = template[at]
        for at in range(classes):
            used[at] = 0
        depth = 1
        stack[0] = 0
        dealt = 0
        while depth > 0:
            depth -= 1
            at = _select(state, stack[depth], starts, cumulated, totals, guide_starts, guide_bits, guide)
            if left[at] >= 0:
                stack[depth] = left[at]
                depth += 1
            if right[at] >= 0:
                stack[depth] = right[at]
                depth += 1
            if row[at] >= 0:
                for entry in range(row_starts[row[at]], row_starts[row[at] + 1]):
                    which, many = row_class[entry], row_count[entry]
                    base = row_place[entry] * kinds
                    if class_type[which] >= 0:
                        cell = base + class_type[which]
                        held[cell] += many
                        chosen[dealt] = cell
                        dealt += 1
                        used[which] += many
                        continue
                    first, size = class_starts[which], class_sizes[which]
                    for _ in range(many):
                        taken = used[which]
                        here = first + taken
                        there = here + _below(state, np.uint64(size - taken))
                        card = deck[there]
                        deck[there] = deck[here]
                        deck[here] = card
                        used[which] = taken + 1
                        cell = base + card
                        held[cell] += 1
                        chosen[dealt] = cell
                        dealt += 1
        if extra_places > 0:  # hands that the condition does not speak of get what is left
            left_over = 0
            for which in range(classes):
                first = class_starts[which]
                for at in range(first + used[which], first + class_sizes[which]):
                    deck[left_over] = deck[at]
                    left_over += 1
            first = 0
            for extra in range(extra_places):
                base = extra_place[extra] * kinds
                for _ in range(extra_count[extra]):
                    there = first + _below(state, np.uint64(left_over - first))
                    card = deck[there]
                    deck[there] = deck[first]
                    first += 1
                    cell = base + card
                    held[cell] += 1
                    chosen[dealt] = cell
                    dealt += 1
        holds = question(held, values)
        for at in range(dealt):
            held[chosen[at]] = 0
        if holds == 0:
            return high - low, -3
        wrong |= _add(values, bins, hist, sums, squares)
    return high - low, -2 if wrong else -1


@kernel
def deal_from_condition(
    question, seed, low, high, stream, template, deck, kinds, counts, out, bins, hist, sums, squares,
    starts, cumulated, totals, guide_starts, guide_bits, guide, left, right, row,
    row_starts, row_class, row_place, row_count, class_starts, class_sizes, class_type,
    extra_place, extra_count, stack, used, chosen,
):  # fmt: skip
    """Deal hands for which a condition holds, without trying, and ask a question of each.

    First it is chosen how many cards of each class every place has, going back through the tables of the exact
    count; then which cards of the class they are.

    Returns
    -------
    tuple of int64
        Hands dealt, and -1; -2 when a value was out of its bounds, -3 when the condition did not hold.
    """
    return _deal_from_condition(
        question, seed, low, high, stream, pointer(stream), pointer(template), pointer(deck), template.shape[0],
        kinds, pointer(counts), pointer(out), bins, hist, sums, squares, pointer(starts), pointer(cumulated),
        pointer(totals), pointer(guide_starts), pointer(guide_bits), pointer(guide), pointer(left),
        pointer(right), pointer(row), pointer(row_starts), pointer(row_class), pointer(row_place),
        pointer(row_count), pointer(class_starts), pointer(class_sizes), class_sizes.shape[0],
        pointer(class_type), pointer(extra_place), pointer(extra_count), extra_place.shape[0], pointer(stack),
        pointer(used), pointer(chosen),
    )  # fmt: skip


# -- going through all hands -------------------------------------------------------------------------------


@kernel
def _times(high, low, other_high, other_low):
    """Return the product of two numbers of 128 bits, modulo 2**128."""
    return multiply_high(low, other_low) + high * other_low + low * other_high, low * other_low


@kernel
def go_through(
    question, first_class, first_count, cards, codes, sizes, kinds, binomial_high, binomial_low,
    counts, out, least, sums_high, sums_low, halt,
):  # fmt: skip
    """Go through all ways to fill the places that begin with so many cards of one class, and none before it.

    Parameters
    ----------
    question : Policy
        The function of the expression and of the condition.
    first_class, first_count : int64
        The first class with cards in the first place, and how many of them.
    cards, codes : int64[:]
        Cards of each class (changed and restored), and the type that stands for the class.
    sizes : int64[:]
        Cards of each place, none of them 0.
    kinds : int64
        Number of types of cards.
    binomial_high, binomial_low : uint64[:, :]
        Binomial coefficients of 128 bits.
    counts, out : int64[:]
        Zeros for each place and type, and room for the value.
    least : int64
        The value of the first sum; the last sum is for where the condition does not hold.
    sums_high, sums_low : uint64[:]
        Sums of the weights for each value, 128 bits.
    halt : int64[:]
        When its only number is not 0 any more the rest is left out.

    Returns
    -------
    tuple of int64
        States gone through, and whether a value was out of bounds.
    """
    held, values = pointer(counts), pointer(out)
    kinds_of = cards.shape[0]
    places = sizes.shape[0]
    cells = sums_high.shape[0] - 1
    room = 1
    for place in range(places):
        room += sizes[place]
    s_class = np.empty(room, np.int64)
    s_count = np.empty(room, np.int64)
    s_behind = np.empty(room, np.int64)
    s_wanted = np.empty(room, np.int64)
    s_place = np.empty(room, np.int64)
    w_high = np.empty(room + 1, np.uint64)
    w_low = np.empty(room + 1, np.uint64)

    total = 0
    for which in range(kinds_of):
        total += cards[which]
    behind = 0  # cards of this class and of those behind it
    for which in range(first_class, kinds_of):
        behind += cards[which]
    w_high[0], w_low[0] = binomial_high[cards[first_class], first_count], binomial_low[cards[first_class], first_count]
    held[codes[first_class]] += first_count
    behind -= cards[first_class]
    cards[first_class] -= first_count
    total -= first_count
    wanted = sizes[0] - first_count
    which, place, depth = first_class + 1, 0, 0
    states, wrong = 0, 0
    while True:
        while True:
            if wanted == 0:
                place += 1
                if place == places:
                    break
                which, wanted, behind = 0, sizes[place], total
                continue
            have = cards[which]
            many = min(have, wanted)
            if many == 0:
                which += 1
                continue
            s_class[depth], s_count[depth], s_behind[depth] = which, many, behind
            s_wanted[depth], s_place[depth] = wanted, place
            w_high[depth + 1], w_low[depth + 1] = _times(
                w_high[depth], w_low[depth], binomial_high[have, many], binomial_low[have, many]
            )
            depth += 1
            cards[which] -= many
            held[place * kinds + codes[which]] += many
            total -= many
            behind -= have
            wanted -= many
            which += 1
        states += 1
        if halt[0] != 0:
            break
        cell = cells
        if question(held, values) != 0:
            cell = values[0] - least
            if cell < 0 or cell >= cells:
                wrong = 1
                cell = cells
        low = sums_low[cell] + w_low[depth]
        sums_high[cell] += w_high[depth] + (_ONE if low < w_low[depth] else _ZERO)
        sums_low[cell] = low
        done = True
        while depth > 0:
            depth -= 1
            which, many, behind = s_class[depth], s_count[depth] - 1, s_behind[depth]
            wanted, place = s_wanted[depth], s_place[depth]
            cards[which] += 1
            cell = place * kinds + codes[which]
            held[cell] -= 1
            total += 1
            have = cards[which] + many
            if wanted - many <= behind - have:
                behind -= have
                wanted -= many
                if many > 0:
                    s_count[depth] = many
                    w_high[depth + 1], w_low[depth + 1] = _times(
                        w_high[depth], w_low[depth], binomial_high[have, many], binomial_low[have, many]
                    )
                    depth += 1
                which += 1
                done = False
                break
            cards[which] += many
            held[cell] -= many
            total += many
        if done:
            break
    cards[first_class] += first_count
    held[codes[first_class]] -= first_count
    return states, wrong


def enumerate_all(
    made: Program,
    codes: Sequence[int],
    cards: Sequence[int],
    places: Sequence[int],
    sizes: Sequence[int],
    deal: Deal,
    workers: int | None = None,
) -> tuple[dict[tuple[int, int], int], int]:
    """Go through all ways to fill the places with cards of some classes.

    Parameters
    ----------
    made : Program
        The expression and a condition.
    codes, cards : sequence of int
        The type that stands for each class, and its number of cards.
    places, sizes : sequence of int
        The places and their numbers of cards.
    deal : Deal
        The deal.
    workers : int, optional
        Threads; all processors if left out.

    Returns
    -------
    counts : dict
        Numbers of deals by value and by whether the condition holds; all that do not have the value 0.
    states : int
        States gone through.
    """
    from joblib import Parallel, delayed

    column = [tuple(places).index(place) for place in made.places]
    if column != list(range(len(places))):
        raise ValueError("the places of the expression are not those of the count")
    low, high = made.bounds[0]
    cells = high - low + 1
    if cells > 2**22:
        raise ValueError("the expression has too many values")
    most = max(cards)
    widest = max(sizes)
    mask = 2**64 - 1
    binomials = [[math.comb(n, k) for k in range(widest + 1)] for n in range(most + 1)]
    binomial_high = np.array([[value >> 64 & mask for value in row] for row in binomials], np.uint64)
    binomial_low = np.array([[value & mask for value in row] for row in binomials], np.uint64)
    kinds = deal.pack.types
    halt = np.ones(1, np.int64)

    def task(first: int, many: int) -> tuple[Any, ...]:
        sums_high, sums_low = np.zeros(cells + 1, np.uint64), np.zeros(cells + 1, np.uint64)
        states, wrong = go_through(
            made.function, first, many, np.array(cards, np.int64), np.array(codes, np.int64),
            np.array(sizes, np.int64), kinds, binomial_high, binomial_low, np.zeros(kinds * len(sizes), np.int64),
            np.zeros(1, np.int64), low, sums_high, sums_low, halt,
        )  # fmt: skip
        return states, wrong, sums_high, sums_low

    tasks = []
    for first, have in enumerate(cards):
        behind = sum(cards[first + 1 :])
        tasks += [(first, many) for many in range(1, min(have, sizes[0]) + 1) if sizes[0] - many <= behind]
    with uninterrupted():  # the compiler does not survive an interrupt
        task(*tasks[0])  # compiles, and is halted at once
    halt[0] = 0
    try:
        results = Parallel(n_jobs=workers or -1, prefer="threads")(delayed(task)(*each) for each in tasks)
    finally:
        halt[0] = 1  # whoever interrupts the wait does not wait for the threads either
    totals = [0] * (cells + 1)
    states = 0
    for gone, wrong, sums_high, sums_low in results:
        if wrong:
            raise RuntimeError("an expression has a value out of its bounds")
        states += gone
        for cell in np.flatnonzero((sums_high != 0) | (sums_low != 0)).tolist():
            totals[cell] += (int(sums_high[cell]) << 64) + int(sums_low[cell])
    counts = {(cell + low, 1): ways for cell, ways in enumerate(totals[:-1]) if ways}
    if totals[-1]:
        counts[0, 0] = totals[-1]
    return counts, states
