"""The reference of deberts by itself: what the text says, case by case."""

from __future__ import annotations

import random

import pytest

from .reference import (
    DEFAULTS,
    NATURAL_ORDER,
    PACK_ORDER,
    PLAIN_POINTS,
    SUITS,
    TRUMP_POINTS,
    Deberts,
    rank_of,
    replies,
    runs,
    second_wins,
    settle,
)

PACK = [rank + suit for rank in PACK_ORDER for suit in SUITS]


def game(pone, dealer, turned, drawn="", **rules):
    """A single deal with these six cards each; the next of the stock are those drawn."""
    play = Deberts({"target": 0, **rules})
    first = [pone.split(), dealer.split(), [turned], drawn.split()]
    used = [card for cards in first for card in cards]
    play.feed([first[0], first[1]], turned, first[3] + [card for card in PACK if card not in used])
    return play


def act(play, *actions):
    for action in actions:
        play.act(tuple(action.split()))
    return play


def cards(play):
    return {action[1] for action in play.choices() if len(action) == 2}


def points(play):
    return [dict(seat.points) for seat in play.seats]


def test_points_of_the_cards():
    """E-DEB-2: 62 in trumps, 30 in a plain suit."""
    assert sum(TRUMP_POINTS.values()) == 62
    assert sum(PLAIN_POINTS.values()) == 30


def test_settlement():
    assert settle([100, 62], 0) == [100, 62]
    assert settle([62, 100], 0) == [0, 162]
    assert settle([100, 62], 1) == [162, 0]
    assert settle([81, 81], 0) == [0, 162]
    assert settle([81, 81], 1) == [162, 0]


def test_gain_of_the_winner():
    """E-DEB-2: 520 to 330 wins 171."""
    play = Deberts()
    play.seats[0].score, play.seats[1].score = 520, 330
    assert play.margin() == 171


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ("TH KH QH", [(3, "TH")]),  # the examples of the text
        ("JH 9H 8H", [(3, "JH")]),
        ("KH QH JH TH", [(4, "TH")]),
        ("AH KH QH", []),
        ("AH TH", []),
        ("AH TH KH QH 9C", [(4, "AH")]),
        ("AH TH KH QH JH", [(4, "AH")]),
        ("AH TH KH QH JH 9H", [(4, "AH")]),
        ("AH TH KH QH JH 9H 8H", [(4, "AH"), (3, "JH")]),
        ("AH TH KH QH JH 9H 8H 7H", [(4, "AH"), (4, "JH")]),
        ("AH TH KH JH 9H 8H", [(3, "AH"), (3, "JH")]),
        ("AH TH KH 9C 8C 7C AD TD KD", [(3, "AH"), (3, "AD"), (3, "9C")]),
        ("AH TS KH", []),
    ],
)
def test_runs(hand, found):
    assert sorted(runs(hand.split(), long_runs="parts")) == sorted(found)


def test_runs_of_the_usual_order():
    assert runs(["AH", "KH", "QH"], NATURAL_ORDER) == [(3, "AH")]
    assert runs(["TH", "KH", "QH"], NATURAL_ORDER) == []
    assert runs(["AH", "TH", "KH", "QH", "JH", "9H", "8H", "7H"], NATURAL_ORDER) == [(4, "AH")]


def test_which_run_is_better():
    """E-DEB-1: any fifty beats any tierce, the higher run the lower one, trumps one that is alike."""

    def rank(length, card):
        return rank_of((length, card), "C", DEFAULTS)

    assert rank(3, "TH") > rank(3, "JH")
    assert rank(3, "TC") > rank(3, "TH")
    assert rank(3, "TH") > rank(3, "KC")
    assert rank(4, "JH") > rank(3, "AC")
    assert rank(3, "TH") == rank(3, "TD")
    natural = DEFAULTS | {"run_order": "natural"}
    assert rank_of((3, "KH"), "C", natural) > rank_of((3, "TH"), "C", natural)


def test_fifty_and_tierce():
    """E-DEB-1: a fifty in hearts and a tierce in clubs, 70; the other side's tierces do not count."""
    hands = "AS TS KS 9D 8D 9S", "AH TH KH QH AC TC"
    play = act(game(*hands, "7S", "7D QD TD KC 8S 8H"), "play", "announce", "announce", "play AS", "play 8S")
    assert points(play)[1]["fifty"] == 50
    assert points(play)[1]["tierce"] == 20
    assert points(play)[0].keys() <= {"cards"}


def test_tricks():
    assert second_wins("AH", "9H", "H")
    assert second_wins("9H", "JH", "H")
    assert second_wins("KH", "TH", "H")
    assert second_wins("KH", "TH", "S")
    assert second_wins("JH", "QH", "S")
    assert not second_wins("AH", "9H", "S")
    assert second_wins("AH", "7S", "S")
    assert not second_wins("7H", "AS", "C")
    assert replies(["7H", "AH", "9C"], "KH", "C") == ["7H", "AH"]
    assert replies(["7D", "AD", "9C"], "KH", "C") == ["9C"]
    assert replies(["7D", "AD", "9S"], "KH", "C") == ["7D", "AD", "9S"]
    assert replies(["7C", "JC"], "AC", "C") == ["7C", "JC"]  # no need to beat it


