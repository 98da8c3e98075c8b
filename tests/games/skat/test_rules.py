"""The rules of skat, example by example: the values of the book, the auction, the duties, what is written."""

import numpy as np
import pytest

from simcards.games.skat import FOUR_HANDED, SKAT
from simcards.games.skat.contracts import settle
from simcards.games.skat.frame import (
    COMMON,
    GAMES,
    LADDER,
    LEVELS,
    ORDERS,
    RULES,
    bit_of,
    matadors,
    points_in,
    possible_values,
)
from simcards.games.skat.play import safe_value
from simcards.games.skat.text import cards_text
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.samples import samples

from .table import Table, codes, mask

WITH = {1: "JC", 2: "JC JS", 3: "JC JS JH", 4: "JC JS JH JD"}
WITHOUT = {1: "JS", 2: "JH", 3: "JD"}
RUN = "ATKQ987"


def trumps(count, game):
    """Return cards with (or, with a negative count, without) so many matadors."""
    suit = game[0].upper()
    if 0 < count <= 4:
        return WITH[count]
    if count > 4:
        return WITH[4] + " " + " ".join(rank + suit for rank in RUN[: count - 4])
    if count >= -3:
        return WITHOUT[-count]
    rest = RUN[-count - 4 :]
    return " ".join(rank + suit for rank in rest[:1])


def settled(game, count, points=70, *, skat=True, level="", own=6, theirs=4, high=18, **rules):
    """Return the value of a game, what is written for it, and whether it was lost for the bid alone."""
    common = np.zeros(1, COMMON)[0]
    common["game"], common["level"] = GAMES.index(game), LEVELS.index(level)
    common["skat"], common["high"] = skat, high
    values = np.zeros(1, RULES)[0]
    for name, value in SKAT.values(rules).items():
        values[name] = SKAT.rule(name).encode(value)
    cards = np.uint64(mask(trumps(count, game) if game != "null" else ""))
    return settle(common, values, cards, points, own, theirs)


# -- the book's examples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "count", "points", "tricks", "value"),
    [
        ("hearts", -2, 70, 6, 30),
        ("hearts", 2, 70, 6, 30),
        ("spades", 5, 70, 6, 66),
        ("clubs", -3, 70, 6, 48),
        ("clubs", 8, 70, 6, 108),
        ("hearts", -2, 90, 8, 40),
        ("spades", 5, 95, 8, 77),
        ("clubs", 8, 110, 8, 120),
        ("spades", 5, 120, 10, 88),
        ("grand", 2, 61, 6, 72),
        ("grand", 3, 90, 8, 120),
        ("grand", 4, 120, 10, 168),
        ("diamonds", 1, 61, 6, 18),
        ("diamonds", -1, 61, 6, 18),
    ],
)
def test_values_of_games_won(game, count, points, tricks, value):
    assert settled(game, count, points, own=tricks, theirs=10 - tricks) == (value, value, False)


def test_the_highest_game_is_a_grand_ouvert_with_four():
    assert settled("grand", 4, 120, skat=False, level="ouvert", own=10, theirs=0) == (360, 360, False)


def test_values_of_nulls():
    assert settled("null", 0, 0, own=0, theirs=10)[0] == 23
    assert settled("null", 0, 0, skat=False, own=0, theirs=10)[0] == 35
    assert settled("null", 0, 0, skat=False, level="ouvert", own=0, theirs=10)[0] == 59
    assert settled("null", 0, 0, level="ouvert", own=0, theirs=10)[0] == 46


@pytest.mark.parametrize(
    ("cards", "count"),
    [
        ("JC JH JD AH TH KH 8H", 1),
        ("JC JS JH JD AH KH QH", 5),
        ("JS JH JD AH TH KH", -1),
        ("TH KH QH 8H", -5),
        ("", -11),
        ("JC JS JH JD AH TH KH QH 9H 8H 7H", 11),
        ("7H AC TC KC AS TS KS AD TD KD", -10),
    ],
)
def test_matadors_in_hearts(cards, count):
    assert matadors(np.uint64(mask(cards)), GAMES.index("hearts")) == count


