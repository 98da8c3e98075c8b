"""Binocle: the rules that the source states, one by one, with cards dealt by hand."""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest

from simcards.errors import UsageError
from simcards.games.bezique.playout import rest_value
from simcards.games.registry import ruleset

from .compare import apply_of, begin_of, deal_of, is_over_of, measure_of
from .kernel import kernel

SUITS, RANKS = "SHDC", "789JQKTA"
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
NOTHING, MARRIAGE, SEQUENCE, BINOCLE, DOUBLE, FOUR, DIX, EIGHT, GRAND = 0, 1, 5, 9, 10, 13, 17, 18, 22
ACES, KINGS, QUEENS, JACKS = range(4)
TABLE = 32
GOES_ON, CLAIMS, LOOKS = range(3)


def code(card):
    return 8 * SUITS.index(card[1]) + RANKS.index(card[0])


def cards(text):
    return [code(card) for card in text.split()]


class Table:
    """A game in which the pone is seat 0; each deal is given in full or filled up from the pack."""

    def __init__(self, game="binocle", **rules):
        self.kernel = kernel(game, rules)
        self.states = self.kernel.states.copy()
        begin_of(self.states)

    def deal(self, pone, dealer, turn_up, stock=""):
        pone, dealer, stock = cards(pone), cards(dealer), cards(stock)
        assert len(pone) == len(dealer) == 12
        order = [card for place in (0, 4, 8) for hand in (pone, dealer) for card in hand[place : place + 4]]
        order += [code(turn_up), *stock]
        rest = [int(card) for card in self.kernel.template]
        for card in order:
            rest.remove(card)
        deal_of(self.states, np.array(order + rest, np.uint8))
        return self

    def shuffled(self, seed):
        order = [int(card) for card in self.kernel.template]
        random.Random(seed).shuffle(order)
        deal_of(self.states, np.array(order, np.uint8))
        return self

    @property
    def legal(self):
        return self.kernel.position(self.states).legal

    @property
    def phase(self):
        return self.kernel.position(self.states).phase

    @property
    def points(self):
        return self.states["public"]["points"][0].tolist()

    @property
    def over(self):
        return bool(is_over_of(self.states))

    def set_points(self, *points):
        self.states["public"]["points"][0] = points

    def do(self, *actions):
        """Take actions; a text is a card from the hand, or with a star one from the table."""
        for action in actions:
            if isinstance(action, str):
                action = code(action[:2]) + TABLE * action.endswith("*")
            assert action in self.legal, (action, self.phase, self.legal)
            apply_of(self.states, action)
        return self

    def tricks(self, *pairs):
        """Play tricks in which nobody melds after them but as told: lead, reply, then the actions."""
        for lead, reply, *actions in pairs:
            self.do(lead, reply, *(actions or [NOTHING]))
        return self

    def run_out(self, seed=0):
        """Play the deal out at random; nobody melds or claims."""
        rng = random.Random(seed)
        while not self.over and self.phase != "deal" and self.states["common"]["stage"][0] != 0:
            self.do(rng.choice(sorted(self.legal)) if self.phase == "play" else 0)
        return self

    def row(self):
        assert self.over
        rows = np.zeros(1, self.kernel.game.row)
        measure_of(self.states, rows)
        return {name: rows[0][name].tolist() for name in self.kernel.game.row.names}


# hearts are trumps; the dealer's nines and lower lose to the pone's leads
LOW = "9S 9S 9D 9D 9C 9C JC JC TC TC TD TD"


def test_a_deal_has_twelve_drawing_and_twelve_last_tricks_and_240_points_in_cards():
    """E-BEZ-4."""
    for seed in range(10):
        row = Table(target=0).shuffled(seed).run_out(seed).row()
        assert sum(row["tricks"]) == 24
        assert sum(row["points_cards"]) == 240
        assert sum(row["points_last_trick"]) == 10
        assert sum(row["brisques"]) == 16
        assert row["value"][0] == row["points"][0] - row["points"][1]


def test_the_stock_holds_24_cards_and_the_25th_is_turned_up():
    table = Table(target=0).deal("AS TS KS QS JS AH TH KH QH JH AD AC", LOW, "KH")
    assert table.states["common"]["stock"][0] == 24
    assert table.states["common"]["turn_up"][0] == code("KH")
    assert table.states["common"]["trump"][0] == HEARTS


def test_the_game_is_of_1000_points():
    """E-BIN-1: on a cribbage board from 21 to the end of the second round, 10 a hole."""
    assert ruleset("binocle").rule("target").default == 10 * ((61 - 21) + 60)


