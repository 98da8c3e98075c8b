"""The bezique family."""

from dataclasses import replace
from types import MappingProxyType

from simcards.cards import Pack
from simcards.games.chouette_rules import chouette_rules
from simcards.games.ruleset import Clash, Feature, Rule, RuleSet

RANKS = "789JQKTA"  # low to high

_FOURS = (
    Rule("aces", 100, "any four aces"),
    Rule("kings", 80, "any four kings"),
    Rule("queens", 60, "any four queens"),
    Rule("jacks", 40, "any four jacks"),
)

_MARRIAGE = "n('K') >= 1 and n('Q') >= 1"
_COURT = (
    Feature("marriage", f"any_suit({_MARRIAGE})", "king and queen of a suit"),
    Feature("marriage in a named suit", "n('KH') >= 1 and n('QH') >= 1", "in trumps, say"),
    Feature("suits with a marriage", f"count_suits({_MARRIAGE})", "how many"),
    Feature("sequence", "any_suit(all_ranks(n() >= 1, 'A T K Q J'))", "A T K Q J of a suit"),
    Feature("sequence in a named suit", "all_ranks(n('hearts') >= 1, 'A T K Q J')", "in trumps, say"),
    Feature("four aces", "n('A') >= 4", "of any suits"),
    Feature("four kings", "n('K') >= 4", "of any suits"),
    Feature("four queens", "n('Q') >= 4", "of any suits"),
    Feature("four jacks", "n('J') >= 4", "of any suits"),
    Feature("four of a kind that scores", "any_rank(n() >= 4, 'A K Q J')", "four aces, kings, queens or jacks"),
)
_HELD = (
    Feature("aces and tens", "n('A T')", "how many brisques"),
    Feature("court cards", "n('K Q J')", "how many kings, queens and jacks"),
    Feature("longest run", "run()", "cards in sequence in one suit"),
    Feature("longest suit", "max_suit(n())", "cards in it"),
    Feature("suits held", "count_suits(n() >= 1)", "how many"),
)


def _beziques(most: int) -> tuple[Feature, ...]:
    names = ("bezique", "double bezique", "triple bezique", "quadruple bezique")
    return tuple(
        Feature(name, f"n('QS') >= {pairs} and n('JD') >= {pairs}", f"{pairs} × queen of spades, jack of diamonds")
        for pairs, name in enumerate(names[:most], 1)
    )


_BLANK = Feature("carte blanche", "n('K Q J') == 0", "no king, queen or jack")

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
        Rule(
            "draw_order",
            "winner",
            "who draws first: the winner of the trick, or always the pone (France)",
            choices=("winner", "pone"),
        ),
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
        Rule(
            "reform",
            "no",
            "whether a broken combination may be completed and scored again",
            choices=("no", "yes"),
        ),
        Rule("plain_sequences", "no", "whether A T K Q J of a plain suit scores", choices=("no", "yes")),
        Rule("sequence", 0, "A T K Q J of a plain suit, where it scores"),
        Rule("triple_bezique", 0, "needs three packs", low=0, high=0),
        Rule("quadruple_bezique", 0, "needs four packs", low=0, high=0),
    ),
    module="simcards.games.bezique.two_packs",
    strategies=("random", "basic", "mc"),
    synonyms=("besique", "two-pack-bezique", "binocle-64-eight", "бинокль-64 по восемь", "безик"),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
    hand=8,
    features=(*_beziques(2), *_COURT, _BLANK, *_HELD),
)

POLISH = replace(
    BEZIQUE,
    id="polish-bezique",
    title="Polish bezique",
    summary="Bezique in which courts and tens of trumps won in tricks are laid out and serve for combinations.",
    source="Hoyle's encyclopedia, Polish bezique",
    rules=(
        *BEZIQUE.rules,
        Rule(
            "recaptured",
            "used",
            "whether a card that one has scored, played and won back is used or counts as new",
            choices=("used", "new"),
        ),
    ),
    module="simcards.games.bezique.polish",
    synonyms=("open-bezique", "польская безик", "польский безик"),
)

