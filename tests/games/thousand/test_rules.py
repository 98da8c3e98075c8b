"""The rules of thousand, by the source's sentences and by hands whose points are counted here by hand."""

import numba
import numpy as np
import pytest

from simcards.games.registry import load, ruleset
from simcards.kernel import protocol

from .table import Table, mask

STOCK, TWO, THREE, BLIND = "thousand-two-stock", "thousand-two-auction", "thousand-three", "thousand-blind"

# Forehand takes all ten tricks in any order: 97 points when AD TD are laid away and JC 9C lie in the other packet
SOLID = ("AS TS KS QS JS 9S AH TH KH QH", "JH 9H KD QD JD 9D AC TC KC QC")
SOLID_PACKETS = "AD TD JC 9C"
# Forehand scores the marriage of hearts and nothing else; dealer wins all ten tricks, 111 points in cards
LOST = ("AS TS KS QS JS 9S KH QH JD 9D", "AH TH JH 9H AD TD KD QD AC TC")
LOST_PACKETS = "9C JC KC QC"
LOST_PLAY = "KH*-AH KD*-JD AD-9D TD-9S QD-JS AC-QS TC-KS TH-QH JH-TS 9H-AS"


def solid(bid, play, rules=None):
    table = Table(TWO, SOLID, SOLID_PACKETS, {"target": 0, **(rules or {})})
    table.bid(100, 0).do(0).exchange("AD TD").raise_to(bid if bid > 100 else 0)
    return table.play(play)


SWEEP = "AH-JH TH-9H KH-9D QH-JD AS-QD TS-KD KS-QC QS-KC JS-TC 9S-AC"
MARRIAGE = SWEEP.replace("KS-QC QS-KC", "KS*-QC QS-KC")


# -- E-1000-1 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spades", "taken", "written"), [(33, 130, 120), (18, 115, -120), (23, 120, 120)])
def test_a_bid_of_120_is_written_when_it_is_made_and_taken_off_when_it_is_not(spades, taken, written):
    row = solid(120, MARRIAGE, {"spades": spades}).row()
    assert row["declarer_points"] == [taken, 0]
    assert row["points"] == [written, 0]
    assert (row["made"], row["failed"]) == (([1, 0], [0, 0]) if written > 0 else ([0, 0], [1, 0]))
    assert row["packet_points"] == [0, 0]


def test_120_with_every_trick_and_no_marriage_counts_the_packets():
    row = solid(120, SWEEP).row()
    assert row["card_points"] == [97, 0]
    assert row["packet_points"] == [23, 0]  # AD TD laid away, JC in the other packet
    assert row["points"] == [120, 0]
    assert row["sweeps"] == [1, 0]


def test_that_holds_for_bids_of_120_only():
    assert solid(100, SWEEP).row()["points"] == [-100, 0]
    assert solid(100, SWEEP, {"sweep": "up_to_120"}).row()["points"] == [100, 0]
    assert solid(110, SWEEP, {"sweep": "up_to_120"}).row()["packet_points"] == [23, 0]
    assert solid(130, SWEEP, {"sweep": "up_to_120"}).row()["points"] == [-130, 0]


def test_nor_when_a_marriage_was_announced_or_a_trick_lost():
    assert solid(120, MARRIAGE, {"spades": 1}).row()["points"] == [-120, 0]
    table = Table(TWO, LOST, LOST_PACKETS).bid(100, 0).do(0).exchange("9C JC").raise_to(120)
    row = table.play(LOST_PLAY.replace("KH*", "KH").replace("KD*", "KD")).row()
    assert (row["points"][0], row["packet_points"]) == (-120, [0, 0])


def test_it_does_not_matter_what_was_laid_away():
    table = Table(TWO, SOLID, SOLID_PACKETS).bid(100, 0).do(0).exchange("AH TD").raise_to(120)
    row = table.play("TH-9H KH-JH QH-9D AS-JD TS-QD KS-KD QS-QC JS-KC 9S-TC AD-AC").row()
    assert row["sweeps"] == [1, 0]  # the ace of diamonds wins, as nobody has a diamond left
    table = Table(TWO, SOLID, SOLID_PACKETS).bid(100, 0).do(0).exchange("AH AD").raise_to(120)
    row = table.play("TH-9H KH-JH QH-9D AS-JD TS-QD KS-TC QS-KC JS-QC 9S-AC TD-KD").row()
    assert row["card_points"] == [120 - 22 - 2, 0]
    table = Table(TWO, SOLID, SOLID_PACKETS).bid(100, 0).do(0).exchange("AS AD").raise_to(120)
    row = table.play("TD-9D TS-JD KS-QD QS-TC JS-KC 9S-QC AH-JH TH-9H KH-KD QH-AC").row()
    assert row["points"] == [120, 0]


