"""Rules of cribbage that the examples do not reach."""

import pytest

import simcards
from simcards.errors import UsageError

from .table import Table, codes

SIX = "cribbage-six-card"


def test_counts_go_on_until_all_cards_are_laid():
    table = Table(SIX, ["KS QS 9S 4D 2S 2H", "KH TH 8H 3D 6S 6H"], "AS").discard("2S 2H", "6S 6H")
    table.lay("KS KH")  # 20, a pair
    assert table.points == [0, 2]
    table.lay("QS go")  # 30: none of the dealer's cards fits, and pone has no ace
    assert table.asked() == (0, "play", {52})
    table.lay("go")
    assert table.points == [1, 2]
    # the dealer's turn had come; the count is at nothing
    assert table.asked().actor == 1
    assert int(table.state["common"]["count"]) == 0
    table.lay("TH 9S 8H")  # 10, 19, 27: a run of three
    assert table.points == [1, 5]
    table.lay("4D")  # 31
    assert table.points == [3, 5]
    # only the dealer has a card: he lays it and scores the last card
    assert table.asked() == (1, "play", set(codes("3D")))
    table.lay("3D")
    row = table.row()
    assert row["pegging"] == [3, 6]
    assert row["count_go"] == [1, 1]
    assert row["count_peg_thirty_one"] == [1, 0]


def test_a_new_count_knows_nothing_of_the_old_one():
    table = Table(SIX, ["KS 5S 5H JD 2S 2H", "KH 6H 5D JS 3S 3H"], "AS").discard("2S 2H", "3S 3H")
    table.lay("KS KH 5S 6H")  # 31
    assert table.points == [0, 4]
    table.lay("5H")  # no pair with the five below
    assert table.points == [0, 4]
    table.lay("5D")
    assert table.points == [0, 6]


def test_who_said_go_is_not_asked_again_in_this_count():
    table = Table(SIX, ["KS QS 9S 8S 2S 2H", "KH AH AD AC 3S 3H"], "7S").discard("2S 2H", "3S 3H")
    table.lay("KS KH 9S")  # 29
    table.lay("AH go AD")  # 30; pone cannot; 31 with a pair
    assert table.points == [0, 2 + 2 + 2]
    assert table.asked().actor == 0


def test_five_cards_are_laid_once_only():
    table = Table("cribbage-five-card", ["KS QS 9S 2S 2H", "KH QH 8H 3S 3H"], "AS").discard("2S 2H", "3S 3H")
    table.lay("KS KH QS")  # 30
    table.lay("go go")
    row = table.row()
    assert row["pegging"] == [1, 2]


def test_the_last_card_when_all_are_laid_below_the_limit():
    table = Table("cribbage-five-card", ["2S 4S 7S KS KH", "2H 4H 6H QS QH"], "8S").discard("KS KH", "QS QH")
    row = table.lay("2S 2H 4S 4H 7S 6H").row()  # 25; the dealer lays the last one
    assert row["pegging"] == [0, 2 + 2 + 1]


def test_a_jack_as_the_starter():
    table = Table(SIX, ["KS QS 9S 8S 2S 2H", "KH QH 9H 8H 3S 3H"], "JD").discard("2S 2H", "3S 3H")
    assert table.points == [0, 2]


def test_the_crib_needs_five_of_a_suit():
    hands = ["KS QD 9C 8H 2S 4S", "KH QC 9D 8D 6S AS"]
    for starter, rule, flush in (
        ("7S", "five", 5),
        ("7H", "five", 0),
        ("7H", "four", 4),
        ("7S", "four", 5),
        ("7S", "no", 0),
    ):
        table = Table(SIX, hands, starter, {"target": 0, "crib_flush": rule}).discard("2S 4S", "6S AS")
        while not table.is_over:
            table.do(min(table.asked().legal))
        row = table.row()
        assert row["points_crib_flush"] == [0, flush]
        assert row["count_crib_flush"] == [0, int(flush > 0)]