RUBICON = RuleSet(
    id="rubicon-bezique",
    title="Rubicon bezique",
    family="bezique",
    summary="Four packs, nine cards each, combinations re-formed without limit; each deal a game, rubicon at 1,000.",
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
        Rule("close_bonus", 100, "when the scores, odd tens dropped, differ by less than 100"),
        Rule("rubicon_bonus", 1000, "for the rubicon"),
        Rule("brisque_bonus", 300, "for all the brisques, when the loser is rubiconed"),
        Rule("low_loser_bonus", 100, "when a rubiconed loser has fewer than 100"),
        Rule(
            "reform",
            "yes",
            "whether a broken combination may be completed and scored again",
            choices=("no", "yes"),
        ),
        Rule("plain_sequences", "yes", "whether A T K Q J of a plain suit scores", choices=("no", "yes")),
        Rule("levels", 4, "beziques up to this many pairs score", low=1, high=4),
        Rule("packs", 4, "packs of 32 shuffled together", low=4, high=4),
        Rule("hand", 9, "cards dealt to each player", low=9, high=9),
        Rule("brisques", "never", "brisques are not scored in play", choices=("never",)),
        Rule("seven", 0, "there is no turn-up", low=0, high=0),
        Rule(
            "dealer_shows",
            "after",
            "whether the dealer shows a dealt carte blanche before or after the pone's first lead",
            choices=("before", "after"),
        ),
    ),
    module="simcards.games.bezique.rubicon",
    strategies=("random", "basic", "mc"),
    synonyms=("rubicon", "рубикон-безик", "рубикон безик", "рубикон"),
    hand=9,
    features=(_BLANK, *_beziques(4), *_COURT, *_HELD),
)

_SIX_PACKS = {
    "packs": Rule("packs", 6, "packs of 32 shuffled together", low=6, high=6),
    "hand": Rule("hand", 9, "cards dealt to each player", low=6, high=12),
}

CHINESE = replace(
    RUBICON,
    id="chinese-bezique",
    title="Chinese bezique",
    summary="Rubicon bezique with six packs: a winner's 6,000 points are nothing rare.",
    source="Hoyle's encyclopedia, Chinese bezique",
    pack=Pack(RANKS, copies=6),
    rules=tuple(_SIX_PACKS.get(rule.name, rule) for rule in RUBICON.rules),
    synonyms=("chinese", "китайский безик"),
)