def test_the_opponent_writes_his_own_points_whatever_becomes_of_the_bid():
    for raised, written in ((0, 100), (110, -110)):
        table = Table(TWO, LOST, LOST_PACKETS).bid(100, 0).do(0).exchange("9C JC").raise_to(raised)
        row = table.play(LOST_PLAY).row()
        assert row["points"] == [written, 111 + 80]
        assert row["points_defence_cards"] == [0, 111]
        assert row["points_defence_marriages"] == [0, 80]
        assert row["marriage_points"] == [100, 80]


# -- the auction -------------------------------------------------------------------------------------------------


def test_the_first_bid_is_forced_and_bids_go_up_by_tens():
    table = Table(TWO, SOLID, SOLID_PACKETS)
    assert (table.asked().actor, table.asked().phase, table.asked().legal) == (0, "bid", {1})
    table.bid(100)
    assert table.asked().legal == {0, *range(2, 32)}  # 110 to 400
    table.bid(130)
    assert table.asked().actor == 0
    assert table.asked().legal == {0, *range(5, 32)}
    table.bid(400)
    assert table.asked().legal == {0}
    table.bid(0)
    assert (table.asked().actor, table.asked().phase) == (0, "packet")
    assert int(table.state["common"]["high"]) == 400


def test_other_steps_and_limits():
    table = Table(TWO, SOLID, SOLID_PACKETS, {"target": 0, "step": 5, "highest_bid": 120})
    table.do(1)
    assert table.asked().legal == {0, 2, 3, 4, 5}
    table.do(5)
    assert int(table.state["common"]["high"]) == 120
    table = Table(TWO, SOLID, SOLID_PACKETS, {"target": 0, "step": 5, "first_bid": 90})
    table.do(1)
    assert table.asked().legal == {0, *range(2, 64)}
    table.do(63)
    assert int(table.state["common"]["high"]) == 400


HANDS = ("TS AH KH JH 9H AC KC", "AS JS QH AD QD TC JC", "9S TH TD KD JD QC 9C")
PACKET = "KS QS 9D"


def test_three_bid_in_turn_until_two_have_passed():
    table = Table(THREE, HANDS, PACKET).bid(100, 110, 120)
    assert table.asked().actor == 0
    table.bid(0, 130)
    assert table.asked().actor == 2
    table.bid(140, 0)
    assert (table.asked().actor, table.asked().phase) == (2, "exchange")
    assert int(table.state["common"]["declarer"]) == 2
    assert mask(PACKET) & ~int(table.state["private"][2]["hand"]) == 0
    assert int(table.state["common"]["shown"]) == mask(PACKET)


def test_the_forced_bid_stands_when_all_others_pass():
    table = Table(THREE, HANDS, PACKET).bid(100, 0, 0)
    assert (table.asked().actor, table.asked().phase) == (0, "exchange")


def test_a_card_is_given_to_each_opponent_and_all_cards_are_played():
    table = Table(THREE, HANDS, PACKET).bid(100, 0, 0)
    table.exchange("9H 9D")
    assert [int(own["hand"]).bit_count() for own in table.state["private"]] == [8, 8, 8]
    assert int(table.state["private"][1]["received"]) == mask("9H")
    assert int(table.state["private"][2]["received"]) == mask("9D")
    table.raise_to()
    assert (table.asked().actor, table.asked().phase) == (0, "play")
    table.play("AH-QH-TH AC-JC-9C KH-9H-9S JH-JS-9D QS*-AS-TD AD-JD-TS KS-QD-QC KC-TC-KD")
    row = table.row()
    # QS AS TD and KC TC KD go to middlehand: 24 and 18; the rest of 120 and 40 for the marriage to forehand
    assert row["declarer_points"] == [118, 0, 0]
    assert row["points"] == [100, 42, 0]
    assert row["value"] == [300 - 142, 126 - 142, -142]