def test_flushes_of_hands_of_every_size():
    for game, hands, expected in (
        ("cribbage-five-card", ["KS QS 9S 2D 2H", "KH QH 9H 3S 3C"], (4, 3)),
        (SIX, ["KS QS 9S 8S 2D 2H", "KH QH 9H 8H 3S 3C"], (5, 4)),
        ("cribbage-seven-card", ["KS QS 9S 8S 7S 2D 2H", "KH QH 9H 8H 7H 3S 3C"], (6, 5)),
    ):
        table = Table(game, hands, "AS").discard("2D 2H", "3S 3C")
        while not table.is_over:
            table.do(min(table.asked().legal))
        assert table.row()["points_hand_flush"] == list(expected)


# -- games -----------------------------------------------------------------------------------------------------


def test_three_points_before_every_deal_or_the_first():
    hands = ["KS QS 9S 2S 2H", "KH QH 8H 3S 3H"]
    for when, pone in (("deal", [3, 3]), ("game", [3, 0])):
        table = Table("cribbage-five-card", hands, "AD", {"target": 61, "three_for_last": when})
        assert table.points == [3, 0]
        table.discard("2S 2H", "3S 3H").lay("KS KH QS go go")
        before = table.points
        table.deal(hands, "AD")  # now player 1 sits to the left of the dealer
        assert [after - old for after, old in zip(table.points, before)] == [0, pone[1]]
        assert table.asked().actor == 1
        table.discard("2S 2H", "3S 3H")
        assert int(table.state["common"]["owner"]) == 0


@pytest.mark.parametrize(
    ("target", "starter", "laid", "winner"),
    [
        (3, "AD", "", 0),  # the three points before the deal
        (2, "JD", "", 1),  # a jack as the starter; three points for pone are too many, so without them
        (2, "AD", "KS KH", 1),  # a pair
    ],
)
def test_a_game_ends_at_once(target, starter, laid, winner):
    rules = {"target": target, "compensation": 3 if target == 3 else 0}
    table = Table("cribbage-five-card", ["KS QS 9S 2S 2H", "KH QH 8H 3S 3H"], starter, rules)
    if not table.is_over:
        table.discard("2S 2H", "3S 3H").lay(laid)
    row = table.row()
    assert row["won"] == [int(winner == 0), int(winner == 1)]
    assert row["value"] == [1 - 2 * winner, 2 * winner - 1]


def test_pone_shows_first_and_may_win_by_it():
    hands = ["5S 5H 5D JC 2S 2H", "4S 6S 4H 6H 3S 3H"]
    table = Table(SIX, hands, "5C", {"target": 30}).discard("2S 2H", "3S 3H")
    while not table.is_over:
        table.do(max(table.asked().legal))
    row = table.row()
    assert row["hand"] == [29, 0]
    assert row["crib"] == [0, 0]
    assert row["won"] == [1, 0]


def test_the_deal_passes_on():
    result = simcards.game(SIX).play("basic", deals=300, unit="game", seed=3).frame
    rows = result.set_index("quantity")
    assert float(rows.loc["deals"].estimate) > 5


# -- the auction -----------------------------------------------------------------------------------------------

AUCTION = "cribbage-auction"
HANDS = ["KS QS 9S 8S 2S 2H", "KH QH 9H 8H 3S 3H"]


def test_the_crib_is_bought_before_the_discard():
    table = Table(AUCTION, HANDS, "JD")
    assert table.asked() == (0, "bid", set(range(1, 30)))  # he must open
    table.do(1)
    assert table.asked() == (1, "bid", {0, *range(2, 30)})
    table.do(4)
    assert table.asked() == (0, "bid", {0, *range(5, 30)})
    table.do(0)
    assert table.points == [0, -4]
    table.discard("2S 2H", "3S 3H")
    # the starter is a jack: two for the dealer, who bought the crib, leads and shows first
    assert table.points == [0, -2]
    assert table.asked().actor == 1


def test_the_buyer_leads_and_shows_hand_and_crib_first():
    hands = ["5S 5H 5D JC 2S 2H", "4S 6S 4H 6H 3S 3H"]
    # pone has 29 in the hand; the dealer, who has bought the crib, shows 24 and the crib before him
    table = Table(AUCTION, hands, "5C", {"target": 26}).do(1, 2, 0).discard("2S 2H", "3S 3H")
    assert table.asked().actor == 1
    while not table.is_over:
        table.do(min(table.asked().legal))
    row = table.row()
    assert row["points_bid"] == [0, -2]
    assert row["bids"] == [0, 2]
    assert row["count_bought"] == [0, 1]
    assert row["hand"] == [0, 24]
    assert row["won"] == [0, 1]