SIX_PACKS = RuleSet(
    id="bezique-six-pack",
    title="Bezique with six packs",
    family="bezique",
    summary="Six packs, twelve cards each, fours of trumps up to 1,000; the rubicon at 3,000, paid in hundreds.",
    source="Encyclopedia of games, Bezique",
    seats=("pone", "dealer"),
    pack=Pack(RANKS, copies=6),
    rules=(
        Rule("carte_blanche", 250, "a dealt hand without king, queen and jack, and each draw that keeps it so"),
        Rule("marriage", 20, "king and queen of a plain suit"),
        Rule("royal_marriage", 40, "king and queen of trumps; the first marriage makes trumps"),
        Rule("sequence", 150, "A T K Q J of a plain suit"),
        Rule("royal_sequence", 250, "A T K Q J of trumps"),
        Rule("bezique", 40, "queen of spades and jack of diamonds"),
        Rule("double_bezique", 500, "two of each"),
        Rule("triple_bezique", 1500, "three of each"),
        Rule("quadruple_bezique", 4500, "four of each"),
        *_FOURS,
        Rule("trump_aces", 1000, "four aces of trumps"),
        Rule("trump_tens", 900, "four tens of trumps"),
        Rule("trump_kings", 800, "four kings of trumps"),
        Rule("trump_queens", 600, "four queens of trumps"),
        Rule("trump_jacks", 400, "four jacks of trumps"),
        Rule("last_trick", 250, "the last trick, which its winner may decline to score"),
        Rule("rubicon_line", 3000, "a loser below it is rubiconed if the winner has reached it"),
        Rule("game_bonus", 1000, "for the game"),
        Rule("least_difference", 100, "a smaller difference counts as this"),
        Rule("unit", 100, "points in a big point, by which the settlement is rounded", low=1),
        Rule(
            "reform",
            "added",
            "when a combination scores again with a new card: never, once a card of it was played, or also as it lies",
            choices=("no", "broken", "added"),
        ),
        Rule("levels", 4, "beziques up to this many pairs score", low=1, high=4),
        Rule("packs", 6, "packs of 32 shuffled together", low=6, high=6),
        Rule("plain_sequences", "yes", "whether A T K Q J of a plain suit scores", choices=("no", "yes")),
        Rule("brisque", 0, "aces and tens won count nothing", low=0, high=0),
        Rule("brisques", "never", "aces and tens won are not scored", choices=("never",)),
        Rule("seven", 0, "there is no turn-up", low=0, high=0),
        Rule(
            "dealer_shows",
            "before",
            "whether the dealer shows a dealt carte blanche before or after the pone's first lead",
            choices=("before", "after"),
        ),
    ),
    module="simcards.games.bezique.six_packs",
    strategies=("random", "basic", "mc"),
    synonyms=("six-pack-bezique", "bezique-six-packs", "безик шестью колодами", "шестиколодный безик"),
    hand=12,
    features=(
        _BLANK,
        *_beziques(4),
        *_COURT,
        Feature("four of a kind in a named suit", "any_rank(n('hearts') >= 4, 'A T K Q J')", "of trumps, say"),
        *_HELD,
    ),
)

CINQ_CENTS = RuleSet(
    id="cinq-cents",
    title="Cinq-cents",
    family="bezique",
    summary="Bezique with one pack: a card serves for one combination, cards won are counted, knocking at 500.",
    source="Hoyle's encyclopedia, Cinq-cents",
    seats=("pone", "dealer"),
    pack=Pack(RANKS),
    rules=(
        Rule("target", 500, "points that win the game; 0 plays one deal out"),
        Rule("target_step", 100, "by which the target rises when both have it at the end of a deal", low=1),
        Rule("knocking", "yes", "whether a player may stop the game by knocking", choices=("no", "yes")),
        Rule(
            "draw_order",
            "winner",
            "who draws first: the winner of the trick, or always the pone (France)",
            choices=("winner", "pone"),
        ),
        Rule("seven", 10, "the seven of trumps, turned up or exchanged for the turn-up"),
        Rule("last_trick", 10, "the last trick"),
        Rule("ace", 11, "an ace won"),
        Rule("ten", 10, "a ten won"),
        Rule("king", 4, "a king won"),
        Rule("queen", 3, "a queen won"),
        Rule("jack", 2, "a jack won"),
        Rule("marriage", 20, "king and queen of a plain suit"),
        Rule("royal_marriage", 40, "king and queen of trumps"),
        Rule("sequence", 120, "A T K Q J of a plain suit"),
        Rule("royal_sequence", 250, "A T K Q J of trumps"),
        Rule("bezique", 40, "binage: queen of spades and jack of diamonds"),
        *_FOURS,
        Rule("packs", 1, "a single pack of 32", low=1, high=1),
        Rule("levels", 1, "there is one queen of spades", low=1, high=1),
        Rule("reform", "no", "a card serves for one combination", choices=("no",)),
        Rule("plain_sequences", "yes", "whether A T K Q J of a plain suit scores", choices=("no", "yes")),
        Rule("double_bezique", 0, "needs two packs", low=0, high=0),
        Rule("triple_bezique", 0, "needs three packs", low=0, high=0),
        Rule("quadruple_bezique", 0, "needs four packs", low=0, high=0),
    ),
    module="simcards.games.bezique.cinq_cents",
    strategies=("random", "basic", "mc"),
    synonyms=("cinq cents", "five-hundred-bezique", "санк-сант", "санк сант"),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
    hand=8,
    features=(*_beziques(1), *_COURT, _BLANK, *_HELD),
)