def test_matadors_in_grand_are_jacks_only():
    assert matadors(np.uint64(mask("JC JS JH JD AH TH")), GAMES.index("grand")) == 4
    assert matadors(np.uint64(mask("AH TH")), GAMES.index("grand")) == -4


def test_the_values_that_can_be_bid():
    values = possible_values(False)
    assert values[:8] == [18, 20, 22, 23, 24, 27, 30, 33]
    assert values[-1] == 360
    assert len(values) == len(set(values)) == 65
    assert set(possible_values(True)) - set(values) == {46}
    assert LADDER[0, 1] == 18
    assert LADDER[1, 66] == 360


def test_cards_are_worth_120_points():
    assert points_in(np.uint64((1 << 32) - 1)) == 120
    assert [points_in(np.uint64(mask(card))) for card in ("AH", "TH", "KH", "QH", "JH", "9H")] == [11, 10, 4, 3, 2, 0]


@pytest.mark.parametrize(
    ("game", "falling"),
    [
        ("hearts", "JC JS JH JD AH TH KH QH 9H 8H 7H"),
        ("clubs", "JC JS JH JD AC TC KC QC 9C 8C 7C"),
        ("grand", "JC JS JH JD"),
        ("null", "AH KH QH JH TH 9H 8H 7H"),
    ],
)
def test_order_of_the_cards(game, falling):
    order = ORDERS[GAMES.index(game)]
    cards = codes(falling)
    for place, card in enumerate(cards):
        assert int(order["above"][card]) == sum(1 << higher for higher in cards[:place])


# -- lost games ---------------------------------------------------------------------------------------------------


def test_a_lost_game_costs_twice_its_value_with_the_skat_and_once_from_the_hand():
    assert settled("hearts", 2, 55) == (30, -60, False)
    assert settled("hearts", 2, 55, skat=False) == (40, -40, False)
    assert settled("hearts", 2, 55, skat=False, hand_loss="double") == (40, -80, False)
    assert settled("null", 0, 5, own=1) == (23, -46, False)
    assert settled("null", 0, 5, own=1, skat=False) == (35, -35, False)


def test_sixty_points_are_not_enough():
    assert settled("hearts", 1, 61)[1] == 20
    assert settled("hearts", 1, 60)[1] == -40


def test_schneider_from_ninety_and_of_the_declarer_up_to_thirty():
    assert settled("hearts", 1, 89)[1] == 20
    assert settled("hearts", 1, 90)[1] == 30
    assert settled("hearts", 1, 31)[1] == -40
    assert settled("hearts", 1, 30)[1] == -60
    assert settled("hearts", 1, 10, own=0, theirs=10)[1] == -80
    assert settled("hearts", 1, 89, schneider=89)[1] == 30  # the book's other number: the opponents have 31


def test_what_was_announced_has_to_be_reached_and_counts_in_any_case():
    # with one, the game, hand, schneider and announcing it: five times ten
    assert settled("hearts", 1, 90, skat=False, level="schneider")[:2] == (50, 50)
    assert settled("hearts", 1, 80, skat=False, level="schneider")[:2] == (50, -50)
    assert settled("hearts", 1, 120, skat=False, level="schneider", own=10, theirs=0)[:2] == (60, 60)
    assert settled("hearts", 1, 120, skat=False, level="schwarz", own=10, theirs=0)[:2] == (70, 70)
    assert settled("hearts", 1, 118, skat=False, level="schwarz", own=9, theirs=1)[:2] == (70, -70)
    assert settled("hearts", 1, 120, skat=False, level="ouvert", own=10, theirs=0)[:2] == (80, 80)
    assert settled("grand", 1, 120, skat=False, level="ouvert", own=10, theirs=0)[:2] == (252, 252)


