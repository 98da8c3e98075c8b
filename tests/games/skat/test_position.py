"""Positions of skat in words, in every phase."""

import numpy as np
import pytest

import simcards
from simcards.errors import UsageError

HAND = "JC JS AS TS KS QS 9S AH TH 7D"
TWELVE = "JC JS AS TS KS QS 9S AH TH 7D 7H 7C"


def question(position, game="skat", **settings):
    return simcards.game(game).question(position, **settings)


def same(one, other):
    if one.dtype.names is None:
        return np.array_equal(one, other)
    return all(same(one[name], other[name]) for name in one.dtype.names)


def read_again(game, unit, strategy, every, deals=1, rules=None):
    """Write and read positions of deals, and return which phases there were."""
    phases = set()
    for deal in range(deals):
        steps = simcards.game(game).replay(deal, strategy, rules=rules, unit=unit).replay.steps
        for decision in range(1, len(steps) + 1, every):
            asked = question(None, game, unit=unit, rules=rules, deal=deal, decision=decision, strategies=strategy)
            again = question(asked.text, game, unit=unit, rules=rules)
            assert same(again.view[0], asked.view[0]), asked.text
            assert (again.words, again.seat, again.phase) == (asked.words, asked.seat, asked.phase)
            phases.add(asked.phase)
    return phases


@pytest.mark.parametrize("game", ["skat", "skat-four-handed"])
def test_a_written_position_is_read_as_the_same(game):
    phases = read_again(game, "deal", "basic", 2, 4) | read_again(game, "deal", "random", 1, 6)
    assert phases == {"play", "bid", "skat", "discard", "declare"}


def test_so_is_one_of_a_list():
    assert "play" in read_again("skat-four-handed", "list", "basic", 7, rules={"deals": 3})


@pytest.mark.parametrize(
    ("bids", "seat", "first"),
    [
        ("", "middlehand", "calls 18"),
        ("-, 18", "forehand", "holds 18"),
        ("18, 18", "middlehand", "calls 20"),
        ("pass, 18", "rearhand", "calls 20"),
        ("20, 20 pass", "rearhand", "calls 22"),
        ("-, pass", "rearhand", "calls 18"),
        ("-, pass, pass", "forehand", "calls 18"),
        ("20, 20 pass, 22", "forehand", "holds 22"),
        ("18 pass, 24, 27", "middlehand", "holds 27"),
        ("18 pass, 27, 27", "rearhand", "calls 30"),
        ("22, 20 pass, 22", "rearhand", "calls 23"),
    ],
)
def test_bidding(bids, seat, first):
    asked = question(f"hand: {HAND}; bids: {bids}" if bids else f"hand: {HAND}")
    assert (asked.seat, asked.phase, asked.words[:2]) == (seat, "bid", ("passes", first))


def test_what_is_taken_for_granted():
    assert question(f"seat: forehand; hand: {HAND}").words == ("passes", "calls 18")
    assert question(f"seat: rearhand; hand: {HAND}").words[1] == "calls 18"
    asked = question(f"seat: rearhand; hand: {TWELVE}")
    assert (asked.seat, asked.phase) == ("rearhand", "discard")


def test_after_the_auction():
    bids = "20, 20 pass, pass"
    asked = question(f"hand: {HAND}; bids: {bids}")
    assert (asked.phase, asked.words) == ("skat", ("plays from the hand", "takes the skat"))
    asked = question(f"hand: {TWELVE}; bids: {bids}")
    assert asked.phase == "discard"
    asked = question(f"hand: {HAND}; laid: 7H 7C; bids: {bids}")
    assert asked.phase == "declare"
    assert len(asked.words) == 6
    asked = question(f"hand: {HAND}; game: hand; bids: {bids}")
    assert asked.phase == "declare"
    assert len(asked.words) == 22
    asked = question(f"hand: {HAND}; laid: 7H 7C; game: spades; bids: {bids}")
    assert (asked.phase, asked.seat) == ("play", "forehand")
    asked = question(f"hand: JH JD AC TC KC QC 9C AD TD 8D; game: spades; bids: {bids}; played: JC 8C")
    assert asked.seat == "rearhand"
    assert set(asked.words) == {"plays JH", "plays JD"}


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (f"hand: {HAND[:-3]}", "10 cards"),
        (f"hand: {HAND}; bids: 19", "nearest value is 18"),
        (f"hand: {HAND}; bids: 18", "cannot have gone so"),
        (f"hand: {HAND}; bids: -, pass, 18, 20", "one each"),
        (f"hand: {HAND}; bids: pass, pass, pass", "all have passed"),
        (f"hand: {HAND}; bids: -, 18; seat: middlehand", "it is the turn of forehand"),
        (f"hand: {HAND}; game: spades", "bidding is not over"),
        (f"hand: {HAND}; bids: 18, pass, pass; game: trumps", "game: one of spades"),
        (f"hand: {HAND}; bids: 27, 27 pass, pass; laid: 7C 7H; game: null", "cannot be declared"),
        (f"hand: {HAND}; bids: 18, pass, pass; laid: 7C JC; game: spades", "already"),
        (f"hand: {HAND}; bids: 18, pass, pass; game: spades", "two cards laid away"),
        (f"hand: {HAND}; bids: 18, pass, pass; game: spades hand; laid: 7C 7H", "from the hand"),
    ],
)
def test_what_cannot_be_is_refused(position, why):
    with pytest.raises(UsageError, match=why):
        question(position)
