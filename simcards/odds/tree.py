"""What an expression is made of: the nodes of its tree, each with its place in the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from simcards.errors import UsageError


class ExpressionError(UsageError):
    """An expression that cannot be used, and where in it.

    Attributes
    ----------
    reason : str
        One line.
    expression : str
        The text.
    start, end : int
        Where in the text, in characters.
    """

    def __init__(self, reason: str, expression: str, start: int, end: int) -> None:
        start = max(0, min(start, len(expression)))
        end = max(start + 1, min(end, len(expression)))
        self.reason, self.expression, self.start, self.end = reason, expression, start, end
        super().__init__(f"{reason}\n{_pointed(expression, start, end)}")


_WINDOW = 96  # characters of a long expression that are shown


def _pointed(expression: str, start: int, end: int) -> str:
    """Show the place in an expression: the text, or a part of it, and a caret line beneath."""
    shown = "".join(letter if letter.isprintable() else " " for letter in expression)
    low = 0 if len(shown) <= _WINDOW else max(0, min(start - _WINDOW // 3, len(shown) - _WINDOW))
    high = min(len(shown), low + _WINDOW)
    before, after = "…" * (low > 0), "…" * (high < len(shown))
    width = max(1, min(end, high) - start)
    return f"  {before}{shown[low:high]}{after}\n  {' ' * (len(before) + start - low)}{'^' * width}"


@dataclass(frozen=True)
class Spot:
    """A place in an expression."""

    text: str
    start: int
    end: int

    def error(self, reason: str) -> ExpressionError:
        """Return the error that points here."""
        return ExpressionError(reason, self.text, self.start, self.end)

    @property
    def excerpt(self) -> str:
        """What stands here, for messages."""
        words = " ".join(self.text[self.start : self.end].split())
        return words if len(words) <= 40 else words[:39] + "…"


@dataclass(frozen=True)
class Node:
    """A part of an expression; what it is says its class."""

    spot: Spot = field(compare=False, repr=False)
    is_condition: ClassVar[bool] = False


class Condition(Node):
    """A part that is true or false."""

    is_condition: ClassVar[bool] = True


@dataclass(frozen=True)
class Number(Node):
    """A whole number."""

    value: int


@dataclass(frozen=True)
class Truth(Condition):
    """True or False."""

    value: bool


@dataclass(frozen=True)
class Points(Node):
    """Cards counted with values: the sum over types of cards of value times how many there are.

    Inside `any_suit` only the cards of that suit count, inside `any_rank` only those of that rank.
    """

    values: tuple[tuple[int, int], ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Run(Node):
    """The longest sequence of ranks in one suit, or whatever the suits."""

    places: tuple[int, ...]
    across: bool


@dataclass(frozen=True)
class RunPoints(Node):
    """Points for all sequences of at least so many ranks whatever the suits."""

    least: int
    places: tuple[int, ...]


@dataclass(frozen=True)
class Ways(Node):
    """In how many ways some of the cards make a sum."""

    total: int
    values: tuple[tuple[int, int], ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Shape(Condition):
    """Whether the lengths of the suits are as one of the patterns says.

    A pattern is whether its order counts, and its lengths, None for any length.
    """

    patterns: tuple[tuple[bool, tuple[int | None, ...]], ...]
    places: tuple[int, ...]


@dataclass(frozen=True)
class Quantified(Node):
    """Something asked of every suit, or of every rank, and put together: count, sum, max, min."""

    how: str
    over: str
    which: tuple[int, ...]
    body: Node


@dataclass(frozen=True)
class QuantifiedCondition(Condition):
    """A condition asked of every suit, or of every rank: any, all."""

    how: str
    over: str
    which: tuple[int, ...]
    body: Node


@dataclass(frozen=True)
class Junction(Condition):
    """Conditions joined by and, or by or."""

    how: str
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Not(Condition):
    """A condition turned around."""

    part: Node


@dataclass(frozen=True)
class Compare(Condition):
    """Two numbers compared."""

    how: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Arithmetic(Node):
    """Two numbers put together."""

    how: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Extreme(Node):
    """The least or the greatest of several numbers."""

    how: str
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Absolute(Node):
    """A number without its sign."""

    part: Node


@dataclass(frozen=True)
class Choice(Node):
    """One of two numbers."""

    condition: Node
    then: Node
    otherwise: Node
