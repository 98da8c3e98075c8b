"""The language of questions about dealt cards: Python's syntax, and nothing else of Python.

An expression is data. Its text is read into Python's syntax tree, of which only what is listed here is accepted,
and every accepted node becomes a node of our own, with a type: a number or a condition. Nothing of the text is ever
run, and what is not listed is refused with the place in the text.

============================  ======================================================================
``n('K')``                    how many kings; ``n('QS')`` a card, ``n('hearts')`` a suit, ``n('A K')``
                              any of them, ``n('A K of hearts')``, ``n('7-9')``, ``n('red')``,
                              ``n('joker')``, ``n('trumps')``, ``n()`` all cards
``points('A4 K3 Q2 J1')``     the sum of the values; a word is a rank, a card or a suit and a number
``run()``                     the longest sequence of ranks in one suit, in the pack's order
``rank_run()``                the same whatever the suits
``rank_runs(3)``              points for sequences of at least three whatever the suits, each as often as
                              it can be made, as cribbage counts them
``ways(15, 'A1 22 … K10')``   in how many ways some of the cards make that sum
``shape() == '4432'``         lengths of the suits in any order; ``'4=4=3=2'`` in the pack's order; ``x``
                              is any length; ``shape() in ('4432', '4333')``
``any_suit(…)``               inside, counts are of one suit: is it true of any? Likewise ``all_suits``,
                              ``count_suits``, ``sum_suits``, ``max_suit``, ``min_suit``, and a second
                              argument chooses suits: ``any_suit(…, 'red')``
``any_rank(…)``               the same with one rank: ``all_ranks``, ``count_ranks``, ``sum_ranks``,
                              ``max_rank``, ``min_rank``; ``any_rank(n() >= 4, 'A K Q J')``
``+ - * // % **``             arithmetic in whole numbers, ``min max abs``, ``a if … else b``
``== != < <= > >= in``        comparisons, also chained: ``2 <= n('K') <= 3``, ``n('K') in (1, 3)``
``and or not``                of conditions
============================  ======================================================================

Where there are several hands, the last argument says which: ``n('J', talon)``, ``run(hand1)``, and ``hand1 + talon``
is both together.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from types import MappingProxyType

from simcards.errors import UsageError, nearest
from simcards.odds.deal import HAND, Deal
from simcards.odds.tree import (
    Absolute,
    Arithmetic,
    Choice,
    Compare,
    ExpressionError,
    Extreme,
    Junction,
    Node,
    Not,
    Number,
    Points,
    Quantified,
    QuantifiedCondition,
    Run,
    RunPoints,
    Shape,
    Spot,
    Truth,
    Ways,
)
from simcards.odds.words import Words

LONGEST = 2000
"""Characters that an expression may have."""

DEEPEST = 40
"""Levels of nesting that an expression may have."""

LARGEST = 10**9
"""The largest number that may be written."""

MOST_POWER = 8
"""The largest exponent."""

MOST_SUM = 64
"""The largest sum that `ways` may be asked for."""

_SUIT_FORMS = ("any_suit", "all_suits", "count_suits", "sum_suits", "max_suit", "min_suit")
_RANK_FORMS = ("any_rank", "all_ranks", "count_ranks", "sum_ranks", "max_rank", "min_rank")
_QUANTIFIERS = {name: (name.split("_")[0], over) for over, names in (("suit", _SUIT_FORMS), ("rank", _RANK_FORMS))
                for name in names}  # fmt: skip
_COUNTS = ("n", "points", "run", "rank_run", "rank_runs", "ways", "shape")
_PLAIN = ("min", "max", "abs")

FUNCTIONS = (*_COUNTS, *_QUANTIFIERS, *_PLAIN)
RESERVED = frozenset((*FUNCTIONS, "True", "False", "None"))


def identifier(name: str) -> str:
    """Return the word by which an expression calls a feature of that name.

    Parameters
    ----------
    name : str
        Such as ``"carte blanche"``.

    Returns
    -------
    str
        ``"carte_blanche"``.
    """
    return "_".join(re.findall(r"\w+", name.casefold()))


def parse(text: str, deal: Deal, names: Mapping[str, str] = MappingProxyType({})) -> Node:
    """Read an expression.

    Parameters
    ----------
    text : str
        The expression.
    deal : Deal
        The cards it is about.
    names : mapping of str to str
        Features with a name and their expressions; an expression may use them by `identifier`.

    Returns
    -------
    Node
        A number or a condition.

    Raises
    ------
    ExpressionError
        When the text is not an expression of the language, or not one about these cards.
    """
    words = {identifier(name): (name, expression) for name, expression in names.items()}
    return _Reader(text, deal, words, ()).read()


_COMPARISONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
_REFUSED_OPERATORS = {
    ast.Div: "/ makes fractions; write // for whole numbers, or multiply the other side",
    ast.BitAnd: "& has no meaning here; write and",
    ast.BitOr: "| has no meaning here; write or",
    ast.BitXor: "^ has no meaning here; write ** for a power",
}
_REFUSED = {
    ast.Attribute: "a dot has no meaning here; functions are called by their names, as n('K')",
    ast.Subscript: "brackets have no meaning here",
    ast.Lambda: "lambda is not part of the language; an expression is one question about cards",
    ast.NamedExpr: ":= is not part of the language; write == to compare",
    ast.Starred: "* is only for products here",
    ast.JoinedStr: "cards are written as a plain text, as 'QS'",
    ast.List: "a list is only used behind in, with round brackets, as n('K') in (1, 3)",
    ast.Dict: "braces have no meaning here",
    ast.Set: "braces have no meaning here",
    ast.Await: "await is not part of the language",
    ast.Yield: "yield is not part of the language",
    ast.YieldFrom: "yield is not part of the language",
    **dict.fromkeys(
        (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
        "loops are not part of the language; any_suit(…), count_ranks(…) and the like go through suits and ranks",
    ),
}
_WHAT = {True: "a condition", False: "a number"}


class _Reader(Words):
    """Reads one expression.

    Parameters
    ----------
    text : str
        The expression.
    deal : Deal
        The cards.
    words : mapping
        Features by the word they are called.
    within : tuple of str
        Names of the features that are being read, this one last.
    """

    def __init__(self, text: object, deal: Deal, words: Mapping[str, tuple[str, str]], within: tuple[str, ...]) -> None:
        if not isinstance(text, str):
            raise UsageError(f"an expression is a text, not {text!r}")
        super().__init__(text, deal)
        self.words = words
        self.within = within
        self.depth = 0

    def read(self) -> Node:
        text = self.text
        if not text.strip():
            raise ExpressionError("the expression is empty; write something like n('K') >= 2", text or " ", 0, 1)
        if len(text) > LONGEST:
            reason = f"the expression has {len(text):,} characters; {LONGEST:,} are the most"
            raise ExpressionError(reason, text, LONGEST, len(text))
        if "#" in text:
            place = text.index("#")
            raise ExpressionError("# has no meaning here; an expression has no comments", text, place, place + 1)
        for place, letter in enumerate(text):
            if not letter.isprintable() and not letter.isspace():
                raise self._at(f"the character {letter!r} has no meaning here", place)
        self._check_brackets()
        self.lead = len(text) - len(text.lstrip())
        line = "".join(" " if letter.isspace() else letter for letter in text).strip()
        self.bytes = line.encode("utf-8", "surrogatepass")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(line, mode="eval")
        except SyntaxError as error:
            raise self._syntax(error) from None
        except (RecursionError, MemoryError):
            raise ExpressionError("the expression is nested too deeply", text, 0, len(text)) from None
        except ValueError as error:
            raise ExpressionError(f"the expression cannot be read: {error}", text, 0, len(text)) from None
        return self.node(tree.body)

    # -- errors ------------------------------------------------------------------------------------------

    def _check_brackets(self) -> None:
        """Refuse brackets that do not match, with a better place than Python's."""
        stack: list[int] = []
        quote: tuple[str, int] | None = None
        for place, letter in enumerate(self.text):
            if quote:
                quote = None if letter == quote[0] else quote
            elif letter in "'\"":
                quote = (letter, place)
            elif letter in "([{":
                stack.append(place)
                if len(stack) > DEEPEST:
                    raise self._at("the expression is nested too deeply", place)
            elif letter in ")]}":
                if not stack or self.text[stack[-1]] + letter not in ("()", "[]", "{}"):
                    raise self._at(f"{letter!r} closes nothing", place)
                stack.pop()
        if quote:
            raise self._at("this text is not closed; a quote is missing", quote[1], len(self.text))
        if stack:
            raise self._at(f"{self.text[stack[-1]]!r} is not closed", stack[-1])

    def _at(self, reason: str, start: int, end: int | None = None) -> ExpressionError:
        return ExpressionError(reason, self.text, start, start + 1 if end is None else end)

    def _syntax(self, error: SyntaxError) -> ExpressionError:
        stop = len(self.text.rstrip())
        start = self.lead + error.offset - 1 if error.offset and error.lineno == 1 else stop
        end = self.lead + (error.end_offset or 0) - 1
        here = self.text[start : start + 2]
        hints = (("&", "write and for &&"), ("|", "write or for ||"), ("!", "write not for !"),
                 ("<>", "write != for <>"), (";", "write one expression at a time"))  # fmt: skip
        lone = re.search(r"(?<![=!<>:])=(?!=)", _blanked(self.text))
        if lone:
            return self._at("write == to compare", lone.start())
        for sign, hint in hints:
            if here.startswith(sign) or self.text[max(0, start - 1) : start + 1].startswith(sign):
                return self._at(f"this is not an expression: {hint}", start)
        reason = "something is missing at the end" if start >= stop else "this is not an expression"
        return self._at(reason, min(start, stop), max(start + 1, end))

    # -- nodes -------------------------------------------------------------------------------------------

    def node(self, node: ast.expr) -> Node:
        """Read a part of the expression."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(node, f"the expression is nested too deeply, more than {DEEPEST} levels")
        try:
            return self._node(node)
        finally:
            self.depth -= 1

    def _node(self, node: ast.expr) -> Node:
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.BoolOp):
            how = "and" if isinstance(node.op, ast.And) else "or"
            return Junction(self.spot(node), how, tuple(self.condition(part, how) for part in node.values))
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.Compare):
            return self._compare(node)
        if isinstance(node, ast.IfExp):
            condition = self.condition(node.test, "if")
            return Choice(self.spot(node), condition, self.number(node.body, "if"), self.number(node.orelse, "else"))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Tuple):
            self.refuse(node, "a comma has no meaning here; give expressions one by one")
        self.refuse(node, _REFUSED.get(type(node), "this is not part of the language"))

    def condition(self, node: ast.expr, what: str) -> Node:
        """Read a part that must be true or false."""
        read = self.node(node)
        if not read.is_condition:
            shown = read.spot.excerpt
            raise read.spot.error(f"{what} needs a condition, and {shown} is a number; write {shown} >= 1, say")
        return read

    def number(self, node: ast.expr, what: str) -> Node:
        """Read a part that must be a number."""
        read = self.node(node)
        if read.is_condition:
            shown = read.spot.excerpt
            raise read.spot.error(
                f"{what} needs a number, and {shown} is a condition; write (1 if {shown} else 0) to count it"
            )
        return read

    def _constant(self, node: ast.Constant) -> Node:
        value = node.value
        if isinstance(value, bool):
            return Truth(self.spot(node), value)
        if isinstance(value, int):
            if value > LARGEST:
                self.refuse(node, f"numbers go up to {LARGEST:,}")
            return Number(self.spot(node), value)
        if isinstance(value, str):
            self.refuse(node, f"a text stands only for cards, as in n({self._quoted(value)})")
        if isinstance(value, float):
            self.refuse(node, "only whole numbers can be compared with counts")
        self.refuse(node, "this is not part of the language")

    @staticmethod
    def _quoted(value: str) -> str:
        return repr(value if len(value) <= 20 else value[:19] + "…")

    def _name(self, node: ast.Name) -> Node:
        name = node.id
        if name in self.deal.names:
            self.refuse(node, f"{name} is a hand; ask for something in it, as n('K', {name}) or n({name})")
        if name in FUNCTIONS:
            self.refuse(node, f"{name} is a function; write {_example(name)}")
        known = self.words.get(identifier(name))
        if known is None:
            hint = nearest(name, [*FUNCTIONS, *self.words, *self.deal.names])
            quotes = "; cards stand in quotes, as n('K')" if not hint and len(name) <= 3 else ""
            self.refuse(node, f"there is nothing called {name!r}{hint}{quotes}")
        if self.suit or self.rank:
            self.refuse(
                node, f"{name} is about whole hands and cannot be asked of one {'suit' if self.suit else 'rank'}"
            )
        if known[0] in self.within or len(self.within) >= DEEPEST:
            self.refuse(node, f"{name} is defined by itself")
        inner = _Reader(known[1], self.deal, self.words, (*self.within, known[0]))
        return inner.read()

    def _unary(self, node: ast.UnaryOp) -> Node:
        if isinstance(node.op, ast.Not):
            return Not(self.spot(node), self.condition(node.operand, "not"))
        if isinstance(node.op, ast.Invert):
            self.refuse(node, "~ has no meaning here; write not")
        part = self.number(node.operand, "a sign")
        if isinstance(node.op, ast.UAdd):
            return part
        if isinstance(part, Number):
            return Number(self.spot(node), -part.value)
        return Arithmetic(self.spot(node), "-", Number(self.spot(node), 0), part)

    def _binary(self, node: ast.BinOp) -> Node:
        how = _OPERATORS.get(type(node.op))
        if how is None:
            self.refuse(node, _REFUSED_OPERATORS.get(type(node.op), "this operator is not part of the language"))
        if how in ("+", "-"):
            return self._chain(node, (ast.Add, ast.Sub))
        if how == "*":
            return self._chain(node, (ast.Mult,))
        left, right = self.number(node.left, how), self.number(node.right, how)
        if how != "**":
            return Arithmetic(self.spot(node), how, left, right)
        if not isinstance(right, Number) or not 0 <= right.value <= MOST_POWER:
            self.refuse(node.right, f"an exponent is a number from 0 to {MOST_POWER}")
        power: Node = Number(self.spot(node), 1)
        for _ in range(right.value):
            power = Arithmetic(self.spot(node), "*", power, left)
        return power

    def _chain(self, node: ast.expr, operators: tuple[type[ast.operator], ...]) -> Node:
        """Read a long sum or product: what is nested to the left in Python's tree is put together in pairs here."""
        links: list[tuple[str, ast.expr]] = []
        while isinstance(node, ast.BinOp) and isinstance(node.op, operators):
            links.append((_OPERATORS[type(node.op)], node.right))
            node = node.left
        links.append(("", node))
        links.reverse()
        parts: list[Node] = []
        for index, (how, each) in enumerate(links):
            part = self.number(each, how or links[index + 1][0])
            if how == "-":
                part = Arithmetic(part.spot, "-", Number(part.spot, 0), part)
            parts.append(part)
        how = "*" if operators == (ast.Mult,) else "+"
        while len(parts) > 1:
            pairs = [parts[index : index + 2] for index in range(0, len(parts), 2)]
            parts = [
                Arithmetic(Spot(self.text, pair[0].spot.start, pair[1].spot.end), how, *pair)
                if len(pair) > 1
                else pair[0]
                for pair in pairs
            ]
        return parts[0]

    def _compare(self, node: ast.Compare) -> Node:
        operands = [node.left, *node.comparators]
        if any(_called(each) == "shape" for each in operands):
            return self._shape(node)
        parts: list[Node] = []
        read: dict[int, Node] = {}

        def value(index: int) -> Node:
            if index not in read:
                read[index] = self.number(operands[index], "a comparison")
            return read[index]

        for index, op in enumerate(node.ops):
            if isinstance(op, ast.In | ast.NotIn):
                among = operands[index + 1]
                if not isinstance(among, ast.Tuple | ast.List) or not among.elts:
                    self.refuse(among, "behind in stand numbers in brackets, as n('K') in (1, 3)")
                if len(node.ops) > 1:
                    self.refuse(node, "in cannot be chained with other comparisons")
                tests = tuple(
                    Compare(self.spot(each), "==", value(index), self.number(each, "in")) for each in among.elts
                )
                found: Node = Junction(self.spot(node), "or", tests)
                parts.append(Not(self.spot(node), found) if isinstance(op, ast.NotIn) else found)
            elif type(op) in _COMPARISONS:
                whole = len(node.ops) == 1
                left, right = value(index), value(index + 1)
                spot = self.spot(node) if whole else Spot(self.text, left.spot.start, right.spot.end)
                parts.append(Compare(spot, _COMPARISONS[type(op)], left, right))
            else:
                self.refuse(node, "is compares nothing here; write ==")
        return parts[0] if len(parts) == 1 else Junction(self.spot(node), "and", tuple(parts))

    # -- calls -------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Node:
        name = _called(node)
        if name is None:
            if isinstance(node.func, ast.Attribute):
                self.refuse(node.func, _REFUSED[ast.Attribute])
            self.refuse(node.func, "only the functions of the language can be called")
        if name not in FUNCTIONS:
            hint = nearest(name, FUNCTIONS) or "; there are n, points, run, shape, any_suit, any_rank and their kin"
            self.refuse(node.func, f"there is no function {name!r}{hint}")
        if node.keywords:
            self.refuse(node.keywords[0].value, f"{name} takes its arguments by place; write {_example(name)}")
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                self.refuse(argument, _REFUSED[ast.Starred])
        if name in _QUANTIFIERS:
            return self._quantified(node, name)
        if name in ("min", "max"):
            if len(node.args) < 2:
                self.refuse(node, f"{name} needs at least two numbers")
            return Extreme(self.spot(node), name, tuple(self.number(each, name) for each in node.args))
        if name == "abs":
            self._arguments(node, name, 1, 1)
            return Absolute(self.spot(node), self.number(node.args[0], name))
        if name == "shape":
            self.refuse(node, "shape() is compared with a pattern, as shape() == '4432' or shape() in ('4432', '4333')")
        return self._count(node, name)

    def _count(self, node: ast.Call, name: str) -> Node:
        arguments = list(node.args)
        places = self._places(node, arguments)
        spot = self.spot(node)
        if name == "n":
            self._arguments(node, name, 0, 1, arguments)
            codes = self._selected(arguments[0]) if arguments else range(self.pack.types)
            return Points(spot, tuple((code, 1) for code in codes), places)
        if name == "points":
            self._arguments(node, name, 1, 1, arguments)
            return Points(spot, self._values(arguments[0]), places)
        if name == "run":
            self._arguments(node, name, 0, 0, arguments)
            self._only(node, name, suit=True, rank=False)
            return Run(spot, places, across=False)
        self._only(node, name, suit=False, rank=False)
        if name == "rank_run":
            self._arguments(node, name, 0, 0, arguments)
            return Run(spot, places, across=True)
        if name == "rank_runs":
            self._arguments(node, name, 1, 1, arguments)
            return RunPoints(spot, self._plain_number(arguments[0], name, 1, len(self.pack.ranks)), places)
        self._arguments(node, name, 2, 2, arguments)
        values = self._values(arguments[1])
        if any(value < 1 for _, value in values):
            self.refuse(arguments[1], "the values that make a sum are positive")
        return Ways(spot, self._plain_number(arguments[0], name, 1, MOST_SUM), values, places)

    def _only(self, node: ast.Call, name: str, suit: bool, rank: bool) -> None:
        """Refuse a function that cannot be asked of one suit or of one rank."""
        if self.rank and not rank:
            self.refuse(node, f"{name} is about several ranks and cannot be asked of one rank")
        if self.suit and not suit:
            hint = "; write run()" if name == "rank_run" else ""
            self.refuse(node, f"{name} is about several suits and cannot be asked of one suit{hint}")

    def _plain_number(self, node: ast.expr, name: str, low: int, high: int) -> int:
        value = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            wanted = f"a number from {low} to {high}" if low < high else f"the number {low}"
            self.refuse(node, f"{name} needs {wanted} here")
        return value

    def _arguments(self, node: ast.Call, name: str, least: int, most: int, given: list[ast.expr] | None = None) -> None:
        count = len(node.args if given is None else given)
        if not least <= count <= most:
            self.refuse(node, f"{name} is written {_example(name)}")

    def _places(self, node: ast.Call, arguments: list[ast.expr]) -> tuple[int, ...]:
        """Take the hands off the end of the arguments."""
        names = self.deal.names
        if arguments:
            found = self._hands(arguments[-1])
            if found:
                arguments.pop()
                places = tuple(names.index(name) for name, _ in found)
                for name, at in found:
                    if [other for other, _ in found].count(name) > 1:
                        self.refuse(at, f"the hand {name} is named twice")
                return tuple(sorted(places))
        if HAND in names:
            return (names.index(HAND),)
        if len(names) == 1:
            return (0,)
        function = _called(node) or ""
        example = f"n('K', {names[0]})" if function == "n" else f"{function}(…, {names[0]})"
        self.refuse(node, f"say in which hand: {', '.join(names)}; as {example}")

    def _hands(self, node: ast.expr) -> list[tuple[str, ast.expr]]:
        """Return the hands that an argument names, none when it is something else."""
        if isinstance(node, ast.Name):
            if node.id in self.deal.names:
                return [(node.id, node)]
            if node.id not in FUNCTIONS and identifier(node.id) not in self.words:
                hint = nearest(node.id, self.deal.names)
                self.refuse(
                    node, f"there is no hand {node.id!r}{hint or '; cards stand in quotes, as n(' + repr('K') + ')'}"
                )
            return []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._hands_if(node.left), self._hands_if(node.right)
            return left + right if left and right else []
        return []

    def _hands_if(self, node: ast.expr) -> list[tuple[str, ast.expr]]:
        return self._hands(node) if isinstance(node, ast.Name | ast.BinOp) else []

    def _quantified(self, node: ast.Call, name: str) -> Node:
        how, over = _QUANTIFIERS[name]
        self._arguments(node, name, 1, 2)
        if (over == "suit" and self.suit) or (over == "rank" and self.rank):
            self.refuse(node, f"{name} cannot stand inside of a question about one {over}")
        which = self._which(node.args[1], over) if len(node.args) == 2 else tuple(self._all(over))
        before = (self.suit, self.rank)
        self.suit, self.rank = self.suit or over == "suit", self.rank or over == "rank"
        try:
            if how in ("any", "all", "count"):
                body = self.condition(node.args[0], name)
            else:
                body = self.number(node.args[0], name)
        finally:
            self.suit, self.rank = before
        if how in ("any", "all"):
            return QuantifiedCondition(self.spot(node), how, over, which, body)
        return Quantified(self.spot(node), how, over, which, body)

    def _which(self, node: ast.expr, over: str) -> tuple[int, ...]:
        """Read which suits or ranks are gone through."""
        found: dict[int, None] = {}
        for word, spot in self._tokens(node, f"the {over}s"):
            named = self._suits(word, spot) if over == "suit" else self._ranks(word, spot)
            if named is None:
                raise spot.error(f"{word!r} is not a {over}{nearest(word, self._words_for(over))}")
            found |= dict.fromkeys(named)
        return tuple(sorted(found))

    def _shape(self, node: ast.Compare) -> Node:
        operands = [node.left, *node.comparators]
        if len(node.ops) != 1 or _called(operands[1]) == "shape":
            self.refuse(node, "shape() is compared with one pattern, as shape() == '4432'")
        call, op, against = node.left, node.ops[0], operands[1]
        assert isinstance(call, ast.Call)
        if call.keywords:
            self.refuse(call.keywords[0].value, "shape takes its arguments by place; write shape()")
        arguments = list(call.args)
        places = self._places(call, arguments)
        self._arguments(call, "shape", 0, 0, arguments)
        self._only(call, "shape", suit=False, rank=False)
        if isinstance(op, ast.Eq | ast.NotEq):
            patterns = [self._pattern(against, places)]
        elif isinstance(op, ast.In | ast.NotIn):
            if isinstance(against, ast.Tuple | ast.List):
                patterns = [self._pattern(each, places) for each in against.elts]
            else:
                patterns = [
                    self._pattern_of(word, spot, places) for word, spot in self._tokens(against, "patterns of a shape")
                ]
        else:
            self.refuse(node, "a shape has no order; compare it by == or in")
        if not patterns:
            self.refuse(against, "name at least one pattern, as shape() in ('4432', '4333')")
        shape = Shape(self.spot(node), tuple(patterns), places)
        return Not(self.spot(node), shape) if isinstance(op, ast.NotEq | ast.NotIn) else shape

    def _pattern(self, node: ast.expr, places: tuple[int, ...]) -> tuple[bool, tuple[int | None, ...]]:
        words = list(self._tokens(node, "a pattern of the shape"))
        if len(words) != 1:
            self.refuse(node, "a pattern of the shape is one word, as '4432' or '4=4=3=2'")
        return self._pattern_of(*words[0], places)

    def _pattern_of(self, word: str, spot: Spot, places: tuple[int, ...]) -> tuple[bool, tuple[int | None, ...]]:
        ordered = "=" in word
        parts = re.split("[=-]", word) if re.search("[=-]", word) else list(word)
        suits = len(self.pack.suits)
        if ("=" in word and "-" in word) or not all(re.fullmatch(r"[0-9]{1,3}|[xXхХ]", part) for part in parts):
            raise spot.error(f"{word!r} is not a shape; write '4432', '4=4=3=2' to fix the order, x for any length")
        if len(parts) != suits:
            raise spot.error(f"{word!r} has {len(parts)} lengths; this pack has {suits} suits")
        lengths = tuple(int(part) if part.isdigit() else None for part in parts)
        given = sum(length for length in lengths if length is not None)
        cards = sum(self.deal.places[place].cards for place in places)
        jokers = self.pack.jokers > 0
        if given > cards or (given < cards and None not in lengths and not jokers):
            raise spot.error(f"{word!r} can never hold: its lengths make {given} and the cards are {cards}")
        return ordered, lengths


def _called(node: ast.expr) -> str | None:
    """Return the name of the function that is called."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _blanked(text: str) -> str:
    """Return an expression with blanks for what stands in quotes."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", lambda match: " " * len(match[0]), text)


def _example(name: str) -> str:
    """Return how a function is written."""
    written = {
        "n": "n('K') or n()",
        "points": "points('A4 K3 Q2 J1')",
        "run": "run()",
        "rank_run": "rank_run()",
        "rank_runs": "rank_runs(3)",
        "ways": "ways(15, 'A1 22 33 K10')",
        "shape": "shape() == '4432'",
        "min": "min(a, b)",
        "max": "max(a, b)",
        "abs": "abs(a)",
    }
    if name in written:
        return written[name]
    how, over = _QUANTIFIERS[name]
    body = {"sum": "n('K')", "max": "n()", "min": "n()"}.get(how, "n() >= 4")
    return f"{name}({body if over == 'rank' or how != 'sum' else 'n()'})"
