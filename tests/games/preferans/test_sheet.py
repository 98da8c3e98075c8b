"""What is written after a deal of preferans, by the examples of the source and by sums made here by hand."""

import pytest

from .sheet import Sheet

FOUR, HUSSAR, CLASSICAL = "preferans-four-handed", "preferans-hussar", "preferans-classical"


# -- E-PREF-1, 2 and 5 -------------------------------------------------------------------------------------------


def test_two_tricks_lacking_in_a_six_are_forty_on_the_hill():
    sheet = Sheet().contract("6C", (4, 3, 3))
    assert (sheet.hills, sheet.pools) == ([40, 0, 0], [0, 0, 0])


@pytest.mark.parametrize(("tricks", "first", "second"), [((4, 3, 2), 10, 8), ((4, 3, 3), 10, 10), ((4, 4, 2), 12, 8)])
def test_whists_are_for_tricks_taken_and_for_tricks_lacking(tricks, first, second):
    """The first line is the source's own example, in which one of the ten tricks is missing."""
    sheet = Sheet().contract("6C", tricks)
    assert (sheet.whists(1, 0), sheet.whists(2, 0)) == (first, second)


def test_more_tricks_than_announced_bring_nothing():
    sheet = Sheet().contract("6C", (8, 1, 1), ("pass", "pass"))
    assert sheet.pools == [20, 0, 0]


@pytest.mark.parametrize(("row", "price"), [(0, 10), (1, 20), (2, 40)])
def test_all_pass_costs_ten_twenty_forty_a_trick_and_none_brings_as_much(row, price):
    sheet = Sheet()
    for _ in range(row):
        sheet.all_pass(4, 3, 3)
    before = sheet.hills
    sheet.all_pass(7, 3, 0)
    assert [now - then for now, then in zip(sheet.hills, before, strict=True)] == [7 * price, 3 * price, 0]
    assert sheet.pools == [0, 0, price]


@pytest.mark.parametrize(
    ("progression", "prices"), [("double", (10, 20, 40)), ("add", (10, 20, 30)), ("none", (10,) * 3)]
)
def test_the_price_of_all_pass_grows_while_the_same_player_deals(progression, prices):
    sheet = Sheet(progression=progression)
    total = 0
    for price in (*prices, prices[0]):  # after the third the next one deals
        sheet.all_pass(10, 0, 0)
        total += 10 * price
        assert sum(sheet.hills) == total
    assert int(sheet.state["common"]["dealer"]) == 0


def test_a_contract_in_between_begins_the_prices_anew():
    sheet = Sheet().all_pass(4, 3, 3).contract("6C", (6, 2, 2)).all_pass(4, 3, 3)
    assert sheet.hills == [40 + 30, 30 + 40, 30 + 30]  # the deal has passed on


