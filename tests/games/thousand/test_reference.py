"""The reference of thousand by itself: what the text says, in small positions."""

from __future__ import annotations

import random

import pytest

from .reference import PACK, Thousand, beats, card_points, replies


def cards(text):
    return text.split()


def auction(hands, packets, *actions, game="thousand-two-auction", **rules):
    table = Thousand(game, {"target": 0, **rules})
    table.deal([cards(hand) for hand in hands], [cards(packet) for packet in packets])
    for action in actions:
        table.apply(action)
    return table


def played(table, *choose):
    """To the end of the deal; the first of the wanted actions that is legal, else the lowest legal play."""
    while table.step == "play":
        legal = table.legal()
        wanted = [action for action in choose if action in legal]
        table.apply(wanted[0] if wanted else min(legal, key=lambda action: (action[0] != "play", action)))
    return table


def test_values():
    assert card_points(PACK) == 120
    assert len(PACK) == 24


def test_tricks():
    assert beats("TS", "KS", "")
    assert not beats("TS", "AS", "")
    assert not beats("AH", "9S", "")
    assert beats("9H", "AS", "H")
    assert not beats("9H", "TH", "H")


def test_replies():
    hand = {"AS", "9S", "QH", "KD"}
    assert replies(hand, "TS", "H") == {"AS", "9S"}  # a higher card need not be played
    assert replies(hand, "TC", "H") == {"QH"}
    assert replies(hand, "TC", "") == hand
    assert replies(hand, "TC", "C") == hand


def test_stock():
    """The winner draws first and leads; trump begins with a marriage; all cards are played."""
    table = Thousand("thousand-two-stock", {"target": 0})
    hands = [cards("KS QS 9S KH QH 9H"), cards("AS TS JS AH TH JH")]
    stock = cards("AD TD KD QD JD 9D AC TC KC QC JC 9C")
    table.deal(hands, [stock])
    assert {action for action in table.legal() if action[0] == "marriage"} == {
        ("marriage", card) for card in ("KS", "QS", "KH", "QH")
    }
    table.apply(("marriage", "KH"))
    assert table.trump == "H"
    assert table.legal() == {("play", "AH"), ("play", "TH"), ("play", "JH")}
    table.apply(("play", "JH"))
    assert table.turn == 0
    assert "AD" in table.hands[0]
    assert "TD" in table.hands[1]
    table.apply(("marriage", "QS"))
    assert table.trump == "S"  # the new one
    table.apply(("play", "AS"))
    assert table.turn == 1
    assert "KD" in table.hands[1]
    played(table)
    assert table.over
    (deal,) = table.history
    assert len(deal["tricks"]) == 12
    assert sum(points for points, _ in deal["made"]) == 120
    assert deal["made"][0][1] == 140
    assert deal["written"] == [sum(pair) for pair in deal["made"]]


def test_must_trump_while_there_is_a_stock():
    table = Thousand("thousand-two-stock", {"target": 0})
    hands = [cards("KS QS 9S KH QH 9D"), cards("AS TS JS AH TH JH")]
    table.deal(hands, [cards("AD TD KD QD JD 9H AC TC KC QC JC 9C")])
    table.apply(("marriage", "KH"))
    table.apply(("play", "JH"))  # 0 has AD
    table.apply(("play", "9D"))
    assert table.legal() == {("play", "TD")}
    table.apply(("play", "TD"))
    assert table.turn == 1


HANDS = ("AS TS KS QS AH TH AD TD AC TC", "JS 9S KH QH JH 9H KD QD JD 9D")
PACKETS = ("KC QC", "JC 9C")


def test_forced_opening_and_passing():
    table = auction(HANDS, PACKETS)
    assert table.legal() == {("bid", "100")}
    table.apply(("bid", "100"))
    assert table.turn == 1
    assert ("bid", "110") in table.legal()
    assert ("bid", "105") not in table.legal()
    table.apply(("pass",))
    assert table.step == "packet"
    table.apply(("packet", "0"))
    assert {"KC", "QC"} <= table.hands[0]
    table.apply(("discard", "KC"))
    table.apply(("discard", "TD"))
    assert table.packets == [["KC", "TD"], ["JC", "9C"]]
    assert ("raise", "100") in table.legal()
    table.apply(("raise", "120"))
    assert (table.bid, table.turn, table.step) == (120, 0, "play")


def test_bid_is_written_not_the_points():
    """All tricks: 120 less what lies in the packets."""
    start = [("bid", "100"), ("pass",), ("packet", "1"), ("discard", "JC"), ("discard", "9C")]
    table = played(auction(HANDS, PACKETS, *start, ("raise", "100")), ("play", "AS"), ("play", "TS"))
    (deal,) = table.history
    points = deal["made"][0][0]
    assert sum(made for made, _ in deal["made"]) == 120 - card_points(cards("KC QC JC 9C")) == 111
    assert deal["written"] == [100 if points >= 100 else -100, deal["made"][1][0]]


