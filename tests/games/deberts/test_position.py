"""Positions of deberts in words."""

import pytest

import simcards
from simcards.errors import UsageError

GAME = "deberts"


def question(position, **settings):
    return simcards.game(GAME).question(position, **settings)


def test_bidding():
    asked = question("hand: JH 9H AC 8C TS 7D; turned: TH")
    assert (asked.seat, asked.phase) == ("pone", "bid")
    assert asked.words == ("passes", "plays with the turned TH")
    asked = question("hand: JH 9H AC 8C TS 7D; turned: TH; seat: dealer; round: 2")
    assert asked.seat == "dealer"
    assert asked.words == ("passes", "plays with spades", "plays with diamonds", "plays with clubs")


def test_every_question_after_the_bidding():
    hand = "JH 9H 7H AC QC JC TS KS QS"
    told = f"hand: {hand}; turned: TH; trump: hearts"
    assert question(f"{told}; phase: exchange").words == ("leaves TH", "takes TH for 7H")
    assert question(f"{told}; phase: declare").words == ("says nothing of runs", "declares a tierce from the ten")
    asked = question(f"{told}; phase: play; said: tierce good")
    assert asked.phase == "play"
    assert int(asked.view[0]["public"][0]["runs"]) == 20
    asked = question(f"{told}; seat: dealer; phase: declare; other said: tierce")
    assert (asked.seat, asked.phase) == ("dealer", "declare")
    asked = question(f"{told}; seat: dealer; by: dealer; led: AS; said: nothing")
    assert asked.words == ("plays QS", "plays KS", "plays TS")
    bella = "hand: KH QH 7S AC QD 8C TS JC 8D; turned: TH; trump: H; about to play: KH"
    assert question(bella).words == ("says nothing of bella", "announces bella")


def test_tricks_played_so_far():
    asked = question(
        "hand: TS 7S 8C QD 8D JC; turned: TH; trump: hearts; tricks: JH-AH 9H-8H AC-KC; known: AS; other said: nothing"
    )
    mine, theirs = asked.view[0]["public"]
    assert (int(mine["cards"]), int(mine["tricks"]), int(theirs["cards"])) == (31 + 14 + 15, 3, 0)
    assert len(asked.actions) == 6
    asked = question("hand: TS 7S 8C QD 8D JC AC 9H; turned: TH; trump: hearts; tricks: KS-9S; led: KD; seat: dealer")
    assert asked.words == ("plays 8D", "plays QD")


@pytest.mark.parametrize("unit", ["deal", "game"])
@pytest.mark.parametrize("strategies", ["basic", "random"])
def test_a_written_position_is_read_as_the_same(unit, strategies):
    phases = set()
    for deal in range(60):
        for decision in range(1, 9):
            try:
                asked = question(None, deal=deal, decision=decision, unit=unit, strategies=strategies)
            except UsageError:
                break
            if not asked.text:
                assert int(asked.view[0]["common"]["trick"]) > 0 or int(asked.view[0]["common"]["late"])
                continue
            phases.add(asked.phase)
            again = question(asked.text, unit=unit)
            assert (again.words, again.seat, again.phase) == (asked.words, asked.seat, asked.phase)
    assert phases >= {"bid", "exchange", "declare", "play"}


def test_advice():
    result = simcards.game(GAME).advise("hand: JH 9H AH TH AC AS; turned: 8H", worlds=64, workers=1)
    assert result.best == "plays with the turned 8H"


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("hand: JH 9H", "turned: say which card"),
        ("hand: JH 9H; turned: TH", "hand: 2 cards; 6 are held in the bidding"),
        ("hand: JH 9H AC 8C TS TH; turned: TH", "hand: TH lies turned"),
        ("hand: JH 9H AC 8C TS 7D; turned: TH; seat: third", "seat"),
        ("hand: JH 9H AC 8C TS 7D; turned: TH; round: 3", "round: a whole number from 1 to 2"),
        ("hand: JH 9H AC 8C TS 7D; turned: TH; led: AS", "led: this comes after the bidding"),
        ("hand: JH 9H AC 8C TS 7D; turned: TH; trump: H", "hand: 6 cards after 0 tricks of 9"),
        ("hand: JH 9H AC 8C TS 7D 8D 9D KS; turned: TH; trump: grass", "trump: spades"),
        ("hand: JH 9H AC 8C TS 7D 8D QD KS; turned: TH; trump: H; phase: exchange", "needs the seven of trumps"),
        ("hand: JH 9H AC 8C TS 7D 8D QD KS; turned: TH; trump: H; phase: declare", "no run in the hand"),
        ("hand: JH 9H AC 8C TS 7D 8D QD KS; turned: TH; trump: H; seat: dealer", "say which card the other has led"),
        ("hand: JH 9H AC 8C TS 7D 8D QD KS; turned: TH; trump: H; about to play: KH", "about to play: king or queen"),
        ("hand: JH 9H AC 8C TS 7D 8D QD KS; turned: TH; trump: H; other said: 5", "other said: "),
        ("hand: XX; turned: TH", "hand: "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(position, message):
    with pytest.raises(UsageError, match=message) as caught:
        question(position)
    assert "\n" not in str(caught.value)
