"""The rules of sixty-six, and the examples: what a deal brings."""

from __future__ import annotations

from simcards.games.sixty_six.frame import PRIZES, VALUE, loss_class

from ..bezique.kernel import kernel
from .table import Table


def two(pone, dealer, stock, **rules):
    """Deal for two: the stock is the turn-up and then the cards as they are drawn."""
    return Table("sixty-six", [pone, dealer], stock, {"target": 0, **rules})


def test_the_pack_has_120_points():
    assert VALUE.sum() == 120


def test_the_prizes_by_the_losers_points():
    """66 against 40 is one point, against 20 two, against nothing three; exactly 33 is one."""
    rules = kernel("sixty-six", {"target": 0}).states[0]["rules"]
    named = {points: PRIZES[int(loss_class(rules, points))] for points in (40, 34, 33, 32, 20, 1, 0)}
    assert named == {40: "single", 34: "single", 33: "single", 32: "double", 20: "double", 1: "double", 0: "triple"}
    strict = kernel("sixty-six", {"target": 0, "exactly_half": "double"}).states[0]["rules"]
    assert PRIZES[int(loss_class(strict, 33))] == "double"
    assert [int(rules[name]) for name in ("single", "double", "triple", "closed", "closed_lost")] == [1, 2, 3, 3, 3]


def test_against_nothing_it_is_three_points():
    table = two("AS TS KS QS AC TC", "9C JC QC KC 9D JD", "9S JS QH QD KH")
    table.play("KS*-JD")
    assert table.points == [40 + 4 + 2, 0]
    table.play("AS-9D TS-9C")
    assert table.points == [46 + 11 + 10, 0]
    assert table.is_over
    row = table.row()
    assert row["big"] == row["big_triple"] == [3, 0]
    assert row["value"] == [3, -3]
    assert row["points_cards"] == [27, 0]
    assert row["points_royal_marriage"] == [40, 0]


def test_a_marriage_can_win_before_the_trick_is_played():
    table = two("AS TS KS QS AC TC", "9C JC QC KC 9D JD", "9S JS QH QD KH")
    table.play("AS-9C TS-JC AC-QC")
    assert table.points == [11 + 12 + 14, 0]
    table.play("QS*")
    assert table.points == [77, 0]
    assert table.is_over
    assert table.row()["tricks"] == [3, 0]


def test_a_marriage_may_have_to_wait_for_a_trick():
    table = two("KS QS 9H JH 9D JD", "AS TS AH TH AD TD", "9S JS KH QH KD QD", marriage_counts="with_trick")
    table.play("QS*-AS")
    assert table.points == [0, 14]
    assert table.state["public"]["pending"][0].tolist() == [0, 40]
    assert two("KS QS 9H JH 9D JD", "AS TS AH TH AD TD", "9S").play("QS*").points == [40, 0]
    table.play("AH-KS")  # the king of trumps takes the ace: 15 and the 40 that waited
    assert table.points == [55, 14]


def in_the_other_hand():
    """A deal in which the dealer has 42 points when pone comes on lead with the trumps."""
    table = two("9D 9H AS TS KS QS", "AD AH KD TD JC QC", "9S 9C JS JH JD QH KH TH KC AC TC")
    table.play("9D-AD AH-9H KD-JD TD-KH")
    assert table.points == [0, 42]
    return table.play("9C-JS")


def test_closed_and_won_is_three_points_whatever_the_other_has():
    table = in_the_other_hand().close()
    assert int(table.state["common"]["stock"]) == 2
    table.play("KS*-JC AS-JH TS-QH")
    assert table.points == [2 + 40 + 6 + 13 + 13, 42]
    row = table.row()
    assert row["big"] == row["big_closed"] == [3, 0]
    assert row["count_closing"] == row["count_closing_won"] == [1, 0]
    assert row["closing_points"][0] == 2
    assert row["closing_trumps"][0] == 4


