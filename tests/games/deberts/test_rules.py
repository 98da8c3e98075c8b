"""The rules of deberts by worked examples, those of the catalogue (E-DEB) among them."""

import numpy as np
import pytest

from simcards.games.deberts.frame import ORDERS, best_run, count_runs, run_points, standing
from simcards.games.registry import load

from .table import NO, PASS, SUITS, YES, Table, codes, mask

# pone has nothing in sequence and no marriage in hearts, the dealer neither
PLAIN = {"pone": "JH 9H 7S AC QD 8C TS JC 8D", "dealer": "AH 8H AS 9C KD 7C JD QS KC", "turned": "TH"}
ORDER = "789JQKTA"


def rules(**changes):
    return load("deberts").workspace(changes)[0][0]["rules"]


# -- values of the cards ---------------------------------------------------------------------------------------


def test_card_points():
    """E-DEB-2: trumps are worth 62, a plain suit 30."""
    for trump in range(4):
        order = ORDERS[trump]
        by_suit = [sum(int(order["value"][8 * suit + rank]) for rank in range(8)) for suit in range(4)]
        assert by_suit == [62 if suit == trump else 30 for suit in range(4)]
    values = [int(ORDERS[1]["value"][code]) for code in codes("JH 9H AH TH KH QH 8H 7H")]
    assert values == [20, 14, 11, 10, 4, 3, 0, 0]
    values = [int(ORDERS[1]["value"][code]) for code in codes("AS TS KS QS JS 9S 8S 7S")]
    assert values == [11, 10, 4, 3, 2, 0, 0, 0]


def test_order_of_the_cards():
    powers = [int(ORDERS[1]["power"][code]) for code in codes("JH 9H AH TH KH QH 8H 7H")]
    assert powers == sorted(powers, reverse=True)
    powers = [int(ORDERS[1]["power"][code]) for code in codes("AS TS KS QS JS 9S 8S 7S")]
    assert powers == sorted(powers, reverse=True)


# -- runs ------------------------------------------------------------------------------------------------------


def key(text, trump=1, **changes):
    return int(best_run(rules(**changes), np.uint64(mask(text)), trump))


def points(text, **changes):
    return int(run_points(rules(**changes), np.uint64(mask(text))))


def test_runs_follow_the_order_of_the_pack():
    """The source's examples: ten, king, queen and jack, nine, eight."""
    assert points("TS KS QS") == 20
    assert points("JS 9S 8S") == 20
    assert points("JS TS 9S") == 0
    assert points("KS QS JS 9S") == 50
    assert points("JS TS 9S", run_order="natural") == 20
    assert points("TS KS QS", run_order="natural") == 0


def test_comparison_of_runs():
    """E-DEB-1: a tierce from the ten beats one from the jack, trumps beat an equal one, any fifty beats any tierce."""
    assert key("TS KS QS") > key("JS 9S 8S")
    assert key("TH KH QH") > key("TS KS QS")
    assert key("AS TS KS") > key("TH KH QH")
    assert key("JS 9S 8S 7S") > key("AH TH KH")
    assert key("TS KS QS") == key("TD KD QD")
    assert key("AS TS KS QS") == key("AS TS KS QS JS")
    assert key("TS KS QD") == 0


def test_trumps_before_height():
    """The other reading: the source's dealer answers "from the king" with the jack in trumps, as something higher."""

    def better(one, other):
        given = rules(trump_runs="any")
        return int(standing(given, key(one, trump_runs="any"))) > int(standing(given, key(other, trump_runs="any")))

    assert better("JH 9H 8H", "KS QS JS")
    assert better("9H 8H 7H", "AS TS KS")
    assert better("KS QS JS 9S", "AH TH KH")
    assert better("TH KH QH", "JH 9H 8H")
    assert better("AS TS KS", "TS KS QS")
    assert key("AS TS KS JH 9H 8H", trump_runs="any") == key("JH 9H 8H")
    assert key("AS TS KS JH 9H 8H") == key("AS TS KS")


def test_fifty_and_tierce_score_seventy():
    """E-DEB-1."""
    assert points("AH TH KH QH JC 9C 8C") == 70


def test_long_runs():
    seven = "AS TS KS QS JS 9S 8S"
    assert points(seven) == 50
    assert points(seven, long_runs="parts") == 70
    assert points("AS TS KS QS JS 9S", long_runs="parts") == 50
    assert points(f"{seven} 7S", long_runs="parts") == 100


