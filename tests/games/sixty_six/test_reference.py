"""The reference of sixty-six by itself: what the text says, case by case."""

from __future__ import annotations

import random

import pytest

from .reference import DEFAULTS, FORMS, Card, SixtySix, prize


def position(hands, trump="S", stock="", points=(0, 0), form="sixty-six", played=1, closer=None, **rules):
    """The first seat is on lead; the last card of the stock is the one turned."""
    game = SixtySix(form, {"target": 0, **rules})
    game.first = game.leader = game.turn = 0
    game.deals = 1
    game.trump, game.closer, game.played, game.trick, game.kept_back = trump, closer, played, [], []
    game.stock = [Card(name) for name in stock.split()]
    for seat, hand, has in zip(game.seats, hands, points, strict=True):
        seat.hand = [Card(name) for name in hand.split()]
        seat.points = has
    game.step = "turn"
    return game


def played(game, *cards):
    """Play these cards; a marriage is shown where there is one."""
    for card in cards:
        game.act(("marry", card) if ("marry", card) in game.choices() else ("play", card))
    return game


def big(game):
    return [seat.big for seat in game.seats]


def points(game):
    return [seat.points for seat in game.seats]


def cards(game):
    return {action[1] for action in game.choices() if action[0] == "play"}


@pytest.mark.parametrize(("others", "expected"), [(40, 1), (34, 1), (33, 1), (32, 2), (20, 2), (2, 2), (0, 3)])
def test_big_points(others, expected):
    """E-66-1: 66 against 40, 20 and nothing; 33 costs no more."""
    assert DEFAULTS[prize(others, DEFAULTS)] == expected


def test_who_closes_and_fails_gives_three():
    game = played(position(("AH", "AD"), trump="S", stock="9C 9S", points=(50, 0), closer=0), "AH", "AD")
    assert points(game) == [72, 0]
    assert big(game) == [3, 0]
    game = played(position(("AH", "AD"), stock="9C 9S", points=(40, 60), closer=0), "AH", "AD")
    assert big(game) == [0, 3]  # neither has 66
    game = played(position(("9H KD", "AH AC"), stock="9C 9S", points=(40, 60), closer=0), "9H", "AH")
    assert big(game) == [0, 3]


def test_nobody_has_66():
    game = played(position(("AH", "AD"), points=(40, 60)), "AH", "AD")
    assert points(game) == [62, 60]
    assert big(game) == [0, 0]
    assert game.over


def test_cards_are_worth_120():
    rng = random.Random(1)
    for form in FORMS:
        for _ in range(10):
            game = SixtySix(form, {"target": 0, "goal": 1000, "marriage": 0, "royal_marriage": 0})
            deal(game, rng)
            while not game.over:
                game.act(rng.choice(sorted(game.choices() - {("close",)})))
            assert sum(points(game)) == 120 * FORMS[form].copies


def deal(game, rng):
    pack = rng.sample(game.pack, len(game.pack))
    hands = [[pack.pop() for _ in range(game.form.hand)] for _ in game.seats]
    if game.form.stock:
        game.feed(hands, pack.pop(), pack)
    else:
        game.feed(hands, hands[game.deals % len(hands) - 1][-1], [])


def test_free_while_there_is_a_stock():
    game = played(position(("AH 9C", "TH 9S"), stock="JC JS"), "AH")
    assert cards(game) == {"TH", "9S"}
    played(game, "9S")  # trumps although he has the suit
    assert game.turn == 1
    assert points(game) == [0, 11]
    assert [card.name for card in game.seats[1].hand] == ["TH", "JC"]  # draws first
    assert [card.name for card in game.seats[0].hand] == ["9C", "JS"]  # the card turned


def test_follow_and_trump_without_a_stock():
    game = played(position(("TH 9C", "AH 9H 9S")), "TH")
    assert cards(game) == {"AH", "9H"}  # no need to beat it
    game = played(position(("TH 9C", "AD JS 9S")), "TH")
    assert cards(game) == {"JS", "9S"}
    game = played(position(("TH 9C", "AD JC")), "TH")
    assert cards(game) == {"AD", "JC"}
    game = position(("TH 9C", "AH 9H 9S"), stock="QC QS")
    game.act(("close",))
    assert ("exchange",) not in game.choices()
    assert ("close",) not in game.choices()
    assert cards(played(game, "TH")) == {"AH", "9H"}