def test_not_closed_the_same_win_is_one_point():
    table = in_the_other_hand().play("KS*-JC AS-9S TS-QH")  # the dealer draws the nine of trumps, and must follow
    assert table.points == [2 + 46 + 11 + 13, 42]
    assert table.row()["big_single"] == [1, 0]


def test_who_closes_in_vain_pays_three():
    table = two("9S JS QS 9H JH 9D", "AH TH KH QH AD TD", "KS")
    table.close()
    table.play("9H")
    assert table.cards() == "QH KH TH AH"  # suit must be followed, the trick need not be won
    table.play("KH AH-JH TH")
    assert table.cards() == "9S JS QS"  # and who cannot follow must trump
    table.play("9S 9D-TD AD-JS QS-QH")
    assert table.points == [10 + 13 + 6, 4 + 13 + 10]
    row = table.row()
    assert row["big"] == row["big_failed"] == [0, 3]
    assert row["count_closing_lost"] == [1, 0]
    assert row["value"] == [-3, 3]


def test_the_other_may_win_a_closed_deal():
    table = two("JS 9S 9H JH QH 9D", "AS TS KS QS AH TH", "9C")
    table.close()  # trumps are clubs, of which nobody has one
    table.play("JS-AS KS*-9S AH-9H TH-JH TS-9D")
    assert table.points == [0, 13 + 24 + 11 + 12 + 10]
    assert table.row()["big_failed"] == [0, 3]


def test_while_the_stock_is_open_any_card_may_be_played():
    table = two("AS TS KS QS AC TC", "9C JC QC KC 9D JD", "9H")
    table.play("AS")
    assert table.cards() == "9D JD 9C JC QC KC"


def test_the_nine_is_exchanged_after_a_trick_and_before_the_lead():
    table = two("9S AH AD AC TH TD", "9H 9D 9C JH JD JC", "AS KC QH KD QD KH JS QC QS TC TS")
    assert table.asked().phase == "close"  # no trick is won yet
    table.play("AH-9H")
    assert table.asked() == (0, "exchange", {0, 1})
    table.exchange()
    assert set(table.hand(0).split()) == {"AS", "AD", "AC", "TH", "TD", "KC"}
    assert table.pack.text(int(table.state["common"]["turn_up"])) == "9S"
    assert int(table.state["public"]["known"][0]) == 1 << table.pack.code("AS")


def test_the_nine_is_exchanged_before_the_last_cards_are_drawn():
    table = two("9S AH AD AC TH TD", "9H 9D 9C JH JD JC", "AS KC QH KD QD KH JS QC QS TC TS")
    table.play("AH-9H AD-9D AC-9C TH-JH TD-JD KC-JC")
    assert table.points == [11 + 11 + 11 + 12 + 12 + 6, 0]
    assert table.asked() == (0, "exchange", {0, 1})
    assert len(table.hand(0).split()) == 5
    table.exchange()
    assert set(table.hand(0).split()) == {"AS", "KD", "KH", "QC", "TC", "KS"}
    assert set(table.hand(1).split()) == {"QH", "QD", "JS", "QS", "TS", "9S"}
    assert table.asked().phase == "play"
    assert int(table.state["common"]["stock"]) == 0


def test_three_players_head_and_overtrump():
    hands = ["AD KD QD JD 9D TD AS KS", "TC AH TH KH QH JH 9H TS", "AC KC QC JC QS JS 9S 9C"]
    table = Table("sixty-six-three-handed", hands)
    assert table.asked().phase == "play"  # the dealer's last card shows the trumps, there is no stock
    assert int(table.state["common"]["trump"]) == 3
    assert int(table.state["public"]["known"][2]) == 1 << table.pack.code("9C")
    table.play("AD")
    assert table.cards() == "TC"
    table.play("TC")
    assert table.cards() == "AC"
    table.play("AC QS")
    assert table.cards() == "KS AS"
    table.play("KS")
    assert table.cards() == "TS"
    table = Table("sixty-six-three-handed", hands, rules={"target": 0, "overruff": "no", "head": "no"})
    assert table.play("AD-TC").cards() == "9C JC QC KC AC"


