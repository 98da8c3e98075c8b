"""The rules of preferans by the source's sentences: the auction, the talon, whist, the tricks."""

import numba
import numpy as np
import pytest

from simcards.games.preferans import PACK
from simcards.games.registry import load
from simcards.kernel import protocol

from .table import Table, codes

THREE, FOUR, HUSSAR, CLASSICAL = "preferans", "preferans-four-handed", "preferans-hussar", "preferans-classical"

# Forehand has spades from the ace to the nine, and the ace and king of hearts
STRONG = "AS KS QS JS TS 9S AH KH 7D 7C"
SECOND = "8S 7S QH JH TH AD KD AC KC QC"
THIRD = "9H 8H 7H QD JD TD 9D JC TC 9C"  # 8D and 8C are the talon
HANDS = (STRONG, SECOND, THIRD)
TENS = {"10s", "10c", "10d", "10h", "10nt"}
NINES = {"9s", "9c", "9d", "9h", "9nt"}


def started(game=THREE, rules=None):
    return Table(game, HANDS, rules, "8D 8C")


def contracted(contract="6S", rules=None, game=THREE):
    """Forehand plays a contract and has laid away the two sevens."""
    passes = ("pass",) if game == HUSSAR else ("pass", "pass")
    return started(game, rules).bid(contract, *passes).lay("7D 7C").name(contract)


# -- the auction -------------------------------------------------------------------------------------------------


def test_bids_go_up_from_six_spades_and_a_pass_is_final():
    table = started()
    assert table.legal_bids() >= {"pass", "6s", "6nt", "7s", "10nt", "misère"}
    table.bid("6C")
    assert not table.legal_bids() & {"6s", "6c"}
    assert {"6d", "6h", "6nt", "7s"} <= table.legal_bids()
    table.bid("pass", "6D", "6H")
    assert table.asked().actor == 2  # middlehand is not asked again
    table.bid("pass")
    assert (table.asked().phase, table.asked().actor) == ("discard", 0)


def test_without_jumps_only_the_next_bid_may_be_made():
    table = started(rules={"jumps": "no"})
    assert table.legal_bids() == {"pass", "6s", "misère"}
    table.bid("6S")
    assert table.legal_bids() == {"pass", "6c", "misère"}
    table.bid("misère")
    assert table.legal_bids() == {"pass", "9s"}


def test_misere_outranks_eight_and_is_overcalled_by_nine():
    table = started().bid("8NT", "misère")
    assert table.legal_bids() == {"pass"} | NINES | TENS
    table.bid("9C", "pass")
    assert table.legal_bids() == {"pass", "misère without the talon"}
    table.bid("misère without the talon")
    assert table.legal_bids() == {"pass", "nine without the talon"} | TENS
    table.bid("nine without the talon")
    assert table.legal_bids() == {"pass"}
    table.bid("pass")
    assert (table.asked().phase, table.asked().actor) == ("contract", 2)
    assert table.asked().legal == {*range(17, 22), *range(24, 29)}
    assert int(table.state["common"]["shown"]) == 0


def test_misere_is_a_first_bid_only():
    table = started().bid("6S", "6C", "pass")
    assert "misère" not in table.legal_bids()
    table = started(rules={"misere_bid": "any"}).bid("6S", "6C", "pass")
    assert "misère" in table.legal_bids()
    assert "misère" not in started().bid("9S").legal_bids()


def test_the_winner_takes_the_talon_shows_it_and_lays_two_cards_away():
    table = started().bid("6S", "pass", "pass")
    assert int(table.state["common"]["shown"]) == sum(1 << code for code in codes("8D 8C"))
    assert len(table.asked().legal) == 11  # the lower one goes first, so not the highest
    table.lay("7C 8C")
    assert table.asked().phase == "contract"
    table = started().bid("7D", "pass", "pass").lay("7C 8C")
    assert table.asked().legal == {8, 9, 10, *range(11, 16), *range(17, 22), *range(24, 29)}


