"""A plan: everything that the result of a study depends on, checked when it is made."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import simcards
from simcards.cards import Pack, check_cards
from simcards.errors import UsageError, unknown
from simcards.games import registry
from simcards.study import players

if TYPE_CHECKING:
    from simcards.games.game import Game
    from simcards.games.ruleset import RuleSet

MOST_DEALS = 10**15


@dataclass(frozen=True)
class Plan:
    """What is played; made and checked by `make_plan`. It is small, can be hashed, and travels to workers.

    Attributes
    ----------
    game : str
        Id of the rule set.
    deals : int
        Number of rows, at most: one a deal, or one a game where `unit` is ``"game"``.
    strategies : tuple of str
        One name a seat.
    seed : int
        0 to 2**64 - 1.
    unit : str
        What one row is.
    changes : tuple of pair
        The user's changes of rules, on top of those that make the unit.
    cards : tuple of pair
        Place and the texts of the cards fixed there.
    digests : tuple of str
        For each seat a hash of the file that its strategy is in; empty for a strategy that comes with the
        game.
    """

    game: str
    deals: int
    strategies: tuple[str, ...]
    seed: int = 0
    unit: str = "deal"
    changes: tuple[tuple[str, int | str], ...] = ()
    cards: tuple[tuple[str, tuple[str, ...]], ...] = ()
    digests: tuple[str, ...] = ()

    @property
    def ruleset(self) -> RuleSet:
        """The rule set."""
        return registry.ruleset(self.game)

    @property
    def players(self) -> tuple[tuple[str, str], ...]:
        """For each seat the name of its strategy and the hash of the file that it is in."""
        return tuple(zip(self.strategies, self.digests or ("",) * len(self.strategies), strict=True))

    def load(self) -> Game:
        """Return the compiled game, imported when first asked for."""
        return registry.load(self.game)

    @property
    def overrides(self) -> dict[str, int | str]:
        """What differs from the default rules: those that make the unit, then the user's."""
        return {**self.ruleset.units[self.unit], **dict(self.changes)}

    @property
    def rules(self) -> dict[str, int | str]:
        """The value of every rule in force."""
        return self.ruleset.values(self.overrides)

    @property
    def pack(self) -> Pack:
        """The cards under the rules in force."""
        return self.ruleset.pack_under(self.overrides)

    @property
    def codes(self) -> dict[str, list[int]]:
        """The fixed cards by place, as codes."""
        pack = self.pack
        return {place: [pack.code(card) for card in cards] for place, cards in self.cards}

    def describe(self) -> dict[str, Any]:
        """Return the plan as plain data, every rule with its value.

        Returns
        -------
        dict
            Can be written as JSON.
        """
        return {
            "game": self.game,
            "unit": self.unit,
            "rules": self.rules,
            "strategies": list(self.strategies),
            "cards": {place: list(cards) for place, cards in self.cards},
            "seed": self.seed,
            "deals": self.deals,
        }

    def fingerprint(self) -> str:
        """Return a hash of all that a row depends on: the plan without its number of deals, and the code.

        Returns
        -------
        str
            64 hexadecimal digits.
        """
        from simcards.kernel.compiled import source_hash

        content = self.describe()
        del content["deals"]
        content["strategies"] = [
            f"{digest}:{players.without_files(name)}" if digest else name for name, digest in self.players
        ]
        content["version"] = simcards.__version__
        content["sources"] = [source_hash("games"), source_hash("study")]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def make_plan(
    game: str,
    *,
    deals: int,
    strategies: str | Iterable[str] = (),
    seed: int = 0,
    unit: str | None = None,
    rules: Mapping[str, object] | None = None,
    cards: Mapping[str, str | Iterable[str]] | None = None,
) -> Plan:
    """Check what was asked for and make the plan of it.

    Parameters
    ----------
    game : str
        Id or synonym of a rule set.
    deals : int
        How many rows, at most 10**15.
    strategies : str or iterable of str
        One name for all seats, or one a seat; ``"basic"``, where the game has it, if left out. A strategy of
        one's own is ``"file.py:name"``.
    seed : int
        0 to 2**64 - 1.
    unit : str, optional
        What one row is; the rule set's first unit if left out.
    rules : mapping, optional
        Changed rules.
    cards : mapping, optional
        Cards known to lie in a hand or another place of the deal, such as ``{"pone": "QS QS JD JD"}``.

    Returns
    -------
    Plan

    Raises
    ------
    UsageError
        For anything that is not there, out of bounds or contradictory, in one line.
    """
    ruleset = registry.ruleset(_text("a game", game))
    names = _one_a_seat(ruleset, strategies)
    digests = tuple(players.digest(name) for name in names)
    row = _unit(ruleset, unit)
    changes = _changes(ruleset, rules or {})
    pack = ruleset.pack_under({**ruleset.units[row], **dict(changes)})
    made = Plan(
        game=ruleset.id,
        deals=whole_number("the number of deals", deals, 1, MOST_DEALS),
        strategies=names,
        seed=whole_number("the seed", seed, 0, 2**64 - 1),
        unit=row,
        changes=changes,
        cards=_cards(pack, cards or {}),
        digests=digests if any(digests) else (),
    )
    compiled = made.load()
    for name, digest in dict.fromkeys(made.players):
        players.find(compiled, name, digest)
    compiled.fixed_places(made.codes, made.overrides)
    return made


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number within bounds as a Python int.

    Parameters
    ----------
    name : str
        What the error calls it.
    value : object
        A Python or NumPy integer.
    low, high : int
        Bounds.

    Returns
    -------
    int

    Raises
    ------
    UsageError
        When it is something else.
    """
    if isinstance(value, bool):
        raise UsageError(f"{name} must be a whole number, not {value}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{name} must be a whole number, not {value!r}") from None
    if not low <= number <= high:
        raise UsageError(f"{name} must be from {_round(low)} to {_round(high)}, not {_round(number)}")
    return number


def _round(number: int) -> str:
    """Write bounds as people read them."""
    if number == 2**64 - 1:
        return "2**64 - 1"
    if number >= 10**6 and set(str(number)[1:]) == {"0"} and str(number)[0] == "1":
        return f"10**{len(str(number)) - 1}"
    return str(number)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} is given by its name, not {value!r}")
    return value


def _one_a_seat(ruleset: RuleSet, strategies: str | Iterable[str]) -> tuple[str, ...]:
    names = [strategies] if isinstance(strategies, str) else list(strategies)
    if not names:
        names = [players.usual(ruleset)]
    for name in names:
        players.check(ruleset, name)
    if len(names) == 1:
        names *= ruleset.players
    if len(names) != ruleset.players:
        seats = ", ".join(ruleset.seats)
        raise UsageError(f"{ruleset.id} takes one strategy or {ruleset.players} ({seats}), not {len(names)}")
    return tuple(names)


def _unit(ruleset: RuleSet, unit: str | None) -> str:
    if unit is None:
        return next(iter(ruleset.units))
    if unit not in ruleset.units:
        raise unknown(f"unit of {ruleset.id}", _text("a unit", unit), ruleset.units)
    return unit


def _changes(ruleset: RuleSet, rules: Mapping[str, object]) -> tuple[tuple[str, int | str], ...]:
    values = ruleset.values({_text("a rule", name): value for name, value in rules.items()})
    return tuple((rule.name, values[rule.name]) for rule in ruleset.rules if rule.name in rules)


def _cards(pack: Pack, cards: Mapping[str, str | Iterable[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    codes = {
        _text("a hand", place): pack.parse(texts if isinstance(texts, str) else " ".join(texts))
        for place, texts in cards.items()
    }
    check_cards(pack, [code for place in codes.values() for code in place])
    return tuple((place, tuple(pack.text(code) for code in given)) for place, given in codes.items() if given)
