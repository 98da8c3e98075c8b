"""An independent meaning of the language: random questions, and their answers on hands of plain card texts.

Nothing of the package is used here. A question is built together with a Python function that answers it for hands
that are lists of texts such as ``"QS"``; all hands of a small pack are gone through one by one.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

Hands = dict[str, list[str]]


@dataclass(frozen=True)
class Cards:
    """A small pack: ranks from low to high, suits, copies, jokers."""

    ranks: str
    suits: str
    copies: int = 1
    jokers: int = 0

    @property
    def all(self) -> list[str]:
        plain = [rank + suit for suit in self.suits for rank in self.ranks]
        return (plain + ["*"] * self.jokers) * self.copies


@dataclass(frozen=True)
class Question:
    """A question, whether it is a condition, and its answer given hands, a suit and a rank."""

    text: str
    is_condition: bool
    answer: Callable[[Hands, str | None, str | None], int]


def longest(flags: list[bool]) -> int:
    return max((len(list(group)) for flag, group in itertools.groupby(flags) if flag), default=0)


class Maker:
    """Makes random questions about a pack and some hands."""

    def __init__(self, cards: Cards, places: list[str], seed: int | random.Random) -> None:
        self.cards = cards
        self.places = places
        self.random = seed if isinstance(seed, random.Random) else random.Random(seed)
        self.most = 8

    # -- parts ---------------------------------------------------------------------------------------------

    def place(self) -> tuple[str, list[str]]:
        """Return how a hand is written, and its names."""
        if self.places == ["hand"]:
            return ("", ["hand"]) if self.random.random() < 0.8 else ("hand", ["hand"])
        if len(self.places) > 1 and self.random.random() < 0.25:
            two = self.random.sample(self.places, 2)
            return " + ".join(two), two
        one = self.random.choice(self.places)
        return one, [one]

    def call(self, name: str, *arguments: str) -> tuple[str, list[str]]:
        written, names = self.place()
        return f"{name}({', '.join([*arguments, *([written] if written else [])])})", names

    def selection(self, suit: bool, rank: bool) -> tuple[str | None, Callable[[str], bool]]:
        """Return cards as `n` takes them, and which cards they are."""
        choose = self.random.choice
        names = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
        kinds = ["all"]
        if not rank:
            kinds += ["ranks", "ranks", "range"]
        if not suit:
            kinds += ["suit"]
        if not suit and not rank:
            kinds += ["card", "card", "of", "mixed"] + (["joker"] if self.cards.jokers else [])
        kind = choose(kinds)
        if kind == "all":
            return None, lambda card: True
        if kind == "ranks":
            ranks = self.random.sample(self.cards.ranks, self.random.randint(1, min(3, len(self.cards.ranks))))
            return " ".join("10" if r == "T" else r for r in ranks), lambda card: card[0] in ranks and card != "*"
        if kind == "range":
            low, high = sorted(self.random.choices(range(len(self.cards.ranks)), k=2))
            ends = self.cards.ranks[low], self.cards.ranks[high]
            held = self.cards.ranks[low : high + 1]
            return "-".join(ends), lambda card: card[0] in held
        if kind == "suit":
            one = choose(self.cards.suits)
            return choose([names[one], one]), lambda card: card[-1] == one and card != "*"
        if kind == "of":
            one, ranks = choose(self.cards.suits), self.random.sample(self.cards.ranks, 1)
            return f"{ranks[0]} of {names[one]}", lambda card: card == ranks[0] + one
        if kind == "joker":
            return "joker", lambda card: card == "*"
        wanted = self.random.sample(sorted(set(self.cards.all) - {"*"}), self.random.randint(1, 2))
        if kind == "mixed":
            rank = choose(self.cards.ranks)
            return f"{wanted[0]} {rank}", lambda card: card == wanted[0] or card[0] == rank
        return " ".join(wanted), lambda card: card in wanted

    def number(self, depth: int, suit: bool = False, rank: bool = False) -> Question:
        """Return a random number."""
        kinds = ["n", "n", "n", "points"]
        if not rank and not suit:
            kinds += ["run", "rank_run", "rank_runs", "ways"]
        if suit and not rank:
            kinds += ["run"]
        if depth > 0:
            kinds += ["sum", "times", "extreme", "abs", "mod", "div", "choice", "constant"]
            kinds += [] if suit else ["suits", "suits"]
            kinds += [] if rank else ["ranks", "ranks"]
        return getattr(self, f"_{self.random.choice(kinds)}")(depth, suit, rank)

    def condition(self, depth: int, suit: bool = False, rank: bool = False) -> Question:
        """Return a random condition."""
        kinds = ["compare", "compare", "compare"]
        if not suit and not rank:
            kinds += ["shape"]
        if depth > 0:
            kinds += ["junction", "junction", "negation", "among", "between"]
            kinds += [] if suit else ["any_suit", "any_suit"]
            kinds += [] if rank else ["any_rank", "any_rank"]
        return getattr(self, f"_{self.random.choice(kinds)}")(depth, suit, rank)

    # -- numbers -------------------------------------------------------------------------------------------

    def held(self, names: list[str], test: Callable[[str], bool]) -> Callable[..., list[str]]:
        def cards(hands: Hands, suit: str | None, rank: str | None) -> list[str]:
            return [
                card
                for name in names
                for card in hands[name]
                if test(card)
                and (suit is None or (card != "*" and card[1] == suit))
                and (rank is None or (card != "*" and card[0] == rank))
            ]

        return cards

    def _n(self, depth: int, suit: bool, rank: bool) -> Question:
        text, test = self.selection(suit, rank)
        written, names = self.call("n", *([f"'{text}'"] if text else []))
        cards = self.held(names, test)
        return Question(written, False, lambda *at: len(cards(*at)))

    def _points(self, depth: int, suit: bool, rank: bool) -> Question:
        if rank and suit:
            return self._n(depth, suit, rank)
        values: dict[str, int] = {}
        if rank:
            for one in self.random.sample(self.cards.suits, self.random.randint(1, len(self.cards.suits))):
                values[one] = self.random.randint(1, 4)
            words = [f"{one}:{value}" for one, value in values.items()]
            worth = lambda card: 0 if card == "*" else values.get(card[1], 0)  # noqa: E731
        else:
            for one in self.random.sample(self.cards.ranks, self.random.randint(1, min(4, len(self.cards.ranks)))):
                values[one] = self.random.choice([1, 2, 3, 4, 5, -1])
            words = [f"{'10' if one == 'T' else one}{value}" for one, value in values.items()]
            worth = lambda card: values.get(card[0], 0)  # noqa: E731
        written, names = self.call("points", f"'{' '.join(words)}'")
        cards = self.held(names, lambda card: True)
        return Question(written, False, lambda *at: sum(map(worth, cards(*at))))

    def _run(self, depth: int, suit: bool, rank: bool) -> Question:
        written, names = self.call("run")
        cards = self.held(names, lambda card: card != "*")

        def answer(hands: Hands, one: str | None, _: str | None) -> int:
            there = set(cards(hands, one, None))
            suits = self.cards.suits if one is None else one
            return max(longest([rank + suit in there for rank in self.cards.ranks]) for suit in suits)

        return Question(written, False, answer)

    def _rank_run(self, depth: int, suit: bool, rank: bool) -> Question:
        written, names = self.call("rank_run")
        cards = self.held(names, lambda card: card != "*")

        def answer(*at: object) -> int:
            there = {card[0] for card in cards(*at)}
            return longest([rank in there for rank in self.cards.ranks])

        return Question(written, False, answer)

    def _rank_runs(self, depth: int, suit: bool, rank: bool) -> Question:
        least = self.random.randint(2, 3)
        if least > len(self.cards.ranks):
            return self._n(depth, suit, rank)
        written, names = self.call("rank_runs", str(least))
        cards = self.held(names, lambda card: card != "*")

        def answer(*at: object) -> int:
            counts = Counter(card[0] for card in cards(*at))
            total, row = 0, []
            for rank in [*self.cards.ranks, "?"]:
                if counts[rank]:
                    row.append(counts[rank])
                else:
                    total += len(row) * math.prod(row) if len(row) >= least else 0
                    row = []
            return total

        return Question(written, False, answer)

    def _ways(self, depth: int, suit: bool, rank: bool) -> Question:
        total = self.random.randint(2, 9)
        values = {one: self.random.randint(1, 5) for one in self.cards.ranks if self.random.random() < 0.8}
        if not values:
            return self._n(depth, suit, rank)
        words = [f"{'10' if one == 'T' else one}{value}" for one, value in values.items()]
        written, names = self.call("ways", str(total), f"'{' '.join(words)}'")
        cards = self.held(names, lambda card: card != "*" and card[0] in values)

        def answer(*at: object) -> int:
            worth = [values[card[0]] for card in cards(*at)]
            return sum(
                sum(some) == total for size in range(len(worth) + 1) for some in itertools.combinations(worth, size)
            )

        return Question(written, False, answer)

    def _constant(self, depth: int, suit: bool, rank: bool) -> Question:
        value = self.random.randint(0, 4)
        return Question(str(value), False, lambda *at: value)

    def _sum(self, depth: int, suit: bool, rank: bool) -> Question:
        a, b = (self.number(depth - 1, suit, rank) for _ in range(2))
        factor = self.random.randint(1, 3)
        if self.random.random() < 0.5:
            return Question(
                f"({a.text} + {factor} * {b.text})", False, lambda *at: a.answer(*at) + factor * b.answer(*at)
            )
        return Question(f"({a.text} - {b.text})", False, lambda *at: a.answer(*at) - b.answer(*at))

    def _times(self, depth: int, suit: bool, rank: bool) -> Question:
        a, b = (self.number(depth - 1, suit, rank) for _ in range(2))
        return Question(f"({a.text} * {b.text})", False, lambda *at: a.answer(*at) * b.answer(*at))

    def _extreme(self, depth: int, suit: bool, rank: bool) -> Question:
        parts = [self.number(depth - 1, suit, rank) for _ in range(self.random.randint(2, 3))]
        how = self.random.choice(["min", "max"])
        best = {"min": min, "max": max}[how]
        text = f"{how}({', '.join(part.text for part in parts)})"
        return Question(text, False, lambda *at: best(part.answer(*at) for part in parts))

    def _abs(self, depth: int, suit: bool, rank: bool) -> Question:
        a, b = (self.number(depth - 1, suit, rank) for _ in range(2))
        return Question(f"abs({a.text} - {b.text})", False, lambda *at: abs(a.answer(*at) - b.answer(*at)))

    def _mod(self, depth: int, suit: bool, rank: bool) -> Question:
        a, by = self.number(depth - 1, suit, rank), self.random.choice([2, 3, -2])
        return Question(f"(({a.text}) % {by})", False, lambda *at: a.answer(*at) % by)

    def _div(self, depth: int, suit: bool, rank: bool) -> Question:
        a, by = self.number(depth - 1, suit, rank), self.random.choice([2, 3])
        return Question(f"(({a.text}) // {by})", False, lambda *at: a.answer(*at) // by)

    def _choice(self, depth: int, suit: bool, rank: bool) -> Question:
        test = self.condition(depth - 1, suit, rank)
        a, b = (self.number(depth - 1, suit, rank) for _ in range(2))
        text = f"({a.text} if {test.text} else {b.text})"
        return Question(text, False, lambda *at: a.answer(*at) if test.answer(*at) else b.answer(*at))

    def _quantified(self, depth: int, over: str, suit: bool, rank: bool) -> Question:
        how = self.random.choice(["count", "sum", "max", "min"])
        inside = (True, rank) if over == "suit" else (suit, True)
        body = self.condition(depth - 1, *inside) if how == "count" else self.number(depth - 1, *inside)
        plural = {"count": "s", "sum": "s"}.get(how, "")
        which, written = self.which(over)
        put = {"count": sum, "sum": sum, "max": max, "min": min}[how]

        def answer(hands: Hands, one: str | None, other: str | None) -> int:
            if over == "suit":
                return put([int(body.answer(hands, each, other)) for each in which])
            return put([int(body.answer(hands, one, each)) for each in which])

        return Question(f"{how}_{over}{plural}({body.text}{written})", False, answer)

    def which(self, over: str) -> tuple[list[str], str]:
        everything = list(self.cards.suits if over == "suit" else self.cards.ranks)
        if self.random.random() < 0.75:
            return everything, ""
        some = self.random.sample(everything, self.random.randint(1, len(everything)))
        return some, f", '{' '.join(some)}'"

    def _suits(self, depth: int, suit: bool, rank: bool) -> Question:
        return self._quantified(depth, "suit", suit, rank)

    def _ranks(self, depth: int, suit: bool, rank: bool) -> Question:
        return self._quantified(depth, "rank", suit, rank)

    # -- conditions ----------------------------------------------------------------------------------------

    def _compare(self, depth: int, suit: bool, rank: bool) -> Question:
        a = self.number(depth, suit, rank)
        small = self.random.randint(0, 3)
        b = self._constant(0, suit, rank) if self.random.random() < 0.7 else self.number(0, suit, rank)
        if self.random.random() < 0.4:
            b = Question(str(small), False, lambda *at: small)
        sign = self.random.choice([">=", "<=", "==", "!=", ">", "<"])
        tests: dict[str, Callable[[int, int], bool]] = {
            ">=": int.__ge__,
            "<=": int.__le__,
            "==": int.__eq__,
            "!=": int.__ne__,
            ">": int.__gt__,
            "<": int.__lt__,
        }
        test = tests[sign]
        return Question(f"{a.text} {sign} {b.text}", True, lambda *at: test(a.answer(*at), b.answer(*at)))

    def _between(self, depth: int, suit: bool, rank: bool) -> Question:
        a = self.number(depth - 1, suit, rank)
        low = self.random.randint(0, 2)
        high = low + self.random.randint(0, 2)
        return Question(f"{low} <= {a.text} < {high + 1}", True, lambda *at: low <= a.answer(*at) < high + 1)

    def _among(self, depth: int, suit: bool, rank: bool) -> Question:
        a = self.number(depth - 1, suit, rank)
        some = self.random.sample(range(4), 2)
        negated = self.random.random() < 0.3
        text = f"{a.text} {'not ' if negated else ''}in ({some[0]}, {some[1]})"
        return Question(text, True, lambda *at: (a.answer(*at) in some) != negated)

    def _junction(self, depth: int, suit: bool, rank: bool) -> Question:
        parts = [self.condition(depth - 1, suit, rank) for _ in range(self.random.randint(2, 3))]
        how = self.random.choice(["and", "or"])
        put = {"and": all, "or": any}[how]
        text = "(" + f" {how} ".join(f"({part.text})" for part in parts) + ")"
        return Question(text, True, lambda *at: put([part.answer(*at) for part in parts]))

    def _negation(self, depth: int, suit: bool, rank: bool) -> Question:
        part = self.condition(depth - 1, suit, rank)
        return Question(f"not ({part.text})", True, lambda *at: not part.answer(*at))

    def _quantified_condition(self, depth: int, over: str, suit: bool, rank: bool) -> Question:
        body = self.condition(depth - 1, *((True, rank) if over == "suit" else (suit, True)))
        how, name = self.random.choice([(any, f"any_{over}"), (all, f"all_{over}s")])
        which, written = self.which(over)

        def answer(hands: Hands, one: str | None, other: str | None) -> int:
            if over == "suit":
                return how([bool(body.answer(hands, each, other)) for each in which])
            return how([bool(body.answer(hands, one, each)) for each in which])

        return Question(f"{name}({body.text}{written})", True, answer)

    def _any_suit(self, depth: int, suit: bool, rank: bool) -> Question:
        return self._quantified_condition(depth, "suit", suit, rank)

    def _any_rank(self, depth: int, suit: bool, rank: bool) -> Question:
        return self._quantified_condition(depth, "rank", suit, rank)

    def _shape(self, depth: int, suit: bool, rank: bool) -> Question:
        if self.cards.jokers:  # patterns need not add up to the hand then, but mostly never hold
            return self._compare(depth, suit, rank)
        written, names = self.place()
        size = sum(self.sizes[name] for name in names)
        cuts = sorted(self.random.choices(range(size + 1), k=len(self.cards.suits) - 1))
        lengths: list[int | None] = [b - a for a, b in zip([0, *cuts], [*cuts, size])]
        if self.random.random() < 0.3:
            lengths[self.random.randrange(len(lengths))] = None
        ordered = self.random.random() < 0.4
        pattern = ("=" if ordered else "-").join("x" if each is None else str(each) for each in lengths)
        if len(lengths) == 1:
            return self._compare(depth, suit, rank)

        def answer(hands: Hands, _: str | None, __: str | None) -> bool:
            cards = [card for name in names for card in hands[name]]
            held = [sum(card[1] == one for card in cards) for one in self.cards.suits]
            orders = [lengths] if ordered else itertools.permutations(lengths)
            return any(all(b in (a, None) for a, b in zip(held, order)) for order in orders)

        return Question(f"shape({written}) == '{pattern}'", True, answer)

    sizes: dict[str, int]


def maker(cards: Cards, sizes: dict[str, int], seed: int | random.Random) -> Maker:
    made = Maker(cards, list(sizes), seed)
    made.sizes = sizes
    return made


def all_hands(cards: Cards, sizes: dict[str, int], without: tuple[str, ...] = ()) -> Iterator[Hands]:
    """Yield every way to deal the hands, copies of a card told apart."""
    deck = list(cards.all)
    for card in without:
        deck.remove(card)

    def deal(left: list[int], names: list[str]) -> Iterator[Hands]:
        if not names:
            yield {}
            return
        for chosen in itertools.combinations(left, sizes[names[0]]):
            rest = [index for index in left if index not in chosen]
            for others in deal(rest, names[1:]):
                yield {names[0]: [deck[index] for index in chosen], **others}

    yield from deal(list(range(len(deck))), list(sizes))


def distribution(question: Question, hands: list[Hands], given: Question | None = None) -> tuple[dict[int, int], int]:
    """Return in how many deals a question has which answer, and how many deals there are."""
    counts: Counter[int] = Counter()
    for each in hands:
        if given is None or given.answer(each, None, None):
            counts[int(question.answer(each, None, None))] += 1
    return dict(sorted(counts.items())), sum(counts.values())


def mean(counts: dict[int, int]) -> Fraction:
    return Fraction(sum(value * ways for value, ways in counts.items()), sum(counts.values()))