_RUN = "all_ranks(n() >= 1, '{}')"
PENCHANT = RuleSet(
    id="penchant",
    title="Penchant",
    family="bezique",
    summary="One pack, six cards each: pairs, trios, fours, runs of a suit, queens with jacks; four deals a game.",
    source="Hoyle's encyclopedia, Penchant",
    seats=("pone", "dealer"),
    pack=Pack("789TJQKA"),
    rules=(
        Rule("deals", 4, "deals in a game", low=1, high=1000),
        Rule("double_line", 400, "a lower total below it doubles the difference; 0: never"),
        Rule(
            "blocking",
            "yes",
            "whether high groups on the table block the other's low groups of no greater size",
            choices=("no", "yes"),
        ),
        Rule("four", 100, "four of a kind"),
        Rule("trio", 30, "three of a kind"),
        Rule("pair", 20, "two of a kind"),
        Rule("sequence_of_five", 250, "A K Q J T or K Q J T 9 of a suit"),
        Rule("sequence_of_four", 40, "A K Q J or K Q J T of a suit"),
        Rule("sequence_of_three", 30, "K Q J of a suit"),
        Rule("king_and_queen", 20, "king and queen of a suit"),
        Rule("queen_and_jack", 20, "queen and jack of a suit"),
        Rule("flush", 50, "K Q J and two more cards of the suit that are no sequence with them"),
        Rule("penchant", 10, "queen and jack of different suits"),
        Rule("brisque", 10, "a brisque won in the last six tricks, and each above the line in the end"),
        Rule("brisque_line", 6, "brisques of a deal that score nothing in the end", high=12),
        Rule("packs", 1, "a single pack of 32", low=1, high=1),
    ),
    module="simcards.games.bezique.penchant",
    strategies=("random", "basic", "mc"),
    synonyms=("пеншан",),
    units=MappingProxyType(
        {"deal": MappingProxyType({"deals": 1, "double_line": 0}), "game": MappingProxyType({})},
    ),
    hand=6,
    features=(
        Feature("pair", "any_rank(n() >= 2)", "two of a kind"),
        Feature("trio", "any_rank(n() >= 3)", "three of a kind"),
        Feature("four", "any_rank(n() >= 4)", "four of a kind"),
        Feature("king and queen", f"any_suit({_RUN.format('K Q')})", "of a suit"),
        Feature("queen and jack", f"any_suit({_RUN.format('Q J')})", "of a suit"),
        Feature("sequence of three", f"any_suit({_RUN.format('K Q J')})", "K Q J of a suit"),
        Feature(
            "sequence of four",
            f"any_suit({_RUN.format('A K Q J')} or {_RUN.format('K Q J T')})",
            "A K Q J or K Q J T of a suit",
        ),
        Feature(
            "sequence of five",
            f"any_suit({_RUN.format('A K Q J T')} or {_RUN.format('K Q J T 9')})",
            "A K Q J T or K Q J T 9 of a suit",
        ),
        Feature("flush", f"any_suit(n() >= 5 and {_RUN.format('K Q J')})", "five of a suit with K Q J, sequences too"),
        Feature(
            "penchant",
            "n('Q') >= 1 and n('J') >= 1 and (n('Q') >= 2 or n('J') >= 2 or not any_suit(n('Q') >= 1 and n('J') >= 1))",
            "queen and jack of different suits",
        ),
        Feature("brisques", "n('A T 7')", "aces, tens and sevens"),
        Feature("court cards", "n('K Q J')", "kings, queens and jacks"),
        Feature("longest suit", "max_suit(n())", "cards in it"),
    ),
)


