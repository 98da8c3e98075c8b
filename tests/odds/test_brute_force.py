"""Exact counts against going through all hands of small packs, for random questions."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from simcards.cards import Pack
from simcards.errors import UsageError
from simcards.odds.deal import Deal, make_deal
from simcards.odds.exact import NotCounted, count
from simcards.odds.expression import parse
from simcards.odds.ground import Graph, ground

from .brute import Cards, Question, all_hands, distribution, maker

PACKS = (
    (Cards("JQKA", "SHDC"), {"hand": 4}),
    (Cards("9TJQKA", "SH"), {"hand": 5}),
    (Cards("QKA", "SHD", copies=2), {"hand": 4}),
    (Cards("789T", "SHDC", jokers=2), {"hand": 3}),
    (Cards("KA", "SH", copies=3), {"hand": 5}),
    (Cards("JQKA", "SH"), {"hand1": 2, "hand2": 3}),
    (Cards("QKA", "SHD"), {"hand": 3, "talon": 2}),
    (Cards("TJQKA", "S", copies=2), {"hand": 4}),
    (Cards("A", "SHDC", copies=3), {"hand": 5}),
)
HANDS = {index: list(all_hands(*each)) for index, each in enumerate(PACKS)}
ROUTES = (None, "enumeration", "suits", "ranks", "classes")


def deal_of(cards: Cards, sizes: dict[str, int]) -> Deal:
    pack = Pack(cards.ranks, cards.suits, cards.copies, cards.jokers)
    return make_deal(pack, hands=sizes) if list(sizes) != ["hand"] else make_deal(pack, sizes["hand"])


def counted(deal: Deal, text: str, given: str | None = None, route: str | None = None) -> tuple[dict[int, int], int]:
    graph = Graph(deal)
    node = ground(parse(text, deal), graph, strict=False)
    condition = None if given is None else ground(parse(given, deal), graph, strict=False)
    made = count(graph, node, condition, route=route)
    return made.counts, made.total


def same(ours: tuple[dict[int, int], int], truth: tuple[dict[int, int], int]) -> bool:
    """Compare distributions; ours deals only the hands that are asked about."""
    (our_counts, our_total), (counts, total) = ours, truth
    if our_counts.keys() != counts.keys():
        return False
    return all(our_counts[value] * total == counts[value] * our_total for value in counts)


ASKED = (st.sampled_from(range(len(PACKS))), st.randoms(use_true_random=False), st.booleans(), st.integers(0, 3))


@settings(max_examples=120, deadline=None)
@given(*ASKED)
def test_random_questions(which: int, rng: random.Random, condition: bool, depth: int) -> None:
    check_question(which, rng, condition, depth)


@pytest.mark.slow
@settings(max_examples=3_000, deadline=None)
@given(*ASKED)
def test_many_random_questions(which: int, rng: random.Random, condition: bool, depth: int) -> None:
    check_question(which, rng, condition, depth)


def check_question(which: int, rng: random.Random, condition: bool, depth: int) -> None:
    cards, sizes = PACKS[which]
    made = maker(cards, sizes, rng)
    question = made.condition(depth) if condition else made.number(depth)
    truth = distribution(question, HANDS[which])
    deal = deal_of(cards, sizes)
    for route in ROUTES:
        assert same(counted(deal, question.text, route=route), truth), (question.text, route)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(range(len(PACKS))), st.randoms(use_true_random=False), st.integers(0, 2))
def test_random_conditions(which: int, rng: random.Random, depth: int) -> None:
    check_condition(which, rng, depth)


@pytest.mark.slow
@settings(max_examples=1_500, deadline=None)
@given(st.sampled_from(range(len(PACKS))), st.randoms(use_true_random=False), st.integers(0, 2))
def test_many_random_conditions(which: int, rng: random.Random, depth: int) -> None:
    check_condition(which, rng, depth)


def check_condition(which: int, rng: random.Random, depth: int) -> None:
    cards, sizes = PACKS[which]
    made = maker(cards, sizes, rng)
    question, given = made.number(depth), made.condition(depth)
    truth = distribution(question, HANDS[which], given)
    for route in ROUTES:
        counts, total = counted(deal_of(cards, sizes), question.text, given.text, route)
        assert bool(total) == bool(truth[1])
        assert same((counts, total), truth), (question.text, given.text, route)


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 2))
def test_known_cards(rng: random.Random, depth: int) -> None:
    """Cards in the hand and cards elsewhere."""
    cards = Cards("TJQKA", "SH", copies=2)
    deck = cards.all
    rng.shuffle(deck)
    held, elsewhere = deck[:3], deck[3:6]
    made = maker(cards, {"hand": 6}, rng)
    question = made.condition(depth) if rng.random() < 0.5 else made.number(depth)
    hands = [{"hand": [*held, *rest["hand"]]} for rest in all_hands(cards, {"hand": 3}, without=(*held, *elsewhere))]
    deal = make_deal(Pack("TJQKA", "SH", 2), f"{' '.join(held)} +3", known=elsewhere)
    truth = distribution(question, hands)
    for route in ROUTES:
        assert same(counted(deal, question.text, route=route), truth), (question.text, route)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(range(len(PACKS))), st.randoms(use_true_random=False), st.integers(0, 2))
def test_a_comparison_that_is_refused_never_holds(which: int, rng: random.Random, depth: int) -> None:
    cards, sizes = PACKS[which]
    question = maker(cards, sizes, rng)._compare(depth, False, False)
    deal = deal_of(cards, sizes)
    try:
        ground(parse(question.text, deal), Graph(deal))
    except UsageError as error:
        assume(error.start == 0 and error.end == len(question.text))  # the outermost comparison
        assert distribution(question, HANDS[which])[0].keys() <= {0}


@pytest.mark.parametrize(
    "text",
    [
        "max_suit(n() - 5)",
        "min_suit(5 - n())",
        "max_suit(points('A-1 K-2')) + min_rank(n() - 4)",
        "max(0 - n('A'), 0 - n('K'))",
        "rank_run() * 10 + run()",
        "run() if n('A') >= 1 else rank_run()",
    ],
)
def test_chosen_questions(text: str) -> None:
    """Against the compiled enumeration, which shares nothing with the convolutions but the written-out question."""
    deal = make_deal("20x2", 5)
    truth = counted(deal, text, route="compiled")
    for route in ROUTES:
        assert counted(deal, text, route=route) == truth


def test_a_condition_within_blocks() -> None:
    """A condition that fails in one suit says nothing of the others."""
    deal = make_deal("32x6", 12)
    text, condition = "any_suit(run() >= 4)", "any_suit(n('7') >= 1 and n('8') >= 1 and n('9') >= 1)"
    both, _ = counted(deal, f"{text} and {condition}")
    alone, _ = counted(deal, condition)
    for route in (None, "suits"):
        assert counted(deal, text, condition, route=route) == ({0: alone[1] - both[1], 1: both[1]}, alone[1])


def questions(which: int, number: int, seed: int) -> list[Question]:
    cards, sizes = PACKS[which]
    made = maker(cards, sizes, seed)
    found: dict[str, Question] = {}
    while len(found) < number:
        depth = made.random.randint(0, 2)
        question = made.condition(depth) if made.random.random() < 0.5 else made.number(depth)
        found.setdefault(question.text, question)
    return list(found.values())


@pytest.mark.parametrize("which", [1, 2, 3, 6])
def test_compiled_functions(which: int) -> None:
    """The compiled function of many questions, on all hands."""
    from simcards.odds import kernels
    from simcards.odds.kernels import kernel, pointer

    cards, sizes = PACKS[which]
    deal = deal_of(cards, sizes)
    asked = questions(which, 25, seed=which)
    graph = Graph(deal)
    nodes = [ground(parse(each.text, deal), graph, strict=False) for each in asked]
    made = kernels.program(graph, nodes)

    @kernel
    def ask(question, counts, out):
        return question(pointer(counts), pointer(out))

    out = np.zeros(len(asked), np.int64)
    for hands in HANDS[which][::7]:
        counts = np.zeros(max(1, len(made.places) * deal.pack.types), np.int64)
        for column, place in enumerate(made.places):
            for card in hands[deal.places[place].name]:
                counts[column * deal.pack.types + deal.pack.code(card)] += 1
        assert ask(made.function, counts, out) == 1
        for value, question, (low, high) in zip(out.tolist(), asked, made.bounds, strict=True):
            assert value == int(question.answer(hands, None, None)), question.text
            assert low <= value <= high, question.text


@pytest.mark.parametrize("which", [0, 2, 5, 6])
def test_compiled_enumeration(which: int) -> None:
    cards, sizes = PACKS[which]
    deal = deal_of(cards, sizes)
    tried = 0
    for question, other in zip(questions(which, 3, seed=50 + which), questions(which, 9, seed=90 + which)[::3]):
        condition = other.text if other.is_condition else None
        truth = distribution(question, HANDS[which], other if condition else None)
        try:
            ours = counted(deal, question.text, condition, route="compiled")
        except NotCounted:
            continue
        assert same(ours, truth), (question.text, condition)
        tried += 1
    assert tried