def test_one_packet_is_taken_and_two_cards_laid_away_the_lower_first():
    for choice, packet in enumerate(("AD TD", "9C JC")):
        table = Table(TWO, SOLID, SOLID_PACKETS).bid(100, 0).do(choice)
        assert int(table.state["common"]["shown"]) == mask(packet)
        assert int(table.state["private"][0]["hand"]).bit_count() == 12
    table = Table(TWO, SOLID, SOLID_PACKETS).bid(100, 0).do(0)
    everything = {code for code in range(24) if mask(SOLID[0] + " AD TD") >> code & 1}
    assert table.asked().legal == everything - {max(everything)}
    lowest = min(everything)
    table.do(lowest)
    assert table.asked().legal == everything - {lowest}
    table.do(max(everything))
    assert table.asked().phase == "raise"
    assert int(table.state["private"][0]["laid"]) == 1 << lowest | 1 << max(everything)


def test_the_bid_may_be_raised_after_the_packet():
    table = Table(THREE, HANDS, PACKET).bid(100, 110, 0, 0).exchange("JS 9D")
    assert table.asked().phase == "raise"
    assert table.asked().legal == {0, *range(3, 32)}
    table.raise_to(150)
    assert int(table.state["common"]["high"]) == 150
    assert (table.asked().actor, table.asked().phase) == (1, "play")


# -- tricks and marriages ----------------------------------------------------------------------------------------


def test_a_marriage_needs_the_lead_and_both_cards_and_makes_trump():
    table = Table(TWO, LOST, LOST_PACKETS).bid(100, 0).do(0).exchange("9C JC").raise_to()
    assert {card for card in table.legal_cards() if "*" in card} == {"KS*", "QS*", "KH*", "QH*"}
    assert int(table.state["common"]["trump"]) == -1
    table.play("KH*")
    assert int(table.state["common"]["trump"]) == 1
    assert table.legal_cards() == {"AH", "TH", "JH", "9H"}  # follow suit; a higher card is not wanted
    table.play("AH KD*")
    assert int(table.state["common"]["trump"]) == 2
    assert table.points() == [100, 15 + 80]
    assert table.legal_cards() == {"JD", "9D"}


def test_without_the_suit_a_trump_must_be_played_and_need_not_be_a_higher_one():
    hands = ("AS TS 9S JS KH QH AC KD QD 9H", "KS QS AH TH JH TC KC QC JC 9C")
    table = Table(TWO, hands, "AD TD JD 9D").bid(100, 0).do(0).exchange("9H AC").raise_to()
    table.play("KH*-JH")
    assert int(table.state["public"][0]["tricks"]) == 1
    table.play("AD")
    assert table.legal_cards() == {"AH", "TH"}  # no diamond: a trump
    table.play("TH")
    assert int(table.state["common"]["leader"]) == 1


def test_anything_goes_without_the_suit_and_without_trumps():
    table = Table(TWO, SOLID, SOLID_PACKETS).bid(100, 0).do(0).exchange("AD TD").raise_to()
    table.play("AS")
    assert len(table.legal_cards()) == 10
    assert "*" not in "".join(table.legal_cards())


def test_of_three_the_third_follows_suit_though_the_trick_was_trumped():
    hands = ("AS KS QS 9S AD KC 9C", "JS TH JH AC TC KD QD", "TS AH KH 9H TD JD QC")
    table = Table(THREE, hands, "QH 9D JC").bid(100, 0, 0).exchange("JC 9D").raise_to()
    table.play("KS*-JS-TS")
    assert int(table.state["common"]["leader"]) == 2
    table.play("AH-QH-TH 9H")
    assert table.legal_cards() == {"AS", "QS", "9S"}
    table.play("9S")
    assert table.legal_cards() == {"JH"}  # he has the suit


# -- for two with a stock ----------------------------------------------------------------------------------------

DRAWN = ("KS QS AH 9H JD 9C", "AS 9S TH JH AD TC")


