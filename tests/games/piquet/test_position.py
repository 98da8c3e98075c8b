"""Positions of piquet in words: the exchange of either player."""

import pytest

import simcards
from simcards.errors import UsageError

GAME = "piquet-rubicon"
HAND = "KS QS JS 8S AH TH 9H AD KD 7D QC 7C"


def advise(position, **settings):
    return simcards.game(GAME).advise(position, worlds=64, workers=1, **settings)


def question(position, game=GAME, **settings):
    return simcards.game(game).question(position, **settings)


def test_elders_discard():
    asked = question(f"hand: {HAND}")
    assert asked.seat == "elder"
    assert asked.phase == "exchange"
    assert len(asked.actions) == 12
    assert asked.words[0] == "discards 8S"
    result = advise(f"hand: {HAND}")
    assert set(result.frame.action) == set(asked.words)
    assert result.best in asked.words


def test_discards_go_upwards():
    asked = question("hand: KS QS JS AH TH 9H AD KD 7D QC 7C; discards: 8S; points: 10 - 0")
    assert "discards no more and draws" in asked.words
    assert not any(card in asked.words for card in ("discards 7S", "discards 8S"))
    assert asked.view[0]["public"][0]["points"] == 10


def test_younger_has_what_elder_left():
    asked = question(f"seat: younger; hand: {HAND}; elder took: 3")
    assert asked.seat == "younger"
    assert "discards no more and draws" in asked.words
    asked = question(f"seat: younger; hand: {HAND}")
    assert asked.assumed[0] == "elder took 5 cards"
    assert asked.assumed[1] == "elder discarded as basic does"


@pytest.mark.parametrize("game", [GAME, "piquet-carte-rouge"])
@pytest.mark.parametrize("unit", ["deal", "game"])
def test_a_written_position_is_read_as_the_same(game, unit):
    found = 0
    for deal in range(3):
        for decision in (1, 2, 7, 8):
            asked = question(None, game, deal=deal, decision=decision, unit=unit)
            if asked.phase == "exchange":
                found += 1
                again = question(asked.text, game, unit=unit)
                assert again.view.tobytes() == asked.view.tobytes() or _same(again.view[0], asked.view[0])
                assert (again.words, again.seat) == (asked.words, asked.seat)
    assert found > 6


def _same(one, other):
    if one.dtype.names is None:
        return (one == other).all()
    return all(_same(one[name], other[name]) for name in one.dtype.names)


def test_a_position_of_the_second_deal():
    asked = question(f"seat: elder; hand: {HAND}; deal: 2; totals: 12 - 40", unit="game")
    assert asked.seat == "younger"  # the seats are named by the first deal
    assert [int(public["total"]) for public in asked.view[0]["public"]] == [12, 40]


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("hand: KS QS", "a player is dealt 12"),
        ("seat: third; hand: " + HAND, "seat: elder or younger"),
        ("hand: " + HAND.replace("7C", "KS"), "KS"),
        ("hand: KS QS JS AH TH 9H AD KD 7D QC 7C; discards: KS", "KS is in the hand and among the discards"),
        ("hand: " + HAND + "; elder took: 3", "younger's exchange"),
        ("seat: younger; hand: " + HAND + "; elder took: 6", "elder took: a whole number from 1 to 5"),
        ("hand: KS QS JS 8S AH TH 9H; discards: AD KD 7D QC 7C", "the exchange is over"),
        ("hand: " + HAND + "; points: many", "points: two numbers"),
        ("hand: " + HAND + "; deal: 2", "deal: a whole number from 1 to 1"),
        ("hand: XX", "hand: "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(position, message):
    with pytest.raises(UsageError, match=message) as caught:
        question(position)
    assert "\n" not in str(caught.value)