def test_heels_stay_with_the_dealer():
    for rule, points in (("dealer", [-5, 2]), ("owner", [-3, 0])):
        table = Table(AUCTION, HANDS, "JD", {"target": 0, "heels_to": rule}).do(5, 0).discard("2S 2H", "3S 3H")
        assert table.points == points
        assert table.asked().actor == 0


def test_the_highest_bid_ends_the_auction():
    table = Table(AUCTION, HANDS, "AD").do(29)
    assert table.asked().phase == "discard"
    assert table.points == [-29, 0]


def test_an_auction_after_the_discard():
    table = Table(AUCTION, HANDS, "JD", {"target": 0, "auction": "after_discard"})
    table.discard("2S 2H", "3S 3H")
    assert table.asked() == (0, "bid", set(range(1, 30)))
    table.do(3, 0)
    assert table.points == [-3, 2]
    assert table.asked() == (0, "play", set(codes("KS QS 9S 8S")))


def test_where_pone_need_not_open_the_dealer_may_have_the_crib_for_nothing():
    table = Table(AUCTION, HANDS, "AD", {"target": 0, "must_open": "no"})
    assert 0 in table.asked().legal
    table.do(0)
    assert table.points == [0, 0]
    assert int(table.state["common"]["owner"]) == 1
    table.discard("2S 2H", "3S 3H")
    assert table.asked().actor == 1


# -- four players ----------------------------------------------------------------------------------------------

FOUR = "cribbage-four-handed"


def test_four_discard_one_card_each_and_play_to_the_left():
    hands = ["KS QS 9S 2D 3S", "KH QH 9H 2C 3H", "KD QD 9D 2H 3D", "KC QC 9C 2S 3C"]
    table = Table(FOUR, hands, "AS").discard("3S", "3H", "3D", "3C")
    table.lay("KS KH KD")  # 30, a pair and a pair royal
    assert table.points == [0, 2, 6, 0]
    # nobody has an ace: everybody says go in turn, and the last card is the third player's
    table.lay("go go go")
    assert table.asked().actor == 2
    table.lay("go")
    assert table.points == [0, 2, 7, 0]
    assert table.asked().actor == 3
    table.lay("QC QS QH go go go go")
    assert table.points == [2, 2 + 6 + 1, 7, 0]


def test_partners_have_a_common_score():
    hands = ["KS QS 9S 2D 3S", "KH QH 9H 2C 3H", "KD QD 9D 2H 3D", "KC QC 9C 2S 3C"]
    table = Table(FOUR, hands, "AS", {"target": 8}).discard("3S", "3H", "3D", "3C").lay("KS KH KD go go go go")
    assert not table.is_over
    table.lay("QC QS")  # the first player's pair: with the seven of his partner more than eight
    row = table.row()
    assert row["won"] == [1, 0, 1, 0]
    assert row["side_points"] == [9, 2, 9, 2]
    assert row["points"] == [2, 2, 7, 0]


def test_four_show_from_the_dealers_left_and_the_crib_comes_last():
    hands = ["KS QS 9S 2D 3S", "KH QH 9H 2C 3H", "KD QD 9D 2H 3D", "KC QC 9C 2S 3C"]
    table = Table(FOUR, hands, "AS", {"target": 0}).discard("3S", "3H", "3D", "3C")
    while not table.is_over:
        table.do(min(table.asked().legal))
    row = table.row()
    assert row["crib"] == [0, 0, 0, 12]
    assert row["points_as_dealer"][:3] == [0, 0, 0]
    assert row["points_as_dealer"][3] == row["points"][3]
    assert row["value"] == [row["margin"], -row["margin"]] * 2


def test_nobody_bids_for_the_crib_with_four():
    with pytest.raises(UsageError, match="auction"):
        simcards.game(FOUR).play("basic", deals=1, rules={"auction": "before_discard"})
