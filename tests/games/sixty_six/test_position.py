"""Positions of sixty-six in words."""

import pytest

import simcards
from simcards.errors import UsageError

GAMES = (
    "sixty-six",
    "sixty-six-three-handed",
    "sixty-six-swabian",
    "sixty-six-swabian-three-handed",
    "sixty-six-swabian-four-handed",
)


def question(position, game="sixty-six", **settings):
    return simcards.game(game).question(position, **settings)


def _same(one, other):
    if one.dtype.names is None:
        return (one == other).all()
    return all(_same(one[name], other[name]) for name in one.dtype.names)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("unit", ["deal", "game"])
def test_a_written_position_is_read_as_the_same(game, unit):
    phases = set()
    for deal in range(4):
        for decision in range(1, 40, 3):
            try:
                asked = question(None, game, deal=deal, decision=decision, unit=unit)
            except UsageError:
                break  # the deal has no more decisions
            again = question(asked.text, game, unit=unit)
            assert _same(again.view[0], asked.view[0]), asked.text
            assert (again.words, again.seat) == (asked.words, asked.seat)
            phases.add(asked.phase)
    assert phases >= ({"play"} if game == "sixty-six-three-handed" else {"close", "play"})


def test_the_first_lead():
    asked = question("hand: AS KS QS TH 9D JC; turn-up: AD; phase: close")
    assert (asked.seat, asked.phase) == ("pone", "close")
    assert asked.words == ("leaves the stock open", "closes the stock")
    asked = question("hand: AS KS QS TH 9D JC; turn-up: AD")
    assert "leads QS with the marriage in spades" in asked.words
    assert int(asked.view[0]["common"]["stock"]) == 12


def test_the_nine_before_the_last_cards():
    played = "AH TH KH QH JH 9H AC TC KC QC JC 9C"
    asked = question(f"hand: AS KS QS 9D JD; turn-up: AD; played: {played}; phase: exchange; points: 40 - 20")
    assert asked.words[1] == "exchanges the nine of trumps for AD"


def test_advice_on_closing():
    """The dealer holds two trumps at most and no ace that matters: closing wins three, whatever he has."""
    result = simcards.game("sixty-six").advise(
        "hand: AS TS KS QS AH AD; turn-up: JS; phase: close", worlds=64, workers=1
    )
    closing = result.frame.set_index("action").loc["closes the stock"]
    assert closing["estimate"] == 3.0


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ("hand: AS KS QS TH 9D JC", "turn-up: say which card"),
        ("hand: AS KS QS TH 9D; turn-up: AD", "hand: 5 cards while the stock is open"),
        ("hand: AS KS QS TH 9D AD; turn-up: AD", "AD is there more than once"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; played: TS", "whole tricks"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; phase: exchange", "after a trick"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; closed: me", "closed: no, or who"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; points: 70 - 0", "the deal is won"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; trump: S", "the turn-up is one of diamonds"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; seat: first", "seat: pone or dealer"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; table: KD; phase: close", "before a card is led"),
        ("hand: AS KS QS TH 9D JC; trump: D", "turn-up: say which card"),
        ("hand: AS KS QS TH 9D JC; turn-up: AD; known: KH KC QH QC JH JD TD", "more than the player holds"),
    ],
)
def test_what_cannot_be_is_told(position, told):
    with pytest.raises(UsageError, match=told):
        question(position)
