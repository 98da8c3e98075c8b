"""Taking an expression apart along blocks of cards.

The types of cards are divided into blocks. Whatever depends on one block only is worked out there; a sum, a junction
of conditions, a maximum or a row over several blocks is put together from what each block contributes. What remains
is an expression over a few *atoms*, each of which grows block by block::

    any_suit(n('K') >= 1 and n('Q') >= 1) and points('A4 K3') >= 6

    atom 0, an or:   what the spades contribute, the hearts, ...
    atom 1, a sum:   what the spades are worth, the hearts, ...
    remains:         atom 0 and atom 1 - 6 >= 0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simcards.odds.ground import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LINEAR_FORMS = ("lin", "sum", "int", "const")
_JOINS = {"sum": "add", "or": "maximum", "max": "maximum", "and": "minimum", "min": "minimum"}
_ROW = 64  # a longest row and the row that is growing are one number: the former times this, and the latter


@dataclass
class Atom:
    """A variable that is put together from contributions of blocks.

    Attributes
    ----------
    how : str
        ``"sum"``, ``"or"``, ``"and"``, ``"max"``, ``"min"``, ``"run"`` or ``"rune"``.
    pieces : dict of int to int
        For each block that contributes the node of its contribution; for a row, its conditions as bits.
    start : int
        The value before any block.
    low, high : int
        Bounds of the value at the end.
    lengths : dict of int to int
        For a row, how many of its conditions are in each block.
    wanted : int
        For ``"rune"``, the length of row that is asked for.
    """

    how: str
    pieces: dict[int, int]
    start: int
    low: int
    high: int
    lengths: dict[int, int] = field(default_factory=dict)
    wanted: int = 0

    @property
    def cells(self) -> int:
        """How many values it can have on the way, at most."""
        if self.how == "run":
            return (self.high + 1) * (self.high + 2)
        if self.how == "rune":
            return self.wanted + 1
        return self.high - self.low + 1

    def join(self, values: NDArray[Any], more: NDArray[Any], block: int) -> NDArray[Any]:
        """Put the contribution of one more block to the value so far.

        Parameters
        ----------
        values, more : ndarray of int64
            The value so far and the contribution, in many cases at once.
        block : int
            The block.

        Returns
        -------
        ndarray of int64
        """
        import numpy as np

        if self.how in _JOINS:
            joined: NDArray[Any] = getattr(np, _JOINS[self.how])(values, more)
            return joined
        if self.how == "rune":
            for step in range(self.lengths[block]):
                longer = np.where(more >> step & 1, values + 1, 0)
                values = np.where(values == self.wanted, values, longer)
            return values
        best: NDArray[Any] = values // _ROW
        current: NDArray[Any] = values % _ROW
        for step in range(self.lengths[block]):
            current = np.where(more >> step & 1, current + 1, 0)
            best = np.maximum(best, current)
        packed: NDArray[Any] = best * _ROW + current
        return packed

    def read(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return what the value at the end means."""
        meaning: NDArray[Any] = values
        if self.how == "run":
            meaning = values // _ROW
        elif self.how == "rune":
            meaning = values == self.wanted
        return meaning

    def reach(
        self, values: NDArray[Any], missing: Sequence[int], low: Sequence[int], high: Sequence[int]
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return between which bounds the value at the end will lie.

        Parameters
        ----------
        values : ndarray of int64
            The value so far, in many cases at once.
        missing : sequence of int
            The blocks that have not contributed yet.
        low, high : sequence of int
            Bounds of the contributions, by number of node.

        Returns
        -------
        tuple of ndarray
        """
        import numpy as np

        pieces = [self.pieces[block] for block in missing if block in self.pieces]
        if self.how in ("run", "rune"):
            more = sum(self.lengths[block] for block in missing if block in self.lengths)
            if self.how == "rune":
                sure = (values == self.wanted).astype(np.int64)
                return sure, np.where(values + more >= self.wanted, 1, sure) if more else sure
            best, current = values // _ROW, values % _ROW
            return best, np.minimum(
                np.maximum(best, np.maximum(current, 0) + more), max(self.high, 0)
            ) if more else best
        if self.how == "sum":
            return values + sum(low[piece] for piece in pieces), values + sum(high[piece] for piece in pieces)
        least, most = values, values
        for piece in pieces:
            join: Any = np.maximum if self.how in ("or", "max") else np.minimum
            least, most = join(least, low[piece]), join(most, high[piece])
        return least, most


@dataclass
class Separated:
    """Expressions taken apart.

    Attributes
    ----------
    atoms : list of Atom
        The variables.
    outputs : list of int
        The expressions over the variables.
    order : list of int
        The blocks, in an order that suits all rows.
    """

    atoms: list[Atom]
    outputs: list[int]
    order: list[int]


def separate(graph: Graph, outputs: Sequence[int], blocks: Sequence[int]) -> Separated:
    """Take expressions apart along blocks of types of cards.

    Parameters
    ----------
    graph : Graph
        The graph, in which what is needed is added.
    outputs : sequence of int
        Nodes.
    blocks : sequence of int
        Disjoint sets of types of cards, as bits, that together hold all types the outputs depend on.

    Returns
    -------
    Separated
    """
    return _Separator(graph, blocks).separated(outputs)


class _Separator:
    def __init__(self, graph: Graph, blocks: Sequence[int]) -> None:
        self.graph = graph
        self.blocks = blocks
        self.atoms: list[Atom] = []
        self.made: dict[int, int] = {}
        self.known: dict[tuple[Any, ...], int] = {}
        self.after: list[set[int]] = [set() for _ in blocks]  # blocks that must come before each block

    def separated(self, outputs: Sequence[int]) -> Separated:
        made = [self.outer(node) for node in outputs]
        return Separated(self.atoms, made, self.ordered())

    def ordered(self) -> list[int]:
        """Return the blocks in an order that suits all rows; `after` never has a circle."""
        order: list[int] = []
        placed: set[int] = set()
        while len(order) < len(self.blocks):
            free = next(b for b in range(len(self.blocks)) if b not in placed and self.after[b] <= placed)
            order.append(free)
            placed.add(free)
        return order

    def touched(self, node: int) -> list[int]:
        types = self.graph.types[node]
        return [index for index, block in enumerate(self.blocks) if types & block]

    def outer(self, node: int) -> int:
        """Return a node over atoms that has the value of `node`."""
        if node not in self.made:
            self.made[node] = self._outer(node)
        return self.made[node]

    def _outer(self, node: int) -> int:
        graph = self.graph
        touched = self.touched(node)
        if not touched:
            return node
        kind = graph.keys[node][0]
        if len(touched) == 1:
            condition = kind in ("ge", "eq", "rune", "and", "or", "not")
            return self.atom("or" if condition else "sum", {touched[0]: node}, node, 0)
        if kind in ("lin", "sum"):
            return self.sum(node)
        if kind in ("and", "or", "max", "min"):
            return self.gathered(node, kind)
        if kind in ("run", "rune"):
            row = self.row(node)
            if row is not None:
                return row
        return self.rebuilt(node)

    def atom(self, how: str, pieces: Mapping[int, int], source: int, start: int) -> int:
        """Return the node of an atom, a new one unless there is one with the same contributions."""
        graph = self.graph
        key = (how, *sorted(pieces.items()))
        if key not in self.known:
            lows, highs = (
                [graph.low[piece] for piece in pieces.values()],
                [graph.high[piece] for piece in pieces.values()],
            )
            low, high = (sum(lows), sum(highs)) if how == "sum" else (min(lows), max(highs))
            self.atoms.append(Atom(how, dict(pieces), {"max": low, "min": high}.get(how, start), low, high))
            self.known[key] = graph.atom(len(self.atoms) - 1, low, high, source)
        return self.known[key]

    def sum(self, node: int) -> int:
        graph = self.graph
        key = graph.keys[node]
        constant, terms = (key[1], key[2]) if key[0] == "sum" else (0, ((node, 1),))
        inside: dict[int, dict[int, int]] = {}
        outside: dict[int, int] = {}
        for inner, factor in terms:
            touched = self.touched(inner)
            if graph.keys[inner][0] == "lin":
                for block in touched:
                    weights = {
                        variable: factor * weight
                        for variable, weight in graph.keys[inner][1]
                        if self.blocks[block] >> variable[1] & 1
                    }
                    inside.setdefault(block, {})[graph._linear(weights)] = 1
            elif len(touched) == 1:
                inside.setdefault(touched[0], {})[inner] = factor
            else:
                made = self.outer(inner)
                outside[made] = outside.get(made, 0) + factor
        pieces = {block: graph.sum(0, terms) for block, terms in inside.items()}
        pieces = {block: piece for block, piece in pieces.items() if graph.keys[piece] != ("const", 0)}
        if pieces:
            # a sum and its contrary, as in 3 <= x <= 5, are one atom
            sign = -1 if graph.low[pieces[min(pieces)]] < 0 else 1
            made = self.atom("sum", {b: graph.sum(0, {piece: sign}) for b, piece in pieces.items()}, node, 0)
            outside[made] = outside.get(made, 0) + sign
        return graph.sum(constant, outside)

    def gathered(self, node: int, kind: str) -> int:
        """Take apart a junction or an extreme."""
        graph = self.graph
        put: Any = {
            "and": graph.all,
            "or": graph.any,
            "max": lambda parts: graph.extreme("max", parts),
            "min": lambda parts: graph.extreme("min", parts),
        }[kind]
        inside: dict[int, list[int]] = {}
        outside: list[int] = []
        for part in graph.keys[node][1]:
            touched = self.touched(part)
            if len(touched) == 1:
                inside.setdefault(touched[0], []).append(part)
            else:
                outside.append(self.outer(part))
        pieces = {block: put(parts) for block, parts in inside.items()}
        if pieces:
            outside.append(self.atom(kind, pieces, node, int(kind == "and")))
        return int(put(outside))

    def row(self, node: int) -> int | None:
        """Take apart a row whose conditions lie in the blocks one after another, if they do."""
        graph = self.graph
        key = graph.keys[node]
        steps = key[-1]
        where: list[tuple[int, list[int]]] = []
        before: list[int] = []  # constants that come before the first block
        for step in steps:
            touched = self.touched(step)
            if len(touched) > 1:
                return None
            if not touched:
                (where[-1][1] if where else before).append(step)
            elif where and where[-1][0] == touched[0]:
                where[-1][1].append(step)
            else:
                where.append((touched[0], [*before, step]))
                before = []
        order = [block for block, _ in where]
        if len(set(order)) < len(order) or not self.follows(order):
            return None
        pieces = {block: self.bits(held) for block, held in where}
        lengths = {block: len(held) for block, held in where}
        wanted = key[1] if key[0] == "rune" else 0
        self.atoms.append(Atom(key[0], pieces, 0, graph.low[node], graph.high[node], lengths, wanted))
        return graph.atom(len(self.atoms) - 1, graph.low[node], graph.high[node], node)

    def bits(self, conditions: Iterable[int]) -> int:
        terms: dict[int, int] = {}
        for bit, condition in enumerate(conditions):
            node = self.graph.integer(condition)
            terms[node] = terms.get(node, 0) + (1 << bit)
        return self.graph.sum(0, terms)

    def follows(self, order: Sequence[int]) -> bool:
        """Demand that blocks come in this order, if that is possible together with what was demanded before."""
        before = [set(earlier) for earlier in self.after]
        for index, block in enumerate(order):
            for earlier in order[:index]:
                if earlier == block or block in self.after[earlier]:
                    self.after = before
                    return False
                self.after[block] |= {earlier} | self.after[earlier]
                for later in range(len(self.blocks)):
                    if block in self.after[later]:
                        self.after[later] |= self.after[block]
        return True

    def rebuilt(self, node: int) -> int:
        """Take apart the parts, and put them together in the same way."""
        graph = self.graph
        key = graph.keys[node]
        kind = key[0]
        made: Any = {part: self.outer(part) for part in graph.parts(node)}
        if kind == "ways":
            return graph.ways(key[1], {value: made[part] for value, part in key[2]})
        if kind == "rows":
            return graph.rows(key[1], [made[part] for part in key[2]])
        if kind == "run":
            return graph.run([made[part] for part in key[1]])
        if kind == "rune":
            return graph.at_least_zero(graph.sum(-key[1], {graph.run([made[part] for part in key[2]]): 1}))
        parts = [made[part] for part in key[1:]]
        simple: dict[str, Any] = {
            "ge": graph.at_least_zero,
            "eq": graph.is_zero,
            "not": graph.negate,
            "int": graph.integer,
            "abs": graph.absolute,
            "mul": graph.multiply,
            "div": lambda a, b: graph.divide(a, b, rest=False),
            "mod": lambda a, b: graph.divide(a, b, rest=True),
            "pick": graph.pick,
        }
        return int(simple[kind](*parts))


# -- ways to divide the cards into blocks ------------------------------------------------------------------


def classes(graph: Graph, outputs: Sequence[int], types: int) -> list[int]:
    """Return the coarsest classes of types of cards that expressions cannot tell apart.

    Parameters
    ----------
    graph : Graph
        The graph.
    outputs : sequence of int
        Nodes.
    types : int
        The types to be divided, as bits.

    Returns
    -------
    list of int
        Sets of types, as bits, in the order of their first types; the class on which nothing depends, if there
        is one, comes last.
    """
    marks: dict[int, list[tuple[int, int, int]]] = {}
    for node in graph.reachable(outputs):
        if graph.keys[node][0] == "lin":
            for (place, code), weight in graph.keys[node][1]:
                marks.setdefault(code, []).append((node, place, weight))
    found: dict[tuple[tuple[int, int, int], ...], int] = {}
    rest = 0
    for code in range(types.bit_length()):
        if types >> code & 1:
            mark = tuple(marks.get(code, ()))
            if mark:
                found[mark] = found.get(mark, 0) | 1 << code
            else:
                rest |= 1 << code
    return [*found.values(), rest] if rest else list(found.values())


def merged(graph: Graph, outputs: Sequence[int], parts: Sequence[int], groups: Sequence[int]) -> list[int]:
    """Merge classes as far as needed for whatever is asked of one group of cards to be worked out in one block.

    Parameters
    ----------
    graph : Graph
        The graph.
    outputs : sequence of int
        Nodes.
    parts : sequence of int
        Classes of types of cards, as bits.
    groups : sequence of int
        The suits, or the ranks, as bits.

    Returns
    -------
    list of int
        The blocks, as bits.
    """
    blocks = list(parts)
    for node in graph.reachable(outputs):
        types = graph.types[node]
        if not types or graph.keys[node][0] in _LINEAR_FORMS:
            continue
        if any(types & ~group == 0 for group in groups):
            together = 0
            apart = []
            for block in blocks:
                if block & types:
                    together |= block
                else:
                    apart.append(block)
            blocks = [*apart, together]
    order = {code: place for place, part in enumerate(parts) for code in range(part.bit_length()) if part >> code & 1}
    return sorted(blocks, key=lambda block: min(order[code] for code in range(block.bit_length()) if block >> code & 1))
