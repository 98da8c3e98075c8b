"""Preferans: for three, for four, for two with a dummy, and the classical game with its ladder."""

from collections.abc import Mapping
from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Clash, Feature, Rule, RuleSet

PACK = Pack("789TJQKA")
HAND = 10  # cards dealt to a player
STRAINS = ("S", "C", "D", "H", "NT")  # in the order of bids

_PLAYED = ("played", "redealt")
_YES = ("no", "yes")

_COMMON = (
    Rule("pool", 200, "points that close a player's pool; 0: a single deal", high=100_000),
    Rule("most_deals", 200, "deals after which a game ends in any case, as one that is broken off", low=1, high=10_000),
    Rule("game_value", 20, "what a contract of six is worth; each further trick adds as much", high=1000),
    Rule("whist_value", 2, "whists for a trick against a contract of six; each further trick adds as much", high=100),
    Rule("misere", 100, "what a misère is worth, and what each trick taken in it costs", high=1000),
    Rule("jumps", "yes", "whether a bid may be higher than the next one", choices=_YES),
    Rule("misere_bid", "first", "when a player may bid misère: as his first bid, or any", choices=("first", "any")),
    Rule(
        "misere_opens",
        "at_once",
        "when the opponents of a misère lay their cards open: before or after the first card is led",
        choices=("at_once", "after_lead"),
    ),
    Rule("duty_6", 4, "tricks that whisters answer for together against six; one of two answers for half", high=10),
    Rule("duty_7", 2, "the same against seven", high=10),
    Rule("duty_8", 1, "the same against eight", high=10),
    Rule("duty_9", 1, "the same against nine", high=10),
    Rule(
        "responsible",
        "second",
        "who of two whisters answers for a single trick that they owe together",
        choices=("second", "first"),
    ),
    Rule(
        "shortfall",
        "together",
        "what a whister pays for: what both lack together, or all of his own share, if the declarer took more",
        choices=("together", "own"),
    ),
    Rule(
        "consolation",
        "both",
        "who writes whists for the tricks that a declarer lacks: both opponents, or whisters only",
        choices=("both", "whisters"),
    ),
    Rule("invitation", "yes", "whether a single whister writes them once more for inviting the other", choices=_YES),
    Rule("own", "yes", "whether a whister may take whists for his own share without play", choices=_YES),
    Rule(
        "surplus",
        "hill",
        "what goes beyond a full pool is help to others, and beyond all pools comes off the own hill, or is lost;"
        " or a winning is never divided",
        choices=("hill", "lost", "whole"),
    ),
    Rule("blind_bidding", "no", "whether players may bid without looking at their cards", choices=_YES),
    Rule(
        "blind_doubles",
        "all",
        "what is doubled when the auction was won so: all that is written, or only what the declarer writes",
        choices=("all", "declarer"),
    ),
    Rule("all_types", "no", "whether a pool is closed only when its owner has made every kind of game", choices=_YES),
)
_ALL_PASS = (
    Rule("all_pass", 10, "what a trick costs when all pass, and what it brings to take none", high=1000),
    Rule(
        "progression",
        "double",
        "how that grows when all pass again: 1, 2, 4 times as much; 1, 2, 3 times; or not at all",
        choices=("double", "add", "none"),
    ),
    Rule(
        "all_pass_talon",
        "shows",
        "the talon when all pass: its cards show the suits of the first two tricks, can win them too, or stay unseen",
        choices=("shows", "takes", "unseen"),
    ),
)
_LADDER = (
    Rule("forced_circles", 0, "rounds of deals at the beginning in which everybody has to pass", high=10),
    Rule(
        "forced_prices",
        "single",
        "what a trick costs in them: the same in all, or growing with each round",
        choices=("single", "by_circle"),
    ),
    Rule(
        "ladder",
        "no",
        "whether all is written by halves once more games were made than there were deals in which all passed",
        choices=_YES,
    ),
    Rule(
        "winnings",
        "pool",
        "where winnings are written: in the pool, or half of them there and half taken off the hill",
        choices=("pool", "half_hill"),
    ),
)
_DEALERS = (
    Rule("talon_ace", 1, "tricks for which the dealer writes whists if an ace lies in the talon", high=10),
    Rule("talon_marriage", 1, "the same for king and queen of a suit", high=10),
    Rule("talon_ace_king", 2, "the same for ace and king of a suit", high=10),
    Rule("talon_two_aces", 3, "the same for two aces", high=10),
    Rule(
        "talon_misere", "no", "whether he writes them on a misère too, at the price of a contract of ten", choices=_YES
    ),
    Rule("dealer_clean", "no", "whether the dealer wins too when all pass and the talon takes no trick", choices=_YES),
)
_DUMMY = (
    Rule(
        "dummy_seat",
        "second",
        "which of the three hands, in the order of dealing, is the dummy",
        choices=("second", "first", "third"),
    ),
    Rule(
        "halving",
        "settlement",
        "pool and hill are halved when a game is settled, or every entry is",
        choices=("settlement", "entries"),
    ),
)