@pytest.mark.parametrize("order", ["pack", "natural"])
def test_runs_against_a_plain_count(order):
    """All sets of ranks of a suit: the runs found by walking through the order."""
    ranks = ORDER if order == "pack" else "789TJQKA"
    given = rules(run_order=order)
    for held in range(256):
        cards = "".join(rank for place, rank in enumerate(ORDER) if held >> place & 1)
        lengths = [len(part) for part in "".join(rank if rank in cards else " " for rank in ranks).split()]
        found = [int(number) for number in count_runs(given, np.uint64(held << 16))]
        assert found == [sum(length == 3 for length in lengths), sum(length >= 4 for length in lengths)]


# -- bidding ---------------------------------------------------------------------------------------------------


def test_two_rounds_of_bidding():
    table = Table(**PLAIN)
    assert table.asked() == (0, "bid", {0, 1})
    table.bid("-")
    assert table.asked() == (1, "bid", {0, 1})
    table.bid("-")
    others = {2 + SUITS.index(suit) for suit in "SDC"}  # hearts were turned
    assert table.asked() == (0, "bid", {PASS, *others})
    table.bid("-")
    assert table.asked() == (1, "bid", {PASS, *others})
    table.bid("C")
    assert int(table.state["common"]["trump"]) == 3
    assert int(table.state["common"]["by"]) == 1
    assert [int(hand).bit_count() for hand in table.state["hands"]] == [9, 9]


def test_the_fourth_pass_throws_the_cards_in_and_the_other_deals():
    table = Table(**PLAIN).bid("- - - -")
    assert table.is_over
    row = table.row()
    assert (row["thrown_in"], row["value"], row["count_plays"]) == (1, [0, 0], [0, 0])
    table = Table(**PLAIN, rules={}).bid("- - - -")
    assert not table.is_over
    table.deal(PLAIN["pone"], PLAIN["dealer"], PLAIN["turned"])
    assert int(table.state["common"]["dealer"]) == 0
    assert table.asked() == (1, "bid", {0, 1})


def test_the_three_cards_come_from_the_stock_first_to_pone():
    table = Table(**PLAIN).bid("+")
    assert int(table.state["hands"][0]) == mask(PLAIN["pone"])
    assert int(table.state["hands"][1]) == mask(PLAIN["dealer"])


# -- the seven -------------------------------------------------------------------------------------------------

SEVEN = {"pone": "JH 7H 7S AC QD 8C TS JC 8D", "dealer": "AH 8H AS 9C KD 7C JD QS KC", "turned": "TH"}


def test_the_seven_takes_the_turned_trump():
    table = Table(**SEVEN).bid("+").answer(0, "exchange", YES)
    assert int(table.state["hands"][0]) == mask(SEVEN["pone"].replace("7H", "TH"))
    assert table.asked().phase == "play"


def test_the_seven_may_stay():
    table = Table(**SEVEN).bid("+").answer(0, "exchange", NO)
    assert int(table.state["hands"][0]) == mask(SEVEN["pone"])
    assert table.asked().phase == "play"


def test_only_when_the_turned_suit_is_trump():
    assert Table(**SEVEN).bid("- - C").asked().phase == "play"
    assert Table(**SEVEN, rules={"target": 0, "exchange": "no"}).bid("+").asked().phase == "play"


def test_the_dealer_exchanges_before_his_first_card():
    swapped = {"pone": SEVEN["dealer"], "dealer": SEVEN["pone"], "turned": "TH"}
    table = Table(**swapped).bid("+")
    assert table.asked().actor == 0
    assert table.asked().phase == "play"
    table.do(*codes("AS")).answer(1, "exchange", YES)
    assert table.asked() == (1, "play", set(codes("7S TS")))


RUN_WITH_SEVEN = {"pone": "9H 8H 7H AC QD 8C TS JC 8D", "dealer": "AH KH AS 9C KD 7C JD QS KC", "turned": "TH"}


def test_the_seven_may_be_shown_in_a_run_and_exchanged_before_the_first_card():
    table = Table(**RUN_WITH_SEVEN).bid("+").answer(0, "exchange", NO).answer(0, "declare", YES)
    assert table.runs == [20, 0]
    table.answer(0, "exchange", YES)
    assert int(table.state["hands"][0]) == mask(RUN_WITH_SEVEN["pone"].replace("7H", "TH"))
    assert table.asked().phase == "play"
    spoken = Table(**RUN_WITH_SEVEN, rules={"target": 0, "exchange_until": "speaking"}).bid("+")
    spoken.answer(0, "exchange", NO).answer(0, "declare", YES)
    assert spoken.asked().phase == "play"


# -- declaring -------------------------------------------------------------------------------------------------


NO_SEVEN = {"target": 0, "exchange": "no"}


