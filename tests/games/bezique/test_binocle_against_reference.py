"""Binocle with 48 and with 64 cards: the compiled games against the reference, at every step."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from .compare import Pair, compare_random, compare_traced
from .kernel import kernel
from .reference_binocle import DEFAULTS, MELDS, MISSING, Binocle, code_of

GAMES = ("binocle", "binocle-64")
VARIATIONS = [
    {},
    {"target": 0},
    {"target": 400, "target_step": 50, "grand_binocle": "yes"},
    {"target": 300, "claims": "no", "target_step": 60},
    {"target": 0, "fresh": "table", "grand_binocle": "yes", "grand_value": 83},
    {"draw_order": "pone", "dix_with_meld": "no", "target": 500},
    {"target": 600, "looking": "yes"},
    {"target": 0, "marriage": 21, "royal_marriage": 43, "royal_sequence": 151, "binocle": 41, "double_binocle": 87}
    | {"dix": 11, "last_trick": 13, "aces": 101, "eight_aces": 211, "kings": 82, "eight_queens": 123},
    {"target": 350, "ace": 7, "ten": 0, "king": 9, "queen": 1, "jack": 5},
]


def weights(phase, action):
    if phase == "claim":
        return (0.95, 0.03, 0.02)[action]
    return 10 if phase == "declare" and action else 1


def seldom_claims(phase, action):
    return (1, 0.002, 0.01)[action] if phase == "claim" else weights(phase, action)


LARGE = {5, 6, 7, 8, 10, 18, 19, 20, 21, 22}  # sequences, the double and the grand binocle, eights
FOURS = {13, 14, 15, 16}
MARRIAGES = {1, 2, 3, 4}


def collects(wanted, liked=frozenset()):
    """Keep some cards as long as possible and wait for the liked melds, so that what is rare comes up."""

    def chances(phase, action):
        if phase == "play":
            return 0.003 if wanted(action % 32) else 1
        if phase == "declare" and liked:
            return 20 if action in liked else 0.3
        return seldom_claims(phase, action)

    return chances


PAIR = (code_of("QS"), code_of("JD"), code_of("KS"))
HABITS = [weights, seldom_claims, lambda phase, action: 1]
HOARDS = [(lambda card, rank=rank: card % 8 == rank, liked) for rank in (3, 4, 5, 7) for liked in ((), LARGE)]
HOARDS += [(lambda card: card in PAIR, liked) for liked in ((), LARGE)]
HOARDS += [
    (lambda card, suit=suit: card // 8 == suit and card % 8 >= 3, LARGE if suit > 1 else ()) for suit in range(4)
]
HOARDS += [(lambda card: card % 8 in (4, 5), FOURS), (lambda card: card % 8 in (4, 5), FOURS | {9})]
HOARDS += [(lambda card: card % 8 in (3, 4), FOURS), (lambda card: card % 8 < 3, ())]


def dealt(rng, pack, chosen):
    """A dealing order in which one player gets all the chosen cards."""
    chosen = list(chosen)
    rest = list((Counter(pack) - Counter(chosen)).elements())
    rng.shuffle(rest)
    first = 4 * rng.randrange(2)  # the pone has every other four of the first 24
    places = [place for start in (0, 8, 16) for place in range(first + start, first + start + 4)]
    for place in sorted(rng.sample(places, len(chosen))):
        rest.insert(place, chosen.pop())
    return rest


def hoarding_game(game, rules, reference, rng, chances, wanted):
    """A game of random actions with these chances; one player of each deal gets up to twelve of the wanted cards."""
    pair = Pair(kernel(game, rules), reference)
    pack = [code_of(name) for name in reference.pack]
    while not reference.over:
        if reference.step == "deal":
            pair.deal(dealt(rng, pack, rng.sample(wanted, min(len(wanted), rng.randint(8, 12)))))
            continue
        actions = sorted(reference.legal())
        pair.apply(rng.choices(actions, [chances(reference.step, action) for action in actions])[0])
    return pair.finish()


def random_game(game, rules, index):
    """One game by one of the habits; where they keep some cards, every second with these dealt to one player."""
    reference = Binocle(game, rules)
    if index % 3 == 0:
        row = compare_random(kernel(game, rules), reference, index, HABITS[index // 3 % len(HABITS)])
    else:
        wanted, liked = HOARDS[index // 3 % len(HOARDS)]
        early = [card for card in map(code_of, reference.pack) if index % 3 == 1 and wanted(card)]
        row = hoarding_game(game, rules, reference, random.Random(index), collects(wanted, liked), early)
    values = DEFAULTS | rules
    for seat in (0, 1):
        sources = (*MELDS, "dix", "cards", "last_trick")
        assert row["points"][seat] == sum(row[f"points_{source}"][seat] for source in sources)
        for meld in MELDS:
            value = values["grand_value" if meld == "grand_binocle" else meld]
            assert row[f"points_{meld}"][seat] == value * row[f"count_{meld}"][seat]
            assert (row[f"first_{meld}"][seat] == MISSING) == (row[f"count_{meld}"][seat] == 0)
    return reference.events


@pytest.mark.parametrize("game", GAMES)
def test_games_alike(game):
    """Traced and random games under all variations; together they hold everything that can happen."""
    seen = Counter()
    for rules in VARIATIONS:
        for index in range(10):
            for strategy in ("random", "basic"):
                compare_traced(kernel(game, rules), lambda rules=rules: Binocle(game, rules), strategy, index)
        for index in range(54):
            seen += random_game(game, rules, index)
    ends = {"right claim", "wrong claim", "won at the end of a deal", "both had it", "reached in play", "looked"}
    rest = {"dix turned", "dix exchanged", "dix shown"}
    missing = {*MELDS, *ends, *rest} - set(seen)
    assert not missing


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("cards", "first", "kind"),
    [
        ("KS KH KD KC QS QH QD QC KS QS", FOURS, "marriage"),
        ("KS KH KD KC QS QH QD QC KC KD", MARRIAGES, "four"),
        ("JS JH JD JC KS QS QS JD", MARRIAGES | FOURS, "binocle"),
    ],
)
def test_choices_of_the_fresh_card(game, cards, first, kind):
    """All cards of a meld lie on the table for other ones, and several are in the hand: any can be the fresh one."""
    rules = {"target": 0}
    early = [code_of(card) for card in cards.split()]
    chances = collects(lambda card: card in early, first)
    found = 0
    for seed in range(40):
        reference = Binocle(game, rules)
        deal = [*early, code_of("AS"), code_of("AH")]
        hoarding_game(game, rules, reference, random.Random(seed), chances, deal)
        found += reference.events["lay " + kind]
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_games_alike(game):
    seen = Counter()
    for rules in VARIATIONS:
        for index in range(10, 210):
            for strategy in ("random", "basic"):
                compare_traced(kernel(game, rules), lambda rules=rules: Binocle(game, rules), strategy, index)
        for index in range(54, 354):
            seen += random_game(game, rules, index)
    rare = {"claim when both have it", "wrong claim against one who has it"}
    assert not rare - set(seen)


@pytest.mark.parametrize("game", GAMES)
def test_row_has_no_unchecked_quantity(game):
    """`Pair.finish` compares by name; every byte of the row has a name the reference measures."""
    rules = {"target": 0}
    pair = Pair(kernel(game, rules), Binocle(game, rules))
    rng = random.Random(1)
    pair.deal(rng.sample([code_of(name) for name in pair.reference.pack], len(pair.reference.pack)))
    while not pair.reference.over:
        pair.apply(rng.choice(sorted(pair.reference.legal())))
    measured = pair.finish()
    row = kernel(game, rules).game.row
    left = set(range(row.itemsize))
    for name in measured:
        kind, offset = row.fields[name][:2]
        left -= set(range(offset, offset + kind.itemsize))
    assert not left


@pytest.mark.parametrize("game", GAMES)
def test_printed_values(game):
    """The rules of the compiled game have the values which the reference took from the text."""
    defaults = {rule.name: rule.default for rule in kernel(game, {}).game.ruleset.rules}
    assert {name: defaults.get(name) for name in DEFAULTS} == DEFAULTS