def test_a_game_that_is_not_worth_the_bid_is_lost():
    # with one 20 in hearts, bid 33: the least multiple of ten is 40
    assert settled("hearts", 1, 70, high=33) == (20, -80, True)
    assert settled("hearts", 1, 70, high=20) == (20, 20, False)
    assert settled("hearts", 1, 90, high=30) == (30, 30, False)  # schneider makes it
    assert settled("hearts", 1, 50, high=33) == (20, -80, False)


def test_a_lost_game_by_the_bid():
    assert settled("hearts", 2, 55, high=20, lost_value="bid")[1] == -40
    assert settled("hearts", 2, 30, high=20, lost_value="bid")[1] == -60
    assert settled("hearts", 2, 10, own=0, theirs=10, high=20, lost_value="bid")[1] == -80
    assert settled("null", 0, 5, own=1, high=20, lost_value="bid")[1] == -40


@pytest.mark.parametrize("game", ["hearts", "grand"])
@pytest.mark.parametrize("skat", [True, False])
def test_what_a_hand_may_be_bid_for_is_what_it_is_worth_just_made(game, skat):
    cards = np.uint64(mask("JC JS AH TH"))
    assert safe_value(cards, GAMES.index(game), skat, 0) == settled(game, 2, 61, skat=skat)[0]


# -- the auction ---------------------------------------------------------------------------------------------------

HANDS = ("JC JS AS TS KS QS 9S AH TH 7D", "JH JD AC TC KC QC 9C AD TD 7H", "8S 7S KH QH 9H 8H KD QD 9D 8D")


def test_middlehand_calls_to_forehand_and_rearhand_to_who_is_left():
    table = Table(HANDS)
    assert table.asked().actor == 1
    table.bid(18)
    assert table.asked() == (0, "bid", {0, 1})
    table.bid(True)
    assert table.asked().actor == 1
    table.bid(20, True, False)
    assert table.asked().actor == 2
    table.bid(22)
    assert table.asked().actor == 0
    table.bid(True, 23, False)
    assert table.asked().phase == "skat"
    assert table.asked().actor == 2
    assert int(table.common["high"]) == 23
    assert table.common["bid"].tolist() == [22, 20, 23, 0]


def test_forehand_passes_and_middlehand_hears_rearhand():
    table = Table(HANDS).bid(18, False)
    assert table.asked().actor == 2
    table.bid(20)
    assert table.asked().actor == 1
    table.bid(True, False)
    assert table.asked().actor == 1
    assert int(table.common["high"]) == 20


def test_rearhand_gets_the_game_for_the_least_when_both_others_pass_at_once():
    table = Table(HANDS).bid(False, 18, False)
    assert table.asked().actor == 2
    assert int(table.common["high"]) == 18


def test_forehand_may_have_it_for_18_when_nobody_calls():
    table = Table(HANDS).bid(False, False)
    assert table.asked() == (0, "bid", {0, 1})
    table.do(1)
    assert table.asked().phase == "skat"
    assert int(table.common["high"]) == 18


def test_bids_may_be_skipped():
    table = Table(HANDS)
    assert table.asked().legal == {0, 1}
    table = Table(HANDS, rules={"deals": 1, "calls": "any"}).bid(48)
    assert int(table.common["high"]) == 48
    table.bid(True, 252)
    assert int(table.common["high"]) == 252


def test_a_single_deal_that_all_pass_is_a_row_with_nothing_in_it():
    row = Table(HANDS).bid(False, False, False).row()
    assert row["passed_in"] == 1
    assert row["games"] == 0
    assert row["points"] == [0, 0, 0]


def test_in_a_list_the_same_dealer_deals_again():
    table = Table(HANDS, rules={"deals": 2}).bid(False, False, False).deal(HANDS)
    assert (int(table.common["forehand"]), int(table.common["deals"])) == (0, 1)
    table = Table(HANDS, rules={"deals": 2, "passed_in": "counts"}).bid(False, False, False).deal(HANDS)
    assert (int(table.common["forehand"]), int(table.common["deals"])) == (1, 2)
    assert table.asked().actor == 2  # middlehand of this deal


