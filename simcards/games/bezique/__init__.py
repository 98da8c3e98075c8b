"""The bezique family."""

from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.ruleset import Rule, RuleSet

RANKS = "789JQKTA"  # low to high

_FOURS = (
    Rule("aces", 100, "any four aces"),
    Rule("kings", 80, "any four kings"),
    Rule("queens", 60, "any four queens"),
    Rule("jacks", 40, "any four jacks"),
)

BEZIQUE = RuleSet(
    id="bezique",
    title="Bezique",
    family="bezique",
    summary="Two packs, eight cards each, a turn-up for trumps; combinations and brisques to 1,000.",
    source="Hoyle's encyclopedia, Bezique",
    seats=("pone", "dealer"),
    pack=Pack(RANKS, copies=2),
    rules=(
        Rule("target", 1000, "points that win the game; 0 plays one deal out"),
        Rule("draw_order", "winner", "who draws first: the winner of the trick, or always the pone (France)",
             choices=("winner", "pone")),
        Rule("brisques", "as_won", "when aces and tens won are scored", choices=("never", "as_won", "at_end")),
        Rule("brisque", 10, "an ace or a ten won"),
        Rule("seven", 10, "the seven of trumps, turned up or exchanged for the turn-up"),
        Rule("last_trick", 10, "the last trick"),
        Rule("marriage", 20, "king and queen of a plain suit"),
        Rule("royal_marriage", 40, "king and queen of trumps"),
        Rule("royal_sequence", 250, "A T K Q J of trumps"),
        Rule("bezique", 40, "queen of spades and jack of diamonds"),
        Rule("double_bezique", 500, "two queens of spades and two jacks of diamonds"),
        *_FOURS,
        Rule("packs", 2, "packs of 32 shuffled together", low=2, high=2),
        Rule("levels", 2, "beziques up to this many pairs score", low=1, high=2),
        Rule("reform", "no", "whether a broken combination may be completed and scored again", choices=("no", "yes")),
        Rule("plain_sequences", "no", "whether A T K Q J of a plain suit scores", choices=("no", "yes")),
        Rule("sequence", 0, "A T K Q J of a plain suit, where it scores"),
        Rule("triple_bezique", 0, "needs three packs", low=0, high=0),
        Rule("quadruple_bezique", 0, "needs four packs", low=0, high=0),
    ),
    module="simcards.games.bezique.two_packs",
    strategies=("random", "basic"),
    synonyms=("besique", "two-pack-bezique", "безик"),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
)

RUBICON = RuleSet(
    id="rubicon-bezique",
    title="Rubicon bezique",
    family="bezique",
    summary="Four packs, nine cards each, combinations re-formed without limit; each deal a game, the rubicon at 1,000.",
    source="Hoyle's encyclopedia, Rubicon bezique",
    seats=("pone", "dealer"),
    pack=Pack(RANKS, copies=4),
    rules=(
        Rule("carte_blanche", 50, "a dealt hand without king, queen and jack, and each draw that keeps it so"),
        Rule("marriage", 20, "king and queen of a plain suit"),
        Rule("royal_marriage", 40, "king and queen of trumps; the first marriage makes trumps"),
        Rule("sequence", 150, "A T K Q J of a plain suit"),
        Rule("royal_sequence", 250, "A T K Q J of trumps"),
        Rule("bezique", 40, "queen of spades and jack of diamonds"),
        Rule("double_bezique", 500, "two of each"),
        Rule("triple_bezique", 1500, "three of each"),
        Rule("quadruple_bezique", 4500, "four of each"),
        *_FOURS,
        Rule("last_trick", 50, "the last trick"),
        Rule("brisque", 10, "an ace or a ten won, where brisques are counted in the settlement"),
        Rule("rubicon_line", 1000, "a loser below it is rubiconed"),
        Rule("game_bonus", 500, "for the game, when the loser is not rubiconed"),
        Rule("close_bonus", 100, "when the difference falls short of 100"),
        Rule("rubicon_bonus", 1000, "for the rubicon"),
        Rule("brisque_bonus", 300, "for all the brisques, when the loser is rubiconed"),
        Rule("low_loser_bonus", 100, "when a rubiconed loser has fewer than 100"),
        Rule("reform", "yes", "whether a broken combination may be completed and scored again", choices=("no", "yes")),
        Rule("plain_sequences", "yes", "whether A T K Q J of a plain suit scores", choices=("no", "yes")),
        Rule("levels", 4, "beziques up to this many pairs score", low=1, high=4),
        Rule("packs", 4, "packs of 32 shuffled together", low=4, high=4),
        Rule("brisques", "never", "brisques are not scored in play", choices=("never",)),
        Rule("seven", 0, "there is no turn-up", low=0, high=0),
    ),
    module="simcards.games.bezique.rubicon",
    strategies=("random", "basic"),
    synonyms=("rubicon", "рубикон-безик", "рубикон безик", "рубикон"),
)

RULESETS = (BEZIQUE, RUBICON)
