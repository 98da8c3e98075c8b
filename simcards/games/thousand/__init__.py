"""Thousand: for two with a stock, for two and for three with bidding, and bidding without looking."""

from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Feature, Rule, RuleSet

RANKS = "9JQKTA"  # low to high
PACK = Pack(RANKS)

STOCK_HAND, TWO_HAND, THREE_HAND = 6, 10, 7  # cards dealt, by which the kernel tells the games apart


def _common(players: int, hand: int) -> tuple[Rule, ...]:
    return (
        Rule("players", players, "seats at the table", low=players, high=players),
        Rule("hand", hand, "cards dealt to a player", low=hand, high=hand),
        Rule("target", 1000, "points that win a game; 0: a single deal", high=100_000),
        Rule(
            "most_deals", 100, "deals after which a game ends in any case, the highest total wins", low=1, high=10_000
        ),
        Rule("hearts", 100, "a marriage of hearts", high=1000),
        Rule("diamonds", 80, "a marriage of diamonds", high=1000),
        Rule("clubs", 60, "a marriage of clubs", high=1000),
        Rule("spades", 40, "a marriage of spades", high=1000),
    )


def _auction(players: int, hand: int, blind: str = "no") -> tuple[Rule, ...]:
    return (
        *_common(players, hand),
        Rule("first_bid", 100, "what the player before the dealer must bid", low=90, high=400),
        Rule("step", 10, "bids go up by this, or by as much several times over", low=5, high=100),
        Rule("highest_bid", 400, "no bid goes beyond it: 120 in cards and all four marriages", low=90, high=400),
        Rule(
            "both_over",
            "higher",
            "who wins when several reach the target in one deal: the highest total, or the player who had bid most",
            choices=("higher", "declarer"),
        ),
        Rule("blind", blind, "whether players may bid without looking at their cards", choices=("no", "yes")),
        Rule(
            "blind_raise",
            "yes",
            "whether a player who won the bidding without looking may still raise after taking the packet",
            choices=("no", "yes"),
        ),
    )


_SWEEP = Rule(
    "sweep",
    "120",
    "bids for which all tricks without a marriage bring the points of the packets too: of 120, or up to 120",
    choices=("120", "up_to_120"),
)

_FEATURES = (
    Feature("a marriage", "any_suit(n('K') == 1 and n('Q') == 1)", "king and queen of a suit"),
    Feature("two marriages", "count_suits(n('K') == 1 and n('Q') == 1) >= 2", "or more"),
    Feature("marriage of hearts", "n('KH') == 1 and n('QH') == 1", "100 points"),
    Feature("marriage of diamonds", "n('KD') == 1 and n('QD') == 1", "80 points"),
    Feature("marriage of clubs", "n('KC') == 1 and n('QC') == 1", "60 points"),
    Feature("marriage of spades", "n('KS') == 1 and n('QS') == 1", "40 points"),
    Feature(
        "marriage points",
        "100 * n('KH') * n('QH') + 80 * n('KD') * n('QD') + 60 * n('KC') * n('QC') + 40 * n('KS') * n('QS')",
        "of all marriages held",
    ),
    Feature("half marriages", "count_suits(n('K Q') == 1)", "suits with a king or a queen alone"),
    Feature("aces", "n('A')", "how many"),
    Feature("no ace", "n('A') == 0", "none"),
    Feature("aces and tens", "n('A T')", "how many"),
    Feature("ace and ten of a suit", "any_suit(n('A T') == 2)", "the two highest of a suit"),
    Feature("longest suit", "max_suit(n())", "cards in it"),
    Feature("suits held", "count_suits(n() >= 1)", "how many"),
    Feature("card points", "points('A11 T10 K4 Q3 J2')", "of the cards dealt"),
)


def _thousand(
    identifier: str,
    title: str,
    summary: str,
    place: str,
    rules: tuple[Rule, ...],
    synonyms: tuple[str, ...],
    module: str = "simcards.games.thousand.game",
) -> RuleSet:
    players, hand = int(rules[0].default), int(rules[1].default)
    return RuleSet(
        id=identifier,
        title=title,
        family="thousand",
        summary=summary,
        source=f"Encyclopedia of games, Thousand{place}",
        seats=("forehand", "dealer") if players == 2 else ("forehand", "middlehand", "dealer"),
        pack=PACK,
        rules=rules,
        module=module,
        strategies=("random", "basic", "mc", "solver"),
        synonyms=synonyms,
        units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
        hand=hand,
        features=_FEATURES,
        ascending=(("first_bid", "highest_bid"),) if hand != STOCK_HAND else (),
    )


TWO_STOCK = _thousand(
    "thousand-two-stock",
    "Thousand for two with a stock",
    "Tricks with a stock, in which marriages of king and queen make the trump suit; to 1,000.",
    "",
    _common(2, STOCK_HAND),
    ("thousand-stock", "тысяча", "тысяча вдвоем с колодой", "марьяж"),
)
TWO_AUCTION = _thousand(
    "thousand-two-auction",
    "Thousand for two with bidding",
    "Ten cards each and two packets of two: bidding from 100 up, marriages make the trump suit; to 1,000.",
    ", variant",
    (*_auction(2, TWO_HAND), _SWEEP),
    ("thousand-two", "thousand-auction", "тысяча вдвоем", "тысяча вдвоем с торговлей"),
)
THREE = _thousand(
    "thousand-three",
    "Thousand for three",
    "Seven cards each and three in the packet: bidding from 100 up, a card given to each opponent; to 1,000.",
    " for three",
    _auction(3, THREE_HAND),
    ("thousand", "тысяча втроем"),
)
BLIND = _thousand(
    "thousand-blind",
    "Thousand for three with blind bidding",
    "Thousand for three where one may bid without looking: who wins the bidding so plays for double points.",
    ", blind bidding",
    _auction(3, THREE_HAND, "yes"),
    ("blind-thousand", "тысяча втемную"),
)
RULESETS = (TWO_STOCK, TWO_AUCTION, THREE, BLIND)