@pytest.mark.parametrize(
    ("hand", "lead", "action", "value"),
    [
        ("AS KD QD JC TC TH AC AH 9H 9H KC QS", "AS", MARRIAGE + DIAMONDS, 20),
        ("AS KH QH JC TC AD AC AS 9H 9H KC QS", "AS", MARRIAGE + HEARTS, 40),
        ("AS AH TH KH QH JH AC AS KC 9H KC QS", "AS", SEQUENCE + HEARTS, 150),
        ("AS AH KH JD JC AD AC AS KC 9H KC QS", "AS", BINOCLE, 40),
        ("AS AH KH JD JD QS QS AS KC 9H KC QC", "AS", DOUBLE, 80),
        ("AS AS AH AD AC KS QC TH JH JD 9H QD", "AS", FOUR + ACES, 100),
        ("AS KS KH KD KC QC TH JH JD 9H QD QD", "AS", FOUR + KINGS, 80),
        ("AS QS QH QD QC KC TH JH JD 9H KD KD", "AS", FOUR + QUEENS, 60),
        ("AS JS JH JD JC KC TH QH KD 9H KD AD", "AS", FOUR + JACKS, 40),
        ("TS AS AS AH AH AD AD AC AC KS QS TH", "TS", EIGHT + ACES, 200),
        ("TS KS KS KH KH KD KD KC KC QC QS TH", "TS", EIGHT + KINGS, 160),
        ("TS QS QS QH QH QD QD QC QC KC KS TH", "TS", EIGHT + QUEENS, 120),
        ("AS JS JS JH JH JD JD JC JC KC KS TH", "AS", EIGHT + JACKS, 80),
    ],
)
def test_what_melds_score(hand, lead, action, value):
    rest = list(kernel("binocle", {}).template)
    for card in cards(f"{hand} TH"):
        rest.remove(card)
    rest.sort(key=lambda card: card & 7)
    dealer = " ".join(RANKS[card & 7] + SUITS[card >> 3] for card in rest[:12])
    table = Table(target=0).deal(hand, dealer, "TH")
    table.do(lead, "9S")
    assert action in table.legal
    table.do(action)
    assert table.points == [value, 0]
    assert table.phase == "play"  # one meld a trick, then the cards are drawn
    assert table.states["public"]["cards"][0].sum() + table.states["public"]["laid"][0].sum() == 24


def test_court_cards_of_a_four_are_of_four_suits():
    table = Table(target=0).deal("AS KS KS KH KD AD TH JH JD 9H QD QC", "9S 9S 9D 9D 9C 9C TC TC TD TD JC JC", "TH")
    assert FOUR + KINGS not in table.do("AS", "9S").legal


def test_there_is_no_sequence_of_a_plain_suit():
    table = Table(target=0).deal("AS AS TS KS QS JS AC AD AH 9H KD KC", LOW, "QH").do("AS", "9S")
    assert table.legal == {NOTHING, MARRIAGE + SPADES, FOUR + ACES, DIX}


def test_a_marriage_grows_into_the_sequence_but_not_the_other_way_round():
    hand = "AS AS AH TH KH QH JH AD KC 9H KD KS"
    stock = "QC JD QC JD"
    table = Table(target=0).deal(hand, LOW, "QH", stock)
    table.tricks(("AS", "9S", MARRIAGE + HEARTS), ("AS", "9S", SEQUENCE + HEARTS))
    assert table.points == [190, 0]
    table = Table(target=0).deal(hand, LOW, "QH", stock).tricks(("AS", "9S", SEQUENCE + HEARTS))
    table.do("AS", "9S")
    assert MARRIAGE + HEARTS not in table.legal


def test_a_new_queen_does_not_marry_a_king_that_was_married():
    table = Table(target=0).deal("AS AS AH KH QH QH JH AD TH 9H KD KS", LOW, "TH", "QC JD")
    table.tricks(("AS", "9S", MARRIAGE + HEARTS)).do("AS", "9S")
    assert MARRIAGE + HEARTS not in table.legal


def test_every_meld_needs_a_fresh_card_from_the_hand():
    """Four kings and four queens on the table are no marriages any more."""
    hand = "AS AS TS KS KH KD KC QS QH QD QC 9H"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH JD JS"
    table = Table(target=0).deal(hand, dealer, "TH", "TC TC TD TD")
    table.tricks(("AS", "9S", FOUR + KINGS), ("AS", "9S", FOUR + QUEENS)).do("TS", "JS")
    assert table.legal == {NOTHING, DIX}
    held = Table(target=0, fresh="table").deal(hand, dealer, "TH", "TC TC TD TD")
    held.tricks(("AS", "9S", FOUR + KINGS), ("AS", "9S", FOUR + QUEENS)).do("TS", "JS")
    assert held.legal == {NOTHING, DIX, *(MARRIAGE + suit for suit in range(4))}


