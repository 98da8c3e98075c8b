"""Piquet, by two books: the same game with other prizes."""

from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Feature, Rule, RuleSet

RANKS = "789TJQKA"  # low to high

_RULES = (
    Rule("deals", 6, "deals in a game", low=1, high=1000),
    Rule("double_ends", "no", "whether the first and the last deal count twice", choices=("no", "yes")),
    Rule("game_bonus", 100, "for the game, added to the difference or the sum"),
    Rule("rubicon_line", 100, "a loser below it is rubiconed; 0: nobody is"),
    Rule(
        "rubicon_formula",
        "sum",
        "what the winner gets besides the bonus from a rubiconed loser: both totals, or their difference",
        choices=("sum", "difference"),
    ),
    Rule("deal_bonus", 0, "for the higher score in a deal"),
    Rule("elder_least", 1, "cards that elder exchanges at least", high=5),
    Rule("elder_most", 5, "cards that elder exchanges at most", low=1, high=5),
    Rule("younger_most", 8, "cards that younger exchanges at most", high=8),
    Rule(
        "younger_draws",
        "top",
        "which cards younger draws first: the top ones, that is what elder left, or the last three, his own",
        choices=("top", "own_first"),
    ),
    Rule(
        "younger_leaves",
        "free",
        "what younger does with the cards he leaves: looks at them; faces them or looks at none; or as he wishes",
        choices=("looks", "faces_or_hides", "free"),
    ),
    Rule("carte_blanche", 10, "a dealt hand without king, queen and jack, when shown"),
    Rule(
        "carte_blanche_shown",
        "after_discard",
        "when younger shows it: after elder's discard or before it (England); or both score it at once, unasked",
        choices=("after_discard", "before_discard", "at_once"),
    ),
    Rule("low_sets", "no", "whether nines, eights and sevens make sets", choices=("no", "yes")),
    Rule("long_sequence", 10, "added to a sequence of five or more for its cards"),
    Rule("quatorze", 14, "four of a rank"),
    Rule("trio", 3, "three of a rank"),
    Rule("carte_rouge", 0, "every card of the hand takes part in a scored combination"),
    Rule(
        "carte_rouge_counts",
        "yes",
        "whether carte rouge counts among the points for repique",
        choices=("no", "yes"),
    ),
    Rule("line", 30, "points that make pique and repique while the other has none", low=1),
    Rule("pique", 30, "the line is reached in play"),
    Rule("repique", 60, "the line is reached in declarations"),
    Rule(
        "repique_when",
        "at_once",
        "whether the other must have no points when the line is reached, or when all is declared",
        choices=("at_once", "at_end"),
    ),
    Rule("lead", 1, "a card led"),
    Rule("win", 1, "a trick won that the other led"),
    Rule("high_only", "yes", "whether only cards above nine score when led, or for winning", choices=("no", "yes")),
    Rule(
        "win_scores",
        "other_leads",
        "whether only tricks that the other led score for winning, or every trick",
        choices=("other_leads", "every_trick"),
    ),
    Rule("last_trick", 1, "added for winning the last trick"),
    Rule("last_lead", 0, "added for leading to the last trick"),
    Rule("cards", 10, "more than half of the tricks"),
    Rule(
        "cards_when",
        "at_end",
        "when that is scored: at the end of the deal, or with the seventh trick won",
        choices=("at_end", "seventh_trick"),
    ),
    Rule(
        "cards_in_pique",
        "no",
        "whether what is scored at the end of the deal for tricks counts towards pique",
        choices=("no", "yes"),
    ),
    Rule("capot", 40, "all tricks, in place of the prizes for most tricks and the last; 0: nothing is replaced"),
)


def _rules(**changes: int | str) -> tuple[Rule, ...]:
    """Return the rules of the family with other defaults."""
    return tuple(
        Rule(rule.name, changes.get(rule.name, rule.default), rule.doc, rule.choices, rule.low, rule.high)
        for rule in _RULES
    )


