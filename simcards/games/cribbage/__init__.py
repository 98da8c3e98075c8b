"""Cribbage: with five, six and seven cards, with an auction for the crib, and for four in partnerships."""

from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Feature, Rule, RuleSet

RANKS = "A23456789TJQK"  # low to high

_RULES = (
    Rule("players", 2, "at the table; four are two pairs", low=2, high=2),
    Rule("cards", 6, "dealt to each", low=5, high=7),
    Rule("target", 121, "points that win; 0: a single deal"),
    Rule("most_deals", 100, "deals in a game; with no winner by then, the higher score wins", low=1, high=10_000),
    Rule(
        "playing",
        "to_the_end",
        "how long cards are laid: to the first 31, or until nobody can lay one; or in further counts to the last card",
        choices=("to_31", "to_the_end"),
    ),
    Rule("compensation", 0, "points for the non-dealer before the deal"),
    Rule(
        "three_for_last",
        "deal",
        "when these are given: before every deal, or before the first of a game",
        choices=("deal", "game"),
    ),
    Rule("fifteen", 2, "cards that count 15 together"),
    Rule("thirty_one", 2, "the card that brings the count to 31"),
    Rule("last_card", 1, "the last card of a count, short of 31"),
    Rule(
        "last_card_again",
        "no",
        "whether all cards score so that a player lays on when nobody else can, or only the last of them",
        choices=("no", "yes"),
    ),
    Rule("pair", 2, "two of a rank, each two of more"),
    Rule("run", 1, "each card of a run"),
    Rule("flush", 1, "each card of a flush: a hand of one suit, and the starter if it is too"),
    Rule(
        "crib_flush",
        "five",
        "what makes a flush in the crib: its four cards and the starter; its four cards; or nothing",
        choices=("no", "five", "four"),
    ),
    Rule("nobs", 1, "the jack of the starter's suit in hand or crib"),
    Rule("heels", 2, "a jack as the starter"),
    Rule(
        "heels_to",
        "dealer",
        "whose these are: the dealer's, or the crib's owner's",
        choices=("dealer", "owner"),
    ),
    Rule(
        "auction",
        "no",
        "whether the crib is bid for, before or after the discard; else it is the dealer's",
        choices=("no", "before_discard", "after_discard"),
    ),
    Rule(
        "must_open",
        "yes",
        "whether the non-dealer has to bid; if he passes at once, the dealer has the crib for nothing",
        choices=("no", "yes"),
    ),
    Rule("highest_bid", 29, "no more can be bid", low=1, high=62),
)


def _rules(**changes: int | str) -> tuple[Rule, ...]:
    """Return the rules of the family with other defaults."""
    return tuple(
        Rule(rule.name, changes.get(rule.name, rule.default), rule.doc, rule.choices, rule.low, rule.high)
        for rule in _RULES
    )


def _for_four() -> tuple[Rule, ...]:
    """Return the rules for two pairs: five or six cards each, and no auction."""
    narrowed = {
        "players": Rule("players", 4, _RULES[0].doc, low=4, high=4),
        "cards": Rule("cards", 5, "dealt to each; one of them goes into the crib", low=5, high=6),
        "auction": Rule("auction", "no", "the crib is the dealer's", choices=("no",)),
    }
    return tuple(narrowed.get(rule.name, rule) for rule in _RULES)


_RANK_VALUES = "A1 22 33 44 55 66 77 88 99 T10 J10 Q10 K10"
_FEATURES = (
    Feature("fives", "n('5')", "how many"),
    Feature("tens", "n('T J Q K')", "cards that count ten"),
    Feature("low cards", "n('A 2 3 4')", "aces to fours"),
    Feature("fifteens", f"ways(15, '{_RANK_VALUES}')", "ways to make 15 with the cards dealt"),
    Feature("pairs", "sum_ranks(n() * (n() - 1) // 2)", "of three alike there are three, of four six"),
    Feature("points in runs", "rank_runs(3)", "with all the cards dealt"),
    Feature("three alike", "any_rank(n() >= 3)", "three or four of a rank"),
    Feature("longest suit", "max_suit(n())", "cards in it"),
)


def _cribbage(
    identifier: str,
    title: str,
    summary: str,
    source: str,
    synonyms: tuple[str, ...],
    rules: tuple[Rule, ...],
    seats: tuple[str, ...] = ("pone", "dealer"),
    strategies: tuple[str, ...] = ("random", "basic", "board", "mc"),
) -> RuleSet:
    return RuleSet(
        id=identifier,
        title=title,
        family="cribbage",
        summary=summary,
        source=source,
        seats=seats,
        pack=Pack(RANKS),
        rules=rules,
        module="simcards.games.cribbage.game",
        strategies=strategies,
        synonyms=synonyms,
        units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
        hand=int(next(rule.default for rule in rules if rule.name == "cards")),
        features=_FEATURES,
    )


FIVE_CARD = _cribbage(
    "cribbage-five-card",
    "Five-card cribbage",
    "Hands of three and a crib; cards are laid until the first 31; three points for the non-dealer; to 61.",
    "Encyclopedia of games, Cribbage",
    ("five-card-cribbage", "пятикарточный криббедж", "криббедж"),
    _rules(cards=5, target=61, playing="to_31", compensation=3),
)
SIX_CARD = _cribbage(
    "cribbage-six-card",
    "Six-card cribbage",
    "Hands of four and a crib; all cards are laid; to 121.",
    "Encyclopedia of games, Cribbage, variant",
    ("cribbage", "six-card-cribbage", "шестикарточный криббедж"),
    _rules(),
)
SEVEN_CARD = _cribbage(
    "cribbage-seven-card",
    "Seven-card cribbage",
    "Hands of five and a crib of four; all cards are laid; to 181.",
    "Encyclopedia of games, Cribbage, variant",
    ("seven-card-cribbage", "семикарточный криббедж"),
    _rules(cards=7, target=181),
)
AUCTION = _cribbage(
    "cribbage-auction",
    "Auction cribbage",
    "Six-card cribbage in which the crib goes to who bids more points for it; he leads and shows first.",
    "Encyclopedia of games, Cribbage, variant",
    ("auction-cribbage", "криббедж с торгами", "аукционный криббедж"),
    _rules(auction="before_discard"),
    strategies=("random", "basic", "mc"),
)
FOUR_HANDED = _cribbage(
    "cribbage-four-handed",
    "Four-handed cribbage",
    "Two pairs, five cards each, of which one goes into the crib; all cards are laid; to 121.",
    "Encyclopedia of games, Cribbage, variant",
    ("partnership-cribbage", "four-handed-cribbage", "криббедж вчетвером"),
    _for_four(),
    ("first", "second", "third", "dealer"),
    ("random", "basic", "mc"),
)
RULESETS = (FIVE_CARD, SIX_CARD, SEVEN_CARD, AUCTION, FOUR_HANDED)