# -- contracts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bid", "made", "value"), [("6S", 6, 20), ("7D", 7, 40), ("8NT", 8, 60), ("9H", 9, 80), ("10C", 10, 100)]
)
def test_a_contract_brings_its_value_or_costs_it_for_each_trick_lacking(bid, made, value):
    sheet = Sheet().contract(bid, (made, 10 - made, 0))
    assert sheet.pools == [value, 0, 0]
    assert sheet.whists(1, 0) == (10 - made) * value // 10
    sheet = Sheet().contract(bid, (made - 2, 12 - made, 0))
    assert sheet.hills[0] == 2 * value
    assert (sheet.whists(1, 0), sheet.whists(2, 0)) == ((14 - made) * value // 10, 2 * value // 10)


def test_a_single_whister_writes_all_tricks_and_those_lacking_twice():
    sheet = Sheet().contract("7H", (5, 1, 4), ("whist", "pass"))
    # five tricks at four whists; two lacking, once for him, once for the invitation; the other the consolation
    assert (sheet.whists(1, 0), sheet.whists(2, 0)) == (5 * 4 + 2 * 4 + 2 * 4, 2 * 4)
    assert sheet.hills == [80, 0, 0]
    sheet = Sheet(invitation="no", consolation="whisters").contract("7H", (5, 1, 4), ("whist", "pass"))
    assert (sheet.whists(1, 0), sheet.whists(2, 0)) == (5 * 4 + 2 * 4, 0)


def test_a_single_whister_answers_for_the_whole_duty():
    sheet = Sheet().contract("6S", (8, 0, 2), ("pass", "whist"))
    assert sheet.hills == [0, 0, 2 * 20]
    assert sheet.whists(2, 0) == 2 * 2
    sheet = Sheet().contract("7S", (9, 1, 0), ("whist", "pass"))
    assert sheet.hills == [0, 40, 0]
    # eight tricks of a seven leave two, which is what was promised
    assert Sheet().contract("7S", (8, 2, 0), ("whist", "pass")).hills == [0, 0, 0]
    assert Sheet().contract("8S", (10, 0, 0), ("whist", "pass")).hills == [0, 60, 0]
    assert Sheet().contract("9S", (10, 0, 0), ("whist", "pass")).hills == [0, 80, 0]


@pytest.mark.parametrize(
    ("bid", "tricks", "hills"),
    [
        ("6S", (8, 1, 1), [0, 20, 20]),
        ("6S", (8, 2, 0), [0, 0, 40]),
        ("6S", (10, 0, 0), [0, 40, 40]),
        ("7S", (9, 1, 0), [0, 0, 40]),
        ("6S", (6, 4, 0), [0, 0, 0]),
        ("6S", (7, 3, 0), [0, 0, 20]),
        ("8S", (10, 0, 0), [0, 0, 60]),
        ("10S", (10, 0, 0), [0, 0, 0]),
    ],
)
def test_two_whisters_answer_for_their_own_halves(bid, tricks, hills):
    assert Sheet().contract(bid, tricks).hills == hills


def test_house_rules_of_the_duty():
    assert Sheet(shortfall="own").contract("6S", (7, 3, 0)).hills == [0, 0, 40]
    assert Sheet(shortfall="own").contract("6S", (6, 4, 0)).hills == [0, 0, 0]  # the declarer took no more
    assert Sheet(responsible="first").contract("8S", (10, 0, 0)).hills == [0, 60, 0]
    assert Sheet(duty_8=0).contract("8S", (10, 0, 0)).hills == [0, 0, 0]


@pytest.mark.parametrize(("bid", "whists"), [("6H", 4), ("7H", 4), ("8H", 6), ("9H", 8)])
def test_the_own_share_is_written_without_play_and_the_contract_is_made(bid, whists):
    for said in (("own", "pass"), ("pass", "own")):
        sheet = Sheet().contract(bid, (0, 0, 0), said)
        assert sheet.pools[0] == (int(bid[0]) - 5) * 20
        assert sheet.whists(1 if said[0] == "own" else 2, 0) == whists
        assert sheet.hills == [0, 0, 0]


def test_a_misere_is_worth_a_hundred_and_costs_it_for_each_trick():
    assert Sheet().contract("misère", (0, 5, 5), ("", "")).pools == [100, 0, 0]
    sheet = Sheet().contract("misère", (3, 5, 2), ("", ""))
    assert sheet.hills == [300, 0, 0]
    assert not sheet.state["sheet"]["whists"].any()


def test_blind_doubles_what_is_written():
    sheet = Sheet().contract("6C", (4, 3, 3), blind=True)
    assert (sheet.hills, sheet.whists(1, 0)) == ([80, 0, 0], 20)
    sheet = Sheet(blind_doubles="declarer").contract("6C", (4, 3, 3), blind=True)
    assert (sheet.hills, sheet.whists(1, 0)) == ([80, 0, 0], 10)
    assert Sheet().contract("6C", (6, 4, 0), blind=True).pools == [40, 0, 0]
    assert Sheet().contract("6C", (8, 1, 1), blind=True).hills == [0, 40, 40]


# -- pools, help, settlement ------------------------------------------------------------------------------------


def test_what_goes_beyond_a_pool_is_help_for_the_fullest_other():
    sheet = Sheet(pool=200).write(pools=[190, 100, 60])
    sheet.contract("7S", (7, 3, 0))
    assert sheet.pools == [200, 130, 60]
    assert sheet.whists(0, 1) == 30
    assert not sheet.is_over


def test_the_next_fullest_is_helped_when_the_first_is_full_and_the_rest_comes_off_the_hill():
    sheet = Sheet(pool=200).write(pools=[200, 180, 170], hills=[60, 0, 0])
    sheet.contract("9S", (9, 1, 0))
    assert (sheet.pools, sheet.hills) == ([200, 200, 200], [30, 0, 0])
    assert (sheet.whists(0, 1), sheet.whists(0, 2)) == (20, 30)
    assert sheet.is_over
    assert int(sheet.state["tally"]["full"]) == 1
    sheet = Sheet(pool=200, surplus="lost").write(pools=[200, 180, 170], hills=[60, 0, 0])
    assert sheet.contract("9S", (9, 1, 0)).hills == [60, 0, 0]


def test_a_winning_may_stay_whole():
    sheet = Sheet(pool=200, surplus="whole").write(pools=[190, 100, 60])
    assert sheet.contract("7S", (7, 3, 0)).pools == [230, 100, 60]
    # the next deal has middlehand as the eldest hand: chair 2 is player 0
    sheet.contract("7S", (7, 3, 0), declarer=2)
    assert sheet.pools == [230, 140, 60]
    assert sheet.whists(0, 1) == 40


def test_equal_pools_are_helped_clockwise():
    sheet = Sheet(pool=200).write(pools=[100, 200, 100])
    sheet.contract("6S", (6, 4, 0), declarer=1)
    assert sheet.pools == [100, 200, 120]


def test_a_game_ends_when_all_pools_are_closed_or_time_is_up():
    sheet = Sheet(pool=20, most_deals=2).write(pools=[0, 20, 20])
    assert sheet.contract("6S", (6, 4, 0)).is_over
    sheet = Sheet(pool=200, most_deals=2).contract("6S", (6, 4, 0))
    assert not sheet.is_over
    assert sheet.contract("6S", (6, 4, 0)).is_over
    assert int(sheet.state["tally"]["full"]) == 0


def test_all_types_of_games_may_be_asked_for():
    sheet = Sheet(pool=20, all_types="yes").write(pools=[20, 20, 20])
    for bid, tricks in (("6S", 6), ("7S", 7), ("8S", 8), ("9S", 9), ("10S", 10)):
        for player in range(3):
            assert not sheet.is_over
            sheet.state["common"]["dealer"] = 2
            sheet.contract(bid, (tricks, 10 - tricks, 0), declarer=player)
    for player in range(3):
        assert not sheet.is_over
        sheet.state["common"]["dealer"] = 2
        sheet.contract("misère", (0, 5, 5), ("", ""), declarer=player)
    assert sheet.is_over


def test_e_pref_3_hills_are_divided_by_the_players():
    sheet = Sheet(pool=0).write(hills=[50, 170, 190])
    # A on B 40, A on C 47, B on C 47, C on B 40
    assert sheet.settled == [40 + 47, 47 - 40 - 40, 40 - 47 - 47]
    assert sheet.worth(0) == pytest.approx((120 + 140) / 3)


def test_e_pref_4_whists_are_netted():
    sheet = Sheet(pool=0).write(whists={(0, 1): 125, (1, 0): 80, (2, 0): 23})
    assert sheet.settled == [22, -45, 23]
    assert [sheet.worth(player) for player in range(3)] == [22, -45, 23]


def test_a_game_broken_off_takes_pools_from_hills():
    sheet = Sheet(pool=200).write(pools=[200, 80, 140], hills=[100, 40, 100])
    # hills less pools: -100, -40, -40; after the amnesty 0, 60, 60
    assert sheet.settled == [20 + 20, 20 - 20 - 20, 20 - 20 - 20]


def test_a_full_game_does_not():
    sheet = Sheet(pool=200).write(pools=[200, 200, 200], hills=[100, 40, 100])
    assert sheet.settled == [-20 - 20 + 20, 40, -20 - 20 + 20]


# -- four players ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("talon", "tricks"),
    [("AS 7H", 1), ("KD QD", 1), ("AS KS", 2), ("AS AH", 3), ("AS KH", 1), ("KD QC", 0), ("JD TC", 0), ("AS QS", 1)],
)
def test_the_dealer_writes_whists_for_the_talon(talon, tricks):
    sheet = Sheet(FOUR).contract("7S", (7, 3, 0), talon=talon)
    assert sheet.whists(3, 0) == tricks * 4
    sheet = Sheet(FOUR).contract("7S", (6, 4, 0), talon=talon)
    assert sheet.whists(3, 0) == tricks * 4 + 4
    sheet = Sheet(FOUR).contract("misère", (2, 4, 4), ("", ""), talon=talon)
    assert sheet.whists(3, 0) == 0
    assert (
        Sheet(FOUR, talon_misere="yes").contract("misère", (0, 4, 4), ("", ""), talon=talon).whists(3, 0) == 10 * tricks
    )


