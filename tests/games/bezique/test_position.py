"""Positions in words: written and read they are the same view, and what cannot be is refused in one line."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import simcards
from simcards.games.registry import load
from simcards.study.advise import read_position
from tests.games.bezique.positions import check_changed_texts, check_there_and_back, decisions

# A dealt hand that is a carte blanche is rare, so it is given
PLAIN = {"pone": "7S 7S 8S 8S 9S 9S TS TS AS", "dealer": "7H 7H 8H 8H 9H 9H TH TH AH"}
STUDIES = [
    ("rubicon-bezique", "basic", {}, 0, {}, None, 2),
    ("rubicon-bezique", "random", {}, 1, {}, None, 1),
    ("rubicon-bezique", "basic", PLAIN, 2, {}, None, 2),
    ("rubicon-bezique", "random", PLAIN, 3, {"reform": "no"}, None, 1),
    ("rubicon-bezique", "random", {"pone": "AS AS AS AH AH AH AD AD AC"}, 4, {}, None, 3),
    ("bezique", "basic", {}, 0, {}, None, 4),
    ("bezique", "random", {}, 1, {"draw_order": "pone", "brisques": "at_end"}, None, 3),
    ("bezique", "basic", {"turn-up": "7H", "pone": "7H"}, 2, {"reform": "yes"}, None, 2),
    ("bezique", "basic", {}, 3, {}, "game", 1),
    ("bezique", "random", {"pone": "AS AS AH AH AD AD AC AC", "turn-up": "9S"}, 4, {"reform": "yes"}, None, 6),
]


def views_of(study: int):
    """Every decision of a few deals: the plan, and what its player knows."""
    name, strategy, fixed, seed, rules, unit, deals = STUDIES[study]
    return decisions(name, strategy, tuple(fixed.items()), seed, tuple(rules.items()), unit, deals)


@pytest.mark.parametrize("study", range(len(STUDIES)))
def test_a_replayed_position_is_written_and_read_as_the_same_view(study):
    check_there_and_back(*views_of(study))


def test_these_positions_are_many_and_of_all_kinds():
    phases: dict[str, Counter[str]] = {"bezique": Counter(), "rubicon-bezique": Counter()}
    keys: dict[str, set[str]] = {"bezique": set(), "rubicon-bezique": set()}
    for study in range(len(STUDIES)):
        plan, found = views_of(study)
        for step, view in found:
            phases[plan.game][step.phase] += 1
            keys[plan.game] |= set(plan.load().positions.write(view[0]))
    for name, counts in phases.items():
        game = load(name)
        assert set(counts) == set(game.phases)
        assert counts.total() > 500
        assert keys[name] == set(game.positions.keys)


def read(game: str, text: str, **rules: object):
    return read_position(simcards.game(game).plan(rules=rules), text)


HAND = "QS JD AS KH TC 9D 8H 7C"
NINE = f"{HAND} 7D"


def test_a_short_text_is_enough():
    question = read("bezique", f"hand: {HAND}; trump: H; stock: 20")
    view = question.view[0]
    assert (question.seat, question.phase) == ("pone", "play")
    assert question.words == tuple(f"plays {card}" for card in ["QS", "AS", "8H", "KH", "9D", "JD", "7C", "TC"])
    assert view["common"]["trick"] == 14
    assert view["public"]["cards"].tolist() == [8, 8]
    assert question.complete is not None
    assert question.assumed == (
        "7H turned up, as after an exchange",
        "no points so far",
        "the 28 cards played were not named: drawn at random in each world",
        "aces and tens played went to either player at random in each world",
    )


def test_a_fresh_deal_leaves_nothing_open():
    question = read("rubicon-bezique", f"hand: {NINE}")
    assert (question.complete, question.assumed, question.seat) == (None, (), "pone")
    assert question.view[0]["common"]["stock"] == 110
    question = read("bezique", f"hand: {HAND}\nturn-up: 9H  # the card beneath the stock\n\nled: TS")
    assert (question.complete, question.assumed, question.seat) == (None, (), "dealer")
    assert question.view[0]["common"]["trump"] == 1


@pytest.mark.parametrize(
    ("text", "stock", "trick"),
    [
        ("hand: QS JD", 0, 53 + 9),
        ("hand: QS JD AS KH TC 9D 8H 7C 7D; played: 7S 7S 8S 8S", 106, 2),
        ("hand: QS JD AS KH TC 9D 8H 7C; phase: declare", 110, 1),
        ("hand: QS JD AS KH TC 9D 8H 7C; phase: declare; played: 7S 7S 8S 8S", 108, 2),
    ],
)
def test_the_stock_follows_from_the_cards(text, stock, trick):
    view = read("rubicon-bezique", text).view[0]
    assert view["common"]["stock"] == stock
    assert view["common"]["trick"] == trick


def test_marks_without_numbers_are_put_together():
    table = "KH(m) QH(m) KH(f) KS(f) KD(f) KC(f m)"
    view = read("rubicon-bezique", f"hand: 7S 7S QS; table: {table}; trump: H; stock: 60").view[0]
    slots = view["public"]["table"][0][:6]
    assert slots["marriage"].tolist() == [1, 1, 0, 0, 0, 0]  # a king alone is left of a broken marriage
    assert slots["used"].tolist() == [1, 1, 2, 2, 2, 3]
    assert slots["four"].tolist() == [0, 0, 2, 2, 2, 2]
    view = read("rubicon-bezique", "hand: 7S 7S 9S 8S 8S; table: QS(b) JD(b) QS(b2) QS(b); trump: H; stock: 60").view[0]
    slots = view["public"]["table"][0][:4]
    assert slots["bezique"].tolist() == [1, 1, 0, 0]
    assert slots["used"].tolist() == [4, 4, 8, 4]


def counts(cards: str) -> np.ndarray:
    pack = simcards.game("bezique").ruleset.pack
    return np.bincount(pack.parse(cards), minlength=32)


@pytest.mark.parametrize("brisques", ["", "brisques: 5 - 4"])
def test_what_was_left_open_is_filled_in_without_contradiction(brisques):
    played = "AS TS AH 7S 7S 8S"
    question = read("bezique", f"hand: {HAND}; table: ; known: KC; trump: H; stock: 20; played: {played}; {brisques}")
    views = question.views(seed=5, low=0, high=400)
    seen = views["common"]["seen"].astype(int)
    assert (seen.sum(axis=1) == 28).all()
    assert (seen >= counts(played)).all()
    left = 2 - counts(HAND) - counts("KC 7H")
    assert (seen <= left).all()
    high = seen[:, [card for card in range(32) if card % 8 >= 6]].sum(axis=1)
    won = views["deal_brisques"]
    assert (won.sum(axis=1) == high).all()
    assert (views["public"]["brisques"] == won).all()
    if brisques:
        assert (won == [5, 4]).all()
    else:
        assert len(set(map(tuple, won.tolist()))) > 20
    again = question.views(seed=5, low=100, high=200)
    assert (again == views[100:200]).all()
    # each of the cards that cannot be located was played equally often: a card that may be, in 22 of 44 places
    free = left - counts(played)
    share = (seen - counts(played)).mean(axis=0)[free > 0] / free[free > 0]
    if not brisques:
        assert free.sum() == 64 - 8 - 2 - 6
        assert abs(share - 22 / 48).max() < 5 * np.sqrt(0.25 / 400)


WRONG = [
    ("bezique", "", "the position is empty; say at least what the player holds, as in 'hand: QS JD KH'"),
    ("bezique", "QS JD", "a position is written 'key: value; key: value', and 'QS JD' has no colon"),
    ("bezique", f"hnd: {HAND}", "there is no key 'hnd' in a position of bezique; did you mean 'hand'?"),
    ("rubicon-bezique", f"hand: {NINE}; turn-up: 9H", "there is no key 'turn-up' in a position of rubicon-bezique"),
    ("bezique", f"hand: {HAND}; hand: QS", "the position says 'hand' twice"),
    ("bezique", "trump: H", "a position says what the player holds, as in 'hand: QS JD KH'"),
    ("bezique", "hand: QX; trump: H", "hand: 'QX' is not a card"),
    ("bezique", "hand: QS QS QS JD AS KH TC 9D; trump: H; stock: 20", "QS is given 3 times; the pack has 2"),
    ("bezique", f"hand: {HAND} 7D; trump: H", "hand and table hold 9 cards together; a player has at most 8"),
    (
        "bezique",
        "hand: QS JD; trump: H; stock: 20",
        "hand and table hold 2 cards together; a player with 20 cards in the stock has 8",
    ),
    (
        "bezique",
        f"hand: {HAND}; phase: declare; trump: H; stock: 20",
        "hand and table hold 8 cards together; a player in the phase 'declare' has 7",
    ),
    ("bezique", f"hand: {HAND}; trump: H; stock: 21", "stock: two cards are drawn at a time, so it is an even number"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 50", "stock: a whole number from 0 to 48, not '50'"),
    ("bezique", f"hand: {HAND}; trump: H; stock: many", "stock: a whole number from 0 to 48, not 'many'"),
    ("bezique", f"hand: {HAND}; trump: X", "trump: a suit, S, H, D or C, not 'x'"),
    ("bezique", f"hand: {HAND}; stock: 20", "which suit is trumps? name it or the card turned up"),
    ("bezique", f"hand: {HAND}; trump: H", "at the first trick the card turned up is still there: name it"),
    ("bezique", f"hand: {HAND}; trump: H; turn-up: 9S", "9S turned up makes spades trumps"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; phase: shw", "there is no phase 'shw' of bezique; known: declare"),
    (
        "bezique",
        "hand: QS JD; trump: H; phase: declare; stock: 0",
        "the phase 'declare' does not fit: nothing is declared when the stock is gone",
    ),
    ("bezique", "hand: QS; table: JD; trump: H; stock: 0", "the tables are empty when the stock is gone"),
    (
        "bezique",
        f"hand: {HAND}; trump: H; stock: 46; played: 7S 7S 8S 8S",
        "played: 4 cards, but with 46 cards in the stock and 8 with the player it is 2",
    ),
    ("bezique", f"hand: {HAND}; trump: H; played: 7S 7S 8S", "played: 3 cards, but tricks have two"),
    ("bezique", f"hand: {HAND}; turn-up: 9H; seat: dealer", "at the first trick the pone leads, so without a card led"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; seat: north", "seat: pone or dealer, not 'north'"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; points: 30", "points: two numbers, one's own and the other's"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; tricks: 3 - 4", "tricks: 3 and 4, but 14 have been played"),
    (
        "bezique",
        "hand: QS JD; trump: H; brisques: 9 - 8",
        "brisques: 9 and 8, but the cards played hold 14 to 16 aces and tens",
    ),
    (
        "bezique",
        f"hand: {HAND}; trump: H; stock: 20; known: {HAND} 7S",
        "known and other table name 9 cards; the other",
    ),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; shown: AH", "shown: AH is not in the hand"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; deal: 2", "deal: there is only one, unless the unit is a game"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; led: 7S 8S", "led: one card, not 2"),
    ("bezique", f"hand: {HAND}; trump: H; stock: 20; credit: A", "credit: a further card of a scored four scores only"),
    (
        "bezique",
        f"hand: {HAND}; trump: H; stock: 20; sevens: 1 - 0",
        "sevens: 1 of trumps in the hand cannot have been scored, it has 0",
    ),
    ("bezique", "hand: QS; table: 7S(m); trump: H", "table: 7S cannot have been scored in a marriage"),
    ("bezique", "hand: QS; table: QS(b3); trump: H", "table: QS cannot have been scored in a bezique of level 3"),
    ("bezique", "hand: QS; table: KS(x); trump: H", "table: 'x' behind KS is no mark; they are m, s, b and f"),
    (
        "bezique",
        "hand: QS JD AS KH TC 9D 8H; table: KS(m4); trump: H; stock: 20",
        "table: the marriage with the number 4 is not whole; what is broken is marked with -",
    ),
    (
        "bezique",
        "hand: AS AS AH AH AD AD AC; declared: jacks; trump: H; stock: 20",
        "declared: four jacks cannot be scored with these cards",
    ),
    (
        "bezique",
        "hand: AS AS AH AH 7D 7C 8C; declared: aces; trump: S; stock: 20",
        "the phase 'lay' does not fit: there is no choice of cards for four aces",
    ),
    (
        "bezique",
        "hand: AS AS AH AH AD AD AC; declared: aces; taken: AC AC; trump: S; stock: 20",
        "taken: AC cannot be taken for four aces here",
    ),
    ("bezique", f"hand: {HAND}; phase: lay; trump: S; stock: 20", "hand and table hold 8 cards together; a player in"),
    (
        "rubicon-bezique",
        f"hand: {NINE}; phase: show",
        "carte blanche is a hand without king, queen and jack; QS is one",
    ),
    ("rubicon-bezique", f"hand: {NINE}; carte blanche: mine; stock: 60", "carte blanche is a hand without king, queen"),
    (
        "rubicon-bezique",
        "hand: 7S 7S 8S 8S 9S 9S TS TS AS; phase: show; stock: 100",
        "a drawn card is shown only by who has shown carte blanche: say 'carte blanche: mine'",
    ),
    (
        "rubicon-bezique",
        f"hand: {NINE}; carte blanche: other; stock: 100",
        "carte blanche: the other has shown 9 cards, but 0 are known",
    ),
    (
        "rubicon-bezique",
        "hand: 7S 7S 8S 8S 9S; table: KS(m) QS(m) KH KD; stock: 90",
        "a marriage or a sequence was scored, so there are trumps: name them",
    ),
]


@pytest.mark.parametrize(("game", "text", "wrong"), WRONG, ids=[wrong[:40] for _, _, wrong in WRONG])
def test_what_cannot_be_is_refused_in_one_line(game, text, wrong):
    with pytest.raises(simcards.UsageError) as caught:
        read(game, text)
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("study", [2, 9])
def test_a_text_with_one_thing_changed_is_read_or_refused_in_one_line(study):
    check_changed_texts(*views_of(study))