def test_who_has_not_looked_bids_blind_and_doubles():
    table = started(rules={"blind_bidding": "yes"})
    assert table.asked().phase == "look"
    table.do(0).bid("6S").do(1).bid("pass").do(1).bid("pass")
    table.lay("7D 7C").name("6S").say("pass", "pass")
    row = table.row()
    assert (row["pool"], row["blind"]) == ([40, 0, 0], [1, 0, 0])


# -- whist -------------------------------------------------------------------------------------------------------


def test_opponents_speak_in_their_order_from_the_declarers_left():
    table = started().bid("pass", "6S", "pass").lay("7S 8C").name("6S")
    assert (table.asked().phase, table.asked().actor, table.asked().legal) == ("whist", 2, {0, 1})
    table.say("pass")
    assert (table.asked().actor, table.asked().legal) == (0, {0, 1, 2})
    table.say("pass")
    row = table.row()
    assert (row["pool"], row["conceded"], row["made"]) == ([0, 20, 0], [0, 1, 0], [0, 1, 0])
    assert sum(row["whists"]) == 0


def test_who_whists_first_may_fall_back_on_his_own_share():
    table = contracted().say("whist", "pass")
    assert (table.asked().phase, table.asked().actor, table.asked().legal) == ("invite", 1, {0, 1, 2})
    row = table.say("own").row()
    assert (row["pool"], row["whists_own"], row["whists"]) == ([20, 0, 0], [0, 4, 0], [0, 4, 0])
    row = contracted("7S").say("pass", "own").row()
    assert (row["pool"], row["whists"]) == ([40, 0, 0], [0, 0, 4])
    assert contracted(rules={"own": "no"}).say("whist", "pass").asked().legal == {0, 1}
    assert contracted(rules={"own": "no"}).say("pass").asked().legal == {0, 1}


def test_both_whist_against_ten():
    table = contracted("10S")
    assert table.asked().phase == "play"
    assert table.state["public"]["whist"].tolist() == [-1, 1, 1]


def test_a_single_whister_plays_both_hands_openly_after_the_first_lead():
    table = started().bid("pass", "6S", "pass").lay("7S 8C").name("6S").say("pass", "whist", "open")
    # forehand has whisted and leads; dealer has passed
    assert table.asked().actor == 0
    assert not table.state["public"]["exposed"].any()
    table.play("7D")
    assert [bin(int(mask)).count("1") for mask in table.state["public"]["exposed"]] == [9, 0, 10]
    table.play("AD")
    assert (int(table.state["common"]["turn"]), table.asked().actor) == (2, 0)
    table = started().bid("pass", "6S", "pass").lay("7S 8C").name("6S").say("pass", "whist", "closed")
    table.play("7D AD")
    assert (int(table.state["common"]["turn"]), table.asked().actor) == (2, 2)
    assert not table.state["public"]["exposed"].any()


def test_the_passer_leads_himself_before_the_cards_are_open():
    table = started().bid("pass", "6S", "pass").lay("7S 8C").name("6S").say("whist", "pass", "open")
    assert table.asked().actor == 0  # forehand has passed, and leads
    table.play("7D AD")
    assert (int(table.state["common"]["turn"]), table.asked().actor) == (2, 2)
    table.play("9D")
    assert int(table.state["common"]["turn"]) == 1


def test_nobody_whists_against_a_misere_and_cards_are_open():
    table = started().bid("pass", "misère", "pass").lay("AC AD")
    assert (table.asked().phase, table.asked().actor) == ("play", 0)
    assert [bin(int(mask)).count("1") for mask in table.state["public"]["exposed"]] == [10, 0, 10]
    table = started(rules={"misere_opens": "after_lead"}).bid("pass", "misère", "pass").lay("AC AD")
    assert not table.state["public"]["exposed"].any()
    table.play("7D")
    assert [bin(int(mask)).count("1") for mask in table.state["public"]["exposed"]] == [9, 0, 10]
    assert table.asked().actor == 1


