"""Expressions written out for the cards of a deal: no more suits and ranks, only counts of types of cards.

Every question about a suit or a rank is written out for each of them, known cards are put in as numbers, and what
cannot be otherwise is replaced by its value. The result is a graph, in which equal parts are one node:

=========  ===========================================================================================
``lin``    a weighted sum of counts; a count is that of one type of card in one place
``sum``    a constant and other numbers, each with a factor
``mul`` ``div`` ``mod`` ``max`` ``min`` ``abs`` ``pick`` ``int``
           numbers from numbers; ``pick`` is one of two by a condition, ``int`` a condition as 0 or 1
``run``    longest row of true conditions in a sequence; ``rune`` whether it is at least so long
``rows``   points for rows of counts that are not zero; ``ways`` the ways to make a sum
``ge`` ``eq``
           whether a number is at least 0, or 0
``and`` ``or`` ``not``
           of conditions
``atom``   a variable of its own, see `simcards.odds.separate`
=========  ===========================================================================================

Of each node is known between which bounds it lies and which types of cards it depends on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simcards.odds import tree
from simcards.odds.deal import Deal
from simcards.odds.tree import Node, Spot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_NODES = 20_000
"""Nodes that a written-out expression may have."""

MOST_VALUE = 2**53
"""No part of an expression may come near what a machine integer holds."""

Key = tuple[Any, ...]


class TooLarge(Exception):
    """The written-out expression, or a number in it, would be too large."""


class Graph:
    """Written-out expressions about one deal.

    Parameters
    ----------
    deal : Deal
        The cards.
    most : int
        Nodes that there may be.

    Attributes
    ----------
    keys : list of tuple
        What each node is: its kind, and its parts as numbers of nodes.
    low, high : list of int
        Bounds of each node; 0 and 1 for conditions.
    types : list of int
        The types of cards on which each node depends, as a set of bits.
    places : list of int
        The places on which each node depends, as a set of bits.
    """

    def __init__(self, deal: Deal, most: int = MOST_NODES) -> None:
        self.deal = deal
        self.most = most
        self.keys: list[Key] = []
        self.low: list[int] = []
        self.high: list[int] = []
        self.types: list[int] = []
        self.places: list[int] = []
        self._index: dict[Key, int] = {}
        self._available = deal.available
        self._all = sum(1 << code for code, count in enumerate(self._available) if count)
        self._sizes = tuple(place.size for place in deal.places)
        self.false = self._add(("const", 0), 0, 0, 0, 0)
        self.true = self._add(("const", 1), 1, 1, 0, 0)

    # -- making nodes ------------------------------------------------------------------------------------

    def _add(self, key: Key, low: int, high: int, types: int, places: int) -> int:
        known = self._index.get(key)
        if known is not None:
            return known
        if low == high and key[0] not in ("const", "atom"):
            known = self.number(low)
            self._index[key] = known
            return known
        if len(self.keys) >= self.most:
            raise TooLarge(f"written out it has more than {self.most:,} parts")
        if max(abs(low), abs(high)) > MOST_VALUE:
            raise TooLarge("a number in it could become too large")
        number = len(self.keys)
        self._index[key] = number
        self.keys.append(key)
        self.low.append(low)
        self.high.append(high)
        self.types.append(types)
        self.places.append(places)
        return number

    def _made(self, key: Key, parts: Iterable[int], low: int, high: int) -> int:
        known = self._index.get(key)
        if known is not None:
            return known
        types = places = 0
        for part in parts:
            types |= self.types[part]
            places |= self.places[part]
        return self._add(key, low, high, types, places)

    def number(self, value: int) -> int:
        """Return the node of a constant; 0 and 1 are also false and true."""
        return self._add(("const", value), value, value, 0, 0)

    def is_constant(self, node: int) -> bool:
        """Return whether a node is a constant."""
        return bool(self.keys[node][0] == "const")

    def atom(self, index: int, low: int, high: int, source: int) -> int:
        """Return the node of a variable of its own that stands for what another node depends on."""
        return self._add(("atom", index, low, high), low, high, self.types[source], self.places[source])

    def linear(self, weights: Mapping[tuple[int, int], int]) -> int:
        """Return a weighted sum of counts, by place and type of card; known cards are included."""
        constant = 0
        free: dict[int, dict[int, int]] = {}
        for (place, code), weight in weights.items():
            if weight == 0:
                continue
            constant += weight * self.deal.places[place].counts[code]
            if self._available[code] and self._sizes[place]:
                free.setdefault(place, {})[code] = weight
        terms: dict[tuple[int, int], int] = {}
        for place, by_type in free.items():
            values = set(by_type.values())
            if len(values) == 1 and sum(1 << code for code in by_type) == self._all:
                constant += values.pop() * self._sizes[place]  # all cards of the place
            else:
                terms |= {(place, code): weight for code, weight in by_type.items()}
        return self.sum(constant, {self._linear(terms): 1} if terms else {})

    def _linear(self, terms: Mapping[tuple[int, int], int]) -> int:
        key = ("lin", tuple(sorted(terms.items())))
        known = self._index.get(key)
        if known is not None:
            return known
        low = high = types = places = 0
        for place, size in enumerate(self._sizes):
            here = sorted((weight, self._available[code]) for (at, code), weight in terms.items() if at == place)
            if here:
                used = sum(1 << code for at, code in terms if at == place)
                rest = sum(count for code, count in enumerate(self._available) if not used >> code & 1)
                here = sorted([*here, (0, rest)])
                low += _filled(here, size)
                high += _filled(here[::-1], size)
                types |= used
                places |= 1 << place
        return self._add(key, low, high, types, places)

    def sum(self, constant: int, terms: Mapping[int, int]) -> int:
        """Return a constant and nodes with factors, added up."""
        flat: dict[int, int] = {}
        linear: dict[tuple[int, int], int] = {}

        def add(node: int, factor: int) -> None:
            nonlocal constant
            key = self.keys[node]
            if factor == 0:
                return
            if key[0] == "const":
                constant += factor * key[1]
            elif key[0] == "sum":
                constant += factor * key[1]
                for inner, inner_factor in key[2]:
                    add(inner, factor * inner_factor)
            elif key[0] == "lin":
                for variable, weight in key[1]:
                    linear[variable] = linear.get(variable, 0) + factor * weight
            else:
                flat[node] = flat.get(node, 0) + factor

        for node, factor in terms.items():
            add(node, factor)
        linear = {variable: weight for variable, weight in linear.items() if weight}
        if linear:
            flat[self._linear(linear)] = 1
        flat = {node: factor for node, factor in flat.items() if factor}
        if not flat:
            return self.number(constant)
        low = high = constant
        for node, factor in flat.items():
            ends = factor * self.low[node], factor * self.high[node]
            low, high = low + min(ends), high + max(ends)
        if constant == 0 and list(flat.values()) == [1]:
            return next(iter(flat))
        return self._made(("sum", constant, tuple(sorted(flat.items()))), flat, low, high)

    def multiply(self, a: int, b: int) -> int:
        """Return a product."""
        for one, other in ((a, b), (b, a)):
            if self.is_constant(one):
                return self.sum(0, {other: self.keys[one][1]})
        ends = [x * y for x in (self.low[a], self.high[a]) for y in (self.low[b], self.high[b])]
        low = max(0, min(ends)) if a == b else min(ends)
        a, b = sorted((a, b))
        return self._made(("mul", a, b), (a, b), low, max(ends))

    def divide(self, a: int, b: int, rest: bool) -> int:
        """Return the whole quotient of two numbers, or what is left; the divisor is never 0."""
        divisors = {self.low[b], self.high[b]}
        if rest:
            low, high = min(0, self.low[b] + 1), max(0, self.high[b] - 1)
            if self.low[b] > 0 and self.low[a] >= 0 and self.high[a] < self.low[b]:
                return a
            return self._made(("mod", a, b), (a, b), low, high)
        ends = [x // y for x in (self.low[a], self.high[a]) for y in divisors]
        if divisors == {1}:
            return a
        return self._made(("div", a, b), (a, b), min(ends), max(ends))

    def extreme(self, how: str, parts: Iterable[int]) -> int:
        """Return the greatest or the least of several numbers."""
        flat: list[int] = []
        for part in parts:
            flat += self.keys[part][1] if self.keys[part][0] == how else [part]
        best = max if how == "max" else min
        low, high = best(self.low[part] for part in flat), best(self.high[part] for part in flat)
        if how == "max":
            useful = [part for part in flat if self.high[part] > low or self.low[part] == low]
        else:
            useful = [part for part in flat if self.low[part] < high or self.high[part] == high]
        kept = tuple(sorted(set(useful)))
        return kept[0] if len(kept) == 1 else self._made((how, kept), kept, low, high)

    def absolute(self, a: int) -> int:
        """Return a number without its sign."""
        if self.low[a] >= 0:
            return a
        if self.high[a] <= 0:
            return self.sum(0, {a: -1})
        return self._made(("abs", a), (a,), 0, max(-self.low[a], self.high[a]))

    def pick(self, condition: int, then: int, otherwise: int) -> int:
        """Return one of two numbers."""
        if self.is_constant(condition):
            return then if condition == self.true else otherwise
        if then == otherwise:
            return then
        low, high = min(self.low[then], self.low[otherwise]), max(self.high[then], self.high[otherwise])
        parts = (condition, then, otherwise)
        return self._made(("pick", *parts), parts, low, high)

    def integer(self, condition: int) -> int:
        """Return a condition as 0 or 1."""
        if self.is_constant(condition):
            return condition
        return self._made(("int", condition), (condition,), 0, 1)

    def run(self, conditions: Sequence[int]) -> int:
        """Return the length of the longest row of true conditions."""
        steps = tuple(conditions)
        low = _longest(step == self.true for step in steps)
        high = self._most_in_row(steps)
        return self._made(("run", steps), steps, low, high)

    def _most_in_row(self, steps: Sequence[int]) -> int:
        """Return the longest row that the cards of the places allow: each step costs a card if not sure."""
        places = 0
        for step in steps:
            places |= self.places[step]
        cards = sum(size for place, size in enumerate(self._sizes) if places >> place & 1)
        best = start = spent = 0
        for end, step in enumerate(steps):
            if step == self.false:
                start, spent = end + 1, 0
                continue
            spent += step != self.true
            while spent > cards:
                spent -= steps[start] != self.true
                start += 1
            best = max(best, end + 1 - start)
        return best

    def rows(self, least: int, counts: Sequence[int]) -> int:
        """Return the points for rows of at least `least` counts that are not zero: length times product."""
        steps = tuple(counts)
        cards = sum(max(0, self.high[step]) for step in steps)
        dealt = sum(place.cards for place in self.deal.places)
        cards, high = min(cards, dealt), 0
        for length in range(least, len(steps) + 1):
            if length <= cards:
                high = max(high, length * math.ceil(cards / length) ** length)
        high *= max(1, (len(steps) + 1) // (least + 1))
        return self._made(("rows", least, steps), steps, 0, high)

    def ways(self, total: int, counts: Mapping[int, int]) -> int:
        """Return in how many ways cards make a total, given how many there are of each value."""
        steps = tuple(sorted((value, node) for value, node in counts.items() if value <= total and self.high[node] > 0))
        cards = min(sum(self.high[node] for _, node in steps), sum(place.cards for place in self.deal.places))
        if cards > 52:
            raise TooLarge("a number in it could become too large")
        return self._made(("ways", total, steps), [node for _, node in steps], 0, 2**cards if steps else 0)

    # -- conditions --------------------------------------------------------------------------------------

    def at_least_zero(self, a: int) -> int:
        """Return whether a number is at least 0."""
        if self.low[a] >= 0:
            return self.true
        if self.high[a] < 0:
            return self.false
        constant, node, factor = self._single(a)
        kind = self.keys[node][0]
        if kind in ("max", "min") and abs(factor) == 1:
            parts = [self.at_least_zero(self.sum(constant, {part: factor})) for part in self.keys[node][1]]
            return self.any(parts) if (kind == "max") == (factor == 1) else self.all(parts)
        if kind == "run" and abs(factor) == 1:
            wanted = -constant if factor == 1 else constant + 1
            steps = self.keys[node][1]
            found = self._made(("rune", wanted, steps), steps, 0, 1)
            return found if factor == 1 else self.negate(found)
        if kind == "int" and abs(factor) == 1:
            return self.keys[node][1] if factor == 1 else self.negate(self.keys[node][1])
        return self._made(("ge", a), (a,), 0, 1)

    def is_zero(self, a: int) -> int:
        """Return whether a number is 0."""
        if not self.low[a] <= 0 <= self.high[a]:
            return self.false
        _, node, factor = self._single(a)
        if self._offset(a):
            return self.false
        if self.low[a] == 0:
            return self.at_least_zero(self.sum(0, {a: -1}))
        if self.high[a] == 0:
            return self.at_least_zero(a)
        if self.keys[node][0] in ("max", "min", "run"):
            above = self.at_least_zero(self.sum(-1, {a: 1}))
            return self.all([self.at_least_zero(a), self.negate(above)])
        if factor < 0:
            a = self.sum(0, {a: -1})
        return self._made(("eq", a), (a,), 0, 1)

    def _single(self, a: int) -> tuple[int, int, int]:
        """Return a number as a constant and one node with a factor; the factor is 1 if it is not of that form."""
        key = self.keys[a]
        if key[0] == "sum" and len(key[2]) == 1:
            return key[1], key[2][0][0], key[2][0][1]
        return 0, a, 1

    def _offset(self, a: int) -> int:
        """Return what is left over when a number is divided by what all of its parts can be divided by."""
        key = self.keys[a]
        constant, terms = (key[1], key[2]) if key[0] == "sum" else (0, ((a, 1),))
        shared = 0
        for node, factor in terms:
            weights = [weight for _, weight in self.keys[node][1]] if self.keys[node][0] == "lin" else [1]
            shared = math.gcd(shared, *(factor * weight for weight in weights))
        return int(constant % shared) if shared else 0

    def negate(self, a: int) -> int:
        """Return the contrary of a condition."""
        if self.is_constant(a):
            return self.true if a == self.false else self.false
        key = self.keys[a]
        return key[1] if key[0] == "not" else self._made(("not", a), (a,), 0, 1)

    def all(self, parts: Iterable[int]) -> int:
        """Return whether all conditions are true."""
        return self._junction("and", self.false, parts)

    def any(self, parts: Iterable[int]) -> int:
        """Return whether any condition is true."""
        return self._junction("or", self.true, parts)

    def _junction(self, how: str, decided: int, parts: Iterable[int]) -> int:
        flat: set[int] = set()
        for part in parts:
            flat |= set(self.keys[part][1]) if self.keys[part][0] == how else {part}
        if decided in flat or any(self.negate(part) in flat for part in flat if self.keys[part][0] == "not"):
            return decided
        kept = tuple(sorted(part for part in flat if not self.is_constant(part)))
        if not kept:
            return self.negate(decided)
        return kept[0] if len(kept) == 1 else self._made((how, kept), kept, 0, 1)

    # -- using them --------------------------------------------------------------------------------------

    def parts(self, node: int) -> tuple[int, ...]:
        """Return the nodes of which a node is made."""
        key = self.keys[node]
        kind = key[0]
        if kind in ("const", "lin", "atom"):
            return ()
        if kind == "sum":
            return tuple(inner for inner, _ in key[2])
        if kind == "ways":
            return tuple(inner for _, inner in key[2])
        if kind in ("run", "max", "min", "and", "or"):
            return tuple(key[1])
        if kind in ("rune", "rows"):
            return tuple(key[2])
        return tuple(key[1:])

    def reachable(self, nodes: Iterable[int]) -> list[int]:
        """Return all nodes of which some nodes are made, these included, parts before wholes."""
        found: dict[int, None] = {}
        stack = [(node, False) for node in nodes]
        while stack:
            node, done = stack.pop()
            if done:
                found[node] = None
            elif node not in found:
                stack.append((node, True))
                stack += [(part, False) for part in self.parts(node) if part not in found]
        return list(found)

    def evaluate(
        self, nodes: Sequence[int], columns: Mapping[tuple[int, int], NDArray[Any]], length: int
    ) -> list[NDArray[Any]]:
        """Work out nodes for many deals at once.

        Parameters
        ----------
        nodes : sequence of int
            What is wanted.
        columns : mapping
            Counts by place and type of card, and variables by ``(-1, index)``; a count that is not there is 0.
        length : int
            Number of deals.

        Returns
        -------
        list of ndarray
            int64 for numbers and bool for conditions.
        """
        import numpy as np

        values: dict[int, NDArray[Any]] = {}
        for node in self.reachable(nodes):
            values[node] = self._value(node, values, columns, length)
        results = []
        for node in nodes:
            results.append(np.broadcast_to(values[node], (length,)))
        return results

    def _value(
        self,
        node: int,
        values: Mapping[int, NDArray[Any]],
        columns: Mapping[tuple[int, int], NDArray[Any]],
        length: int,
    ) -> NDArray[Any]:
        import numpy as np

        key = self.keys[node]
        kind = key[0]
        if kind == "const":
            return np.array(key[1], np.int64)
        if kind == "atom":
            return columns[-1, key[1]]
        if kind == "lin":
            total = np.zeros(length, np.int64)
            for variable, weight in key[1]:
                if variable in columns:
                    total += columns[variable] if weight == 1 else weight * columns[variable].astype(np.int64)
            return total
        if kind == "sum":
            total = np.full(length, key[1], np.int64)
            for inner, factor in key[2]:
                total += values[inner] if factor == 1 else factor * values[inner]
            return total
        if kind in ("and", "or", "max", "min"):
            join = {"and": np.logical_and, "or": np.logical_or, "max": np.maximum, "min": np.minimum}[kind]
            result = values[key[1][0]]
            for inner in key[1][1:]:
                result = join(result, values[inner])
            return result
        if kind in ("run", "rune"):
            longest = _longest_of([values[step] for step in key[-1]], length)
            return longest if kind == "run" else longest >= key[1]
        if kind == "rows":
            return _rows_of(key[1], [values[step] for step in key[2]], length)
        if kind == "ways":
            return _ways_of(key[1], [(value, values[step]) for value, step in key[2]], length)
        first = values[key[1]]
        simple: dict[str, Callable[[], NDArray[Any]]] = {
            "ge": lambda: first >= 0,
            "eq": lambda: first == 0,
            "not": lambda: np.logical_not(first),
            "int": lambda: first.astype(np.int64),
            "abs": lambda: np.abs(first),
            "mul": lambda: first * values[key[2]],
            "div": lambda: first // values[key[2]],
            "mod": lambda: first % values[key[2]],
            "pick": lambda: np.where(first, values[key[2]], values[key[3]]),
        }
        return simple[kind]()

    def enclose(
        self,
        nodes: Sequence[int],
        low: Mapping[int, NDArray[Any]],
        high: Mapping[int, NDArray[Any]],
        length: int,
    ) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Work out bounds of nodes from bounds of variables, for many cases at once.

        Parameters
        ----------
        nodes : sequence of int
            What is wanted.
        low, high : mapping
            Bounds of the variables by their index.
        length : int
            Number of cases.

        Returns
        -------
        list of tuple of ndarray
            Lower and upper bounds; conditions are 0 and 1.
        """
        import numpy as np

        bounds: dict[int, tuple[NDArray[Any], NDArray[Any]]] = {}
        for node in self.reachable(nodes):
            key = self.keys[node]
            if key[0] == "atom":
                bounds[node] = low[key[1]], high[key[1]]
            else:
                bounds[node] = self._bounds(node, bounds)
        wide = []
        for node in nodes:
            least, most = bounds[node]
            wide.append((np.broadcast_to(least, (length,)), np.broadcast_to(most, (length,))))
        return wide

    def _bounds(
        self, node: int, bounds: Mapping[int, tuple[NDArray[Any], NDArray[Any]]]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        import numpy as np

        key = self.keys[node]
        kind = key[0]
        if kind == "sum":
            least: NDArray[Any] = np.array(key[1], np.int64)
            most = least
            for inner, factor in key[2]:
                ends = bounds[inner] if factor > 0 else bounds[inner][::-1]
                least, most = least + factor * ends[0], most + factor * ends[1]
            return least, most
        if kind in ("and", "min", "or", "max"):
            join: Any = np.minimum if kind in ("and", "min") else np.maximum
            least, most = bounds[key[1][0]]
            for inner in key[1][1:]:
                least, most = join(least, bounds[inner][0]), join(most, bounds[inner][1])
            return least, most
        if kind in ("ge", "eq", "not", "int", "abs"):
            least, most = bounds[key[1]]
            if kind == "ge":
                return (least >= 0).astype(np.int64), (most >= 0).astype(np.int64)
            if kind == "eq":
                both = (least == 0) & (most == 0)
                return both.astype(np.int64), ((least <= 0) & (most >= 0)).astype(np.int64)
            if kind == "not":
                return 1 - most, 1 - least
            if kind == "int":
                return least, most
            nearest = np.maximum(np.maximum(least, -most), 0)
            return nearest, np.maximum(np.abs(least), np.abs(most))
        if kind == "mul":
            a, b = bounds[key[1]], bounds[key[2]]
            products = [x * y for x in a for y in b]
            least, most = products[0], products[0]
            for product in products[1:]:
                least, most = np.minimum(least, product), np.maximum(most, product)
            return least, most
        if kind == "pick":
            (never, surely), a, b = (bounds[part] for part in key[1:])
            least = np.where(never == 1, a[0], np.where(surely == 0, b[0], np.minimum(a[0], b[0])))
            return least, np.where(never == 1, a[1], np.where(surely == 0, b[1], np.maximum(a[1], b[1])))
        # for the others what is known of the node is good enough
        return np.array(self.low[node], np.int64), np.array(self.high[node], np.int64)


def _filled(weights: Sequence[tuple[int, int]], size: int) -> int:
    """Return the sum of the first `size` weights, each there so many times."""
    total = 0
    for weight, count in weights:
        taken = min(size, count)
        total += weight * taken
        size -= taken
    return total


def _longest(steps: Iterable[bool]) -> int:
    best = current = 0
    for step in steps:
        current = current + 1 if step else 0
        best = max(best, current)
    return best


def _longest_of(steps: Sequence[NDArray[Any]], length: int) -> NDArray[np.int64]:
    import numpy as np

    best = np.zeros(length, np.int64)
    current = np.zeros(length, np.int64)
    for step in steps:
        current = (current + 1) * step
        best = np.maximum(best, current)
    return best


def _rows_of(least: int, steps: Sequence[NDArray[Any]], length: int) -> NDArray[np.int64]:
    import numpy as np

    total = np.zeros(length, np.int64)
    row = np.zeros(length, np.int64)
    product = np.ones(length, np.int64)
    for step in [*steps, np.zeros(length, np.int64)]:
        there = step > 0
        total += np.where(~there & (row >= least), row * product, 0)
        row = np.where(there, row + 1, 0)
        product = np.where(there, product * step, 1)
    return total


def _ways_of(total: int, steps: Sequence[tuple[int, NDArray[Any]]], length: int) -> NDArray[np.int64]:
    import numpy as np

    made: NDArray[np.int64] = np.zeros((total + 1, length), np.int64)
    made[0] = 1
    for value, counts in steps:
        counts = np.broadcast_to(counts, (length,))
        for copy in range(int(counts.max(initial=0))):
            there = counts > copy
            for reached in range(total, value - 1, -1):
                made[reached] += np.where(there, made[reached - value], 0)
    reached_all: NDArray[np.int64] = made[total]
    return reached_all


# -- from the tree to the graph ----------------------------------------------------------------------------


def ground(node: Node, graph: Graph, strict: bool = True) -> int:
    """Write an expression out.

    Parameters
    ----------
    node : Node
        The expression.
    graph : Graph
        Where to.
    strict : bool
        Whether to refuse comparisons that can never hold.

    Returns
    -------
    int
        The node of the graph.

    Raises
    ------
    ExpressionError
        When a comparison in it can never hold, or it becomes too large.
    """
    grounder = _Grounder(graph)
    try:
        made = grounder.node(node, None, None)
    except TooLarge as error:
        raise node.spot.error(f"the expression is too large: {error}") from None
    if strict:
        grounder.check()
    return made


class _Grounder:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.deal = graph.deal
        self.ranks = len(self.deal.pack.ranks)
        self.suits = len(self.deal.pack.suits)
        self.compared: dict[Spot, tuple[bool, str]] = {}

    def check(self) -> None:
        """Refuse comparisons that held nowhere."""
        for spot, (possible, why) in self.compared.items():
            if not possible:
                raise spot.error(f"this can never hold: {why}")

    def node(self, node: Node, suit: int | None, rank: int | None) -> int:
        graph = self.graph

        def at(part: Node) -> int:
            return self.node(part, suit, rank)

        match node:
            case tree.Number(value=value):
                return graph.number(value)
            case tree.Truth(value=value):
                return graph.true if value else graph.false
            case tree.Points(values=values, places=places):
                return self.points(values, places, suit, rank)
            case tree.Run():
                return self.run(node, suit)
            case tree.RunPoints(least=least, places=places):
                return graph.rows(least, [self.of_rank(r, places) for r in range(self.ranks)])
            case tree.Ways(total=total, values=values, places=places):
                by_value: dict[int, list[tuple[int, int]]] = {}
                for code, value in values:
                    by_value.setdefault(value, []).append((code, 1))
                return graph.ways(total, {v: self.points(codes, places, None, None) for v, codes in by_value.items()})
            case tree.Shape():
                return self.shape(node)
            case tree.Quantified(how=how, over=over, which=which, body=body):
                asked = [self.of_one(body, over, one, suit, rank) for one in which]
                if how in ("max", "min"):
                    return graph.extreme(how, asked)
                return self.sum_of([graph.integer(part) for part in asked] if how == "count" else asked)
            case tree.QuantifiedCondition(how=how, over=over, which=which, body=body):
                asked = [self.of_one(body, over, one, suit, rank) for one in which]
                return graph.any(asked) if how == "any" else graph.all(asked)
            case tree.Junction(how=how, parts=parts):
                made = [at(part) for part in parts]
                return graph.all(made) if how == "and" else graph.any(made)
            case tree.Not(part=part):
                return graph.negate(at(part))
            case tree.Compare():
                return self.compare(node, at(node.left), at(node.right))
            case tree.Arithmetic():
                return self.arithmetic(node, at(node.left), at(node.right))
            case tree.Extreme(how=how, parts=parts):
                return graph.extreme(how, [at(part) for part in parts])
            case tree.Absolute(part=part):
                return graph.absolute(at(part))
            case tree.Choice(condition=condition, then=then, otherwise=otherwise):
                return graph.pick(at(condition), at(then), at(otherwise))
        raise TypeError(f"unknown node {node!r}")

    def of_one(self, body: Node, over: str, one: int, suit: int | None, rank: int | None) -> int:
        return self.node(body, one, rank) if over == "suit" else self.node(body, suit, one)

    def sum_of(self, nodes: Iterable[int]) -> int:
        terms: dict[int, int] = {}
        for made in nodes:
            terms[made] = terms.get(made, 0) + 1
        return self.graph.sum(0, terms)

    def points(
        self, values: Iterable[tuple[int, int]], places: Iterable[int], suit: int | None, rank: int | None
    ) -> int:
        weights: dict[tuple[int, int], int] = {}
        plain = self.suits * self.ranks
        places = tuple(places)
        for code, value in values:
            joker = code >= plain
            if suit is not None and (joker or code // self.ranks != suit):
                continue
            if rank is not None and (joker or code % self.ranks != rank):
                continue
            for place in places:
                weights[place, code] = value
        return self.graph.linear(weights)

    def of_rank(self, rank: int, places: Iterable[int]) -> int:
        return self.points(((suit * self.ranks + rank, 1) for suit in range(self.suits)), places, None, None)

    def there(self, count: int) -> int:
        return self.graph.at_least_zero(self.graph.sum(-1, {count: 1}))

    def run(self, node: tree.Run, suit: int | None) -> int:
        if node.across:
            return self.graph.run([self.there(self.of_rank(rank, node.places)) for rank in range(self.ranks)])
        runs = []
        for one in range(self.suits) if suit is None else (suit,):
            codes = range(one * self.ranks, (one + 1) * self.ranks)
            runs.append(
                self.graph.run([self.there(self.points([(code, 1)], node.places, None, None)) for code in codes])
            )
        return self.graph.extreme("max", runs)

    def shape(self, node: tree.Shape) -> int:
        graph = self.graph
        lengths = [
            self.points(
                ((code, 1) for code in range(suit * self.ranks, (suit + 1) * self.ranks)), node.places, None, None
            )
            for suit in range(self.suits)
        ]
        found = []
        for ordered, pattern in node.patterns:
            if ordered:
                tests = [
                    graph.is_zero(graph.sum(-length, {counted: 1}))
                    for length, counted in zip(pattern, lengths, strict=True)
                    if length is not None
                ]
            else:
                tests = []
                exact = None not in pattern
                if exact:  # this follows from the others, and shows early where the shape has become impossible
                    tests += [
                        graph.any(
                            graph.is_zero(graph.sum(-length, {one: 1})) for length in {*pattern} if length is not None
                        )
                        for one in lengths
                    ]
                for length in sorted({length for length in pattern if length is not None}):
                    wanted = pattern.count(length)
                    have = self.sum_of(graph.integer(graph.is_zero(graph.sum(-length, {one: 1}))) for one in lengths)
                    more = graph.sum(-wanted, {have: 1})
                    tests.append(graph.is_zero(more) if exact else graph.at_least_zero(more))
            found.append(graph.all(tests))
        made = graph.any(found)
        self.note(node.spot, made != graph.false, "no hand from these cards has this shape")
        return made

    def compare(self, node: tree.Compare, left: int, right: int) -> int:
        graph = self.graph
        difference = graph.sum(0, {left: 1, right: -1} if left != right else {})
        match node.how:
            case ">=":
                made = graph.at_least_zero(difference)
            case ">":
                made = graph.at_least_zero(graph.sum(-1, {difference: 1}))
            case "<=":
                made = graph.at_least_zero(graph.sum(0, {difference: -1}))
            case "<":
                made = graph.at_least_zero(graph.sum(-1, {difference: -1}))
            case "==":
                made = graph.is_zero(difference)
            case _:
                made = graph.negate(graph.is_zero(difference))
        self.note(node.spot, made != graph.false, self.why(node, left, right))
        return made

    def note(self, spot: Spot, possible: bool, why: str) -> None:
        before, _ = self.compared.get(spot, (False, ""))
        self.compared[spot] = (before or possible, why)

    def why(self, node: tree.Compare, left: int, right: int) -> str:
        """Say between which bounds the sides of a comparison lie."""
        graph = self.graph
        said = []
        for part, made in ((node.left, left), (node.right, right)):
            if not isinstance(part, tree.Number):
                low, high = graph.low[made], graph.high[made]
                name = part.spot.excerpt
                said.append(f"{name} is always {low}" if low == high else f"{name} is from {low} to {high}")
        return " and ".join(said) or "both sides are numbers"

    def arithmetic(self, node: tree.Arithmetic, left: int, right: int) -> int:
        graph = self.graph
        match node.how:
            case "+":
                return self.sum_of((left, right))
            case "-":
                return graph.sum(0, {left: 1, right: -1} if left != right else {})
            case "*":
                return graph.multiply(left, right)
        if graph.low[right] <= 0 <= graph.high[right]:
            raise node.right.spot.error(f"this divides by {node.right.spot.excerpt}, which can be 0")
        return graph.divide(left, right, rest=node.how == "%")