def declared(pone, dealer, *answers, turned="8H", bids="+", **changes):
    """Return what runs score after these answers to what is asked."""
    table = Table(pone, dealer, turned, {**NO_SEVEN, **changes}).bid(bids)
    for player, action in answers:
        table.answer(player, "declare", action)
    assert table.asked().phase == "play"
    return table.runs


TIERCE = "JH 9H 8S AC QD KD TD JC 7C"  # T K Q of diamonds, clubs J
LOWER = "AH 7H AS 9S JS KC QC TC 8D"  # T K Q of clubs as well
LOW = "AH 7H AS 8C 9C JD 9D 8D KS"  # J 9 8 of diamonds


def test_the_higher_tierce_counts():
    assert declared(TIERCE, LOW, (0, YES), (1, YES)) == [20, 0]
    assert declared(LOW, TIERCE, (0, YES), (1, YES)) == [0, 20]


def test_of_equal_runs_pones_count():
    assert declared(TIERCE, LOWER, (0, YES), (1, YES)) == [20, 0]
    assert declared(LOWER, TIERCE, (0, YES), (1, YES)) == [20, 0]
    assert declared(TIERCE, LOWER, (0, YES), (1, YES), equal_runs="nobody") == [0, 0]


def test_a_run_in_trumps_beats_an_equal_one():
    assert declared(TIERCE, LOWER, (0, YES), (1, YES), bids="- - C") == [0, 20]
    assert declared(TIERCE, LOWER, (0, YES), (1, YES), bids="- - D") == [20, 0]


FIFTY_AND_TIERCE = "AS TS KS QS JC 9C 8C AH 7D"


def test_who_has_the_best_scores_all_his_runs():
    """E-DEB-1: fifty and tierce are 70; the other scores none."""
    other = "JH 9H 8S AC QD KD TD KC 7C"
    assert declared(FIFTY_AND_TIERCE, other, (0, YES)) == [70, 0]  # a tierce is no answer to a fifty
    assert declared(other, FIFTY_AND_TIERCE, (0, YES), (1, YES)) == [0, 70]


def test_who_keeps_silent_scores_nothing():
    assert declared(LOW, TIERCE, (0, YES), (1, NO)) == [20, 0]
    table = Table(TIERCE, LOW, "8H", NO_SEVEN).bid("+").answer(0, "declare", NO)
    assert table.asked().phase == "play"  # the dealer speaks after pone's first card
    table.do(*codes("AC")).answer(1, "declare", YES)
    assert table.runs == [0, 20]


def test_nobody_may_keep_silent():
    assert Table(LOW, TIERCE, "8H", {**NO_SEVEN, "silence": "no"}).bid("+").runs == [0, 20]


def test_the_dealer_speaks_after_the_first_card_when_pone_has_nothing():
    table = Table("JH 9H 7S AC QD QC TS JC KD", LOW, "TH").bid("+")
    assert table.asked().phase == "play"
    table.do(*codes("AC")).answer(1, "exchange", NO).answer(1, "declare", YES)
    assert table.runs == [0, 20]
    table.answer(1, "exchange", YES)
    assert table.asked() == (1, "play", set(codes("8C 9C")))


# -- bella -----------------------------------------------------------------------------------------------------

BELLA = {"pone": "KH QH 7S AC QD 8C TS JC 8D", "dealer": "AH 8H AS 9C KD 7C JD QS KC", "turned": "TH"}


def test_bella_is_asked_for_when_one_of_the_two_is_played():
    table = Table(**BELLA).bid("+").do(*codes("KH"))
    assert table.asked() == (0, "bella", {0, 1})
    assert int(table.state["hands"][0]) == mask(BELLA["pone"])
    table.do(YES)
    assert int(table.state["public"][0]["bella"]) == 20
    assert int(table.state["public"][0]["shown"]) == mask("QH")
    assert table.asked() == (1, "play", set(codes("AH 8H")))
    silent = Table(**BELLA).bid("+").do(*codes("QH")).answer(0, "bella", NO)
    assert int(silent.state["public"][0]["bella"]) == 0
    silent.do(*codes("8H KH"))  # the other of the two tells nothing any more
    assert silent.asked().phase == "play"


def test_other_kings_are_no_bella():
    assert Table(**BELLA).bid("- - C").do(*codes("QH")).asked().phase == "play"


# -- play ------------------------------------------------------------------------------------------------------


def test_follow_suit_else_trump_else_anything():
    table = Table(**PLAIN).bid("+")
    assert table.asked() == (0, "play", set(codes(PLAIN["pone"])))
    table.do(*codes("AC"))
    assert table.asked().legal == set(codes("9C 7C KC"))
    trumped = Table("JH 9H 7S AC QD 8C TS JC 8D", "AH 8H AS 9H KD JD QS KS TD".replace("9H", "TH"), "7H").bid("+")
    trumped.settle(NO).do(*codes("AC"))
    assert trumped.asked().legal == set(codes("AH 8H TH"))
    trumped.do(*codes("8H"))
    assert trumped.asked().actor == 1
    assert trumped.points == [0, 11]