def _many_handed(players: int, packs: int, **own: Rule) -> tuple[Rule, ...]:
    """Return the rules of bezique for three or four; `own` are those of one of them, which the other has not got."""
    rules = (
        Rule("target", 2000, "points that win the game; 0 plays one deal out"),
        Rule("partnership", "none", "each plays for himself", choices=("none",)),
        Rule("showing", "no", "combinations are not shown before they are scored", choices=("no",)),
        Rule("partner_seven", "no", "only who won the trick exchanges", choices=("no",)),
        Rule("regroup_last_eight", "no", "there are no partners", choices=("no",)),
        Rule(
            "undertrump",
            "no",
            "whether who can neither follow nor win must trump even so, with the stock gone",
            choices=("no", "yes"),
        ),
        Rule(
            "draw_order",
            "winner",
            "who draws first: the winner of the trick, or always who led first in the deal (France)",
            choices=("winner", "pone"),
        ),
        Rule("brisques", "as_won", "when aces and tens won are scored", choices=("never", "as_won", "at_end")),
        Rule("brisque", 10, "an ace or a ten won"),
        Rule("seven", 10, "a seven of trumps, turned up or exchanged for the turn-up"),
        Rule("last_trick", 10, "the last trick"),
        Rule("marriage", 20, "king and queen of a plain suit"),
        Rule("royal_marriage", 40, "king and queen of trumps"),
        Rule("royal_sequence", 250, "A T K Q J of trumps"),
        Rule("bezique", 40, "queen of spades and jack of diamonds"),
        Rule("double_bezique", 500, "two queens of spades and two jacks of diamonds"),
        Rule("triple_bezique", 1500, "three queens of spades and three jacks of diamonds"),
        *_FOURS,
        Rule("players", players, "seats at the table", low=players, high=players),
        Rule("packs", packs, "packs of 32 shuffled together", low=packs, high=packs),
        Rule("remove_eights", 0, "no card is left out", low=0, high=0),
        Rule("levels", 3, "beziques up to this many pairs score", low=1, high=3),
        Rule("reform", "no", "a broken combination does not score again", choices=("no",)),
        Rule("plain_sequences", "no", "A T K Q J of a plain suit scores nothing", choices=("no",)),
        Rule("sequence", 0, "there is no sequence in plain suits", low=0, high=0),
        Rule("quadruple_bezique", 0, "a fourth pair adds nothing", low=0, high=0),
    )
    return tuple(own.get(rule.name, rule) for rule in rules)


THREE_HANDED = RuleSet(
    id="bezique-three-handed",
    title="Three-handed bezique",
    family="bezique",
    summary="Three packs less an eight, three players each for himself; triple bezique 1500, the game to 2,000.",
    source="Hoyle's encyclopedia, Three-handed bezique",
    seats=("first", "second", "dealer"),
    pack=Pack(RANKS, copies=3, removed=("8C",)),
    rules=_many_handed(
        3,
        3,
        remove_eights=Rule("remove_eights", 1, "eights left out of the pack: that of clubs, or none", low=0, high=1),
    ),
    module="simcards.games.bezique.many_handed",
    strategies=("random", "basic", "mc"),
    synonyms=("three-handed-bezique", "трехходовая безик", "трёхходовая безик"),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
    hand=8,
    features=(*_beziques(3), *_COURT, _BLANK, *_HELD),
    other_packs=MappingProxyType({("remove_eights", 0): Pack(RANKS, copies=3)}),
)