def test_marriages_first_and_a_fresh_queen_for_the_four():
    """Kings, three marriages, queens with the fourth: the last marriage is lost."""
    hand = "AS AS TS KS KH KD KC QS QH QD QC TH"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH JD JS"
    stock = "AC TC AC TC AD TD AD TD"
    table = Table(target=0).deal(hand, dealer, "TH", stock)
    table.tricks(
        ("AS", "9S", FOUR + KINGS),
        ("AS", "9S", MARRIAGE + SPADES),
        ("TS", "JS", MARRIAGE + HEARTS),
        ("AC", "9C", MARRIAGE + DIAMONDS),
        ("AC", "9C", FOUR + QUEENS),
    )
    assert table.points == [80 + 20 + 40 + 20 + 60, 0]
    assert MARRIAGE + CLUBS not in table.do("AD", "9D").legal


def test_where_all_cards_lie_on_the_table_the_player_chooses_the_fresh_one():
    # four kings and four queens lie on the table and the hand has a king and a queen of spades beside them
    hand = "AS KS KS KH KD KC QS QS QH QD QC 9H"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH JD JS"
    table = Table(target=0).deal(hand, dealer, "TH", "AC TC AD TC AD TD")
    table.tricks(("AS", "9S", FOUR + KINGS), ("AC", "9C", FOUR + QUEENS))
    table.do("AD", "9D", MARRIAGE + SPADES)
    assert table.phase == "lay"
    assert table.legal == {code("KS"), code("QS")}
    table.do("QS")
    assert table.points == [160, 0]
    public = table.states["public"][0, 0]
    assert public["laid"] == 9
    assert table.states["private"]["hand"][0, 0, code("QS")] == 0
    assert table.states["private"]["hand"][0, 0, code("KS")] == 1
    used = {}
    for slot in public["table"][: int(public["laid"])]:
        used.setdefault(int(slot["type"]), []).append(int(slot["used"]))
    assert used[code("KS")] == [2 + 1]  # the king of the four served, and only one queen
    assert sorted(used[code("QS")]) == [1, 2]


def test_single_and_double_binocle():
    hand = "AS AS TS QS QS JD JD KH 9H 9H AC KC"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS"
    table = Table(target=0).deal(hand, dealer, "TH", "AD TD AD TC").tricks(("AS", "9S", BINOCLE), ("AS", "9S", DOUBLE))
    assert table.points == [120, 0]
    table = Table(target=0).deal(hand, dealer, "TH", "AD TD AD TC").tricks(("AS", "9S", DOUBLE)).do("AS", "9S")
    assert BINOCLE not in table.legal
    # two singles leave no fresh card for the double
    table = Table(target=0).deal(hand, dealer, "TH", "AD TD AD TC").tricks(("AS", "9S", BINOCLE), ("AS", "9S", BINOCLE))
    assert table.points == [80, 0]
    assert DOUBLE not in table.do("TS", "JS").legal


def test_grand_binocle_where_it_is_played():
    hand = "AS AS TS QS QS JD JD KS 9H 9H AC KC"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS"
    assert GRAND not in Table(target=0).deal(hand, dealer, "TH").do("AS", "9S").legal
    stock = "AD TD AD TC AC KD"
    table = Table(target=0, grand_binocle="yes").deal(hand, dealer, "TH", stock)
    table.tricks(("AS", "9S", BINOCLE), ("AS", "9S", GRAND))
    assert table.points == [120, 0]  # upwards from the single
    table.do("TS", "JS")
    # the double would use cards of a meld of the same value; a single of the other two is new, and so is the marriage
    assert table.legal == {NOTHING, DIX, BINOCLE, MARRIAGE + SPADES}
    table = Table(target=0, grand_binocle="yes").deal(hand, dealer, "TH", stock)
    table.tricks(("AS", "9S", DOUBLE)).do("AS", "9S")
    assert GRAND not in table.legal
    assert BINOCLE not in table.legal
    assert MARRIAGE + SPADES in table.legal