def test_a_trump_need_not_be_beaten():
    cards = {"pone": PLAIN["dealer"], "dealer": PLAIN["pone"], "turned": "TH"}
    assert Table(**cards).bid("+").do(*codes("AH")).asked().legal == set(codes("JH 9H"))
    cards["dealer"] = cards["dealer"].replace("9H", "7H")
    free = Table(**cards, rules={"target": 0, "exchange": "no"}).bid("+").do(*codes("AH"))
    assert free.asked().legal == set(codes("JH 7H"))
    forced = Table(**cards, rules={"target": 0, "exchange": "no", "overtrump": "yes"}).bid("+").do(*codes("AH"))
    assert forced.asked().legal == set(codes("JH"))


# Hearts are trumps. Pone takes 20 + 11, 14, 11 + 4, 2, 0, 10 + 3; then the dealer 11, 2, 4 + 3 and the last trick.
TRICKS = "JH-AH 9H-8H AC-KC JC-9C 8C-7C TS-QS 7S-AS JD-8D KD-QD"


def test_a_deal_played_through():
    table = Table(**PLAIN).bid("+").play(TRICKS)
    assert table.is_over
    assert table.points == [75, 30]
    row = table.row()
    assert row["points"] == [75, 30]
    assert row["points_cards"] == [75, 20]
    assert row["points_last"] == [0, 10]
    assert row["count_tricks"] == [6, 3]
    assert row["value"] == [45, -45]
    assert (row["count_made"], row["count_bait"]) == ([1, 0], [0, 0])


def test_bait_gives_the_other_everything():
    table = Table(**PLAIN).bid("- +").play(TRICKS)
    row = table.row()
    assert row["points"] == [105, 0]
    assert row["points_bait"] == [30, -30]
    assert row["count_bait"] == [0, 1]
    assert row["balance"] == [0, -105]


def test_equal_counts_are_bait():
    # 75 in cards against 20: a last trick of 55 makes them equal
    table = Table(**PLAIN, rules={"target": 0, "last_trick": 55}).bid("+").play(TRICKS)
    assert table.points == [75, 75]
    row = table.row()
    assert row["points"] == [0, 150]
    assert row["count_bait"] == [1, 0]


def test_runs_and_bella_are_lost_by_bait():
    cards = {"pone": "KH QH TH 7S 8S QD 8D 7D 8C", "dealer": "JH 9H AH AS 9C KD AC AD TC", "turned": "8H"}
    table = Table(**cards).bid("+").answer(0, "declare", YES)
    assert table.runs == [20, 0]
    table.play("8C-9C JH-QH 9H-KH AH-TH AC-7S TC-8S AD-QD KD-7D AS-8D")
    row = table.row()
    assert row["points_tierces"] == [20, 0]
    assert row["points_bella"] == [20, 0]
    # everything in cards is the dealer's: 62 in trumps, 11 + 10 in clubs, 11 + 3 + 4 in diamonds, 11, and the last ten
    assert row["points"] == [0, 62 + 21 + 18 + 11 + 10 + 40]


# -- the game --------------------------------------------------------------------------------------------------


def test_settlement():
    """E-DEB-2: 520 to 330 is worth 501 - 330 = 171."""
    from simcards.games.deberts.scoring import settle

    given = rules()
    assert int(settle(520, 330, given)) == 171
    assert int(settle(330, 520, given)) == -171
    assert int(settle(520, 505, given)) == 0
    assert int(settle(520, 505, rules(least_gain=1))) == 1
    assert int(settle(75, 30, rules(target=0))) == 45


def test_a_game_goes_on_to_the_target():
    table = Table(**PLAIN, rules={"target": 100}).bid("+").play(TRICKS)
    assert not table.is_over
    assert table.totals == [75, 30]
    table.deal(PLAIN["pone"], PLAIN["dealer"], PLAIN["turned"]).bid("+").play(TRICKS)  # the seats have changed
    assert table.totals == [105, 105]
    assert not table.is_over  # nobody has more
    table.deal(PLAIN["pone"], PLAIN["dealer"], PLAIN["turned"]).bid("+").play(TRICKS)
    row = table.row()
    assert row["points"] == [180, 135]
    assert row["won"] == [1, 0]
    assert row["value"] == [0, 0]  # the loser has more than the target: nothing is left to win
    assert row["points_as_pone"] == [150, 75]
    assert row["deals"] == 3
