"""Worked examples of CATALOGUE 3.1 as scripts: a whole deck, the actions, and what must hold on the way.

Nothing is set by hand: the decks are stacked so that the named cards reach the named player, and the plays
are chosen so that the intended player wins each trick. So the same script drives any implementation.

`EXAMPLES` holds them; `SETTLEMENTS` is the table E-RUB-2 with further rows for the rules around it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import permutations
from typing import NamedTuple

from .reference import FROM_TABLE, PACKETS, SUITS, Reference, code_of, pack

DECLARATIONS = {
    "pass": 0,
    **{f"marriage {suit}": 1 + index for index, suit in enumerate(SUITS)},
    **{f"sequence {suit}": 5 + index for index, suit in enumerate(SUITS)},
    "bezique": 9,
    "double": 10,
    "triple": 11,
    "quadruple": 12,
    "aces": 13,
    "kings": 14,
    "queens": 15,
    "jacks": 16,
    "seven": 17,
}


def play(text: str) -> int:
    """A play: `QS` from the hand, `QS*` from the table."""
    return code_of(text[:2]) + (FROM_TABLE if text.endswith("*") else 0)


@dataclass(frozen=True)
class Check:
    """What must hold after `step` actions."""

    step: int
    legal: frozenset[int] = frozenset()  # these are among the legal actions
    illegal: frozenset[int] = frozenset()  # these are not
    exactly: frozenset[int] | None = None  # the whole legal set
    actor: int | None = None
    phase: str | None = None
    points: tuple[int, int] | None = None  # of the players so far (the reference knows them at every step)


@dataclass(frozen=True)
class Example:
    """A script: decks, actions, checks, and what some fields of the row must be in the end.

    `actions` go to the end of the row: after the scripted ones nothing more is declared and the lowest
    legal card is played. So `row` (all fields of combinations) can be asked of every implementation.
    """

    name: str
    game: str
    rules: dict[str, int | str]
    decks: tuple[tuple[int, ...], ...]
    actions: tuple[int, ...]
    scripted: int  # how many of the actions belong to the example
    checks: tuple[Check, ...]
    row: dict[str, int | list[int]]


@dataclass
class Story:
    """Builds an `Example` in the words of the table.

    `pone` and `dealer` are the dealt hands; `draw` names the two cards drawn after a trick, first drawer's
    first. The deck follows from them; cards never named come last, in the order of the pack.
    """

    name: str
    game: str
    pone: str
    dealer: str
    turn_up: str = ""
    rules: dict[str, int | str] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    def trick(self, lead: str, follow: str, draw: str = "") -> Story:
        self.actions += [play(lead), play(follow)]
        self.drawn += draw.split()
        return self

    def declare(self, what: str) -> Story:
        self.actions.append(DECLARATIONS[what])
        return self

    def pick(self, cards: str) -> Story:
        """Choose cards of a four one by one."""
        self.actions += [code_of(card) for card in cards.split()]
        return self

    def show(self, shown: bool) -> Story:
        self.actions.append(int(shown))
        return self

    def put(self, card: str) -> Story:
        """Half a trick."""
        self.actions.append(play(card))
        return self

    def draw(self, cards: str) -> Story:
        self.drawn += cards.split()
        return self

    def can(self, *what: str) -> Story:
        self.checks.append(Check(len(self.actions), legal=_declarations(what), phase="declare"))
        return self

    def cannot(self, *what: str) -> Story:
        self.checks.append(Check(len(self.actions), illegal=_declarations(what), phase="declare"))
        return self

    def only(self, *what: str) -> Story:
        """The whole list of declarations, passing apart."""
        self.checks.append(Check(len(self.actions), exactly=_declarations((*what, "pass")), phase="declare"))
        return self

    def cards(self, *what: str) -> Story:
        """The whole list of cards that may be played or picked."""
        self.checks.append(Check(len(self.actions), exactly=frozenset(play(card) for card in what)))
        return self

    def at(self, phase: str, actor: int) -> Story:
        self.checks.append(Check(len(self.actions), phase=phase, actor=actor))
        return self

    def points(self, pone: int, dealer: int) -> Story:
        self.checks.append(Check(len(self.actions), points=(pone, dealer)))
        return self

    def deck(self) -> list[int]:
        hands = [self.pone.split(), self.dealer.split()]
        named: list[str] = []
        for packet in PACKETS[self.game]:
            for hand in hands:
                named += hand[:packet]
                del hand[:packet]
        assert not hands[0]
        assert not hands[1]
        named += [self.turn_up] if self.turn_up else []
        codes = [code_of(card) for card in named + self.drawn]
        rest = Counter(pack(self.game))
        rest.subtract(codes)
        assert min(rest.values()) >= 0, f"{self.name}: too many copies of a card"
        return codes + sorted(rest.elements())

    def end(self, watch: str = "", **row: int | list[int]) -> Example:
        """Play the row (always one deal) out without declaring anything more.

        `watch` must stay legal for the pone after every trick he wins, and lapse with the stock.
        """
        deck = self.deck()
        actions = list(self.actions)
        checks = list(self.checks)
        reference = Reference(self.game, self.rules, [deck])
        for action in actions:
            reference.apply(action)
        while not reference.over:
            if watch and reference.step == "declare" and reference.actor() == 0:
                checks.append(Check(len(actions), legal=_declarations((watch,)), phase="declare"))
            if watch and not reference.stock:
                checks.append(Check(len(actions), phase="play"))
            actions.append(min(reference.legal()))
            reference.apply(actions[-1])
        return Example(
            self.name,
            self.game,
            self.rules,
            (tuple(deck),),
            tuple(actions),
            len(self.actions),
            tuple(checks),
            row,
        )


def _declarations(what: tuple[str, ...]) -> frozenset[int]:
    return frozenset(DECLARATIONS[item] for item in what)


ONE_DEAL: dict[str, int | str] = {"target": 0}


# E-BEZ-1: timing ------------------------------------------------------------------------------------------
# Hearts trumps; QS QS JD JD, KH QH and a fourth queen. The dealer throws small diamonds on small clubs.

PART_POINTS = {"bezique": 40, "double": 500, "queens": 60, "marriage H": 40}


def _timing(name: str) -> Story:
    return Story(name, "bezique", "QS QS JD JD KH QH QC 8C", "7D 8D 9D 7D 8D 9D 7S 8S", "8H", ONE_DEAL)


TIMING_TRICKS = [("8C", "7D", "9C 9S"), ("9C", "8D", "7C 9S"), ("7C", "9D", "8C 7S"), ("8C", "7D", "9C 8S")]


def timing_examples() -> list[Example]:
    """Every order of the four scores: 640 with the single before the double bezique, else 600."""
    examples = []
    for number, order in enumerate(permutations(PART_POINTS)):
        story = _timing(f"E-BEZ-1 order {number}: {', '.join(order)}")
        tricks = iter(TIMING_TRICKS)
        total = 0
        for done, part in enumerate(order):
            lead, follow, draw = next(tricks)
            story.trick(lead, follow, draw=draw).at("declare", 0)
            lost = part == "bezique" and "double" in order[:done]
            left = [other for other in order[done:] if not (other == "bezique" and "double" in order[:done])]
            # One score a trick: 600, 560 or 100 "at once" cannot be had, because the play goes on.
            second = ["bezique"] if "bezique" in order[:done] and "double" not in order[:done] else []
            story.only(*left, *second)
            if lost:
                story.declare("pass")
            else:
                story.declare(part)
                total += PART_POINTS[part]
            story.points(total, 0).at("play", 0)
        single_first = order.index("bezique") < order.index("double")
        assert total == (640 if single_first else 600)
        examples.append(
            story.end(
                points_bezique=[40 if single_first else 0, 0],
                points_double_bezique=[500, 0],
                points_queens=[60, 0],
                points_royal_marriage=[40, 0],
                points_marriage=[0, 0],
                declarations=[4 if single_first else 3, 0],
            )
        )
    # "40 for the second bezique, then 500 for both" is not allowed.
    story = _timing("E-BEZ-1 second bezique, then both")
    story.trick("8C", "7D", draw="9C 9S").declare("bezique")
    story.trick("9C", "8D", draw="7C 9S").can("bezique", "double").declare("bezique")
    story.trick("7C", "9D", draw="8C 7S").cannot("bezique", "double")
    examples.append(
        story.declare("pass").end(points_bezique=[80, 0], points_double_bezique=[0, 0], first_bezique=[1, -(2**31)])
    )
    return examples


# E-BEZ-2: class rules -------------------------------------------------------------------------------------


def class_examples() -> list[Example]:
    low = "7D 8D 9D 7D 8D 9D 7S 8S"
    examples = []

    story = Story("E-BEZ-2 sequence first", "bezique", "AH TH KH QH JH QH 8C 9C", low, "8H", ONE_DEAL)
    story.trick("8C", "7D", draw="7C 9S").only("marriage H", "sequence H").declare("sequence H")
    # Neither the king and queen of the sequence nor a new queen with its king.
    story.trick("9C", "8D", draw="KH 9S").points(250, 0).only().declare("pass")
    # But a new king with the new queen: both are fresh, a marriage of their own.
    story.trick("7C", "9D", draw="8C 7S").only("marriage H").declare("pass")
    # The new queen played: the new king with the old queen is nothing either.
    story.trick("QH", "7D", draw="9C 9H").only().declare("pass")
    examples.append(story.end(points_royal_sequence=[250, 0], points_royal_marriage=[0, 0]))

    story = Story("E-BEZ-2 marriage first", "bezique", "AH TH KH QH JH QH 8C 9C", low, "8H", ONE_DEAL)
    story.trick("8C", "7D", draw="7C 9S").declare("marriage H")
    story.trick("9C", "8D", draw="8C 9S").only("sequence H").declare("sequence H").points(290, 0)
    examples.append(story.end(points_royal_sequence=[250, 0], points_royal_marriage=[40, 0]))

    story = Story("E-BEZ-2 four kings, one replaced", "bezique", "KS KH KD KC 7C 8C 9C 9C", low, "8H", ONE_DEAL)
    story.trick("8C", "7D", draw="KS 9S").only("kings").declare("kings")
    story.trick("KC*", "8D", draw="8C 9S").only()
    examples.append(story.declare("pass").end(points_kings=[80, 0], count_kings=[1, 0]))

    story = Story("E-BEZ-2 four kings and four others", "bezique", "KS KH KD KC 7C 8C 9C 9C", low, "8H", ONE_DEAL)
    story.trick("8C", "7D", draw="KS 9S").declare("kings")
    story.trick("9C", "8D", draw="KH 9S").only().declare("pass")
    story.trick("9C", "9D", draw="KD 7S").only().declare("pass")
    story.trick("7C", "7D", draw="KC 8S").only().declare("pass")
    story.trick("KC*", "8D", draw="8C 8H").only("kings").declare("kings").points(160, 0)
    examples.append(story.end(points_kings=[160, 0], count_kings=[2, 0]))

    # The king (queen, jack) has gone: a new one with the old partner.
    for game, again in (("bezique", False), ("rubicon-bezique", True)):
        bezique = game == "bezique"
        more = "" if bezique else " 7C"
        lower = low if bezique else low + " JC"
        rules = ONE_DEAL if bezique else {}
        turn_up = "8H" if bezique else ""
        story = Story(f"E-BEZ-2 new king, {game}", game, "KS QS KS 7C 8C 9C 9C 8C" + more, lower, turn_up, rules)
        story.trick("8C", "7D", draw="7C 9S").only("marriage S").declare("marriage S")
        story.trick("9C", "8D", draw="TC 7S").only().declare("pass")  # a new king with a queen not free
        story.trick("KS*", "9D", draw="TC 8S")
        if again:
            # The first marriage made spades trump, so both count 40.
            story.only("marriage S").declare("marriage S").points(80, 0)
            examples.append(story.end(points_royal_marriage=[80, 0], count_royal_marriage=[2, 0], trump_trick=1))
        else:
            story.only().declare("pass")
            examples.append(story.end(points_marriage=[20, 0]))

        story = Story(f"E-BEZ-2 new jack, {game}", game, "QS JD JD 7C 8C 9C 9C 8C" + more, lower, turn_up, rules)
        story.trick("8C", "7D", draw="7C 9S").only("bezique").declare("bezique")
        story.trick("9C", "8D", draw="TC 7S").only().declare("pass")
        story.trick("JD*", "9D", draw="TC 8S")
        if again:
            story.only("bezique").declare("bezique").points(80, 0)
        else:
            story.only().declare("pass")
        examples.append(story.end(points_bezique=[80 if again else 40, 0]))
    return examples


# E-BEZ-3: held scores -------------------------------------------------------------------------------------


def _held(name: str) -> Story:
    """Up to the sequence: 80, 40 with 20 in mind, a lost trick, 40 and 250 taken before the 20."""
    dealer = "7D 8D 9D 7D 8D 9D 7S AC"
    story = Story(name, "bezique", "KS KH KD KC QS JD 8C 9C", dealer, "8H", ONE_DEAL)
    story.trick("8C", "7D", draw="TH 7S").only("kings", "bezique", "marriage S").declare("kings")
    story.trick("9C", "8D", draw="7C 8S").only("bezique", "marriage S").declare("bezique").points(120, 0)
    story.trick("7C", "AC", draw="9S QH").only().declare("pass").points(120, 10)  # the next trick lost
    story.trick("7D", "JD*", draw="JH 7H").only("marriage S", "marriage H").declare("marriage H")
    story.trick("KC*", "8D", draw="AH 9S").only("marriage S").declare("pass").points(160, 10)
    story.trick("KD*", "9D", draw="8C 7H").only("marriage S", "sequence H").declare("sequence H")
    return story.points(410, 10)


def held_examples() -> list[Example]:
    expected = {"points_kings": [80, 0], "points_bezique": [40, 0], "points_royal_marriage": [40, 0]}
    examples = []

    story = _held("E-BEZ-3 the held 20 scored at last")
    story.trick("8C", "9D", draw="7C 8S").only("marriage S").declare("marriage S").points(430, 10)
    story.trick("7C", "7S", draw="TC 9H").only()
    examples.append(story.declare("pass").end(**expected, points_royal_sequence=[250, 0], points_marriage=[20, 0]))

    story = _held("E-BEZ-3 the king played: the held 20 is lost")
    story.trick("KS*", "9D", draw="7C 8S").only().declare("pass")
    examples.append(story.end(**expected, points_royal_sequence=[250, 0], points_marriage=[0, 0]))

    # Nothing more is scored: the 20 may be taken after every trick the pone wins, until the stock has gone.
    story = _held("E-BEZ-3 the stock exhausted: the held 20 lapses")
    story.trick("8C", "9D", draw="7C 8S").only("marriage S").declare("pass")
    examples.append(
        story.end(watch="marriage S", **expected, points_royal_sequence=[250, 0], points_marriage=[0, 0], deals=1)
    )
    return examples


# E-RUB-1: growth ------------------------------------------------------------------------------------------

# The dealer's hand: small cards to throw away, and a court, so that it is no carte blanche.
LOW = "7D 8D 9D 7D 8D 9D 7S 8S JC"
FORMS = ("bezique", "double", "triple", "quadruple")


def growth_examples() -> list[Example]:
    game = "rubicon-bezique"
    examples = []

    hand = "QS QS QS QS JD JD JD JD 8C"
    story = Story("E-RUB-1 quadruple bezique step by step", game, hand, LOW)
    story.trick("8C", "7D", draw="9C 7S").only(*FORMS, "queens", "jacks").declare("bezique").points(40, 0)
    story.trick("9C", "8D", draw="7C 8S").only(*FORMS, "queens", "jacks").declare("double").points(540, 0)
    story.trick("7C", "9D", draw="8C 9S").can("triple", "quadruple").declare("triple").points(2040, 0)
    story.trick("8C", "7D", draw="7C 7S").only("bezique", "quadruple", "queens", "jacks")
    story.declare("quadruple")
    story.points(6540, 0).trick("7C", "8D", draw="9C 7S").only("queens", "jacks").declare("pass")
    examples.append(
        story.end(
            points_bezique=[40, 0],
            points_double_bezique=[500, 0],
            points_triple_bezique=[1500, 0],
            points_quadruple_bezique=[4500, 0],
            first_quadruple_bezique=[4, -(2**31)],
            declarations=[4, 0],
        )
    )

    story = Story("E-RUB-1 quadruple bezique at once", game, hand, LOW)
    story.trick("8C", "7D", draw="9C 7S").declare("quadruple").points(4500, 0)
    story.trick("9C", "8D", draw="7C 8S").only("queens", "jacks").declare("pass")
    examples.append(story.end(points_quadruple_bezique=[4500, 0], declarations=[1, 0]))

    story = Story("E-RUB-1 bezique re-formed", game, "QS JD JD JD 7C 8C 9C 9C 8C", LOW)
    story.trick("8C", "7D", draw="7C 7S").only("bezique").declare("bezique")
    story.trick("JD*", "7S", draw="7C 8S").only("bezique").declare("bezique")
    story.trick("JD*", "8S", draw="8C 9S").only("bezique").declare("bezique").points(120, 0)
    # Old queen and old jack of an unbroken bezique, with one more queen: no single with an old jack.
    story.trick("9C", "8D", draw="QS 9S").only().declare("pass")
    story.trick("9C", "9D", draw="JD 7S").only().declare("pass")
    story.trick("8C", "7D", draw="8C 7S").can("bezique", "double").declare("double").points(620, 0)
    examples.append(story.end(points_bezique=[120, 0], points_double_bezique=[500, 0]))

    story = Story("E-RUB-1 royal sequence six times", game, "AH TH KH QH JH AH TH KH 8C", LOW)
    story.trick("8C", "7D", draw="QH 7S").only("marriage H", "sequence H").declare("sequence H").points(250, 0)
    story.trick("AH*", "8D", draw="JH 8S").only("marriage H", "sequence H").declare("sequence H")
    story.trick("TH*", "9D", draw="7C 9S").can("sequence H").declare("sequence H").points(750, 0)
    story.trick("KH*", "7D", draw="8C 9S").only("marriage H", "sequence H").declare("sequence H")
    story.trick("QH*", "8D", draw="9C 7S").only("sequence H").declare("sequence H")
    story.trick("JH*", "9D", draw="9C 8S").only("sequence H").declare("sequence H").points(1500, 0)
    story.trick("9C", "7S", draw="8C 9S").only().declare("pass")
    examples.append(
        story.end(
            points_royal_sequence=[1500, 0],
            count_royal_sequence=[6, 0],
            points_sequence=[0, 0],
            trump_trick=1,
            trump_maker=[1, 0],
        )
    )

    # Which four of more than four is the player's choice; the last pick must leave one new card among them.
    aces = "AS AH AD AC AS AH AD AC JC"
    story = Story("E-RUB-1 eight aces, one on the table replaced each time", game, aces, LOW)
    story.trick("JC", "7D", draw="7C 7S").only("aces").declare("aces")
    story.at("lay", 0).cards("AS", "AH", "AD", "AC").pick("AS AH AD AC").points(100, 0)
    story.trick("AS*", "8D", draw="8C 8S").only("aces").declare("aces")
    story.pick("AH AD AC").cards("AS", "AH", "AD", "AC").pick("AS").points(200, 0)
    story.trick("AH*", "9D", draw="9C 9S").only("aces").declare("aces")
    story.pick("AS AD AC").cards("AH", "AD", "AC").pick("AH").points(300, 0)
    story.trick("AD*", "7D", draw="7C 9S").only("aces").declare("aces")
    story.pick("AS AH AC").cards("AD", "AC").pick("AD").points(400, 0)
    story.trick("AC*", "8D", draw="8C 7S").only("aces").declare("aces").at("play", 0).points(500, 0)
    story.trick("AH*", "9D", draw="8C 8S").only()
    examples.append(story.declare("pass").end(points_aces=[500, 0], count_aces=[5, 0]))

    # "Having declared four aces he may lead or play another ace and claim 100 again": no card is laid.
    story = Story("E-RUB-1 eight aces, the four others played from the hand", game, aces, LOW)
    story.trick("JC", "7D", draw="7C 7S").declare("aces").pick("AS AH AD AC")
    story.trick("AS", "8D", draw="8C 8S").only("aces").declare("aces").at("play", 0).points(200, 0)
    story.trick("AH", "9D", draw="9C 9S").declare("aces")
    story.trick("AD", "7D", draw="7C 9S").declare("aces")
    story.trick("AC", "8D", draw="8C 7S").declare("aces").points(500, 0)
    story.trick("7C", "9D", draw="7C 8S").only().declare("pass")
    story.trick("AC*", "8S", draw="9C 8S").only()
    examples.append(story.declare("pass").end(points_aces=[500, 0], count_aces=[5, 0]))

    queens = "KH QH QH QH QH KH KH KH 8C"
    story = Story("E-RUB-1 seven marriages in trumps", game, queens, LOW)
    story.trick("8C", "7D", draw="7C 7S").only("marriage H", "queens", "kings").declare("marriage H")
    leads = [("QH*", "8D"), ("QH*", "9D"), ("QH*", "7D"), ("KH*", "8D"), ("KH*", "9D"), ("KH*", "7S")]
    draws = ["8C 8S", "9C 9S", "7C 9S", "8C 7S", "9C 8S", "7C 8S"]
    for (lead, follow), draw in zip(leads, draws):
        story.trick(lead, follow, draw=draw).can("marriage H").declare("marriage H")
    story.points(280, 0).trick("KH*", "8S", draw="9C 9S").only()
    examples.append(
        story.declare("pass").end(points_royal_marriage=[280, 0], count_royal_marriage=[7, 0], trump_trick=1)
    )

    story = Story("E-RUB-1 seven marriages in a plain suit", game, "KC QC KH QH QH QH KH KH 8C", LOW)
    story.trick("8C", "7D", draw="QH 7S").only("marriage H", "marriage C", "queens", "kings")
    story.declare("marriage C").points(40, 0)
    story.trick("QC*", "8D", draw="KH 8S").can("marriage H").declare("marriage H").points(60, 0)
    leads = [("QH*", "9D"), ("QH*", "7D"), ("QH*", "8D"), ("KH*", "9D"), ("KH*", "7S"), ("KH*", "8S")]
    draws = ["8C 9S", "9C 9S", "7C 7S", "8C 8S", "9C 8S", "7C 9S"]
    for (lead, follow), draw in zip(leads, draws):
        story.trick(lead, follow, draw=draw).can("marriage H").declare("marriage H")
    examples.append(
        story.points(180, 0).end(points_marriage=[140, 0], count_marriage=[7, 0], points_royal_marriage=[40, 0])
    )
    return examples


# Rules of CATALOGUE 2.1 without a worked example of their own ---------------------------------------------


def rubicon_rule_examples() -> list[Example]:
    game = "rubicon-bezique"
    examples = []

    blank = "7S 8S 9S TS AS 7C 8C 9C TC"
    story = Story("rubicon: a chain of cartes blanches", game, blank, "7D 8D 9D TD AD 7H 8H 9H TH")
    story.at("show", 0).show(True).points(50, 0).at("play", 0).put("8C").at("show", 1).show(True).points(50, 50)
    story.put("7D").declare("pass").draw("9C 9D")
    story.at("show", 0).show(True).at("show", 1).show(False).points(100, 50).at("play", 0)
    story.trick("9C", "8D", draw="AC 9D").declare("pass").at("show", 0).show(True).at("play", 0)
    story.trick("AC", "9D", draw="KC 9D").declare("pass").at("play", 0)  # a king ends it
    story.trick("KC", "9D", draw="7C 7D").declare("pass").at("play", 0)
    examples.append(
        story.end(points_carte_blanche=[150, 50], cartes_blanches=[3, 1], count_aces=[0, 0], trump_trick=-(2**31))
    )

    story = Story("rubicon: a carte blanche not shown", game, blank, "7D 8D 9D TD AD 7H 8H 9H KH")
    story.at("show", 0).show(False).at("play", 0).put("8C").at("play", 1).put("7D").declare("pass")
    story.draw("9C 9D").at("play", 0)
    examples.append(story.end(points_carte_blanche=[0, 0], cartes_blanches=[0, 0]))

    # A sequence before any marriage makes trumps; a later marriage in another suit is plain.
    story = Story("rubicon: trumps by a sequence", game, "AH TH KH QH JH KC QC 8C 9C", LOW)
    story.trick("8C", "7D", draw="7C 7S").only("sequence H", "marriage H", "marriage C").declare("sequence H")
    story.trick("9C", "8D", draw="8C 8S").only("marriage C").declare("marriage C").points(270, 0)
    examples.append(story.end(points_royal_sequence=[250, 0], points_marriage=[20, 0], points_royal_marriage=[0, 0]))

    # A plain sequence counts 150; the dealer wins it by heading the trick.
    story = Story("rubicon: a plain sequence", game, "KH QH 7S 8S 9S 8C 7C 9C 8C", "AD TD KD QD JD 7D 9C TC AC")
    story.trick("8C", "7D", draw="7S 8D").declare("marriage H")
    story.trick("7C", "9C", draw="9D 8S").at("declare", 1).only("sequence D", "marriage D")
    story.declare("sequence D").points(40, 150)
    # Cards of a sequence: no marriage out of them, also after it has been broken (lower after higher).
    story.trick("AD*", "7S", draw="KD 7S").only().declare("pass")
    story.trick("AC", "8S", draw="QD 8S").only().declare("pass")  # a new king with an old queen
    story.trick("TC", "7S", draw="9D 8S").only("marriage D").declare("pass")  # the two new ones
    examples.append(story.end(points_sequence=[0, 150], points_royal_marriage=[40, 0], trump_maker=[1, 0]))

    # A credit is lost when the four is broken before the next trick is won.
    story = Story("rubicon: a credit lost", game, "AS AH AD AC AS 7C 8C 8C JC", LOW)
    story.trick("8C", "7D", draw="7C 7S").declare("aces").pick("AS AH AD AC")
    story.trick("AS", "8D", draw="8C 8S").only("aces").declare("pass")
    story.trick("AC*", "9D", draw="9C 9S").only().declare("pass")
    examples.append(story.end(points_aces=[100, 0]))

    # A player without a trump set need not trump: nothing was declared, only the suit led counts.
    story = Story("rubicon: no trumps", game, "7S 8S 9S TS JS 7C 8C 9C TC", "7D 8D 9D TD JD 7H 8H 9H TH")
    examples.append(story.end(declarations=[0, 0], trump_trick=-(2**31), trump_maker=[0, 0]))
    return examples


def new_card_examples() -> list[Example]:
    """Two cards, each left over from a broken combination, form none: one card must be new.

    Which of the two gives way shows in what stays in the hand.
    """
    game = "rubicon-bezique"
    examples = []

    def marriages(name: str) -> Story:
        story = Story(name, game, "KH QH KH QH QH KS KC 8C 9C", LOW)
        story.trick("8C", "7D", draw="7C 7S").only("marriage H", "kings").declare("marriage H")
        story.trick("9C", "8D", draw="8C 8S").only("marriage H", "kings").declare("marriage H")
        story.trick("QH*", "9D", draw="9C 9S").only("marriage H", "kings").declare("marriage H").points(120, 0)
        # On the table now, in this order: first king, second king, second queen, third queen.
        story.trick("KH*", "7D", draw="KH 9S").only().declare("pass")
        return story.trick("QH*", "8D", draw="QH 7S").only("marriage H", "kings")

    story = marriages("rubicon: the queen gives way to one in the hand")
    story.declare("pass").trick("7C", "9D", draw="7C 8S").only("marriage H", "kings").declare("marriage H")
    story.cards("7C", "8C", "9C", "KH", "KS", "KC", "KH*", "QH*").points(160, 0)
    story.trick("7C", "7S", draw="7C 8S").only("marriage H", "kings").declare("marriage H")
    story.cards("7C", "8C", "9C", "KS", "KC", "KH*", "QH*")
    story.trick("8C", "8S", draw="8C 9S").only("kings").declare("pass")
    examples.append(story.end(points_royal_marriage=[200, 0]))

    story = marriages("rubicon: a new king on the table is used before a new queen in the hand")
    story.declare("kings").trick("7C", "9D", draw="7C 8S").only("marriage H").declare("marriage H")
    story.cards("7C", "8C", "9C", "QH", "KS*", "KC*", "KH*", "QH*").points(240, 0)
    story.trick("7C", "7S", draw="7C 8S").only("marriage H").declare("marriage H")
    story.trick("8C", "8S", draw="8C 9S").only().declare("pass")
    examples.append(story.end(points_royal_marriage=[200, 0], points_kings=[80, 0]))

    story = Story("rubicon: the jack gives way in a single bezique", game, "QS JD QS JD QS 7C 9C 8C 9C", LOW)
    story.trick("8C", "7D", draw="7C 7S").only("bezique", "double").declare("bezique")
    story.trick("9C", "8D", draw="8C 8S").only("bezique", "double").declare("bezique")
    story.trick("QS*", "9D", draw="9C 9S").only("bezique", "double").declare("bezique").points(120, 0)
    story.trick("JD*", "9S", draw="JD 9S").only().declare("pass")
    # An old jack, an old queen, both free, and a new jack. (The second queen has gone: no double.)
    story.trick("QS*", "8D", draw="QS 7S").only("bezique").declare("pass")
    story.trick("7C", "7D", draw="7C 8S").only("bezique", "double").declare("bezique")
    story.cards("7C", "8C", "9C", "QS", "JD*", "QS*").points(160, 0)
    story.trick("7C", "9D", draw="8C 8S").only("bezique", "double").declare("bezique")
    story.trick("8C", "7S", draw="7C 9S").only().declare("pass")  # four used cards, none new
    examples.append(story.end(points_bezique=[200, 0], points_double_bezique=[0, 0]))

    # Two fours of aces broken: six free cards and a new one. After three free ones the last pick is the new
    # ace of spades from the hand, although a free ace of spades lies on the table.
    story = Story("rubicon: the last pick must be new", game, "AS AS AH AH AD AD AC AC JC", LOW)
    story.trick("JC", "7D", draw="7C 7S").declare("aces").pick("AS AS AH").cards("AH", "AD", "AC").pick("AH")
    story.trick("7C", "8D", draw="8C 8S").only("aces").declare("aces").at("play", 0).points(200, 0)
    story.trick("AS*", "9D", draw="AS 9S").only().declare("pass")
    story.trick("AD*", "7D", draw="9C 9S").only("aces").declare("aces").cards("AS", "AH", "AD", "AC")
    story.pick("AH AC AC").cards("AS").pick("AS").points(300, 0)
    story.cards("8C", "9C", "AS*", "AH*", "AD*", "AC*")
    # Free now: the old ace of spades, one of hearts, one of diamonds.
    story.trick("8C", "8D", draw="AH 7S").only().declare("pass")
    story.trick("9C", "9D", draw="8C 8S").only("aces").declare("aces").at("play", 0).points(400, 0)
    examples.append(story.end(points_aces=[400, 0], count_aces=[4, 0]))
    return examples


def bezique_rule_examples() -> list[Example]:
    game = "bezique"
    low = "7D 8D 9D 7D 8D 9D 7S 8S"
    examples = []

    story = Story("bezique: the two trump sevens", game, "7H 7H 8C 9C 7C 8C KC QC", low, "AH", ONE_DEAL)
    story.trick("8C", "7D", draw="9C 9S").only("seven", "marriage C").declare("seven").points(10, 0)
    story.cards("AH", "7H", "9C", "7C", "8C", "KC", "QC")
    story.trick("9C", "8D", draw="7C 9S").only("seven", "marriage C").declare("marriage C").points(30, 0)
    story.trick("7C", "9D", draw="JC 8S").only("seven").declare("seven").points(40, 0)
    # What came back is the seven which has scored.
    story.trick("8C", "7D", draw="JC 7S").only().declare("pass")
    examples.append(story.end(points_seven=[20, 0], points_marriage=[20, 0], declarations=[1, 0]))

    story = Story("bezique: a seven turned", game, "7H 8C 9C 7C 8C TC KC QC", low, "7H", ONE_DEAL)
    story.points(0, 10).trick("8C", "7D", draw="9C 9S").only("seven", "marriage C").declare("seven")
    story.points(10, 10).trick("9C", "8D", draw="7C 9S").only("marriage C").declare("pass")
    examples.append(story.end(points_seven=[10, 10]))

    # The turn-up seven makes the dealer's last ten: the game is over before a card is played.
    story = Story("bezique: won by the seven turned", game, "7S 8C 9C 7C 8C TC KC QC", low, "7H", {"target": 10})
    examples.append(story.end(points_seven=[0, 10], won=[0, 1], value=[-10, 10], deals=1, tricks=[0, 0]))

    # The first to reach the target wins, here with a meld of 40 and a brisque of 10.
    story = Story("bezique: target", game, "KH QH AC 7C 8C TC KC QC", low, "8H", {"target": 50})
    story.trick("8C", "7D", draw="9C 9S").declare("marriage H").points(40, 0).trick("AC", "8D")
    examples.append(story.end(points_royal_marriage=[40, 0], points_brisques=[10, 0], won=[1, 0], tricks=[2, 0]))

    # French custom: the pone draws first although the dealer won.
    rules: dict[str, int | str] = {"target": 0, "draw_order": "pone"}
    story = Story("bezique: the pone draws first", game, "KH QH AC 7C 8C TC KC QC", low[:-2] + "AS", "8H", rules)
    story.trick("7C", "7D", draw="9C 9S").declare("pass").trick("8C", "7S", draw="QS JD").declare("pass")
    story.trick("9C", "AS", draw="").declare("pass")
    examples.append(story.end())
    return examples


# E-RUB-2: settlements -------------------------------------------------------------------------------------


class SettlementCase(NamedTuple):
    """Arguments and results for `settle`; the value is for A, the first player."""

    name: str
    points: tuple[int, int]
    brisques: tuple[int, int]
    value: int
    saved: tuple[int, int] = (0, 0)
    rubiconed: tuple[int, int] = (0, 0)
    counted: int = 0


# Where the table says "not counted" the 32 brisques are shared so that they decide nothing.
SETTLEMENTS = [
    SettlementCase("a", (1200, 700), (16, 16), 3200, rubiconed=(0, 1)),
    SettlementCase("b", (1200, 1000), (16, 16), 700),
    SettlementCase("c", (1830, 1260), (16, 16), 1100),
    SettlementCase("d", (1260, 1140), (7, 25), -600, counted=1),
    SettlementCase("e", (920, 440), (16, 16), 2600, rubiconed=(0, 1)),
    SettlementCase("f", (1740, 850), (14, 18), 1300, saved=(0, 1), counted=1),
    SettlementCase("g", (1740, 850), (21, 11), 3800, rubiconed=(0, 1)),
    SettlementCase("h", (1500, 60), (16, 16), 2900, rubiconed=(0, 1)),
    # Fractions, and the bonus for a difference below one hundred (minimum 600).
    SettlementCase("difference 99, next hundred", (1199, 1100), (16, 16), 600),
    SettlementCase("difference 1, next hundred", (1200, 1199), (16, 16), 600),
    SettlementCase("difference of two hundreds", (1299, 1100), (16, 16), 600),
    # The line and the low loser, at the edge.
    SettlementCase("loser just at the line", (1500, 1000), (32, 0), 1000),
    SettlementCase("loser saved just at the line", (1500, 680), (0, 32), 500 + 500, saved=(0, 1), counted=1),
    SettlementCase("loser just below", (1500, 670), (0, 32), 1500 + 600 + 1300, rubiconed=(0, 1)),
    SettlementCase("loser 100", (1500, 100), (16, 16), 1500 + 100 + 1300, rubiconed=(0, 1)),
    SettlementCase("loser 90", (1500, 90), (16, 16), 1500 + 1300 + 100, rubiconed=(0, 1)),
    SettlementCase("winner below the line too", (90, 500), (16, 16), -1900, rubiconed=(1, 0)),
    # The winner changes.
    SettlementCase("changed, old winner at the line", (1010, 990), (10, 22), -600, counted=1),
    SettlementCase("changed, old winner saved", (980, 950), (7, 25), -(1200 - 1000 + 500), (1, 0), counted=1),
    SettlementCase("changed, old winner rubiconed", (700, 650), (10, 22), -2600, rubiconed=(1, 0), counted=1),
    SettlementCase("changed, very low", (90, 60), (10, 22), -1400, rubiconed=(1, 0), counted=1),
    # Ties.
    SettlementCase("tie broken", (1200, 1200), (12, 20), -600, counted=1),
    SettlementCase("tie broken, loser saved", (900, 900), (20, 12), 600, saved=(0, 1), counted=1),
    SettlementCase("tie broken, loser rubiconed", (500, 500), (20, 12), 2300, rubiconed=(0, 1), counted=1),
    SettlementCase("tie to the end", (1200, 1200), (16, 16), 0),
    SettlementCase("a lead made up exactly", (1220, 1200), (15, 17), 0, counted=1),
    # Both reach the line by brisques alone: the loser is the one who was saved.
    SettlementCase("both lifted", (950, 900), (16, 16), 1100 - 1000 + 500, saved=(0, 1), counted=1),
]


EXAMPLES: list[Example] = [
    *timing_examples(),
    *class_examples(),
    *held_examples(),
    *growth_examples(),
    *rubicon_rule_examples(),
    *new_card_examples(),
    *bezique_rule_examples(),
]