def test_three_hands_head_and_overtrump():
    form = "sixty-six-three-handed"
    game = played(position(("JH", "QH 9H TS", "9S"), form=form, points=(0, 0, 0)), "JH")
    assert cards(game) == {"QH"}
    game = played(position(("JH", "JS TS", "QS 9S AD"), form=form, points=(0, 0, 0)), "JH", "JS")
    assert cards(game) == {"QS"}
    game = played(position(("JH", "TS", "QS 9S AD"), form=form, points=(0, 0, 0)), "JH", "TS")
    assert cards(game) == {"QS", "9S"}
    game = played(position(("JH", "9S", "QH 9H AS"), form=form, points=(0, 0, 0)), "JH", "9S")
    assert cards(game) == {"QH", "9H"}  # trumped already
    game = position(("JH", "TS", "QS"), form=form, points=(0, 0, 0))
    assert game.choices() == {("play", "JH")}


def test_marriages():
    """Shown with the first of its cards that is led, in both parts of the play."""
    game = played(position(("KH QH 9C", "AH AD 9D"), stock="JC JS"), "KH")
    assert points(game) == [20, 0]
    game = played(position(("QS KS 9C", "AS AD 9D")), "QS")
    assert points(game) == [40, 0]
    game = played(position(("QS AC 9C", "AS KS 9D")), "QS", "AS", "KS")
    assert points(game) == [0, 14]
    game = played(position(("9H QS", "KS AH")), "9H", "AH", "KS", "QS")
    assert points(game) == [0, 18]
    game = played(position(("9H AC 9C", "AH KH QH")), "9H", "QH")  # not when following
    assert points(game) == [0, 3]


def test_a_marriage_can_win_at_once():
    game = played(position(("KH QH 9C", "AH AD 9D"), points=(46, 33)), "KH")
    assert game.over
    assert big(game) == [1, 0]
    assert points(game) == [66, 33]


def test_won_in_the_middle():
    game = played(position(("AH 9C", "TH 9D"), stock="JC JS", points=(45, 10)), "AH", "TH")
    assert game.over
    assert points(game) == [66, 10]
    assert big(game) == [2, 0]
    game = played(position(("AH 9C", "TH 9D"), stock="JC JS", points=(44, 10)), "AH", "TH")
    assert not game.over


def test_exchange():
    """Who has won a trick gives the nine for the card turned before he leads."""
    game = position(("9S 9C", "TH 9D"), stock="JC JH AS")
    assert ("exchange",) in game.choices()
    game.act(("exchange",))
    assert {card.name for card in game.seats[0].hand} == {"AS", "9C"}
    assert game.stock[-1].name == "9S"
    assert ("exchange",) not in game.choices()
    assert ("exchange",) not in position(("9S 9C", "TH 9D"), stock="JC JH AS", played=0).choices()  # no trick yet
    assert ("exchange",) not in position(("9S 9C", "TH 9D")).choices()
    last = played(position(("9S AC", "TH 9D"), stock="JC JS"), "AC", "TH")
    assert last.choices() == {("exchange",), ("draw",)}  # before the last cards are drawn
    last.act(("exchange",))
    assert [[card.name for card in seat.hand] for seat in last.seats] == [["JS", "JC"], ["9D", "9S"]]
    assert ("exchange",) not in played(position(("TH 9D", "9S 9C"), stock="JC JH AS"), "TH").choices()
    assert ("close",) in position(("9S 9C", "TH 9D"), stock="JC JH AS", played=0).choices()


def test_alike_cards_and_marriages_of_two_packs():
    form = "sixty-six-swabian"
    game = played(position(("AH 9C", "AH 9D"), form=form), "AH", "AH")
    assert points(game) == [22, 0]
    game = played(position(("KH KH QH", "9S 9D 9S"), trump="C", form=form), "KH", "9D", "KH")
    assert points(game) == [24, 0]  # the queen has been in a marriage
    game = played(position(("KH KH QH QH", "9S 9D 9S JS"), trump="C", form=form), "KH", "9D", "KH")
    assert points(game) == [44, 0]
    game = played(position(("AH 9C", "TH 9D"), form=form, points=(79, 10)), "AH", "TH")
    assert not game.over
    game = played(position(("AH 9C", "TH 9D"), form=form, points=(80, 10)), "AH", "TH")
    assert big(game) == [2, 0]


def test_game_of_eight():
    rng = random.Random(3)
    for form in FORMS:
        game = SixtySix(form)
        while not game.over:
            if game.step == "deal":
                deal(game, rng)
                assert game.turn == (game.deals - 1) % len(game.seats)
            game.act(rng.choice(sorted(game.choices())))
        assert max(big(game)) >= 8
        if form in ("sixty-six", "sixty-six-three-handed", "sixty-six-swabian"):
            assert sorted(big(game))[-2] < 8