def _passing(default: str) -> tuple[Rule, ...]:
    return (
        Rule("passed_out", default, "whether a deal is played when all pass", choices=_PLAYED),
        Rule("all_pass_deals", 3, "deals in a row in which all pass, after which another player deals", low=1, high=10),
    )


def _players(players: int) -> Rule:
    return Rule("players", players, "seats at the table", low=players, high=players)


def _with(rules: tuple[Rule, ...], **defaults: int | str) -> tuple[Rule, ...]:
    """Return rules with other defaults."""
    return tuple(
        Rule(rule.name, defaults.get(rule.name, rule.default), rule.doc, rule.choices, rule.low, rule.high)
        for rule in rules
    )


# All rules there are: the fields that compiled code reads, 0 where a rule set lacks one
ALL_RULES = (_players(3), *_COMMON, *_passing("played"), *_ALL_PASS, *_LADDER, *_DEALERS, *_DUMMY)

_FEATURES = (
    Feature("aces", "n('A')", "how many"),
    Feature("aces and kings", "n('A K')", "how many"),
    Feature("longest suit", "max_suit(n())", "cards in it"),
    Feature(
        "top tricks",
        "sum_suits(n('A') + n('A') * n('K') + n('A') * n('K') * n('Q'))",
        "winners from the ace down, at most three in a suit",
    ),
    Feature("void", "any_suit(n() == 0)", "no card of a suit"),
    Feature("ace and king of a suit", "any_suit(n('A K') == 2)", "the two highest of a suit"),
    Feature("marriage", "any_suit(n('K') == 1 and n('Q') == 1)", "king and queen of a suit"),
    Feature("sevens and eights", "n('7 8')", "how many"),
    Feature("seven in every suit held", "count_suits(n() >= 1) == n('7')", "good for a misère"),
    Feature("high cards", "n('A K Q')", "how many"),
)


def _preferans(
    identifier: str,
    title: str,
    summary: str,
    place: str,
    seats: tuple[str, ...],
    rules: tuple[Rule, ...],
    synonyms: tuple[str, ...],
    deal: Mapping[str, int | str],
    clashes: tuple[Clash, ...] = (),
) -> RuleSet:
    return RuleSet(
        id=identifier,
        title=title,
        family="preferans",
        summary=summary,
        source=f"Encyclopedia of games, Preferans{place}",
        seats=seats,
        pack=PACK,
        rules=(_players(len(seats)), *rules),
        module="simcards.games.preferans.game",
        strategies=("random", "basic", "mc", "solver"),
        synonyms=synonyms,
        units=MappingProxyType({"deal": MappingProxyType(dict(deal)), "game": MappingProxyType({})}),
        hand=HAND,
        features=_FEATURES,
        clashes=clashes,
    )


_ONE_DEAL = {"pool": 0, "forced_circles": 0}

THREE = _preferans(
    "preferans",
    "Preferans",
    "Bidding for six to ten tricks or for none, whist against it, tricks to be avoided when all pass; to a full pool.",
    "",
    ("forehand", "middlehand", "dealer"),
    (*_COMMON, *_passing("played"), *_ALL_PASS, *_LADDER),
    ("pref", "преферанс", "преф", "пулька"),
    _ONE_DEAL,
)
FOUR = _preferans(
    "preferans-four-handed",
    "Preferans for four",
    "Preferans in which the dealer sits out and writes whists for what lies in the talon.",
    " for four",
    ("forehand", "middlehand", "rearhand", "dealer"),
    (*_COMMON, *_passing("played"), *_with(_ALL_PASS, all_pass_talon="takes"), *_LADDER, *_DEALERS),
    ("preferans-four", "преферанс вчетвером"),
    _ONE_DEAL,
)
HUSSAR = _preferans(
    "preferans-hussar",
    "Hussar",
    "Preferans for two: the third hand is a dummy that always passes and is played by the opponent of the declarer.",
    " with a dummy",
    ("forehand", "dealer"),
    (*_COMMON, *_passing("redealt"), *_DUMMY),
    ("hussar", "гусарский преферанс", "гусарик", "преферанс с болваном", "болван"),
    {"pool": 0},
    (Clash({"passed_out": "played"}, "nobody plays for the dummy when all pass"),),
)
CLASSICAL = _preferans(
    "preferans-classical",
    "Classical preferans",
    "Preferans that begins with two rounds of all passing; made games fill the ladder, winnings clear the hill.",
    ", classical variant",
    ("forehand", "middlehand", "dealer"),
    (
        *_COMMON,
        *_passing("played"),
        *_ALL_PASS,
        *_with(_LADDER, forced_circles=2, ladder="yes", winnings="half_hill"),
    ),
    ("classical-preferans", "классический преферанс", "преферанс с елочкой", "елочка"),
    _ONE_DEAL,
)
RULESETS = (THREE, FOUR, HUSSAR, CLASSICAL)