_RUN = "run() >= {}"
_FEATURES = (
    Feature("carte blanche", "n('K Q J') == 0", "no king, queen or jack: 1 hand in 1,792"),
    Feature("longest suit", "max_suit(n())", "cards in it, what is dealt for the point"),
    Feature("point of five or more", "max_suit(n()) >= 5", "as dealt"),
    Feature("point of six or more", "max_suit(n()) >= 6", "as dealt"),
    Feature("longest run", "run()", "cards in sequence in one suit"),
    Feature("tierce or longer", _RUN.format(3), "as dealt"),
    Feature("quart or longer", _RUN.format(4), "as dealt"),
    Feature("quint or longer", _RUN.format(5), "as dealt"),
    Feature("trio or quatorze", "any_rank(n() >= 3, 'A K Q J T')", "three or four of a rank above nine"),
    Feature("quatorze", "any_rank(n() >= 4, 'A K Q J T')", "four of a rank above nine"),
    Feature("aces", "n('A')", "how many"),
    Feature("court cards", "n('K Q J')", "how many kings, queens and jacks"),
    Feature("suits held", "count_suits(n() >= 1)", "how many"),
)
_LOW_SETS = (
    Feature("trio or quatorze of any rank", "any_rank(n() >= 3)", "low ranks too"),
    Feature("quatorze of any rank", "any_rank(n() >= 4)", "low ranks too"),
)


def _piquet(
    identifier: str,
    title: str,
    summary: str,
    source: str,
    synonyms: tuple[str, ...],
    features: tuple[Feature, ...] = _FEATURES,
    **changes: int | str,
) -> RuleSet:
    return RuleSet(
        id=identifier,
        title=title,
        family="piquet",
        summary=summary,
        source=source,
        seats=("elder", "younger"),
        pack=Pack(RANKS),
        rules=_rules(**changes),
        module="simcards.games.piquet.game",
        strategies=("random", "basic", "mc", "solver"),
        synonyms=synonyms,
        units=MappingProxyType({"deal": MappingProxyType({"deals": 1}), "game": MappingProxyType({})}),
        hand=12,
        features=features,
        ascending=(("elder_least", "elder_most"),),
    )


RUBICON = _piquet(
    "piquet-rubicon",
    "Piquet",
    "Exchange, point, sequences and sets, twelve tricks; pique and repique; six deals, the rubicon at 100.",
    "Hoyle's encyclopedia, Piquet",
    ("piquet", "rubicon-piquet", "пикет"),
)
AMERICAN = _piquet(
    "piquet-rubicon-american",
    "Piquet by the American count",
    "Piquet where every card led counts, and every trick won that the other led, whatever the rank.",
    "Hoyle's encyclopedia, Piquet, note on America",
    ("american-piquet", "американский пикет"),
    high_only="no",
)
FOUR_DEALS = _piquet(
    "piquet-rubicon-four-deals",
    "Piquet in four deals",
    "Piquet in four deals, the first and the last of which count twice.",
    "Hoyle's encyclopedia, Piquet, variant",
    ("piquet-four-deals", "пикет в четыре сдачи"),
    deals=4,
    double_ends="yes",
)
CARTE_ROUGE = _piquet(
    "piquet-carte-rouge",
    "Piquet with carte rouge",
    "Four deals; sets of any rank, carte rouge, repique at 100, a point for every lead, 100 for winning a deal.",
    "Encyclopedia of games, Piquet",
    ("carte-rouge", "пикет карт-руж", "карт-руж"),
    (*_FEATURES, *_LOW_SETS),
    deals=4,
    game_bonus=0,
    rubicon_line=0,
    deal_bonus=100,
    younger_draws="own_first",
    younger_leaves="looks",
    carte_blanche_shown="at_once",
    low_sets="yes",
    carte_rouge=20,
    repique=100,
    repique_when="at_end",
    win=0,
    high_only="no",
    last_trick=0,
    last_lead=1,
    cards_when="seventh_trick",
    capot=0,
)
RULESETS = (RUBICON, AMERICAN, FOUR_DEALS, CARTE_ROUGE)
