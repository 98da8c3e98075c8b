"""Advice on whole discards: which there are, and what they are worth against deals in which just they are made."""

import itertools
import math

import pytest

import simcards
from simcards.errors import UsageError
from simcards.study.advise import advise as judge

GAME = simcards.game("piquet-rubicon")
HAND = "KS QS JS 8S AH TH 9H AD KD 7D QC 7C"
CARDS = HAND.split()

# Discards just these cards
FIXED = """
import numpy as np
from simcards import strategy
from simcards.kernel.bits import lowest

fixed = strategy("piquet-rubicon", doc="discards given cards")
WANTED = np.uint64({wanted})
STOP = 32

@fixed.phase("exchange")
def exchange(view, legal, rng, options):
    rest = legal & WANTED
    return np.int64(lowest(rest)) if rest else np.int64(STOP)
"""


def mask(cards):
    return sum(1 << ("SHDC".index(card[1]) * 8 + "789TJQKA".index(card[0])) for card in cards.split())


def ways(most, least, cards=CARDS):
    return {frozenset(some) for count in range(least, most + 1) for some in itertools.combinations(cards, count)}


def discards(words):
    return frozenset(words.removeprefix("discards ").replace("nothing", "").replace("no more", "").split())


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"hand": HAND}, ways(5, 1)),
        ({"hand": HAND, "seat": "younger"}, ways(3, 0)),
        ({"hand": HAND, "seat": "younger", "position": "elder took: 2"}, ways(6, 0)),
        ({"hand": HAND, "rules": {"elder_least": 0, "elder_most": 2}}, ways(2, 0)),
    ],
)
def test_every_set_of_cards_is_one_way(settings, expected):
    asked = GAME.question(**settings)
    assert asked.ways == len(asked.words) == len(expected)
    assert {discards(words) for words in asked.words} == expected
    for words, actions in zip(asked.words, asked.sequences):
        cards = [action for action in actions if action < 32]
        assert cards == sorted(cards)
        assert sum(1 << card for card in cards) == mask(" ".join(discards(words)))


def test_the_rest_of_a_discard_that_has_begun():
    asked = GAME.question("hand: KS QS JS AH TH 9H AD KD 7D QC 7C; discards: 8S", whole=True)
    later = [card for card in CARDS if mask(card) > mask("8S")]
    assert {discards(words) for words in asked.words} == ways(4, 0, later)
    assert "discards no more" in asked.words


def test_without_a_hand_only_the_next_action_is_asked_about():
    assert len(GAME.question(f"hand: {HAND}").words) == 12
    assert len(GAME.question(f"hand: {HAND}", whole=True).words) == 1585


@pytest.mark.parametrize("cards", ["TH 9H 7D QC 7C", "8S 9H 7D"])
def test_a_discard_of_elder_is_worth_what_deals_with_it_bring(tmp_path, cards):
    file = tmp_path / "mine.py"
    file.write_text(FIXED.format(wanted=mask(cards)), encoding="utf-8")
    played = GAME.play([f"{file}:fixed", "basic"], deals=20_000, fixed={"elder": HAND}, seed=3).frame
    deals = played.query("quantity == 'value' and seat == 'elder'").iloc[0]
    found = only(GAME.question(hand=HAND), cards)
    assert abs(found["estimate"] - deals["estimate"]) < 4 * math.hypot(found["se"], deals["se"])


def test_a_discard_of_younger_is_worth_what_deals_with_it_bring(tmp_path):
    """Advice takes elder for one who discards as `basic` does."""
    cards = "TH 9H 7D"
    file = tmp_path / "mine.py"
    file.write_text(FIXED.format(wanted=mask(cards)), encoding="utf-8")
    each = ["basic:exchange=5", f"{file}:fixed"]
    played = GAME.play(each, deals=20_000, fixed={"younger": HAND}, seed=3).frame
    deals = played.query("quantity == 'value' and seat == 'younger'").iloc[0]
    found = only(GAME.question(hand=HAND, seat="younger"), cards)
    assert abs(found["estimate"] - deals["estimate"]) < 4 * math.hypot(found["se"], deals["se"])


def only(question, cards):
    """Judge one way alone."""
    from dataclasses import replace

    place = next(k for k, words in enumerate(question.words) if discards(words) == frozenset(cards.split()))
    alone = replace(question, sequences=question.sequences[place : place + 1], words=question.words[place : place + 1])
    return judge(alone, worlds=8000, seed=11).records[0]


def test_the_best_of_all_is_found():
    """Every way in the same worlds, against the ten that are left when they are sifted."""
    asked = GAME.question(hand=HAND, seat="younger")
    every = judge(asked, worlds=1000, seed=5, top=100)
    few = judge(asked, worlds=1000, seed=5)
    assert len(few.records) in (10, 11)
    assert [record["action"] for record in few.records[:5]] == [record["action"] for record in every.records[:5]]
    known = {record["action"]: record for record in every.records}
    for record in few.records[:5]:
        same = known[record["action"]]
        assert (record["estimate"], record["se"]) == (same["estimate"], same["se"])
    assert sum(record["basic"] for record in few.records) == 1.0
    assert few.provenance["ways"] == 299
    assert "the most promising of 299 ways" in str(few)


def test_the_number_of_workers_makes_no_difference():
    asked = GAME.question(hand=HAND, seat="younger")
    one, two = (judge(asked, worlds=300, seed=5, top=4, workers=workers) for workers in (1, 3))
    assert one.records == two.records
    assert len(one.records) in (4, 5)


def test_the_actions_of_a_way_are_in_the_records():
    record = GAME.advise(hand=HAND, worlds=50, top=1).records[0]
    actions = [int(action) for action in record["codes"].split()]
    assert discards(record["action"]) == {card for card in CARDS if any(mask(card) == 1 << one for one in actions)}


def test_cards_that_the_other_is_known_to_hold():
    asked = GAME.question("known: AS TS", hand=HAND)
    assert int(asked.view[0]["public"][1]["shown"]) == mask("AS TS")
    assert "known: AS TS" in asked.text.splitlines()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hand": "KS QS"}, "a player is dealt 12"),
        ({"hand": ""}, "the hand is written 'QS JD KH', say, not ''"),
        ({"hand": HAND + "; deal: 2"}, "the hand is written"),
        ({"hand": HAND, "seat": "third"}, "seat: elder or younger"),
        ({"hand": HAND, "seat": "third; deal: 2"}, "the seat is written 'elder', say"),
        ({"hand": HAND, "position": f"hand: {HAND}"}, "the position says 'hand' twice"),
        ({"hand": HAND, "deal": 1}, "name one of them"),
        ({"hand": HAND, "top": 0}, "the number of best choices must be from 1"),
        ({"hand": HAND, "whole": "yes"}, "whole"),
        ({"hand": HAND, "position": "known: KS"}, "known: KS is one of the player's own cards"),
        ({"hand": HAND, "position": "known: AS TS 9S 7S KH QH JH 8H 7H QD JD TD 9D"}, "known: 13 cards"),
        ({"seat": "younger"}, "a player is dealt 12"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(settings, message):
    with pytest.raises(UsageError, match=message) as caught:
        GAME.advise(**settings)
    assert "\n" not in str(caught.value)