# -- the game ------------------------------------------------------------------------------------------------------


def won_by(game="spades", rules=None, skat="AD TD"):
    hands = (HANDS[0], "JH JD AC TC KC QC 9C 8C 7C 7H", HANDS[2])
    return Table(hands, skat, rules).bid(False, False, True)


def test_the_skat_is_taken_and_two_cards_are_laid_away():
    table = won_by()
    table.do(1)
    assert table.asked().phase == "discard"
    assert cards_text(table.state["private"][0]["found"]) == "AD TD"
    assert codes("JC")[0] not in table.asked().legal  # a higher card must be left for the second
    table.do(*sorted(codes("AD TD")))
    assert table.asked().phase == "declare"
    assert table.asked().legal == {0, 1, 2, 3, 4, 5}
    assert cards_text(table.state["aside"]) == "AD TD"


def test_from_the_hand_everything_may_be_announced():
    table = won_by().hand()
    suits_and_grand = {game + 6 * level for game in range(5) for level in range(4)}
    assert table.asked().legal == suits_and_grand | {5, 23}


def test_a_null_must_be_worth_the_bid():
    table = Table(HANDS, rules={"deals": 1, "calls": "any"}).bid(24, False, False).do(1)
    table.do(*sorted(codes("AD TD")))
    assert 5 not in table.asked().legal
    table = Table(HANDS, rules={"deals": 1, "calls": "any"}).bid(36, False, False).hand()
    assert not {5} & table.asked().legal
    assert 23 in table.asked().legal


def test_an_open_null_with_the_skat_is_an_option():
    table = Table(HANDS, rules={"deals": 1, "open_null": "yes"}).bid(False, False, True).do(1)
    table.do(*sorted(codes("AH TH")))
    assert 23 in table.asked().legal


def test_jacks_belong_to_the_trumps():
    table = won_by().take("AD TD").declare("spades")
    assert table.asked().actor == 0  # forehand leads, whoever plays
    table.play("AS")
    assert table.legal_cards() == {"JH", "JD"}
    table.play("JD")
    assert table.legal_cards() == {"8S", "7S"}


def test_who_has_none_of_the_suit_may_play_anything():
    table = won_by().take("AD TD").declare("grand").play("7D")
    assert len(table.legal_cards()) == 10


def test_the_lead_is_forehands_also_when_another_plays():
    table = Table(HANDS).bid(18, False, False).hand().declare("clubs")
    assert table.asked().actor == 0


def test_a_game_to_its_end():
    table = won_by().take("AD TD").declare("spades")
    table.play("JC-JD-7S JS-JH-8S AS-7C-8D TS-8C-9D KS-9C-QD QS-QC-KD 9S-KC-8H AH-7H-9H TH-TC-QH 7D-AC-KH")
    row = table.row()
    # 120 less nothing: every trick, and AD and TD in the skat
    assert row["declarer_points"][0] == 120
    assert row["schwarz"] == [1, 0, 0]
    # with two, the game, schneider and schwarz: five times eleven
    assert row["points"] == [55, 0, 0]
    assert row["value"] == [110, -55, -55]
    assert row["points_matadors"][0] == 22
    assert row["points_game"][0] == 11
    assert row["points_schneider"][0] == 11
    assert row["points_schwarz"][0] == 11
    assert (row["with_jacks"][0], row["game_value"][0], row["bid"][0]) == (2, 55, 18)
    assert row["skat_points"][0] == 21