def test_the_dealer_has_the_tricks_of_the_talon_on_his_hill():
    sheet = Sheet(FOUR).all_pass(4, 4, 0, talon=2)
    assert (sheet.hills, sheet.pools) == ([40, 40, 0, 20], [0, 0, 10, 0])
    assert Sheet(FOUR).all_pass(4, 4, 2).pools == [0, 0, 0, 0]
    assert Sheet(FOUR, dealer_clean="yes").all_pass(4, 4, 2).pools == [0, 0, 0, 10]


def test_hills_of_four_are_divided_by_four():
    sheet = Sheet(FOUR, pool=0).write(hills=[40, 0, 0, 0])
    assert sheet.settled == [-30, 10, 10, 10]


# -- two players with a dummy ------------------------------------------------------------------------------------


def test_the_opponent_with_the_dummy_writes_alone():
    # eldest is player 0, then the dummy, then player 1
    sheet = Sheet(HUSSAR).contract("6S", (4, 3, 3), ("pass", "whist"))
    assert sheet.whists(1, 0) == 6 * 2 + 2 * 2 + 2 * 2
    assert sheet.hills == [40, 0]
    sheet = Sheet(HUSSAR, pool=0).contract("6S", (7, 2, 1), ("pass", "whist"))
    assert (sheet.pools, sheet.hills) == ([20, 0], [0, 20])
    # 20 in the pool and 20 on the other's hill are halved, against three whists of two
    assert sheet.settled == [10 + 10 - 6, -14]