def test_three_players_are_judged_by_the_better_loser():
    hands = ["AC TC KC QC JC 9S JS QS", "AS TS KS 9H JH QH KH TH", "AH AD TD KD QD JD 9D 9C"]
    table = Table("sixty-six-three-handed", hands)
    table.play("9S-KS-9C")  # the dealer has no spade, and trumps: 4 to him
    assert table.points == [0, 0, 4]
    table.play("AH-JC-9H")  # the first trumps: 13
    table.play("KC*-TS-JD")
    assert table.points == [13 + 40 + 16, 0, 4]
    assert table.row()["big_double"] == [2, 0, 0]
    assert table.row()["value"] == [4, -2, -2]
    strict = Table("sixty-six-three-handed", hands, rules={"target": 0, "judged_by": "worst"})
    strict.play("9S-KS-9C AH-JC-9H KC*-TS-JD")
    assert strict.row()["big_triple"] == [3, 0, 0]


SWABIAN = ["KH KH QH QH AC TC TD TD", "9H 9H JH JH AC 9D 9D JD"]


def test_of_like_cards_the_first_wins():
    table = Table("sixty-six-swabian", SWABIAN, "9S")
    table.play("AC-AC")
    assert table.points == [22, 0]
    assert int(table.state["common"]["stock"]) == 30


def test_a_second_marriage_takes_new_cards():
    table = Table("sixty-six-swabian", SWABIAN, "9S 9S JS JS QS QS")
    table.play("KH*-9H")
    assert table.points == [24, 0]
    assert "KH*" in table.play("AC-9H").do(0).cards()  # the other king and queen have not been used
    table.play("QH*-JH")
    assert table.points == [24 + 11 + 20 + 5, 0]
    table.play("TC-JH").do(0)
    assert "H*" not in table.cards()  # all hearts left have been in a marriage


def test_one_new_card_can_do_for_a_second_marriage():
    hands = ["KH KH QH TH AC TC TD TD", SWABIAN[1]]
    for remarry, expected in (("both_new", False), ("one_new", True)):
        table = Table("sixty-six-swabian", hands, "9S 9S JS JS QS QS", {"target": 0, "remarry": remarry})
        table.play("KH*-9H AC-9H").do(0)
        assert ("KH*" in table.cards()) == expected
        assert ("QH*" in table.cards()) == expected


def test_a_swabian_deal_goes_to_101():
    assert int(kernel("sixty-six-swabian", {"target": 0}).states[0]["rules"]["goal"]) == 101


def test_nobody_reaches_66():
    """All 120 points are then in the tricks, and nobody scores."""
    found = 0
    driver = kernel("sixty-six", {"target": 0, "closing": "no"})
    for index in range(400):
        row = driver.trace("random", 4, index).row
        if row["no_result"]:
            found += 1
            assert sum(row["points_cards"]) == 120
            assert max(row["points"]) < 66
            assert row["big"] == row["value"] == [0, 0]
            assert row["all_tricks"] == 12
    assert found > 3


def test_a_game_goes_to_eight_and_the_deal_passes_on():
    driver = kernel("sixty-six", {})
    for index in range(40):
        trace = driver.trace("basic", 4, index)
        row = trace.row
        assert max(row["big"]) >= 8 > min(row["big"])
        winner = row["big"].index(max(row["big"]))
        assert row["won"] == [int(winner == 0), int(winner == 1)]
        assert row["value"] == [1 if winner == seat else -1 for seat in range(2)]
        firsts = [int(state["common"]["first"]) for state in trace.seen if int(state["common"]["trick"]) == 0]
        assert set(firsts) == {0, 1}


def test_the_last_trick_may_count():
    driver = kernel("sixty-six", {"target": 0, "closing": "no", "last_trick": 10, "goal": 200})
    row = driver.trace("random", 4, 0).row
    assert sum(row["points_cards"]) == 120
    assert sorted(row["points_last_trick"]) == [0, 10]
