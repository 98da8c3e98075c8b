"""What a rule set is, as plain data: nothing here is compiled, so that listings and questions about rules are quick."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from simcards._input import count
from simcards.cards import Pack
from simcards.errors import UsageError, nearest, unknown


@dataclass(frozen=True)
class Rule:
    """One named value of the rules.

    Attributes
    ----------
    name : str
        Its name, as in ``--set name=value``.
    default : int or str
        The value that the source gives; a word when there are `choices`.
    doc : str
        What it says, in a few words.
    choices : tuple of str
        The words it can be; compiled code sees the index of the word.
    low, high : int
        Bounds of a number.
    hint : str
        What would be right instead of a number beyond them, where that is another game.
    """

    name: str
    default: int | str
    doc: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 1_000_000
    hint: str = ""

    def encode(self, value: object) -> int:
        """Return `value` as compiled code sees it.

        Parameters
        ----------
        value : object
            A whole number, also as people write it (``"1e3"``), or a word of `choices`.

        Returns
        -------
        int
            The number, or the index of the word.

        Raises
        ------
        UsageError
            When the value is not one the rule can have.
        """
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                *words, last = self.choices
                known = f"{', '.join(words)} or {last}" if words else last
                hint = nearest(value, self.choices)
                raise UsageError(f"the rule {self.name!r} takes {known}, not {value!r}{hint}")
            return self.choices.index(value)
        try:
            number = count(value)
        except UsageError:
            raise UsageError(f"the rule {self.name!r} takes a whole number, not {value!r}") from None
        if not self.low <= number <= self.high:
            bounds = f"a number from {self.low} to {self.high}" if self.low < self.high else f"only {self.low}"
            hint = f": {self.hint}" if self.hint else ""
            raise UsageError(f"the rule {self.name!r} takes {bounds}, not {number}{hint}")
        return number


@dataclass(frozen=True)
class Clash:
    """Values of rules that contradict each other.

    Attributes
    ----------
    values : mapping
        Rules and their values: all of them at once are refused.
    why : str
        The reason, as a clause.
    """

    values: Mapping[str, int | str]
    why: str


@dataclass(frozen=True)
class Feature:
    """Something that a dealt hand may hold, as a question for `simcards.odds`.

    Attributes
    ----------
    name : str
        What players call it, such as ``"carte blanche"``.
    expression : str
        The question: a condition, or a number of which mean and distribution are of interest.
    doc : str
        What it says, in a few words.
    """

    name: str
    expression: str
    doc: str = ""


@dataclass(frozen=True, repr=False)
class RuleSet:
    """A game's rules as data, and where the compiled game is.

    Attributes
    ----------
    id : str
        Its name on the command line, such as ``"rubicon-bezique"``.
    title, family, summary, source : str
        For listings: the usual English name, the family, one sentence, the book and place of the rules.
    seats : tuple of str
        Names of the seats by role, in the order of play.
    pack : Pack
        The cards.
    rules : tuple of Rule
        Every value of the rules.
    module : str
        The module that holds ``GAME``, imported when the game is first played.
    strategies : tuple of str
        Names of the strategies that come with the game.
    synonyms : tuple of str
        Other names, also Russian ones.
    units : mapping
        What one row can be (``"deal"``, ``"game"``) and the rules that make it so; the first is the default.
    hand : int
        How many cards a player is dealt; 0 when there is nothing to ask of the dealt hand.
    features : tuple of Feature
        What is asked of the dealt hand.
    clashes : tuple of Clash
        Values of rules that are refused together.
    ascending : tuple of pair of str
        Pairs of rules of which the first is no more than the second.
    other_packs : mapping
        Rule and value to the pack that is played with under it in place of `pack`; it has the same ranks and suits.
    """

    id: str
    title: str
    family: str
    summary: str
    source: str
    seats: tuple[str, ...]
    pack: Pack
    rules: tuple[Rule, ...]
    module: str
    strategies: tuple[str, ...]
    synonyms: tuple[str, ...] = ()
    units: Mapping[str, Mapping[str, int | str]] = field(
        default_factory=lambda: MappingProxyType({"deal": MappingProxyType({})})
    )
    hand: int = 0
    features: tuple[Feature, ...] = ()
    other_packs: Mapping[tuple[str, int | str], Pack] = field(default_factory=lambda: MappingProxyType({}))
    clashes: tuple[Clash, ...] = ()
    ascending: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"<rule set {self.id}: {self.title}, {self.players} players, {self.pack}, {len(self.rules)} rules>"

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.seats)

    def rule(self, name: str) -> Rule:
        """Return the rule called `name`.

        Raises
        ------
        UsageError
            When there is none.
        """
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise unknown(f"rule of {self.id}", name, [rule.name for rule in self.rules])

    def pack_under(self, changes: Mapping[str, object]) -> Pack:
        """Return the pack that is played with under changed rules."""
        if not self.other_packs:
            return self.pack
        values = self.values(changes)
        return next((pack for (name, value), pack in self.other_packs.items() if values[name] == value), self.pack)

    def check_unit(self, unit: str, changes: Mapping[str, object]) -> None:
        """Refuse changed rules with which a row is not what the unit says.

        Parameters
        ----------
        unit : str
            What one row is, one of `units`.
        changes : mapping
            Changed rules.

        Raises
        ------
        UsageError
            When a deal would be more than a deal, or another unit a single deal.
        """
        single = self.units.get("deal")
        if not single:
            return  # it is not the rules that make a deal of a row
        in_force = self.values({**self.units[unit], **changes})
        told = ", ".join(f"{name} = {in_force[name]}" for name in single)
        if unit == "deal" and any(in_force[name] != value for name, value in single.items()):
            others = " or ".join(repr(other) for other in self.units if other != "deal")
            raise UsageError(f"with {told} a row is more than one deal: choose the unit {others}")
        if unit != "deal" and all(in_force[name] == value for name, value in single.items()):
            raise UsageError(f"with {told} a {unit} is a single deal: choose the unit 'deal' or another value")

    def values(self, changes: Mapping[str, object] = MappingProxyType({})) -> dict[str, int | str]:
        """Return the rules in force: the defaults with `changes`.

        Parameters
        ----------
        changes : mapping
            Rule names and their values.

        Returns
        -------
        dict
            Every rule's value, words as words.

        Raises
        ------
        UsageError
            For an unknown rule, a value it cannot have, or values that contradict each other.
        """
        changed = {name: self.rule(name).encode(value) for name, value in changes.items()}
        values: dict[str, int | str] = {}
        for rule in self.rules:
            code = changed.get(rule.name, rule.encode(rule.default))
            values[rule.name] = rule.choices[code] if rule.choices else code
        for clash in self.clashes:
            if all(values[name] == value for name, value in clash.values.items()):
                told = " with ".join(f"{name}={value}" for name, value in clash.values.items())
                raise UsageError(f"{told} makes no sense in {self.id}: {clash.why}")
        for low, high in self.ascending:
            if int(values[low]) > int(values[high]):
                raise UsageError(f"the rule {low!r} cannot be more than {high!r}: {values[low]} and {values[high]}")
        return values