def test_eight_after_four_but_not_without_a_fresh_card():
    hand = "TS AS AS AH AH AD AD AC AC KS QH TD"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH JD JS"
    stock = "TC TC TD TS KD KD"
    table = Table(target=0).deal(hand, dealer, "TH", stock).tricks(("TS", "9S", FOUR + ACES))
    table.do("TC", "9C", EIGHT + ACES)
    assert table.points == [300, 0]
    table = Table(target=0).deal(hand, dealer, "TH", stock)
    table.tricks(("TS", "9S", FOUR + ACES), ("TC", "9C", FOUR + ACES))
    assert table.points == [200, 0]
    assert EIGHT + ACES not in table.do("TD", "9D").legal
    table = Table(target=0).deal(hand, dealer, "TH", stock).tricks(("TS", "9S", EIGHT + ACES))
    assert FOUR + ACES not in table.do("TC", "9C").legal


def test_dix_turned_up_exchanged_and_beside_a_meld():
    hand = "AS AS TS KS QS JD JD KH 9H 9H AC KC"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS"
    table = Table(target=0).deal(hand, dealer, "QH", "AD TD AD TC").do("AS", "9S", DIX)
    assert table.points == [10, 0]
    assert table.states["common"]["turn_up"][0] == code("9H")
    assert MARRIAGE + HEARTS in table.legal  # with the queen that was turned up
    assert DIX in table.legal  # the other nine scores too, and is not exchanged for anything
    table.do(DIX, MARRIAGE + HEARTS)
    assert table.points == [60, 0]
    assert DIX not in table.do("AS", "9S").legal
    # where a dix takes the place of a meld
    table = Table(target=0, dix_with_meld="no").deal(hand, dealer, "QH").do("AS", "9S", DIX)
    assert table.phase == "play"
    # turned up by the dealer; the other nine is the pone's
    table = Table(target=0).deal("AS AS TS KS QS JD JD KH 9H QH AC KC", dealer, "9H")
    assert table.points == [0, 10]
    table.do("AS", "9S", DIX)
    assert table.points == [10, 10]
    assert DIX not in table.legal


def test_a_right_claim_wins_whatever_the_other_has():
    hand = "AS AS TS KS QS JD JD KH QH 9H AC KC"
    dealer = "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS"
    table = Table().deal(hand, dealer, "TH")
    table.set_points(759, 1100)
    assert table.do("AS", "9S").phase == "declare"  # with all 240 points in cards he has 999
    table = Table().deal(hand, dealer, "TH")
    table.set_points(979, 990)
    table.do("TS", "JS", GOES_ON, NOTHING)  # 12 points in cards: 991
    table.do("AS", "9S")  # and 11: 1002
    assert table.phase == "claim"
    table.do(CLAIMS)
    row = table.row()
    assert row["won"] == [1, 0]
    assert row["points"] == [1002, 990]
    assert row["claimed_right"] == [1, 0]
    assert row["value"] == [1, -1]
    assert row["claim_trick"][0] == 2


def test_a_wrong_claim_loses():
    table = Table().deal("AS AS TS KS QS JD JD KH QH 9H AC KC", "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS", "TH")
    table.set_points(970, 20)
    table.do("TS", "JS", CLAIMS)
    row = table.row()
    assert row["won"] == [0, 1]
    assert row["points"] == [982, 20]
    assert row["claimed_wrong"] == [1, 0]


def test_who_scores_the_points_has_won_without_a_claim():
    table = Table().deal("AS AS TS KS QS JD JD KH QH 9H AC KC", "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS", "TH")
    table.set_points(960, 995)
    table.do("TS", "JS", GOES_ON, MARRIAGE + HEARTS)
    row = table.row()
    assert row["won"] == [1, 0]
    assert row["reached"] == [1, 0]
    assert row["points"] == [1012, 995]  # the twelve points in cards are counted


@pytest.mark.parametrize("claims", ["yes", "no"])
def test_who_has_a_raised_goal_already_has_won_with_his_next_trick(claims):
    """S000: the game ends when a player really has the points, so he need neither claim nor score again."""
    table = Table(claims=claims).deal(
        "AS AS TS KS QS JD JD KH QH 9H AC KC", "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS", "TH"
    )
    table.states["goal"] = 1250
    table.set_points(1260, 1249)
    table.do("TS", "JS")
    assert table.over
    row = table.row()
    assert row["won"] == [1, 0]
    assert row["reached"] == [1, 0]
    assert row["points"] == [1272, 1249]