def test_bidding():
    hands = "AS TS KS 9D 8D 9S", "AH TH KH QH AC TC"
    play = game(*hands, "7S")
    assert (play.turn, play.choices()) == (0, {("play",), ("pass",)})
    act(play, "pass")
    assert (play.turn, play.choices()) == (1, {("play",), ("pass",)})
    act(play, "pass")
    others = {("pass",), ("name", "H"), ("name", "D"), ("name", "C")}
    assert (play.turn, play.choices()) == (0, others)
    act(play, "pass")
    assert (play.turn, play.choices()) == (1, others)
    assert [len(seat.hand) for seat in play.seats] == [6, 6]
    act(play, "name H")
    assert (play.trump, play.bidder, play.turn) == ("H", 1, 0)
    assert [len(seat.hand) for seat in play.seats] == [9, 9]
    play = Deberts()
    play.feed(
        [hands[0].split(), hands[1].split()], "7S", [c for c in PACK if c not in (" ".join(hands) + " 7S").split()]
    )
    act(play, "pass", "pass", "pass", "pass")
    assert play.step == "deal"
    play.feed(
        [hands[0].split(), hands[1].split()], "7S", [c for c in PACK if c not in (" ".join(hands) + " 7S").split()]
    )
    assert play.turn == 1  # the other deals


def test_what_is_said():
    """Pone names a run before he leads; the dealer answers if he has as many cards, else speaks after the lead."""
    drawn = "7D QD TD KC 8S 8H"
    fifty, tierce = "AH TH KH QH AC TC", "AS TS KS 9D 8D 9S"
    play = act(game(fifty, tierce, "7S", drawn), "play", "announce")
    assert play.choices() == {("play", card) for card in play.seats[0].hand}  # the dealer cannot answer a fifty
    play = act(game(tierce, fifty, "7S", drawn), "play", "silence")
    act(play, "play AS")
    assert (play.step, play.turn) == ("declare", 1)
    assert points(act(play, "silence", "play 8S")) == [{"cards": 11}, {}]
    play = act(game("AH TH 7H 9C JC QC", fifty.replace("H", "S"), "7D", "8D TD KD 8H KC 8S"), "play")
    assert play.step == "declare"  # the queen, the jack and the nine


def test_exchange_of_the_seven():
    hands = "AS TS 8S 9D 8D 7H", "AH TH KH 7S AC TC"
    drawn = "8H 8C AD KD QD QC"
    play = act(game(*hands, "QS", drawn), "play", "play AS")
    assert play.choices() == {("keep",), ("exchange",)}
    assert cards(act(play, "exchange", "announce")) == {"QS"}
    play = act(game(*hands, "QS", drawn), "play", "play AS", "keep", "announce")
    assert play.step == "exchange"  # once more, since he has spoken
    assert cards(act(play, "keep")) == {"7S"}
    play = act(game(*hands, "QS", drawn, exchange_until="speaking"), "play", "play AS", "keep", "announce")
    assert cards(play) == {"7S"}
    play = act(game(*hands, "QS", drawn), "pass", "pass", "name H", "play AS", "announce")
    assert cards(play) == {"7S"}  # hearts are trumps
    hands = "AS TS KS 9D 8D 7S", "AH TH KH 7H AC TC"
    drawn = "8H 8C AD KD JD QC"
    play = act(game(*hands, "QS", drawn), "play", "exchange", "announce", "play AS")
    assert points(act(play, "play AH"))[0]["fifty"] == 50  # with the queen
    play = act(game(*hands, "QS", drawn), "play", "keep", "announce", "announce")
    assert (play.step, play.turn) == ("exchange", 0)


def test_bella():
    hands = "KS QS 9S 9D 8C 7H", "AH TH KH QH AC TC"
    drawn = "7D AD JH 7C 8H KD"
    play = act(game(*hands, "JS", drawn), "play", "play QS")
    assert (play.step, play.turn) == ("bella", 0)
    act(play, "announce", "announce", "play AH", "play KS")
    assert points(play)[0]["bella"] == 20
    play = act(game(*hands, "JS", drawn), "play", "play QS", "silence", "silence", "play AH", "play KS")
    assert "bella" not in points(play)[0]
    play = act(game(*hands, "JS", drawn), "pass", "pass", "pass", "name H", "play 7H", "silence", "play KH", "announce")
    assert points(play)[1]["bella"] == 20
    play = act(game(*hands, "JS", drawn, silence="no"), "play", "play QS")
    assert points(play)[0]["bella"] == 20


def whole(seed, **rules):
    rng = random.Random(seed)
    play = Deberts(rules)
    while not play.over:
        if play.step == "deal":
            deck = rng.sample(PACK, 32)
            play.feed([deck[:6], deck[6:12]], deck[12], deck[13:])
        play.act(rng.choice(sorted(play.choices())))
    return play


def test_whole_games():
    seen = sum((whole(seed).events for seed in range(60)), start=Deberts().events)
    expected = {"thrown in", "turned pone", "turned dealer", "name pone", "name dealer", "exchange", "fifty", "tierce"}
    expected |= {"bella", "cards", "last_trick", "bait", "made", "compared", "several runs"}
    assert not expected - set(seen)
    for seed in range(60):
        play = whole(seed)
        assert max(seat.score for seat in play.seats) >= 501


def test_points_of_a_deal():
    """All that is made is written by somebody, and the cards count what the eighteen in play are worth."""
    for seed in range(100):
        play = whole(seed, target=0)
        if play.bidder >= 0:
            assert sum(seat.score for seat in play.seats) == sum(play.made)
            assert sum(seat.tricks for seat in play.seats) == 9
            assert sum(seat.points["last_trick"] for seat in play.seats) == 10
