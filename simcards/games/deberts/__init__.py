"""Deberts, klaberjass for two: bidding for trumps, runs, nine tricks."""

from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Feature, Rule, RuleSet

RANKS = "789JQKTA"  # low to high in plain suits, and for runs if nothing else is said

_TRUMPS = "trumps are hearts here"
_RUN = "any_suit(run() >= {})"

DEBERTS = RuleSet(
    id="deberts",
    title="Deberts",
    family="deberts",
    summary="Klaberjass for two: play with the turned trump or name one, runs and bella, nine tricks; to 501.",
    source="Encyclopedia of games, Deberts",
    seats=("pone", "dealer"),
    pack=Pack(RANKS),
    rules=(
        Rule("target", 501, "points that end a game; 0: a single deal is played", high=100_000),
        Rule("least_gain", 0, "what the winner of a game wins at least, if the loser has reached the target too"),
        Rule("tierce", 20, "three cards of a suit in sequence"),
        Rule("fifty", 50, "four or more cards of a suit in sequence"),
        Rule("bella", 20, "king and queen of trumps"),
        Rule("last_trick", 10, "for winning it"),
        Rule(
            "run_order",
            "pack",
            "in which order the cards of a run follow each other: A T K Q J 9 8 7, or A K Q J T 9 8 7",
            choices=("pack", "natural"),
        ),
        Rule(
            "trump_runs",
            "equal",
            "of runs of one kind those in trumps beat: one of equal height; or any other, however high",
            choices=("equal", "any"),
        ),
        Rule(
            "long_runs",
            "whole",
            "seven or eight cards in sequence: one fifty, or a fifty and what the other cards of it make",
            choices=("whole", "parts"),
        ),
        Rule(
            "equal_runs",
            "pone",
            "whose runs count when the best of both are equal",
            choices=("pone", "nobody"),
        ),
        Rule("silence", "yes", "whether a player may keep silent about runs and bella", choices=("no", "yes")),
        Rule("exchange", "yes", "whether the seven of trumps takes the turned trump", choices=("no", "yes")),
        Rule(
            "exchange_until",
            "first_play",
            "until when the seven may be exchanged: until its holder's first card, or until he has spoken about runs",
            choices=("speaking", "first_play"),
        ),
        Rule("overtrump", "no", "whether a trump must be beaten if possible", choices=("no", "yes")),
    ),
    module="simcards.games.deberts.game",
    strategies=("random", "basic", "mc", "solver"),
    synonyms=("деберц", "klaberjass", "klabberjass", "клабор"),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
    hand=6,
    features=(
        Feature("trump jack", "n('JH') == 1", f"the highest trump; {_TRUMPS}"),
        Feature("trump nine", "n('9H') == 1", f"the second highest trump; {_TRUMPS}"),
        Feature("trump ace", "n('AH') == 1", f"the third highest trump; {_TRUMPS}"),
        Feature("trumps", "n('hearts')", f"how many; {_TRUMPS}"),
        Feature("trump points", "points('JH20 9H14 AH11 TH10 KH4 QH3')", f"card points in trumps; {_TRUMPS}"),
        Feature("side aces", "n('AS AD AC')", f"aces of the other suits; {_TRUMPS}"),
        Feature("bella", "n('KH') == 1 and n('QH') == 1", f"king and queen of trumps; {_TRUMPS}"),
        Feature("tierce or fifty", _RUN.format(3), "a run of three or more as dealt, in the order of the pack"),
        Feature("fifty", _RUN.format(4), "a run of four or more as dealt, in the order of the pack"),
        Feature("longest run", "run()", "cards in sequence in one suit, in the order of the pack"),
        Feature("jack and nine of a suit", "any_suit(n('J') == 1 and n('9') == 1)", "of any suit"),
        Feature("longest suit", "max_suit(n())", "cards in it"),
        Feature("aces", "n('A')", "how many"),
    ),
)
RULESETS = (DEBERTS,)
