"""Sixty-six: for two, for three, and the Swabian game with two packs for two to four."""

from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Feature, Rule, RuleSet

RANKS = "9JQKTA"  # low to high

_RULES = (
    Rule("target", 8, "big points that win the game (or 7); 0 plays one deal", high=1000),
    Rule("goal", 66, "points in cards and marriages that win the deal at once", low=1),
    Rule("half", 33, "points that the loser must pass to lose the least"),
    Rule("exactly_half", "single", "what a loser with just so many points costs", choices=("single", "double")),
    Rule("single", 1, "big points for winning when the loser has passed the half", low=1, high=1000),
    Rule("double", 2, "big points for winning when he has not", low=1, high=1000),
    Rule("triple", 3, "big points for winning when he has no point at all", low=1, high=1000),
    Rule("closed", 3, "big points for closing the stock and reaching the goal first", low=1, high=1000),
    Rule(
        "closed_lost",
        3,
        "big points against who closes and does not: for who does, or each other",
        low=1,
        high=1000,
    ),
    Rule(
        "judged_by",
        "best",
        "with more than two players, which loser's points decide what is won: the most or the least",
        choices=("best", "worst"),
    ),
    Rule("marriage", 20, "king and queen of a plain suit, announced when one of them is led"),
    Rule("royal_marriage", 40, "king and queen of trumps, announced when one of them is led"),
    Rule(
        "marriage_counts",
        "at_once",
        "when a marriage counts for a player without a trick: at once, or with his first trick",
        choices=("at_once", "with_trick"),
    ),
    Rule(
        "remarry",
        "both_new",
        "with two packs, which cards of a further marriage in a suit must not have been in one",
        choices=("both_new", "one_new"),
    ),
    Rule("exchange", "yes", "whether the nine of trumps may be exchanged for the turn-up", choices=("no", "yes")),
    Rule("closing", "yes", "whether the player on lead may close the stock", choices=("no", "yes")),
    Rule("head", "no", "whether who follows suit must win the trick if able, without the stock", choices=("no", "yes")),
    Rule("overruff", "no", "whether who trumps must beat a trump that lies there, if able", choices=("no", "yes")),
    Rule("last_trick", 0, "points for the last trick of a deal that was not closed"),
    Rule("players", 2, "seats at the table", low=2, high=2),
    Rule("hand", 6, "cards dealt to each player", low=6, high=6),
    Rule("packs", 1, "packs of 24 shuffled together", low=1, high=1),
)


def _rules(players: int, hand: int, packs: int, **changes: int | str) -> tuple[Rule, ...]:
    """Return the rules of the family with other defaults, and with the numbers that are fixed."""
    fixed = {"players": players, "hand": hand, "packs": packs}
    made = []
    for rule in _RULES:
        if rule.name in fixed:
            number = fixed[rule.name]
            made.append(Rule(rule.name, number, rule.doc, low=number, high=number))
        else:
            default = changes.get(rule.name, rule.default)
            made.append(Rule(rule.name, default, rule.doc, rule.choices, rule.low, rule.high))
    return tuple(made)


_MARRIAGES = "count_suits(n('K') >= 1 and n('Q') >= 1)"
_FEATURES = (
    Feature("marriage in a named suit", "n('KH') >= 1 and n('QH') >= 1", "of trumps, say"),
    Feature("a marriage", f"{_MARRIAGES} >= 1", "king and queen of one suit, in any suit"),
    Feature("two marriages or more", f"{_MARRIAGES} >= 2", "in different suits"),
    Feature("nine of a named suit", "n('9H') >= 1", "of trumps, say, which may be exchanged"),
    Feature("cards of a named suit", "n('H')", "how many, of trumps, say"),
    Feature("four or more of a named suit", "n('H') >= 4", "of trumps, say"),
    Feature("aces and tens", "n('A T')", "how many"),
    Feature("suits held", "count_suits(n() >= 1)", "how many"),
    Feature("longest suit", "max_suit(n())", "cards in it"),
)
_STRATEGIES = ("random", "basic", "mc", "solver")
_SEATS = {2: ("pone", "dealer"), 3: ("first", "second", "dealer"), 4: ("first", "second", "third", "dealer")}
_UNITS = MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})})
_SOURCE = "Encyclopedia of games, Sixty-six"


def _sixty_six(
    identifier: str,
    title: str,
    summary: str,
    synonyms: tuple[str, ...],
    players: int,
    hand: int,
    packs: int = 1,
    **changes: int | str,
) -> RuleSet:
    return RuleSet(
        id=identifier,
        title=title,
        family="sixty-six",
        summary=summary,
        source=_SOURCE,
        seats=_SEATS[players],
        pack=Pack(RANKS, copies=packs),
        rules=_rules(players, hand, packs, **changes),
        module="simcards.games.sixty_six.game",
        strategies=_STRATEGIES,
        synonyms=synonyms,
        units=_UNITS,
        hand=hand,
        features=_FEATURES,
    )


SIXTY_SIX = _sixty_six(
    "sixty-six",
    "Sixty-six",
    "Six cards of 24 each, marriages, a stock that may be closed; 66 points win 1, 2 or 3 big ones of the game to 8.",
    ("66", "schnapser", "mariage", "шестьдесят шесть", "марьяж"),
    players=2,
    hand=6,
)
THREE_HANDED = _sixty_six(
    "sixty-six-three-handed",
    "Sixty-six for three",
    "Eight cards each and no stock, the dealer's last card is trump; each for himself, 66 points win the deal.",
    ("three-handed-sixty-six", "шестьдесят шесть втроем"),
    players=3,
    hand=8,
    head="yes",
    overruff="yes",
)
_SWABIAN = "Two packs of 24, eight cards each; 101 points win the deal, of like cards the first is the higher."
SWABIAN = _sixty_six(
    "sixty-six-swabian",
    "Swabian sixty-six",
    _SWABIAN,
    ("swabian-sixty-six", "швабский вариант", "швабское шестьдесят шесть"),
    players=2,
    hand=8,
    packs=2,
    goal=101,
)
SWABIAN_THREE = _sixty_six(
    "sixty-six-swabian-three-handed",
    "Swabian sixty-six for three",
    f"{_SWABIAN[:-1]}; three players, each for himself.",
    (),
    players=3,
    hand=8,
    packs=2,
    goal=101,
)
SWABIAN_FOUR = _sixty_six(
    "sixty-six-swabian-four-handed",
    "Swabian sixty-six for four",
    f"{_SWABIAN[:-1]}; four players, each for himself.",
    (),
    players=4,
    hand=8,
    packs=2,
    goal=101,
)
RULESETS = (SIXTY_SIX, THREE_HANDED, SWABIAN, SWABIAN_THREE, SWABIAN_FOUR)