def test_the_winner_draws_first_and_leads():
    table = Table(STOCK, DRAWN, "KH QH TS JS TD KD QD 9D AC KC QC JC")
    assert (table.asked().actor, table.asked().phase) == (0, "play")
    assert table.legal_cards() == {"KS", "QS", "AH", "9H", "JD", "9C", "KS*", "QS*"}
    table.play("KS*")
    assert table.legal_cards() == {"AS", "9S"}  # suit is followed while there is a stock, too
    table.play("AS")
    assert table.asked().actor == 1
    assert int(table.state["private"][1]["hand"]) == mask("9S TH JH AD TC KH")
    assert int(table.state["private"][0]["hand"]) == mask("QS AH 9H JD 9C QH")
    assert int(table.state["common"]["stock"]) == 10
    assert table.points() == [40, 15]
    table.play("AD-JD TC-9C 9S-QS")
    assert table.asked().actor == 0


def test_a_trump_must_be_played_while_there_is_a_stock():
    table = Table(STOCK, ("KS QS AH 9H JD 9C", "9S JS JH AD TC AC"), "KH QH TS TH TD KD QD 9D AS KC QC JC")
    table.play("KS*-9S")  # draws KH and QH
    table.play("JD-AD AC-9C TC")
    assert int(table.state["common"]["trump"]) == 0
    assert table.legal_cards() == {"QS"} | ({"TS"} if int(table.state["private"][0]["hand"]) & mask("TS") else set())


def test_all_cards_are_played_and_all_points_counted():
    known = load(STOCK)
    table = Table(STOCK, DRAWN)
    while not table.is_over:
        table.do(min(table.asked().legal))
    row = table.row()
    assert sum(row["points_cards"]) == 120
    assert sum(row["tricks"]) == 12
    assert row["deals"] == 1
    assert known.phases == ("play",)


# -- blind bidding -----------------------------------------------------------------------------------------------


@numba.njit
def _observe(states, player, views):
    protocol.observe(states[0], player, views[0])


def seen(table, player):
    views = table.compiled.views[:1].copy()
    _observe(table.compiled.states, player, views)
    return views[0]


def test_who_has_not_looked_does_not_know_his_cards_and_may_look_at_any_time():
    table = Table(BLIND, HANDS, PACKET)
    assert (table.asked().actor, table.asked().phase, table.asked().legal) == (0, "look", {0, 1})
    table.do(0)
    assert int(seen(table, 0)["own"]["hand"]) == 0
    table.bid(100)
    table.do(1)
    assert int(seen(table, 1)["own"]["hand"]) == mask(HANDS[1])
    table.bid(110).do(0).bid(0)
    assert (table.asked().actor, table.asked().phase) == (0, "look")
    table.do(1).bid(120)
    assert int(seen(table, 0)["own"]["hand"]) == mask(HANDS[0])
    assert (table.asked().actor, table.asked().phase) == (1, "bid")  # he has looked already
    table.bid(0)
    assert not int(table.state["common"]["blind"])
    assert int(table.state["common"]["shown"]) == mask(PACKET)


PLAY = "AH-QH-TH AC-JC-9C KH-9H-9S JH-JS-9D QS*-AS-TD AD-JD-TS KS-QD-QC KC-TC-KD"


def blind_deal(rules=None):
    table = Table(BLIND, HANDS, PACKET, {"target": 0, **(rules or {})})
    return table.do(0).bid(100).do(1).bid(0).do(0).bid(0)


def test_who_wins_blind_does_not_show_the_packet_and_all_points_are_doubled():
    table = blind_deal()
    assert int(table.state["common"]["blind"])
    assert int(table.state["common"]["shown"]) == 0
    assert int(seen(table, 0)["own"]["hand"]) == mask(HANDS[0] + " " + PACKET)
    assert int(seen(table, 1)["common"]["shown"]) == 0
    row = table.exchange("9H 9D").raise_to().play(PLAY).row()
    assert row["points"] == [200, 84, 0]
    assert row["points_doubled"] == [100, 42, 0]
    assert (row["blind"], row["points_made"], row["contract"][0]) == ([1, 0, 0], [100, 0, 0], 100)
    row = blind_deal().exchange("9H 9D").raise_to(120).play(PLAY).row()
    assert row["points"] == [-240, 84, 0]


def test_a_blind_bid_cannot_be_raised_where_the_rules_say_so():
    table = blind_deal({"blind_raise": "no"}).exchange("9H 9D")
    assert table.asked().phase == "play"
    assert int(table.state["common"]["high"]) == 100