FOUR_HANDED = RuleSet(
    id="bezique-four-handed",
    title="Four-handed bezique",
    family="bezique",
    summary="Four packs, each for himself or partners who declare together; triple bezique 1500, the game to 2,000.",
    source="Hoyle's encyclopedia, Four-handed bezique",
    seats=("first", "second", "third", "dealer"),
    pack=Pack(RANKS, copies=4),
    rules=_many_handed(
        4,
        4,
        partnership=Rule(
            "partnership", "none", "each for himself, or with the player opposite", choices=("none", "opposite")
        ),
        showing=Rule(
            "showing",
            "yes",
            "whether partners may lay combinations that they do not score, for each other to add to",
            choices=("no", "yes"),
        ),
        partner_seven=Rule(
            "partner_seven",
            "no",
            "whether the partner of who won the trick may exchange the seven of trumps",
            choices=("no", "yes"),
        ),
        regroup_last_eight=Rule(
            "regroup_last_eight",
            "no",
            "whether partners part for the last eight tricks: the winner of the trick before them joins his left"
            " neighbour, and what either pair wins is halved between the two former sides",
            choices=("no", "yes"),
        ),
    ),
    module="simcards.games.bezique.many_handed",
    strategies=("random", "basic", "mc"),
    synonyms=("four-handed-bezique", "четырехходовая безик", "четырёхходовая безик"),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
    hand=8,
    clashes=tuple(
        Clash({rule: "yes", "partnership": "none"}, "there are no partners")
        for rule in ("partner_seven", "regroup_last_eight")
    ),
    features=(*_beziques(3), *_COURT, _BLANK, *_HELD),
)

# Binocle: the codes are those of the family, so the sevens and eights of the smaller pack are left out of a larger one
_SUITS = "SHDC"
_DIFFERENT = "count_suits(n('{}') >= 1) == 4"
BINOCLE = RuleSet(
    id="binocle",
    title="Binocle",
    family="bezique",
    summary="Two packs of 24, twelve cards each, a turn-up for trumps; melds and cards to 1,000, which may be claimed.",
    source="Hoyle's encyclopedia, Binocle",
    seats=("pone", "dealer"),
    pack=Pack(RANKS, copies=2, removed=tuple(f"{rank}{suit}" for rank in "78" for suit in _SUITS) * 2),
    rules=(
        Rule("target", 1000, "points that win the game; 0 plays one deal out"),
        Rule("target_step", 250, "by which the target rises when both have it at the end of a deal", low=1),
        Rule(
            "claims", "yes", "whether a player may claim that he has the points with his cards", choices=("no", "yes")
        ),
        Rule(
            "looking",
            "no",
            "whether who is asked for a claim may look at old tricks, which forfeits the points of his cards",
            choices=("no", "yes"),
        ),
        Rule(
            "draw_order",
            "winner",
            "who draws first: the winner of the trick, or always the pone (France)",
            choices=("winner", "pone"),
        ),
        Rule("dix", 10, "the lowest card of trumps, turned up or announced (the first is exchanged for the turn-up)"),
        Rule("dix_with_meld", "yes", "whether a meld may be scored beside a dix", choices=("no", "yes")),
        Rule("last_trick", 10, "the last trick"),
        Rule("ace", 11, "an ace won"),
        Rule("ten", 10, "a ten won"),
        Rule("king", 4, "a king won"),
        Rule("queen", 3, "a queen won"),
        Rule("jack", 2, "a jack won"),
        Rule("marriage", 20, "king and queen of a plain suit"),
        Rule("royal_marriage", 40, "king and queen of trumps"),
        Rule("royal_sequence", 150, "A T K Q J of trumps"),
        Rule("binocle", 40, "queen of spades and jack of diamonds"),
        Rule("double_binocle", 80, "two queens of spades and two jacks of diamonds"),
        Rule(
            "grand_binocle",
            "no",
            "whether king and queen of spades and jack of diamonds are a meld, a binocle as high as the double",
            choices=("no", "yes"),
        ),
        Rule("grand_value", 80, "the grand binocle, where it is played"),
        Rule("aces", 100, "four aces of four suits"),
        Rule("kings", 80, "four kings of four suits"),
        Rule("queens", 60, "four queens of four suits"),
        Rule("jacks", 40, "four jacks of four suits"),
        Rule("eight_aces", 200, "all eight aces"),
        Rule("eight_kings", 160, "all eight kings"),
        Rule("eight_queens", 120, "all eight queens"),
        Rule("eight_jacks", 80, "all eight jacks"),
        Rule(
            "fresh",
            "hand",
            "where each meld's new card comes from: the hand, or also the table, for what is held in mind",
            choices=("table", "hand"),
        ),
        Rule("hand", 12, "cards dealt to each player", low=12, high=12),
        Rule("lowest", 9, "the lowest cards of the pack; that of trumps is the dix", low=9, high=9),
        Rule("packs", 2, "packs shuffled together", low=2, high=2),
        Rule("reform", "no", "a broken combination is not completed again", choices=("no",)),
    ),
    module="simcards.games.bezique.binocle",
    strategies=("random", "basic", "mc"),
    synonyms=("pinochle", "two-hand-pinochle", "two-handed-pinochle", "бинокль", "пинокль"),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({})}),
    hand=12,
    clashes=(Clash({"looking": "yes", "claims": "no"}, "nobody is asked for a claim"),),
    features=(
        Feature("binocle", "n('QS') >= 1 and n('JD') >= 1", "queen of spades and jack of diamonds"),
        Feature("double binocle", "n('QS') >= 2 and n('JD') >= 2", "two of each"),
        Feature("grand binocle", "n('KS') >= 1 and n('QS') >= 1 and n('JD') >= 1", "the king of spades with them"),
        *_COURT[:5],
        Feature("four aces", _DIFFERENT.format("A"), "of four suits"),
        Feature("four kings", _DIFFERENT.format("K"), "of four suits"),
        Feature("four queens", _DIFFERENT.format("Q"), "of four suits"),
        Feature("four jacks", _DIFFERENT.format("J"), "of four suits"),
        Feature("four of a kind that scores", "any_rank(count_suits(n() >= 1) == 4, 'A K Q J')", "of four suits"),
        Feature("eight of a kind", "any_rank(n() >= 8, 'A K Q J')", "aces, kings, queens or jacks"),
        Feature("dix", "n('9H') >= 1", "the lowest card of a named suit, of trumps, say"),
        *_HELD,
    ),
)

