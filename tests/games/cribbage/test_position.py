"""Positions of cribbage in words: bids, discards, and the cards laid."""

import pytest

import simcards
from simcards.errors import UsageError

SIX = "cribbage-six-card"
HAND = "5S 5H JD QC 2S 8H"
FULL = f"hand: {HAND}"
PLAY = "hand: 5S 5H JD; discards: 2S 8H; starter: KD; laid: "


def question(position, game=SIX, **settings):
    return simcards.game(game).question(position, **settings)


def test_all_discards_of_a_hand():
    asked = question(FULL)
    assert (asked.seat, asked.phase) == ("pone", "discard")
    cards = HAND.split()
    found = {frozenset(words.removeprefix("discards ").split()) for words in asked.words}
    assert found == {frozenset((one, other)) for one in cards for other in cards if one != other}
    assert len(asked.words) == 15
    assert question(f"seat: dealer; {FULL}").seat == "dealer"
    assert len(question("hand: 5S 5H JD QC 2S 8H AD", "cribbage-seven-card").words) == 21
    assert len(question("hand: 5S 5H JD QC 2S", "cribbage-five-card").words) == 10
    four = question("seat: third; hand: 5S 5H JD QC 2S", "cribbage-four-handed")
    assert (four.seat, len(four.words)) == ("third", 5)


def test_advice_on_a_hand():
    result = simcards.game(SIX).advise(hand="5S 5H JD QC 2S 8H", worlds=200, workers=1)
    assert result.best == "discards 2S 8H"


def test_the_cards_laid():
    asked = question(PLAY + "QC 7H")
    assert asked.phase == "play"
    assert asked.words == ("lays 5S: 22", "lays 5H: 22", "lays JD: 27")
    view = asked.view[0]
    assert [int(view["common"][name]) for name in ("count", "laid", "turn")] == [17, 2, 0]
    # 10 17 27, go, and a card of his own again
    asked = question("hand: 5S 4H; discards: 2S 8H; starter: KD; laid: QC 7H JD go")
    assert asked.words == ("lays 4H: 31, thirty-one",)
    assert int(asked.view[0]["public"]["above"][1]) == 4


def test_a_count_begins_anew():
    asked = question("hand: 5S 5H; discards: 2S 8H; starter: KD; laid: QC KH JD AC")
    assert asked.words  # 10 20 30 31: pone leads to a new count
    assert int(asked.view[0]["common"]["count"]) == 0
    assert int(asked.view[0]["common"]["started"]) == 4


def test_bids():
    auction = "cribbage-auction"
    asked = question(FULL, auction)
    assert (asked.seat, asked.phase, asked.words[0]) == ("pone", "bid", "bids 1")
    asked = question(f"seat: dealer; bid: 3; {FULL}", auction)
    assert asked.words[:2] == ("passes", "bids 4")
    asked = question(f"seat: dealer; crib: other 3; {FULL}", auction)
    assert asked.phase == "discard"
    assert int(asked.view[0]["common"]["owner"]) == 0
    asked = question(f"{FULL.replace(' 2S 8H', '')}; discards: 2S 8H", auction, rules={"auction": "after_discard"})
    assert asked.phase == "bid"


@pytest.mark.parametrize("game", ["cribbage-five-card", SIX, "cribbage-auction", "cribbage-four-handed"])
@pytest.mark.parametrize("unit", ["deal", "game"])
def test_a_written_position_is_read_as_the_same(game, unit):
    found = set()
    for deal in range(3):
        for decision in range(1, 7 if game == "cribbage-five-card" else 11):
            asked = question(None, game, deal=deal, decision=decision, unit=unit, strategies="random")
            found.add(asked.phase)
            again = question(asked.text, game, unit=unit)
            assert (again.words, again.seat) == (asked.words, asked.seat)
            assert _same(again.view[0], asked.view[0]), asked.text
    assert {"discard", "play"} <= found


def _same(one, other):
    if one.dtype.names is None:
        return (one == other).all()
    return all(_same(one[name], other[name]) for name in one.dtype.names)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("hand: KS QS", "hand: 2 cards, and there are 6"),
        ("seat: third; " + FULL, "seat: pone or dealer"),
        ("hand: 5S 5S JD QC 2S 8H", "5S"),
        (FULL + "; discards: 2S", "they come with the starter"),
        (FULL + "; crib: mine 4", "the dealer's, and not bid for"),
        (FULL + "; points: many", "points: 2 numbers"),
        (FULL + "; bid: 3", "no auction"),
        (PLAY, "hand: 3 cards, and there are 4"),
        (PLAY + "QC", "not this player's turn"),
        (PLAY + "QC 7H KS", "not this player's turn"),
        (PLAY + "QC QC", "QC is named twice"),
        (PLAY + "QC XX", "laid: a card such as QS, or go"),
        ("hand: 5S 5H; discards: 2S 8H; starter: KD; laid: QC KH JD 4H", "does not fit to 30"),
        ("hand: 5S 5H JD QC; discards: 2S; starter: KD", "discards: 2 for the crib"),
        ("hand: 5S 5H JD QC; discards: 2S 8H; starter: KD 3D", "starter: one card"),
        ("hand: XX", "hand: "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(position, message):
    with pytest.raises(UsageError, match=message) as caught:
        question(position)
    assert "\n" not in str(caught.value)


def test_who_could_have_laid_a_card_cannot_have_said_go():
    with pytest.raises(UsageError, match="could not say go at 27"):
        question("hand: 5S; discards: 2S 8H; starter: KD; laid: QC 7H JD go 4C 3H")