# -- tricks ------------------------------------------------------------------------------------------------------


def test_suit_is_followed_who_cannot_trumps_and_nobody_has_to_head():
    table = contracted("6S").say("whist", "whist")
    table.play("AH")
    assert table.asked().legal == set(codes("QH JH TH"))
    table.play("TH 7H KH JH 8H")
    # forehand leads a diamond after trumps are out of the way: nobody needs to play above
    table.play("8D")
    assert table.asked().legal == set(codes("AD KD"))
    table.play("KD QD AD")
    assert table.asked().legal == set(codes("JD TD 9D"))
    table.play("9D")
    assert table.asked().legal == set(codes("AS KS QS JS TS 9S"))  # no diamond is left: a trump has to be played


def test_a_whole_contract():
    """Forehand takes six trumps, two hearts, and nothing else: eight tricks for twenty points."""
    table = contracted("6S").say("whist", "whist")
    table.play("AS 8S 9H KS 7S 7H QS QC TD JS TH 9D TS JH JD 9S KC QD AH QH 8H KH AC 9C")
    table.play("8C KD TC JC 8D AD")
    row = table.row()
    assert row["tricks_declarer"] == [8, 0, 0]
    assert row["tricks_defence"] == [0, 0, 2]
    assert row["pool"] == [20, 0, 0]
    # two tricks of the four that were promised: middlehand lacks his own two
    assert row["hill"] == [0, 40, 0]
    assert row["whists_tricks"] == [0, 0, 4]
    # hills less pools are -20, 40, 0, so 0, 60, 20 after the amnesty: 20 whists and 7 from each of the others
    assert row["value"] == [20 + 7 - 4, 7 - 20 - 20, 20 + 4 - 7 - 7]


# -- all pass ----------------------------------------------------------------------------------------------------


def passed_out(game=THREE, rules=None):
    return started(game, rules).bid("pass", "pass", "pass")


def test_the_talon_shows_the_suits_of_the_first_two_tricks():
    table = passed_out()
    assert table.state["common"]["turned"].tolist() == [*codes("8D"), -1]
    assert (table.asked().actor, table.asked().legal) == (0, set(codes("7D")))
    table.play("7D KD 9D")
    assert table.state["public"]["tricks"].tolist() == [0, 1, 0]
    # the second card is clubs, and forehand begins again
    assert (table.asked().actor, table.asked().legal) == (0, set(codes("7C")))
    table.play("7C QC TC")
    # forehand leads to the third trick, whoever has won the second
    assert (table.asked().actor, len(table.asked().legal)) == (0, 8)
    table.play("9S 7S 9H")
    assert table.asked().actor == 0


def test_the_card_that_is_turned_takes_no_trick():
    low = ("7S 9S TS JS QS KS AS 7H 8H 9H", "7D 9D TD JD QD KD AD 7C 9C TC")
    table = Table(THREE, low, talon="8S 8D").bid("pass", "pass", "pass")
    assert table.asked().legal == set(codes("7S 9S TS JS QS KS AS"))
    table.play("7S 7D JC")  # the only spade wins, though the eight lies there
    assert table.state["public"]["tricks"].tolist() == [1, 0, 0]
    table = Table(THREE, low, {"all_pass_talon": "takes"}, talon="8S 8D").bid("pass", "pass", "pass").play("7S 7D JC")
    assert table.state["public"]["tricks"].tolist() == [0, 0, 0]
    assert int(table.state["common"]["talon_tricks"]) == 1
    table = Table(THREE, low, {"all_pass_talon": "unseen"}, talon="8S 8D").bid("pass", "pass", "pass")
    assert len(table.asked().legal) == 10