_WITH_SEVENS = {
    "lowest": Rule("lowest", 7, "the lowest cards of the pack; that of trumps is the dix", low=7, high=7),
    "hand": Rule(
        "hand", 12, "cards dealt to each player", low=12, high=12, hint="with eight cards each it is the game bezique"
    ),
}
BINOCLE_64 = replace(
    BINOCLE,
    id="binocle-64",
    title="Binocle with 64 cards",
    summary="Binocle with sevens and eights: two packs of 32, the seven of trumps is the dix.",
    pack=Pack(RANKS, copies=2),
    rules=tuple(_WITH_SEVENS.get(rule.name, rule) for rule in BINOCLE.rules),
    synonyms=("pinochle-64", "бинокль-64", "бинокль 64 карты"),
    features=tuple(
        replace(feature, expression="n('7H') >= 1") if feature.name == "dix" else feature
        for feature in BINOCLE.features
    ),
)

_CHOUETTE = "One player against a line of opponents in a session of games, for all their stakes"
CHOUETTES = tuple(
    (base, replace(ruleset, module="simcards.games.bezique.chouettes"))
    for base, ruleset in (
        (
            RUBICON,
            chouette_rules(
                RUBICON,
                "chouette-bezique",
                "Chouette bezique",
                f"{_CHOUETTE}: rubicon bezique.",
                "chouette",
                "chouette-rubicon",
                "шут-безик",
                "шут безик",
                "в шут-безике",
                source="Hoyle's encyclopedia, Chouette bezique",
            ),
        ),
        (
            SIX_PACKS,
            chouette_rules(
                SIX_PACKS,
                "chouette-six-pack",
                "Chouette bezique with six packs",
                f"{_CHOUETTE}: bezique with six packs.",
                source="Hoyle's encyclopedia, Chouette bezique; Encyclopedia of games, Bezique",
            ),
        ),
    )
)

RULESETS = (
    BEZIQUE,
    POLISH,
    RUBICON,
    CHINESE,
    SIX_PACKS,
    CINQ_CENTS,
    PENCHANT,
    THREE_HANDED,
    FOUR_HANDED,
    BINOCLE,
    BINOCLE_64,
    *(ruleset for _, ruleset in CHOUETTES),
)