def sweep(bid, *choose):
    """A hand that takes every trick if it leads from the top."""
    hands = ("AS TS KS AH TH KH AD TD AC TC", "QS JS 9S QH JH 9H KD QD KC QC")
    start = [("bid", "100"), ("pass",), ("packet", "0"), ("discard", "JC"), ("discard", "9C"), ("raise", str(bid))]
    top = [("play", rank + suit) for suit in "SHDC" for rank in "ATK"]
    return played(auction(hands, ("JC 9C", "JD 9D"), *start), *choose, *top)


def test_sweep_counts_the_packets():
    deal = sweep(120).history[0]
    assert deal["made"] == [(116, 0), (0, 0)]
    assert (deal["swept"], deal["written"]) == (True, [120, 0])
    assert sweep(130).history[0]["written"] == [-130, 0]
    assert sweep(110).history[0]["written"] == [110, 0]


def test_marriage_of_the_bidder_makes_no_sweep():
    hands = ("AS TS KS QS AH TH KH AD AC TC", "JS 9S QH JH 9H TD KD QD KC QC")
    start = [("bid", "100"), ("pass",), ("packet", "0"), ("discard", "JC"), ("discard", "9C"), ("raise", "120")]
    table = played(auction(hands, ("JC 9C", "JD 9D"), *start), ("play", "AS"), ("marriage", "KS"))
    deal = table.history[0]
    assert deal["made"][0][1] == 40
    assert not deal["swept"]
    assert deal["written"][0] == 120


def test_three():
    hands = ("AS TS KS QS JS 9S AH", "TH KH QH JH 9H AD TD", "KD QD JD 9D AC TC KC")
    table = auction(hands, ("QC JC 9C",), game="thousand-three")
    assert table.legal() == {("bid", "100")}
    for action in (("bid", "100"), ("bid", "110"), ("pass",), ("bid", "120"), ("pass",)):
        table.apply(action)
    assert (table.turn, table.step, table.bid) == (0, "give", 120)
    table.apply(("give", "QC"))
    table.apply(("give", "JC"))
    assert "QC" in table.hands[1]
    assert "JC" in table.hands[2]
    table.apply(("raise", "120"))
    assert [len(hand) for hand in table.hands] == [8, 8, 8]
    played(table, ("marriage", "KS"))
    (deal,) = table.history
    assert len(deal["tricks"]) == 8
    assert sum(points for points, _ in deal["made"]) == 120
    assert deal["written"][0] in (120, -120)
    assert deal["written"][1:] == [sum(pair) for pair in deal["made"][1:]]


@pytest.mark.parametrize("look", [False, True])
def test_blind(look):
    start = [("stay",), ("bid", "100"), ("look",), ("bid", "110")]
    start += [("look",) if look else ("stay",), ("bid", "120"), ("pass",), ("packet", "0")]
    start += [("discard", "JC"), ("discard", "9C"), ("raise", "120")]
    hands = ("AS TS KS AH TH KH AD TD AC TC", "QS JS 9S QH JH 9H KD QD KC QC")
    top = [("play", rank + suit) for suit in "SHDC" for rank in "ATK"]
    table = auction(hands, ("JC 9C", "JD 9D"), *start, blind="yes")
    assert table.shown == look
    played(table, *top)
    assert table.history[0]["written"] == [120 if look else 240, 0]


def test_failed_blind_doubles_all():
    start = [("stay",), ("bid", "100"), ("stay",), ("pass",), ("packet", "0")]
    table = auction(HANDS[::-1], PACKETS, *start, blind="yes")
    played_cards = [("discard", "KC"), ("discard", "QC"), ("raise", "100")]
    for action in played_cards:
        table.apply(action)
    played(table)
    (deal,) = table.history
    assert deal["written"][0] == -200
    assert deal["written"][1] == 2 * sum(deal["made"][1])


def test_game_ends_after_a_deal():
    """Totals are only looked at between deals; the higher one wins."""
    rng = random.Random(5)
    for seed in range(30):
        rng = random.Random(seed)
        table = Thousand("thousand-two-stock", {"target": 200})
        while not table.over:
            if table.step == "deal":
                assert max(table.scores) < 200 or table.scores[0] == table.scores[1]
                pack = rng.sample(PACK, 24)
                table.deal([pack[:6], pack[6:12]], [pack[12:]])
            table.apply(rng.choice(sorted(table.legal())))
        assert table.scores[table.winner] == max(table.scores) >= 200
        assert sum(table.scores) == sum(sum(deal["written"]) for deal in table.history)