@pytest.mark.parametrize(
    ("goal", "points"),
    [(1000, (500, 300)), (1000, (990, 100)), (1000, (100, 990)), (1000, (990, 985)), (1250, (1240, 1235))],
)
def test_without_a_claim_the_cards_are_counted_at_the_end_of_the_deal(goal, points):
    """One has 1,000: he has won; both have: 1,250, then 1,500; neither: another deal, with the other dealing."""
    for seed in range(10):
        table = Table(last_trick=0, dix=0).shuffled(seed)
        table.set_points(*points)
        table.states["goal"] = goal
        table.run_out(seed)
        reached = [score >= goal for score in table.points]
        assert sum(table.points) == sum(points) + 240
        if sum(reached) == 1:
            assert table.row()["won"] == reached
            assert table.row()["reached"] == [0, 0]
            continue
        assert not table.over
        assert table.states["common"]["pone"][0] == 1
        assert table.states["goal"][0] == goal + 250 * all(reached)


def test_looking_at_old_tricks_forfeits_the_points_of_the_cards():
    table = Table(looking="yes").deal(
        "AS AS TS KS QS JD JD KH QH 9H AC KC", "9S 9S 9D 9D 9C 9C JC JC JH JH TD JS", "TH", "AD TD"
    )
    table.set_points(800, 0)
    table.do("TS", "JS")
    assert table.legal == {GOES_ON, CLAIMS, LOOKS}
    table.do(LOOKS, NOTHING, "AS", "9S")
    assert table.phase == "declare"  # nothing is left to be claimed
    assert table.states["pile"][0].tolist() == [0, 0]
    table.do(NOTHING, "AS", "9S")
    table.set_points(0, 0)
    table.run_out()
    assert table.states["tally"]["cards"][0, 0] == 0
    assert table.states["tally"]["looked"][0].tolist() == [1, 0]
    assert LOOKS not in Table().legal


def test_64_cards_give_twenty_drawing_tricks_and_a_seven_for_dix():
    for seed in range(5):
        table = Table("binocle-64", target=0).shuffled(seed)
        assert table.states["common"]["stock"][0] == 40
        row = table.run_out(seed).row()
        assert sum(row["tricks"]) == 32
        assert sum(row["points_cards"]) == 240
    hand = "AS AS TS KS QS JD JD KH 9H 7H AC KC"
    dealer = "7S 8S 9D 9D 9C 9C JC JC JH JH TD JS"
    table = Table("binocle-64", target=0).deal(hand, dealer, "QH").do("AS", "7S", DIX)
    assert table.states["common"]["turn_up"][0] == code("7H")
    assert table.points == [10, 0]
    assert DIX not in table.legal
    table = Table("binocle-64", target=0).deal(hand, dealer, "7H")
    assert table.points == [0, 10]


def test_64_cards_with_eight_each_are_bezique():
    with pytest.raises(UsageError, match="the rule 'hand' takes only 12, not 8: with eight cards each .* bezique"):
        ruleset("binocle-64").values({"hand": 8})
    assert ruleset("binocle-64-eight").id == "bezique"
    assert ruleset("бинокль-64 по восемь").id == "bezique"


def test_the_pack_has_no_sevens_and_eights():
    pack = ruleset("binocle").pack
    assert (str(pack), pack.size) == ("24x2", 48)
    assert pack.code("9S") == 2


@numba.njit
def rest(leader, leader_twice, other, other_twice, trump, prices, last):
    return rest_value(leader, leader_twice, other, other_twice, trump, prices, last)


@pytest.mark.parametrize(
    ("leader", "other", "value"),
    [
        ("AS", "KS", 11 + 4 + 10),
        ("KS", "AS", -25),
        ("KS", "KS", 4 + 4 + 10),  # of like cards the first wins
        ("AS", "9H", -(11 + 0 + 10)),  # who cannot follow must trump
        ("AS AS", "KS QS", 11 + 4 + 11 + 3 + 10),
        ("AS 9H", "TS KS", 11 + 10 + 4 + 10),  # the ace first, then the trump
        ("9S AH", "KS TH", 11 + 10 - 4 - 10),  # the ace of trumps takes the ten, the nine loses the last trick
    ],
)
def test_what_the_rest_brings_by_the_plain_rule(leader, other, value):
    prices = np.array([0, 0, 0, 2, 3, 4, 10, 11], float)
    masks = []
    for text in (leader, other):
        once = sum(1 << card for card in set(cards(text)))
        twice = sum(1 << card for card in set(cards(text)) if cards(text).count(card) > 1)
        masks += [np.uint64(once), np.uint64(twice)]
    assert rest(*masks, HEARTS, prices, 10.0) == value
