"""Advice: the numbers against independent ones, the same for any workers, and stopped as was asked."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import simcards
from simcards.study import advise as advising
from simcards.study.advise import BLOCK, Sums, advise, read_position, replayed_position
from simcards.study.plan import make_plan

from ..games.bezique.reference import settle_rubicon
from .conftest import Interrupt

RANKS = "789JQKTA"
SUITS = "SHDC"
NAMES = [rank + suit for suit in SUITS for rank in RANKS]
BEZIQUE = simcards.game("bezique")
RUBICON = simcards.game("rubicon-bezique")


# The last tricks by the rules alone: follow suit and win if able, else trump if able


def replies(hand, led, trump):
    following = [card for card in hand if card // 8 == led // 8]
    if following:
        return [card for card in following if card > led] or following
    return [card for card in hand if card // 8 == trump] or list(hand)


def without(cards, card):
    left = list(cards)
    left.remove(card)
    return left


def trick(led, reply, trump, last):
    """Points of a trick, and whether the reply wins it."""
    beaten = reply > led if reply // 8 == led // 8 else reply // 8 == trump
    return 10 * ((led % 8 >= 6) + (reply % 8 >= 6)) + (10 if last else 0), beaten


def lead_value(leader, other, trump):
    if not leader:
        return 0
    return max(lead_with(led, leader, other, trump) for led in set(leader))


def lead_with(led, leader, other, trump):
    return min(-reply_with(reply, led, leader, other, trump) for reply in set(replies(other, led, trump)))


def reply_with(reply, led, leader, other, trump):
    """What a reply is worth to who makes it; `leader` still holds the led card."""
    points, beaten = trick(led, reply, trump, len(leader) == 1)
    mine, theirs = without(other, reply), without(leader, led)
    return points + lead_value(mine, theirs, trump) if beaten else -points - lead_value(theirs, mine, trump)


def text_of(cards):
    return " ".join(NAMES[card] for card in cards)


def worths(result):
    return {record["action"].removeprefix("plays "): record for record in result.records}


@pytest.mark.parametrize("leads", [True, False])
def test_known_last_tricks_are_worth_what_a_search_by_the_rules_says(leads):
    rng = np.random.default_rng(3)
    pack = np.repeat(np.arange(32), 2)
    for _ in range(40):
        count = int(rng.integers(1, 5))
        trump = int(rng.integers(4))
        cards = rng.permutation(pack).tolist()
        mine, theirs = cards[:count], cards[count : 2 * count]
        text = f"hand: {text_of(mine)}; trump: {SUITS[trump]}; points: 300 - 280"
        if leads:
            expected = {NAMES[led]: lead_with(led, mine, theirs, trump) for led in mine}
            text += f"; known: {text_of(theirs)}"
        else:
            led = theirs[0]
            expected = {NAMES[card]: reply_with(card, led, theirs, mine, trump) for card in replies(mine, led, trump)}
            text += f"; known: {text_of(theirs[1:])}; led: {NAMES[led]}"
        found = worths(BEZIQUE.advise(text, worlds=4, workers=1))
        assert {card: record["estimate"] for card, record in found.items()} == {
            card: 20 + value for card, value in expected.items()
        }
        assert all(record["se"] == 0.0 for record in found.values())


def all_but(cards):
    """Two packs without some cards."""
    left = list(range(32)) * 2
    for card in cards:
        left.remove(card)
    return left


@pytest.mark.parametrize("brisques", [None, (8, 5)])
def test_hidden_cards_are_averaged_over_all_worlds_that_agree(brisques):
    """Two cards with the other, two played and not named: six ways to deal four cards, all alike."""
    code = {name: place for place, name in enumerate(NAMES)}
    mine = [code[name] for name in ("AH", "TS", "9S")]
    hidden = [code[name] for name in ("AS", "KS", "7H", "TD", "8D")]
    trump = code["7H"] // 8
    played = all_but([*mine, *hidden])
    named = sum(card % 8 >= 6 for card in played)
    worlds = []
    for places in itertools.combinations(range(5), 3):
        theirs = [hidden[place] for place in places]
        gone = [hidden[place] for place in range(5) if place not in places]
        if brisques is None or named + sum(card % 8 >= 6 for card in gone) == sum(brisques):
            worlds.append(theirs)
    assert len(worlds) == (10 if brisques is None else 6)
    expected = {NAMES[led]: np.mean([lead_with(led, mine, theirs, trump) for theirs in worlds]) for led in mine}
    text = f"hand: {text_of(mine)}; trump: H; played: {text_of(played)}"
    if brisques:
        text += f"; brisques: {brisques[0]} - {brisques[1]}"
    found = worths(BEZIQUE.advise(text, worlds=4000, seed=2))
    assert set(found) == set(expected)
    for card, record in found.items():
        values = [lead_with(NAMES.index(card), mine, theirs, trump) for theirs in worlds]
        assert abs(record["estimate"] - expected[card]) < 4 * record["se"] + 1e-9
        assert record["se"] == pytest.approx(np.std(values) / math.sqrt(4000), rel=0.1, abs=1e-9)
    best = max(expected, key=expected.get)
    assert next(iter(found)) == best
    for card, record in found.items():
        apart = [
            lead_with(NAMES.index(card), mine, theirs, trump) - lead_with(NAMES.index(best), mine, theirs, trump)
            for theirs in worlds
        ]
        assert abs(record["difference"] - np.mean(apart)) < 4 * record["difference_se"] + 1e-9
        assert record["difference_se"] == pytest.approx(np.std(apart) / math.sqrt(4000), rel=0.1, abs=1e-9)
        leads = [max(lead_with(led, mine, theirs, trump) for led in mine) for theirs in worlds]
        share = np.mean(
            [lead_with(NAMES.index(card), mine, theirs, trump) == top for theirs, top in zip(worlds, leads)]
        )
        assert abs(record["best"] - share) < 4 * math.sqrt(0.25 / 4000)


@pytest.mark.parametrize(
    ("game", "hand", "more"),
    [
        (RUBICON, {"pone": "QS QS JD AS AH KH TC 9D 8H"}, ""),
        (BEZIQUE, {"pone": "QS JD AS AH KH TC 9D 8H", "turn-up": "9C"}, "turn-up: 9C"),
    ],
)
def test_the_first_action_of_basic_is_worth_what_deals_with_that_hand_bring(game, hand, more):
    played = game.play(deals=30_000, fixed=hand, seed=3, quantities="value").frame.query("seat == 'pone'").iloc[0]
    found = game.advise(f"hand: {hand['pone']}; {more}", worlds=10_000)
    usual = next(record for record in found.records if record["basic"] == 1.0)
    assert abs(usual["estimate"] - played["estimate"]) < 4 * math.hypot(usual["se"], played["se"])


@pytest.mark.parametrize("seat", ["pone", "dealer"])
def test_the_last_trick_of_rubicon_bezique_is_worth_its_settlement(seat):
    rng = np.random.default_rng(8)
    for _ in range(60):
        mine, theirs = rng.choice(np.repeat(np.arange(32), 4), 2, replace=False).tolist()
        trump = int(rng.integers(-1, 4))
        points = (10 * rng.integers(60, 140, 2)).tolist()
        gone = 32 - (mine % 8 >= 6) - (theirs % 8 >= 6)  # all other aces and tens have been won
        won = int(rng.integers(8, gone - 8))
        text = f"seat: {seat}; hand: {NAMES[mine]}; trump: {SUITS[trump] if trump >= 0 else 'none'}"
        text += f"; points: {points[0]} - {points[1]}; brisques: {won} - {gone - won}"
        leads = rng.random() < 0.5
        text += f"; known: {NAMES[theirs]}" if leads else f"; led: {NAMES[theirs]}"
        led, reply = (mine, theirs) if leads else (theirs, mine)
        _, beaten = trick(led, reply, trump, True)
        winner = int(beaten == leads)  # 0: the player
        points[winner] += 50
        brisques = [won, gone - won]
        brisques[winner] += 32 - gone
        record = RUBICON.advise(text, worlds=2, workers=1).records[0]
        assert (record["estimate"], record["se"]) == (settle_rubicon(points, brisques).value, 0.0), text


# Any game


@pytest.fixture
def toy():
    return make_plan("toy-whist", deals=1, strategies=["random", "lowest", "random", "lowest"], seed=4)


def numbers(result):
    return [dict(record) for record in result.records]


def test_a_replayed_decision_of_any_game(toy):
    question = replayed_position(toy, 3, 21)
    result = advise(question, worlds=500, seed=1)
    assert (question.deal, question.decision, question.text) == (3, 21, "")
    assert result.worlds == 500
    assert [record["rank"] for record in result.records] == list(range(1, len(question.actions) + 1))
    estimates = [record["estimate"] for record in result.records]
    assert estimates == sorted(estimates, reverse=True)
    assert result.records[0]["difference"] == result.records[0]["difference_se"] == 0.0
    assert sum(record["best"] for record in result.records) >= 1.0
    usual = [record["code"] for record in result.records if record["basic"]]
    assert usual == [min(question.actions)]  # basic plays the lowest
    assert result.provenance["decision"] == 21
    assert "decision 21 of deal 3 as played by random and lowest" in str(result)


def test_the_last_card_of_a_deal_is_the_only_one(toy):
    result = advise(replayed_position(toy, 0, 52), worlds=40, seed=1, until_clear=True)
    assert len(result.records) == 1
    assert result.settled


def test_workers_and_interrupts_make_no_difference(toy):
    question = replayed_position(toy, 0, 2)
    alone = advise(question, worlds=1000, seed=9, workers=1)
    assert numbers(advise(question, worlds=1000, seed=9, workers=3)) == numbers(alone)
    assert numbers(advise(question, worlds=1000, seed=10, workers=1)) != numbers(alone)
    stopped = advise(question, worlds=1000, seed=9, workers=1, progress=Interrupt(300))
    assert stopped.interrupted
    assert 300 <= stopped.worlds < 1000
    assert stopped.worlds % BLOCK == 0
    assert numbers(advise(question, worlds=stopped.worlds, seed=9, workers=2)) == numbers(stopped)
    assert "interrupted, 1,000 were wanted" in str(stopped)


def test_progress_counts_worlds(toy):
    seen = Interrupt(10**9)
    advise(replayed_position(toy, 0, 2), worlds=100, seed=9, workers=1, progress=seen)
    assert [step.deals for step in seen.seen] == [100] * len(seen.seen)
    assert seen.seen[-1].done == 100


def test_a_run_goes_on_until_it_is_clear():
    # a lead that wins a trick more in every world but some, against one that never does
    text = "hand: AH 7S; trump: H"
    result = BEZIQUE.advise(text, until_clear=True)
    assert result.settled
    assert 1000 <= result.worlds < advising.AT_MOST
    assert "the best action is clear" in str(result)
    few = BEZIQUE.advise(text, until_clear=True, worlds=50)
    assert (few.worlds, few.settled) == (50, False)
    assert "the best action is not clear" in str(few)


def test_a_run_goes_on_until_it_is_precise():
    text = "hand: QS JD AS KH TC 9D 8H 7C; trump: H; stock: 20"
    rough = BEZIQUE.advise(text, precision=12.0)
    assert rough.settled
    fine = BEZIQUE.advise(text, precision=6.0)
    assert fine.settled
    assert fine.worlds > rough.worlds
    order = fine.sums.order()
    assert 1.96 * fine.sums.difference(order[0], order[1])[1] < 6.0
    assert not BEZIQUE.advise(text, precision=0.01, worlds=1000).settled


def test_actions_that_never_differ_count_as_one():
    # two cards that cannot win: whichever goes first, nothing changes
    result = BEZIQUE.advise("hand: 7S 8S; known: AH; led: AD; trump: H", until_clear=True, worlds=5000)
    assert result.records[1]["difference"] == 0.0
    assert result.records[0]["best"] == result.records[1]["best"] == 1.0
    assert result.settled


def test_sums_are_those_of_the_values():
    rng = np.random.default_rng(1)
    values = rng.integers(-50, 50, (37, 3)).astype(float)
    values[:, 2] = values[:, 1]
    usual = rng.choice([4, 7], 37)
    actions = np.array([4, 7, 9])
    whole = Sums.empty(3)
    for part in np.split(np.arange(37), [5, 20]):
        whole = whole.plus(Sums.of(values[part], usual[part], actions))
    assert whole.worlds == 37
    for place in range(3):
        mean, se = whole.mean(place)
        assert mean == pytest.approx(values[:, place].mean())
        assert se == pytest.approx(values[:, place].std(ddof=1) / math.sqrt(37))
    apart = values[:, 0] - values[:, 1]
    assert whole.difference(0, 1) == pytest.approx((apart.mean(), apart.std(ddof=1) / math.sqrt(37)))
    assert whole.difference(1, 2) == (0.0, 0.0)
    assert whole.best.tolist() == [(values[:, k] == values.max(axis=1)).sum() for k in range(3)]
    assert whole.usual.tolist() == [(usual == 4).sum(), (usual == 7).sum(), 0]


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({}, "advice is for a position or for a decision of a deal: name one of them"),
        ({"position": "hand: QS", "deal": 1}, "name one of them"),
        ({"position": 7}, "a position is a text such as 'hand: QS JD; trump: H', not 7"),
        ({"position": "hand: QS; trump: H", "decision": 3}, "a position has only one"),
        ({"position": "hand: QS; trump: H", "strategies": "basic"}, "from a position everybody plays on by basic"),
        ({"deal": 0, "decision": 0}, "deal 0 has the decisions 1 to"),
        ({"deal": 0, "decision": 1000}, "and not 1000"),
        ({"deal": -1}, "the deal must be from 0"),
        ({"deal": 0, "worlds": 1}, "the number of worlds must be from 2 to 10**9, not 1"),
        ({"deal": 0, "worlds": "lots"}, "the number of worlds must be a whole number"),
        ({"deal": 0, "precision": 0}, "the precision must be a number above 0, not 0"),
        ({"deal": 0, "precision": 1.0, "until_clear": True}, "until it is precise or until it is clear, not both"),
        ({"deal": 0, "until_clear": "yes"}, "until_clear is True or False"),
        ({"deal": 0, "workers": 0}, "the number of workers must be from 1"),
    ],
)
def test_wrong_requests_are_refused_in_one_line(settings, wrong):
    with pytest.raises(simcards.UsageError) as caught:
        BEZIQUE.advise(**settings)
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_without_positions_says_so(toy):
    with pytest.raises(simcards.UsageError, match="positions of toy-whist cannot be written down"):
        read_position(toy, "hand: AS")


def test_the_result_from_python():
    result = BEZIQUE.advise(deal=7, decision=3, worlds=64)
    assert repr(result).startswith("<AdviceResult: Bezique: ")
    assert list(result.frame["rank"]) == list(range(1, len(result.frame) + 1))
    assert result.best == result.frame["action"][0]
    assert "<table>" in result._repr_html_()
    again = BEZIQUE.advise(result.question.text, worlds=64)  # the position as text is the same position
    assert numbers(again) == numbers(result)