def test_the_skat_counts_for_the_declarer_of_a_hand_game_and_for_his_matadors():
    hands = ("JC JH AS TS KS QS 9S AH TH 7D", "JD AD AC TC KC QC 9C 8C 7C 7H", "8S 7S KH QH 9H 8H KD QD 9D 8D")
    tricks = "JC-JD-7S JH-7C-8S AS-8C-8D TS-9C-9D KS-QC-QD QS-KC-KD 9S-TC-8H AH-7H-9H TH-AC-QH 7D-AD-KH"
    row = Table(hands, "JS TD").bid(False, False, True).hand().declare("spades").play(tricks).row()
    assert row["with_jacks"][0] == 3
    # all but the last trick, AD and KH
    assert row["declarer_points"][0] == 120 - 15
    # with three, the game, hand and schneider: six times eleven
    assert row["points"][0] == 66
    rules = {"deals": 1, "skat_matadors": "no"}
    row = Table(hands, "JS TD", rules).bid(False, False, True).hand().declare("spades").play(tricks).row()
    assert row["with_jacks"][0] == 1
    assert row["points"][0] == 44


def test_a_null_ends_with_the_first_trick_of_the_declarer():
    hands = ("7S 8S 9S 7H 8H 9H 7D 8D 9D AC", "TS JS QS KS TH JH QH KH TD JD", "AS AH QD KD AD 7C 8C 9C TC JC")
    table = Table(hands, "QC KC").bid(False, False, True).hand().declare("null").play("7S-TS-AS 7C-AC-TD")
    row = table.row()
    assert row["points"] == [-35, 0, 0]
    assert row["failed"] == [1, 0, 0]
    assert row["tricks"] == [1, 0, 1]
    rules = {"deals": 1, "null_ends": "with_the_cards"}
    table = Table(hands, "QC KC", rules).bid(False, False, True).hand().declare("null").play("7S-TS-AS 7C-AC-TD")
    assert not table.is_over


def test_a_null_won():
    hands = ("7S 8S 9S 7H 8H 9H 7D 8D 9D 7C", "TS JS QS KS TH JH QH KH TD JD", "AS AH QD KD AD 8C 9C TC JC QC")
    table = Table(hands, "AC KC").bid(False, False, True).hand().declare("null", "ouvert")
    assert cards_text(table.common["shown"]) == cards_text(mask(hands[0]))
    table.play("7S-TS-AS AD-9D-JD KD-8D-TD QD-7D-KS AH-9H-KH 8C-7C-QH QC-9S-QS JC-8S-JS TC-8H-JH 9C-7H-TH")
    assert table.row()["points"] == [59, 0, 0]
    assert table.row()["points_null"] == [59, 0, 0]


# -- four at the table --------------------------------------------------------------------------------------------


def test_of_four_the_dealer_sits_out():
    table = Table(HANDS, rules={"deals": 48}, game="skat-four-handed")
    assert table.asked().actor == 1
    table.bid(False, False, True).hand().declare("grand")
    assert int(table.state["private"][3]["hand"]) == 0
    while not (table.asked().phase == "bid" or int(table.common["stage"]) == 0):
        table.do(min(table.asked().legal))
        if int(table.common["stage"]) == 0:
            break
    table.deal(HANDS)
    assert int(table.common["forehand"]) == 1
    assert table.asked().actor == 2
    assert int(table.state["private"][0]["hand"]) == 0  # the dealer of the second deal


def test_lists_are_36_and_48_deals():
    assert SKAT.values()["deals"] == 36
    assert FOUR_HANDED.values()["deals"] == 48
    for game, deals in (("skat", 36), ("skat-four-handed", 48)):
        frame = samples(make_plan(game, deals=20, unit="list", strategies="random", seed=2))
        assert (frame["deals"] == deals).all()
        assert (frame["games"] + 0 == deals).all()  # those passed in were dealt again
        trace = replay(make_plan(game, deals=1, unit="list", strategies="random", seed=2), 0)
        assert len(trace.decks) == deals + trace.row["passed_in"]


def test_each_of_four_sits_out_a_quarter_of_the_deals():
    frame = samples(make_plan("skat-four-handed", deals=50, unit="list", strategies="random", seed=3))
    seats = FOUR_HANDED.seats
    for seat in seats:
        assert (frame[f"declared.{seat}"] + frame[f"defended.{seat}"] == 36).all()


def test_one_bit_a_card():
    assert bit_of(31) == np.uint64(1 << 31)
