"""Skat: for three, and for four with the dealer sitting out."""

from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Feature, Rule, RuleSet

RANKS = "789QKTAJ"  # low to high in a suit game; where jacks are no trumps they stand elsewhere
PACK = Pack(RANKS)


def _rules(players: int) -> tuple[Rule, ...]:
    return (
        Rule("players", players, "seats at the table; of four the dealer sits out", low=players, high=players),
        Rule("deals", 36 if players == 3 else 48, "deals of a list; 1: a single deal", low=1, high=10_000),
        Rule(
            "passed_in",
            "redealt",
            "a deal of a list in which all pass: dealt again by the same dealer, or it counts and the next one deals",
            choices=("redealt", "counts"),
        ),
        Rule(
            "most_redeals", 100, "deals of a list that are dealt again; those passed in after that count", high=10_000
        ),
        Rule(
            "calls",
            "next",
            "what who calls may bid: the next value, as players nearly always do, or any higher one",
            choices=("next", "any"),
        ),
        Rule(
            "open_null",
            "no",
            "whether a null may be played open, for 46, after taking the skat",
            choices=("no", "yes"),
        ),
        Rule("schneider", 90, "points of the declarer with which his opponents are schneider", low=62, high=120),
        Rule("schneidered", 30, "points with which the declarer is schneider himself, or with fewer", high=60),
        Rule(
            "hand_loss",
            "single",
            "how often the value of a lost hand game is taken off; of a lost game with the skat it is twice",
            choices=("single", "double"),
        ),
        Rule(
            "lost_value",
            "game",
            "what a lost game is reckoned by: its value, but no less than the bid asks for, or the bid as it was made",
            choices=("game", "bid"),
        ),
        Rule(
            "skat_matadors",
            "yes",
            "whether the cards in the skat count for the matadors of a hand game",
            choices=("yes", "no"),
        ),
        Rule(
            "null_ends",
            "at_once",
            "when a null is over in which the declarer has won a trick",
            choices=("at_once", "with_the_cards"),
        ),
    )


_FEATURES = (
    Feature("jacks", "n('J')", "how many"),
    Feature("four jacks", "n('J') == 4", "all of them"),
    Feature("no jack", "n('J') == 0", "none"),
    Feature("jack of clubs", "n('JC') == 1", "the highest trump"),
    Feature("both black jacks", "n('JC JS') == 2", "clubs and spades"),
    Feature("aces", "n('A')", "how many"),
    Feature("tens", "n('T')", "how many"),
    Feature("aces and tens", "n('A T')", "how many"),
    Feature("ace and ten of a suit", "count_suits(n('A T') == 2)", "suits with both"),
    Feature("longest suit", "max_suit(n('7 8 9 Q K T A'))", "cards in it, jacks apart"),
    Feature("trumps", "max_suit(n('7 8 9 Q K T A')) + n('J')", "jacks and the longest suit"),
    Feature("seven trumps", "max_suit(n('7 8 9 Q K T A')) + n('J') >= 7", "jacks and a suit, or more"),
    Feature("void suits", "count_suits(n('7 8 9 Q K T A') == 0)", "suits of which only a jack may be held"),
    Feature("card points", "points('A11 T10 K4 Q3 J2')", "of the ten cards"),
)


def _skat(
    identifier: str, title: str, summary: str, place: str, seats: tuple[str, ...], synonyms: tuple[str, ...]
) -> RuleSet:
    return RuleSet(
        id=identifier,
        title=title,
        family="skat",
        summary=summary,
        source=f"Encyclopedia of games, Skat{place}",
        seats=seats,
        pack=PACK,
        rules=_rules(len(seats)),
        module="simcards.games.skat.game",
        strategies=("random", "basic", "mc", "solver"),
        synonyms=synonyms,
        units=MappingProxyType({"deal": MappingProxyType({"deals": 1}), "list": MappingProxyType({})}),
        hand=10,
        features=_FEATURES,
    )


SKAT = _skat(
    "skat",
    "Skat",
    "Ten cards each and two in the skat: who bids most plays alone against two, with trumps, grand or null.",
    "",
    ("forehand", "middlehand", "rearhand"),
    ("скат", "skat-three"),
)
FOUR_HANDED = _skat(
    "skat-four-handed",
    "Skat for four",
    "Skat with four at the table, of whom the dealer sits out.",
    " for four",
    ("forehand", "middlehand", "rearhand", "dealer"),
    ("skat-four", "скат вчетвером"),
)
RULESETS = (SKAT, FOUR_HANDED)
