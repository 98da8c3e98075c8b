"""Positions of thousand in words, in every phase."""

import numpy as np
import pytest

import simcards
from simcards.errors import UsageError
from simcards.games.registry import load

STOCK, TWO, THREE, BLIND = "thousand-two-stock", "thousand-two-auction", "thousand-three", "thousand-blind"
SEVEN = "TS AH KH JH 9H AC KC"
TEN = "AS TS KS QS JS 9S AH TH KH QH"


def question(position, game=THREE, **settings):
    return simcards.game(game).question(position, **settings)


def same(one, other):
    if one.dtype.names is None:
        return np.array_equal(one, other)
    return all(same(one[name], other[name]) for name in one.dtype.names)


def read_again(game, unit, strategy, every, rules=None):
    """Write and read positions of a deal, and return which phases there were."""
    phases = set()
    steps = simcards.game(game).replay(0, strategy, rules=rules, unit=unit).replay.steps
    for decision in range(1, len(steps) + 1, every):
        asked = question(None, game, unit=unit, rules=rules, deal=0, decision=decision, strategies=strategy)
        again = question(asked.text, game, unit=unit, rules=rules)
        assert same(again.view[0], asked.view[0]), asked.text
        assert (again.words, again.seat, again.phase) == (asked.words, asked.seat, asked.phase)
        phases.add(asked.phase)
    return phases


@pytest.mark.parametrize("game", [STOCK, TWO, THREE, BLIND])
def test_a_written_position_is_read_as_the_same(game):
    phases = read_again(game, "deal", "basic", 1) | read_again(game, "deal", "random", 2)
    assert phases == set(load(game).phases) - (set() if game == BLIND else {"look"})


@pytest.mark.parametrize("game", [STOCK, TWO, BLIND])
def test_so_is_one_of_a_later_deal(game):
    assert "play" in read_again(game, "game", "random", 9, {"most_deals": 3})


def test_bidding():
    asked = question(f"hand: {SEVEN}")
    assert (asked.seat, asked.phase, asked.words) == ("forehand", "bid", ("bids 100",))
    asked = question(f"hand: {SEVEN}; bids: 100, pass")
    assert (asked.seat, asked.words[:2]) == ("dealer", ("passes", "bids 110"))
    asked = question(f"hand: {SEVEN}; bids: 100, 120, pass")
    assert (asked.seat, asked.words[:2]) == ("forehand", ("passes", "bids 130"))
    result = simcards.game(THREE).advise(f"hand: {SEVEN}; bids: 100, pass", worlds=32, workers=1)
    assert result.best in result.frame.action.tolist()


def test_what_the_winner_does():
    hand = f"{TEN} AD TD"
    asked = question(f"hand: {TEN}; bids: 100, pass", TWO)
    assert (asked.phase, asked.words) == ("packet", ("opens the first packet", "opens the second packet"))
    asked = question(f"hand: {hand}; bids: 100, pass; packet: AD TD", TWO)
    assert (asked.phase, len(asked.words)) == ("exchange", 11)
    asked = question(f"hand: {TEN}; bids: 100, pass; packet: AD TD; laid: AD TD", TWO)
    assert (asked.phase, asked.words[:2]) == ("raise", ("stands by the bid", "raises to 110"))
    asked = question(f"hand: {TEN}; bids: 100, pass; packet: second AD TD; laid: AD TD; contract: 120", TWO)
    assert (asked.phase, int(asked.view[0]["common"]["opened"])) == ("play", 1)
    asked = question(f"hand: {SEVEN} KS QS 9D; bids: 100, pass, pass; packet: KS QS 9D")
    assert asked.phase == "exchange"
    assert asked.words[0] == "gives QS to middlehand"


def test_play_with_a_marriage():
    position = (
        "hand: QD AD TC; bids: 100, pass, pass; packet: KS QS 9D; received: 9H; contract: 100;"
        "played: AH 9H TH AC JC 9C KH QH 9S JH JS 9D QS* AS TD"
    )
    asked = question(position)
    assert (asked.seat, asked.phase) == ("middlehand", "play")
    assert asked.words == ("leads QD", "leads AD", "leads TC")
    view = asked.view[0]
    assert int(view["common"]["trump"]) == 0
    assert [int(public["marriages"]) for public in view["public"]] == [0, 0, 40]
    # AS TD and QS in the own trick; declarer: 21 + 13 + 7 + 4
    assert [int(public["cards"]) for public in view["public"]] == [24, 0, 45]


@pytest.mark.parametrize(
    ("game", "position", "message"),
    [
        (THREE, "hand: KS QS", "hand: 7 cards, not 2"),
        (THREE, f"hand: {SEVEN}; bids: 105", "105 is no bid"),
        (THREE, f"hand: {SEVEN}; bids: pass", "forehand must bid first"),
        (THREE, f"hand: {SEVEN}; bids: 100, 100", "no two players"),
        (THREE, f"hand: {SEVEN}; bids: 100, blind", "a number, 'pass', both"),
        (THREE, f"hand: {SEVEN}; bids: 100 blind", "nobody bids blind"),
        (THREE, f"hand: {SEVEN}; seat: dealer", "dealer is not asked"),
        (THREE, f"hand: {SEVEN}; seat: elder", "seat: forehand or middlehand or dealer"),
        (THREE, f"hand: {SEVEN}; packet: KS QS 9D", "packet: the bidding is not over"),
        (THREE, f"hand: {SEVEN} KS QS 9D; bids: 100, pass, pass", "packet: the cards of the packet are wanted"),
        (THREE, f"hand: {SEVEN} KS QS 9D; bids: 100, pass, pass; packet: KS QS JD", "JD is not among"),
        (THREE, f"hand: {SEVEN} KS QS; bids: 100, pass, pass; packet: KS QS 9D; given: 9D AD", "hand: "),
        (THREE, f"hand: {SEVEN}; laid: 9S", "with three players cards are given"),
        (TWO, f"hand: {TEN}; received: 9D", "with two players cards are laid away"),
        (TWO, f"hand: {TEN} AD TD; bids: 100, pass; packet: AD TD; laid: AD", "AD is in hand already"),
        (STOCK, "hand: AS KS QS JS 9S TS; bids: 100", "there is no bidding"),
        (STOCK, "hand: AS KS QS JS 9S", "hand: 6 cards"),
        (STOCK, "hand: AS KS QS JS 9S TS; played: AH KH JH*", "no king or queen led"),
        (STOCK, "hand: AS KS QS JS 9S TS; played: AS", "AS is in"),
        (THREE, "hand: XX", "hand: "),
        (THREE, f"hand: {SEVEN}; deal: 2", "deal: a whole number from 1 to 1"),
        (BLIND, "phase: play", "phase: bid or, without a hand, look"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(game, position, message):
    with pytest.raises(UsageError, match=message) as caught:
        question(position, game)
    assert "\n" not in str(caught.value)