def test_the_talon_of_four_takes_tricks_for_the_dealer():
    hands = ("7S 9S TS JS QS KS 7H 8H 9H TH", "7D 9D TD JD QD KD 7C 8C 9C TC")
    table = Table(FOUR, hands, talon="AS AD").bid("pass", "pass", "pass")
    row = table.play_out().row()
    assert row["talon_tricks"] == [0, 0, 0, 2]
    assert row["hill"][3] == 20
    assert sum(row["tricks_all_pass"]) == 8
    assert sum(row["hill"]) == 100


def test_the_same_player_deals_until_all_have_passed_three_times():
    table = passed_out(rules={"pool": 200})
    dealers = []
    for deal in range(4):
        table.play_out()
        dealers.append(int(table.state["common"]["dealer"]))
        if deal < 3:
            table.deal(HANDS, "8D 8C").bid("pass", "pass", "pass")
    assert dealers == [2, 2, 0, 0]


def test_the_dummy_passes_and_the_other_plays_its_cards():
    table = started(HUSSAR)
    assert table.state["common"]["who"].tolist() == [0, 2, 1]
    table.bid("6S")
    assert table.asked().actor == 1
    table = contracted(game=HUSSAR)
    assert (table.asked().phase, table.asked().actor, table.asked().legal) == ("whist", 1, {0, 1, 2})
    table.say("whist").play("AS")
    assert (int(table.state["common"]["turn"]), table.asked().actor) == (1, 1)
    assert [bin(int(mask)).count("1") for mask in table.state["public"]["exposed"]] == [0, 10, 10]


def test_a_dummy_that_leads_lies_open_at_once():
    table = Table(HUSSAR, HANDS, {"dummy_seat": "first"}, "8D 8C")
    assert table.state["common"]["who"].tolist() == [2, 0, 1]
    table.bid("6S", "pass").lay("7S 8C").name("6S").say("whist", "open")
    assert (int(table.state["common"]["turn"]), table.asked().actor) == (0, 1)
    assert [bin(int(mask)).count("1") for mask in table.state["public"]["exposed"]] == [10, 0, 10]


def test_two_players_deal_again_when_both_pass_three_times_at_most():
    table = started(HUSSAR, {"pool": 200})
    dealers = []
    for _ in range(4):
        dealers.append(int(table.state["common"]["dealer"]))
        table.bid("pass", "pass").deal(HANDS, "8D 8C")
    assert dealers == [1, 1, 1, 0]
    assert not table.state["sheet"]["hill"].any()


def test_classical_begins_with_six_deals_without_bidding():
    table = Table(CLASSICAL, HANDS, {"pool": 200, "forced_circles": 2}, "8D 8C")
    for _ in range(6):
        assert table.asked().phase == "play"
        table.play_out()
        table.deal(HANDS, "8D 8C")
    assert table.asked().phase == "bid"


# -- what players see -------------------------------------------------------------------------------------------


@numba.njit
def _observe(states, player, views):
    protocol.observe(states[0], player, views[0])


def view_of(table, player):
    views = np.zeros(1, load(THREE).view)
    views["rules"] = table.state["rules"]
    _observe(table.compiled.states, player, views)
    return views[0]


def test_nobody_sees_his_cards_while_he_bids_without_looking():
    table = started(rules={"blind_bidding": "yes"}).do(0)
    assert int(view_of(table, 0)["own"]["hand"]) == 0
    table.bid("6S").do(1)
    assert PACK.format([card for card in range(32) if int(view_of(table, 1)["own"]["hand"]) >> card & 1])
    assert int(view_of(table, 0)["own"]["hand"]) == 0


def test_the_dealer_of_four_sees_no_hand():
    table = started(FOUR)
    view = view_of(table, 3)
    assert (int(view["chair"]), int(view["own"]["hand"])) == (-1, 0)


def test_a_deal_of_two_cannot_be_played_when_all_pass():
    with pytest.raises(Exception, match="nobody plays for the dummy"):
        load(HUSSAR).encoded({"passed_out": "played"})