def test_entries_may_be_halved_instead():
    sheet = Sheet(HUSSAR, pool=0, halving="entries").contract("6S", (7, 2, 1), ("pass", "whist"))
    assert (sheet.pools, sheet.hills, sheet.whists(1, 0)) == ([10, 0], [0, 10], 6)


# -- classical ---------------------------------------------------------------------------------------------------


def test_half_of_a_winning_comes_off_the_hill():
    sheet = Sheet(CLASSICAL, forced_circles=0, ladder="no").write(hills=[100, 0, 50])
    sheet.contract("7S", (7, 3, 0))
    assert (sheet.pools, sheet.hills) == ([20, 0, 0], [80, 0, 50])


def test_without_a_hill_the_half_is_help_for_the_smallest():
    sheet = Sheet(CLASSICAL, forced_circles=0, ladder="no").write(hills=[10, 60, 15])
    sheet.contract("8S", (8, 2, 0))
    # of 30 ten come off the own hill, 15 off the smallest, 5 off the other
    assert (sheet.pools, sheet.hills) == ([30, 0, 0], [0, 55, 0])
    assert (sheet.whists(0, 2), sheet.whists(0, 1)) == (15, 5)
    sheet = Sheet(CLASSICAL, forced_circles=0, ladder="no").contract("6S", (6, 4, 0))
    assert sheet.pools == [20, 0, 0]  # nobody has a hill


def test_two_rounds_begin_with_all_passing_at_one_price():
    sheet = Sheet(CLASSICAL)
    dealers = []
    for _ in range(6):
        dealers.append(int(sheet.state["common"]["dealer"]))
        sheet.all_pass(4, 3, 3)
    assert dealers == [2, 0, 1, 2, 0, 1]
    assert sum(sheet.hills) == 6 * 10 * 10
    assert int(sheet.state["common"]["forced"]) == 0
    sheet = Sheet(CLASSICAL, forced_prices="by_circle")
    for _ in range(6):
        sheet.all_pass(4, 3, 3)
    assert sum(sheet.hills) == 3 * 100 + 3 * 200


def test_the_ladder_halves_what_is_written_when_it_has_no_place_left():
    sheet = Sheet(CLASSICAL, winnings="pool", forced_circles=1)
    for _ in range(3):
        sheet.all_pass(4, 3, 3)
    for _ in range(3):
        sheet.contract("6S", (6, 4, 0))
    assert sum(sheet.pools) == 60
    before = int(sheet.state["sheet"]["whists"].sum())
    sheet.contract("6S", (6, 4, 0))
    assert sum(sheet.pools) == 70
    assert int(sheet.state["sheet"]["whists"].sum()) - before == 4
    before = sum(sheet.hills)
    sheet.contract("6S", (5, 5, 0))
    assert sum(sheet.hills) - before == 10
    sheet.all_pass(4, 3, 3)  # one more place, and all four are taken: no longer more games than places
    assert sum(sheet.hills) - before == 10 + 100
    assert int(sheet.state["tally"]["halved"]) == 2
