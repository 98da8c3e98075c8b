"""The reference of binocle by itself: values and rules of melds, the dix, claims."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest

from .reference_binocle import NAMES, Binocle, Card, code_of


def position(hand, table="", trump="H", turned="AC", **rules):
    """The pone has won a trick and is to declare; the stock is of nines of clubs."""
    game = Binocle("binocle", {"target": 0, **rules})
    game.pone, game.deals = 0, 1
    game.players[0].hand = [Card(name) for name in hand.split()]
    game.players[0].table = [Card(name) for name in table.split()]
    game.trump, game.dix, game.turned = trump, "9" + trump, Card(turned)
    game.stock = [*(Card("9C") for _ in range(31)), None]
    game.led = ""
    game.leader = game.turn = 0
    game.step = "declare"
    return game


def scored(hand, *melds, **rules):
    """The points after these melds, each on a trick of its own; None where one may not be made."""
    game = position(hand, **rules)
    for meld in melds:
        game.step, game.turn = "declare", 0
        if meld not in game.choices():
            return None
        game.act(meld)
        if game.step == "lay":
            game.act(max(game.choices()))
    return game.points[0]


def best(hand, **rules):
    """The most that a hand can score, given tricks enough and no new cards."""

    def search(game):
        totals = [game.points[0]]
        for meld in sorted(game.legal_melds()):
            for laid in game.outcomes(meld):
                after = deepcopy(game)
                after.meld(meld, laid)
                after.step, after.turn = "declare", 0
                totals.append(search(after))
        return max(totals)

    return search(position(hand, **rules))


MARRIAGE, SEQUENCE, BINOCLE, DOUBLE = ("marriage", "H"), ("sequence", "H"), ("binocle", ""), ("double", "")
GRAND = ("grand", "")


@pytest.mark.parametrize(
    ("hand", "melds", "points"),
    [
        ("KH QH", [MARRIAGE], 40),
        ("KS QS", [("marriage", "S")], 20),
        ("AH TH KH QH JH", [SEQUENCE], 150),
        ("AH TH KH QH JH", [MARRIAGE, SEQUENCE], 190),
        ("AH TH KH QH JH", [SEQUENCE, MARRIAGE], None),
        ("AH TH KH QH JH QH", [SEQUENCE, MARRIAGE], None),  # nor with a new queen to the old king
        ("AH TH KH QH JH KH QH", [SEQUENCE, MARRIAGE], 190),
        ("AS TS KS QS JS", [("sequence", "S")], None),  # only trumps
        ("KH QH QH", [MARRIAGE, MARRIAGE], None),
        ("KH QH KH QH", [MARRIAGE, MARRIAGE], 80),
        ("QS JD", [BINOCLE], 40),
        ("QS JD QS JD", [BINOCLE, DOUBLE], 120),
        ("QS JD QS JD", [DOUBLE, BINOCLE], None),
        ("QS JD QS JD", [BINOCLE, BINOCLE], 80),
        ("QS JD QS JD", [BINOCLE, BINOCLE, DOUBLE], None),  # no fresh card
        ("QS JD KS", [GRAND], None),  # not played unless agreed
        ("AS AH AD AC", [("four", "A")], 100),
        ("AS AH AD AD", [("four", "A")], None),  # of four suits
        ("AS AS AH AH AD AD AC AC", [("eight", "A")], 200),
        ("AS AS AH AH AD AD AC AC", [("four", "A"), ("eight", "A")], 300),
        ("AS AS AH AH AD AD AC AC", [("four", "A"), ("four", "A")], 200),
        ("AS AS AH AH AD AD AC AC", [("four", "A"), ("four", "A"), ("eight", "A")], None),
        ("AS AS AH AH AD AD AC AC", [("eight", "A"), ("four", "A")], None),
        ("AS AH AD AC AD", [("four", "A"), ("four", "A")], None),
        ("KS KH KD KC", [("four", "K")], 80),
        ("QS QH QD QC", [("four", "Q")], 60),
        ("JS JH JD JC", [("four", "J")], 40),
        ("KS KS KH KH KD KD KC KC", [("eight", "K")], 160),
        ("QS QS QH QH QD QD QC QC", [("eight", "Q")], 120),
        ("JS JS JH JH JD JD JC JC", [("eight", "J")], 80),
        ("QS JD KS", [BINOCLE, ("marriage", "S")], 60),  # another class
    ],
)
def test_melds(hand, melds, points):
    assert scored(hand, *melds) == points


def test_every_meld_takes_a_fresh_card_from_the_hand():
    """S000 gives no table; its original counts four kings and four queens as 220, since the last queen serves once."""
    both = "KS KH KD KC QS QH QD QC"
    assert best(both) == 220
    assert best(both, fresh="table") == 240
    assert best("AH TH KH QH JH") == 190
    assert best("QS JD QS JD") == 120
    assert scored("KS QS JD KH KD KC", ("four", "K"), BINOCLE, ("marriage", "S")) is None
    assert scored("KS QS JD KH KD KC", ("four", "K"), BINOCLE, ("marriage", "S"), fresh="table") == 140


def test_grand_binocle():
    agreed = {"grand_binocle": "yes"}
    assert scored("QS JD KS", GRAND, **agreed) == 80
    assert scored("QS JD KS", BINOCLE, GRAND, **agreed) == 120
    assert scored("QS JD KS", GRAND, BINOCLE, **agreed) is None
    assert scored("QS JD KS QS JD", GRAND, BINOCLE, **agreed) == 120
    assert scored("QS JD KS QS JD", GRAND, DOUBLE, **agreed) is None  # as high
    assert scored("QS JD KS QS JD", DOUBLE, GRAND, **agreed) is None
    assert scored("QS JD KS", ("marriage", "S"), GRAND, **agreed) == 100
    assert best("QS JD KS", **agreed) == 120  # the king is fresh once


def test_which_card_is_fresh_is_the_players_choice():
    game = position("KS QS 9D", "KS QS")
    game.act(("marriage", "S"))
    assert game.choices() == {("lay", "KS"), ("lay", "QS")}
    game.act(("lay", "QS"))
    assert sorted(card.name for card in game.players[0].table) == ["KS", "QS", "QS"]
    assert game.points == [20, 0]


def test_dix():
    """Ten for each; the first is exchanged, the second shown; a meld may follow on the same trick."""
    game = position("9H 9H KC 9D", turned="QC")
    game.act(("dix",))
    assert game.turned.name == "9H"
    game.act(("dix",))
    assert game.points == [20, 0]
    assert ("dix",) not in game.choices()
    game.act(("marriage", "C"))  # with the queen that was turned up
    assert game.points == [40, 0]
    assert game.step == "play"
    game = position("9H KC QC", turned="9H")  # turned: the dealer has scored it
    game.act(("dix",))
    assert game.points == [10, 0]
    game = position("9H KC QC", dix_with_meld="no")
    game.act(("dix",))
    assert game.step == "play"


def whole(seed, game="binocle", rules=None):
    """A game of random actions without claims or melds."""
    rng = random.Random(seed)
    play = Binocle(game, rules)
    while not play.over:
        if play.step == "deal":
            play.feed(rng.sample([code_of(name) for name in play.pack], len(play.pack)))
        else:
            calm = {("go on",), ("nothing",)} & play.choices()
            play.act(rng.choice(sorted(calm or play.choices())))
    return play


@pytest.mark.parametrize(("game", "tricks"), [("binocle", 24), ("binocle-64", 32)])
def test_cards_of_a_deal_count_240(game, tricks):
    """E-BEZ-4; twelve or twenty drawing tricks and twelve more."""
    for seed in range(20):
        row = whole(seed, game, {"target": 0}).row()
        assert sum(row["points_cards"]) == 240
        assert sum(row["points_last_trick"]) == 10
        assert sum(row["tricks"]) == tricks
        assert sum(row["brisques"]) == 16


def test_deal():
    """By fours, the pone first; the dix turned up scores for the dealer."""
    game = Binocle("binocle")
    deck = sorted((code_of(name) for name in game.pack), key=lambda code: NAMES[code] == "9D")
    deck = [*deck[:24], deck.pop(), *deck[24:]]
    game.feed(deck)
    assert [code_of(card.name) for card in game.players[0].hand] == deck[0:4] + deck[8:12] + deck[16:20]
    assert [code_of(card.name) for card in game.players[1].hand] == deck[4:8] + deck[12:16] + deck[20:24]
    assert game.points == [0, 10]
    assert game.actor() == 0
    assert len(game.stock) == 24