def test_two_may_bid_blind_as_well():
    table = Table(TWO, SOLID, SOLID_PACKETS, {"target": 0, "blind": "yes"})
    table.do(0).bid(100).do(0).bid(0).do(0)
    assert int(table.state["common"]["shown"]) == 0
    row = table.exchange("AD TD").raise_to(120).play(SWEEP).row()
    assert row["points"] == [240, 0]


def test_the_option_is_a_rule_of_both_games_and_a_rule_set_of_its_own():
    assert ruleset(BLIND).rule("blind").default == "yes"
    assert ruleset(THREE).rule("blind").default == ruleset(TWO).rule("blind").default == "no"


# -- games -------------------------------------------------------------------------------------------------------


def lost(rules):
    table = Table(TWO, LOST, LOST_PACKETS, rules).bid(100, 0).do(0).exchange("9C JC").raise_to()
    return table.play(LOST_PLAY)


def test_both_over_in_one_deal():
    row = lost({"target": 100}).row()
    assert row["points"] == [100, 191]
    assert (row["won"], row["both_over"], row["deals"]) == ([0, 1], 1, 1)
    row = lost({"target": 100, "both_over": "declarer"}).row()
    assert row["won"] == [1, 0]
    row = lost({"target": 101, "both_over": "declarer"}).row()
    assert (row["won"], row["both_over"]) == ([0, 1], 0)


def test_equal_totals_over_the_target_play_another_deal():
    rules = {"target": 120, "hearts": 200, "diamonds": 9}
    table = Table(TWO, LOST, LOST_PACKETS, rules).bid(100, 0).do(0).exchange("9C JC").raise_to(120).play(LOST_PLAY)
    assert not table.is_over
    assert [int(public["total"]) for public in table.state["public"][:2]] == [120, 120]
    table.deal(LOST, LOST_PACKETS)
    assert table.asked().actor == 1  # the other one bids first
    table.bid(100, 0).do(0).exchange("9C JC").raise_to(120).play(LOST_PLAY)
    assert not table.is_over
    assert [int(public["total"]) for public in table.state["public"][:2]] == [240, 240]


def test_the_deal_goes_round_and_totals_add_up():
    table = lost({})
    assert not table.is_over
    table.deal(LOST, LOST_PACKETS).bid(100, 0).do(0).exchange("9C JC").raise_to(110).play(LOST_PLAY)
    assert [int(public["total"]) for public in table.state["public"][:2]] == [100 + 191, 191 - 110]


def test_a_game_ends_after_so_many_deals():
    table = lost({"most_deals": 2}).deal(LOST, LOST_PACKETS).bid(100, 0).do(0).exchange("9C JC").raise_to()
    row = table.play(LOST_PLAY).row()
    assert (row["points"], row["won"], row["deals"]) == ([291, 291], [0, 0], 2)


# -- what a player is after --------------------------------------------------------------------------------------


@numba.njit
def _aim(states, contract):
    return protocol.aim(states[0], contract)


def test_who_is_after_a_contract_bids_up_to_it_and_announces_it():
    contracts = load(TWO).bids.contracts
    assert contracts[0] == "100"
    assert contracts[-1] == "400"
    at = contracts.index("140")
    table = Table(TWO, SOLID, SOLID_PACKETS)
    for opponent in (110, 130, 0):
        table.do(_aim(table.compiled.states, at)).bid(opponent)
    assert int(table.state["common"]["high"]) == 140
    table = Table(TWO, SOLID, SOLID_PACKETS)
    table.do(_aim(table.compiled.states, at)).bid(0)
    assert _aim(table.compiled.states, at) == -1  # which packet is left open
    table.do(0).exchange("AD TD").do(_aim(table.compiled.states, at))
    assert int(table.state["common"]["high"]) == 140
    assert _aim(table.compiled.states, at) == -1
    table = Table(TWO, SOLID, SOLID_PACKETS).bid(100, 140)
    assert _aim(table.compiled.states, at) == 0
    table = Table(BLIND, HANDS, PACKET)
    assert _aim(table.compiled.states, at) == 1  # he looks at his cards


def test_values_of_a_deal_sum_to_nothing():
    from simcards.study.plan import make_plan
    from simcards.study.samples import samples

    for game in (TWO, THREE, STOCK):
        frame = samples(make_plan(game, deals=200, strategies="basic", seed=4))
        columns = [name for name in frame.columns if name.startswith("value.")]
        assert np.all(sum(frame[name] for name in columns) == 0)
