"""Bezique for three and four: the source's examples card by card, partners, and the contract under changed rules."""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest
from scipy import stats

from simcards.games.bezique.many_frame import forced_cards
from simcards.games.registry import load
from simcards.kernel import protocol
from simcards.kernel.protocol import DEALER
from simcards.kernel.rng import STREAM
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.samples import samples
from tests.contract import compiled
from tests.contract.test_contract import named_fields_equal

SUITS = "SHDC"
FROM_TABLE = 32
SHOW = 17
DECLARATIONS = {
    "nothing": 0,
    **{f"marriage {suit}": 1 + place for place, suit in enumerate(SUITS)},
    **{f"sequence {suit}": 5 + place for place, suit in enumerate(SUITS)},
    **{name: 9 + place for place, name in enumerate(("bezique", "double", "triple"))},
    **{name: 13 + place for place, name in enumerate(("aces", "kings", "queens", "jacks"))},
    "exchange": 17,
}
DECLARATIONS |= {f"show {name}": SHOW + action for name, action in DECLARATIONS.items() if 0 < action < SHOW}
NAMES = {action: name for name, action in DECLARATIONS.items()}
PARTNERS = {"partnership": "opposite"}
RULES = [
    ("bezique-three-handed", {"remove_eights": 0}),
    ("bezique-three-handed", {"draw_order": "pone", "undertrump": "yes", "brisques": "at_end"}),
    ("bezique-four-handed", PARTNERS),
    ("bezique-four-handed", {**PARTNERS, "showing": "no", "partner_seven": "yes", "draw_order": "pone"}),
    ("bezique-four-handed", {**PARTNERS, "regroup_last_eight": "yes", "brisques": "at_end"}),
]


@numba.njit
def begin(states):
    protocol.begin(states[0])


@numba.njit
def deal(states, deck):
    protocol.deal(states[0], deck)


@numba.njit
def phases(states):
    return protocol.phase(states[0])


@numba.njit
def sample(views, rng, states, hands, tops):
    for k in range(hands.shape[0]):
        protocol.determinize(views[0], rng[0], states[0])
        for player in range(4):
            hands[k, player] = states[0].private[player].hand
        tops[k] = states[0].deck[states[0].next]


@numba.njit
def forced(hand, led, best, trump, undertrump):
    return forced_cards(hand, led, best, trump, undertrump)


def low(card):
    """Sort by rank, hearts last."""
    return card // 8 == SUITS.index("H"), card % 8, card


class Deal:
    """One deal with hands given, low ones where none is, and hearts trumps; drawn cards are put on top of the stock."""

    def __init__(self, game, *hands, turn_up="8H", **rules):
        self.game = load(game)
        self.seats = self.game.ruleset.seats
        self.pack = self.game.ruleset.pack
        self.states, _ = self.game.workspace({"target": 0, **rules})
        self.state = self.states[0]
        places = self.game.places(self.game.encoded(rules))
        left = sorted(self.pack.deck().tolist())
        deck = np.full(len(left), 255, np.uint8)
        given = dict(zip(self.seats, hands)) | {"turn-up": turn_up}
        for name in sorted({*self.seats, "turn-up"}, key=lambda name: given.get(name) is None):
            if given.get(name) is None:
                cards = sorted(left, key=low)[: len(places[name])]
            else:
                cards = self.pack.parse(given[name])
            assert len(cards) == len(places[name])
            deck[places[name]] = cards
            for card in cards:
                left.remove(card)
        deck[places["stock"]] = sorted(left, key=low)
        begin(self.states)
        deal(self.states, deck)

    def put(self, cards):
        """Put cards on top of the stock."""
        deck, top = self.state["deck"], int(self.state["next"])
        for place, card in enumerate(self.pack.parse(cards), top):
            other = place + int(np.argmax(deck[place : self.pack.size] == card))
            assert deck[other] == card
            deck[place], deck[other] = deck[other], deck[place]

    @property
    def legal(self):
        mask = np.zeros(1, np.uint64)
        compiled.masks(self.states, mask)
        return {action for action in range(64) if int(mask[0]) >> action & 1}

    @property
    def phase(self):
        return self.game.phases[phases(self.states)]

    @property
    def can(self):
        assert self.phase == "declare"
        return {NAMES[action] for action in self.legal} - {"nothing"}

    @property
    def turn(self):
        return int(self.state["common"]["turn"])

    @property
    def points(self):
        return self.state["public"]["points"][: len(self.seats)].tolist()

    def table(self, player):
        public = self.state["public"][player]
        return sorted(self.pack.text(int(slot["type"])) for slot in public["table"][: public["laid"]])

    def do(self, action):
        assert action in self.legal
        compiled.apply(self.states, action)

    def play(self, *cards):
        """Play cards such as ``"9S"``, ``"9S*"`` from the table, or the ``"low"``est that is no trump."""
        for card in cards:
            assert self.phase == "play"
            if card == "low":
                trump = int(self.state["common"]["trump"])
                self.do(min(self.legal, key=lambda action: (action // 8 == trump, action % 8, action)))
            else:
                self.do(self.pack.parse(card.strip("*"))[0] + (FROM_TABLE if card.endswith("*") else 0))

    def lead(self, card):
        """Win a trick with this card."""
        winner = self.turn
        self.play(card, *["low"] * (len(self.seats) - 1))
        assert self.phase == "declare"
        assert self.turn == winner

    def declare(self, what, draw=""):
        self.put(draw)
        self.do(DECLARATIONS[what])


# -- the examples of the source, E-BEZ-1 to 3 ------------------------------------------------------------------


@pytest.mark.parametrize("game", ["bezique-three-handed", "bezique-four-handed"])
def test_four_tricks_for_double_bezique_queens_and_royal_marriage(game):
    play = Deal(game, "QS QS JD JD KH QH QC AH")
    total = 0
    for lead, what, value, can in (
        ("AH", "bezique", 40, {"bezique", "double", "queens", "marriage H"}),
        ("AH", "double", 500, {"bezique", "double", "queens", "marriage H"}),
        ("AH", "queens", 60, {"queens", "marriage H"}),
        ("TH", "marriage H", 40, {"marriage H"}),
    ):
        play.lead(lead)
        assert play.can == can
        play.declare(what, "TH" if what == "queens" else "AH" if what != "marriage H" and total < 100 else "")
        total += 10 + value  # a brisque was led
        assert play.points[0] == total
    assert total == 640 + 40


def test_double_first_loses_the_single():
    play = Deal("bezique-three-handed", "QS QS JD JD KH QH QC AH")
    play.lead("AH")
    play.declare("double", "AH")
    play.lead("AH")
    assert play.can == {"queens", "marriage H"}


def test_two_singles_make_no_double():
    play = Deal("bezique-three-handed", "QS QS JD JD 9H TH AH AH")
    for card in ("AH", "AH"):
        play.lead(card)
        play.declare("bezique", "KD")
    play.lead("TH")
    assert play.can == set()


def test_triple_bezique_step_by_step_or_at_once():
    play = Deal("bezique-three-handed", "QS QS QS JD JD JD AH AH")
    play.lead("AH")
    play.declare("bezique", "AH")
    play.lead("AH")
    play.declare("double", "TH")
    play.lead("AH")
    play.declare("triple", "TH")
    assert play.points[0] == 40 + 500 + 1500 + 30
    play.lead("TH")
    assert play.can == set()
    play = Deal("bezique-three-handed", "QS QS QS JD JD JD AH AH")
    play.lead("AH")
    play.declare("triple", "AH")
    assert play.points[0] == 1500 + 10
    play.lead("AH")
    assert play.can == set()


def test_no_marriage_out_of_a_sequence_but_a_sequence_out_of_a_marriage():
    play = Deal("bezique-three-handed", "AH TH KH QH JH AH AD KC")
    play.lead("AH")
    play.declare("sequence H", "QH")  # a new queen to the king of the sequence
    play.lead("AH*")
    assert play.can == set()
    play = Deal("bezique-three-handed", "AH TH KH QH JH AH AD KC")
    play.lead("AH")
    play.declare("marriage H", "AH")
    play.lead("AH")
    play.declare("sequence H", "8H")
    assert play.points[0] == 40 + 250 + 20


def test_a_king_that_replaces_one_makes_no_four_and_no_marriage_again():
    play = Deal("bezique-three-handed", "KS KH KD KC QS AH AH AH")
    play.lead("AH")
    play.declare("kings", "AD")
    play.lead("AH")
    play.declare("marriage S", "KC")
    play.lead("KS*")
    assert play.can == set()  # a new king of clubs, the old queen of spades
    play.declare("nothing", "KS")
    play.lead("AH")
    assert play.can == set()
    play.declare("nothing", "QS")
    play.lead("AD")
    assert play.can == {"marriage S"}  # king and queen are both new
    assert play.points[0] == 80 + 20 + 40  # and four aces led


def test_a_score_held_in_mind():
    play = Deal("bezique-three-handed", "KS KH KD KC QS JD AH 9C", "TH AH 7S 7S 7S 8S 8S 8S")
    play.lead("AH")
    play.declare("kings", "9C")
    play.play("9C", "TH", "low")
    assert play.turn == 1  # lost: nothing can be said
    play.declare("nothing")
    play.play("7S", "low", "KH*")
    assert play.turn == 0
    assert play.can == {"bezique", "marriage S"}
    play.declare("bezique", "AH")  # forty, and twenty in mind
    play.lead("AH")
    assert play.can == {"marriage S"}
    play.declare("nothing", "TH")
    play.lead("TH")
    assert play.can == {"marriage S"}
    play.declare("marriage S")
    assert play.points[0] == 80 + 40 + 20 + 10 + 10 + 10


# -- sevens, tricks, draws -------------------------------------------------------------------------------------


def test_the_seven_exchanges_and_scores_once_each():
    play = Deal("bezique-three-handed", "7H 7H AH AH AH KH QH 9C", turn_up="TH")
    play.lead("AH")
    assert play.can == {"exchange", "marriage H"}
    play.declare("exchange")
    assert play.points[0] == 20
    assert int(play.state["common"]["turn_up"]) == play.pack.code("7H")
    play.lead("AH")
    play.declare("exchange")
    assert play.points[0] == 40
    play.lead("AH")
    assert play.can == {"marriage H"}  # the seven that he took back has scored
    assert Deal("bezique-four-handed", "AH AH AH KH QH 9C 9C 9D", turn_up="7H").points == [0, 0, 0, 10]


def test_the_first_of_like_cards_wins_and_trumps_beat():
    play = Deal("bezique-three-handed", "AS 9C 9C 9C 8C 8C 7C 7C", "AS 7S 7S 7S 8S 8S 8S 9S", "TS 7D 7D 7D 8D 8D 8D 7H")
    play.play("AS", "AS", "TS")
    assert play.turn == 0
    assert play.points == [30, 0, 0]
    play.declare("nothing")
    play.play("9C", "9S", "7H")
    assert play.turn == 2


@pytest.mark.parametrize(("eights", "tricks", "left"), [(1, 31, 2), (0, 32, 0)])
def test_tricks_and_cards_left_over_with_three(eights, tricks, left):
    plan = make_plan("bezique-three-handed", deals=3, strategies="random", rules={"remove_eights": eights})
    for number in range(3):
        trace = replay(plan, number)
        assert sum(trace.row[f"tricks.{seat}"] for seat in plan.ruleset.seats) == tricks
        end = trace.states[-1]
        assert int(end["common"]["stock"]) == left
        cards = 0
        for place in np.flatnonzero(trace.states["common"]["draws"] == 0)[:1]:
            cards = trace.states[place]["public"]["cards"].tolist()
        assert cards == [8, 8, 8, 0]


def test_the_turn_up_goes_to_who_draws_last():
    plan = make_plan("bezique-four-handed", deals=1, strategies="random")
    trace = replay(plan, 0)
    place = int(np.argmax(trace.states["common"]["draws"] == 0))
    state = trace.states[place]
    last = (int(state["common"]["leader"]) + 3) % 4
    assert state["private"][last]["hand"][int(state["common"]["turn_up"])] > 0
    assert int(state["private"][last]["drawn"]) == int(state["common"]["turn_up"])


def beats(card, best, trump):
    if card // 8 == best // 8:
        return card % 8 > best % 8
    return card // 8 == trump


@pytest.mark.parametrize("undertrump", [0, 1])
def test_what_must_be_played_with_the_stock_gone(undertrump):
    """Against the source's words: suit for suit, and the trick must be won if it can be, by suit or trump."""
    rng = random.Random(5)
    for _ in range(4000):
        hand = set(rng.sample(range(32), rng.randint(1, 8)))
        trick = [rng.randrange(32) for _ in range(rng.randint(1, 3))]
        trump = rng.randrange(4)
        best = trick[0]
        for card in trick[1:]:
            best = card if beats(card, best, trump) else best
        following = {card for card in hand if card // 8 == trick[0] // 8}
        possible = following or hand
        winning = {card for card in possible if beats(card, best, trump)}
        expected = winning or following or hand
        if undertrump and not winning and not following:
            expected = {card for card in hand if card // 8 == trump} or hand
        mask = np.uint64(sum(1 << card for card in hand))
        found = int(forced(mask, trick[0], best, trump, undertrump))
        assert {card for card in range(32) if found >> card & 1} == expected


# -- partners --------------------------------------------------------------------------------------------------


def four(*hands, **rules):
    return Deal("bezique-four-handed", *hands, **{**PARTNERS, **rules})


def test_a_partner_adds_to_what_was_shown():
    """The source: bezique and royal marriage are declared, the marriage scored; the partner adds A T J: sequence."""
    play = four("QS JD KH QH AH 9C 9C 9C", None, "AH AH TH JH 9D 9D 8D 8D")
    play.lead("AH")
    assert play.can == {"bezique", "marriage H", "show bezique", "show marriage H"}
    play.declare("show bezique")
    assert play.points == [10, 0, 0, 0]
    assert play.can == {"bezique", "marriage H", "show marriage H"}
    play.declare("marriage H")
    assert play.table(0) == ["JD", "KH", "QH", "QS"]
    assert play.points == [50, 0, 0, 0]
    assert play.turn == 2
    assert play.can == {"show sequence H"}
    play.declare("nothing")
    play.play("9C", "low", "AH", "low")
    assert play.turn == 2
    assert play.can == {"sequence H", "show sequence H", "bezique"}
    play.declare("sequence H")
    assert play.table(2) == ["AH", "JH", "TH"]
    assert play.points == [50, 0, 260, 0]
    assert int(play.state["tally"]["joint"][2]) == 1
    play.play("9D", "low", "low", "low")
    play = four("QS JD KH QH AH 9C 9C 9C", None, "AH AH TH JH 9D 9D 8D 8D", showing="no")
    play.lead("AH")
    assert play.can == {"bezique", "marriage H"}


def test_what_lies_complete_on_two_tables_is_scored_and_not_shown_again():
    """The queen lies before one partner and the king before the other, who has nothing of his own to declare."""
    play = four("QS JD AH AH AC AC 9C 9C", None, "KS 9D 9D 9D 9D 8D 8D 8D")
    play.lead("AH")
    assert play.can == {"bezique", "show bezique"}
    play.declare("show bezique")
    play.declare("nothing")
    assert play.can == {"bezique", "marriage S", "show marriage S"}
    play.declare("show marriage S")
    assert play.can == {"bezique", "marriage S"}
    play.declare("nothing", draw="KD QD")
    play.lead("AH")
    play.declare("nothing")
    play.declare("nothing")
    play.lead("JD*")
    assert play.can == {"marriage S"}
    play.declare("marriage S")
    assert (play.table(0), play.table(2)) == (["QS"], ["KS"])
    assert int(play.state["tally"]["joint"][0]) == 1


def test_three_kings_are_added_to_one():
    play = four("KH QH AH 9C 9C 9C 8C 8C", None, "AH KS KD KC 9D 9D 8D 8D")
    play.lead("AH")
    play.declare("marriage H")
    assert play.can == {"show kings"}
    play.declare("nothing")
    play.play("9C", "low", "AH", "low")
    assert play.can == {"kings", "show kings"}
    play.declare("kings")
    assert play.points == [50, 0, 90, 0]
    assert play.table(2) == ["KC", "KD", "KS"]


def test_the_partner_scores_when_the_winner_does_not_and_one_item_is_scored():
    hands = ("KH QH AH 9C 9C 9C 8C 8C", None, "AH KD QD 9D 9D 8D 8D 7D")
    play = four(*hands)
    play.lead("AH")
    play.declare("nothing")
    assert play.turn == 2
    assert play.can == {"marriage D", "show marriage D"}
    play.declare("marriage D")
    assert play.points == [10, 0, 20, 0]
    assert play.phase == "play"
    assert play.turn == 0
    play = four(*hands)
    play.lead("AH")
    play.declare("marriage H")
    assert play.turn == 2
    assert play.can == {"show marriage D"}
    play.declare("show marriage D")
    assert play.can == set()
    play.declare("nothing")
    assert play.points == [50, 0, 0, 0]
    assert play.table(2) == ["KD", "QD"]


def test_each_for_himself_declares_alone():
    play = Deal("bezique-four-handed", "KH AH 9C 9C 9C 8C 8C 7C", None, "QH KD QD 9D 9D 8D 8D 7D")
    play.lead("AH")
    assert play.can == set()
    play.declare("nothing")
    assert play.phase == "play"


def test_the_double_of_two_partners_takes_fresh_cards():
    play = four("QS JD AH AH 9C 9C 9C 8C", None, "QS JD AH 9D 9D 8D 8D 7D")
    play.lead("AH")
    play.declare("bezique")
    assert play.turn == 2
    assert play.can == {"show double", "show bezique"}
    play.declare("nothing")
    play.play("9C", "low", "AH", "low")
    assert play.can == {"bezique", "double", "show bezique", "show double"}
    play.declare("double")
    assert play.points == [50, 0, 510, 0]
    assert play.table(0) == ["JD", "QS"]
    assert play.table(2) == ["JD", "QS"]


def test_a_four_of_two_partners_is_chosen_card_by_card():
    play = four("KH QH AH AH 9C 9C 9C 8C", None, "AH KS KD KC KC 9D 8D 8D")
    play.lead("AH")
    play.declare("marriage H")
    play.declare("nothing")
    play.play("9C", "low", "AH", "low")
    play.declare("show kings")
    assert play.phase == "lay"
    for card in ("KC", "KH", "KS", "KC"):
        play.do(play.pack.code(card))
    assert play.table(2) == ["KC", "KC", "KS"]
    assert play.points == [50, 0, 10, 0]
    play.declare("kings")
    for card in ("KC", "KC", "KS", "KH"):
        play.do(play.pack.code(card))
    assert play.points == [50, 0, 90, 0]


@pytest.mark.parametrize("allowed", ["no", "yes"])
def test_the_partner_and_the_seven(allowed):
    play = four("AH 9C 9C 9C 8C 8C 7C 7C", None, "7H 9D 9D 9D 8D 8D 7D 7D", turn_up="TH", partner_seven=allowed)
    play.lead("AH")
    play.declare("nothing")
    if allowed == "yes":
        assert play.turn == 2
        assert play.can == {"exchange"}
        play.declare("exchange")
        assert play.points == [10, 0, 10, 0]
    assert play.phase == "play"
    assert play.turn == 0


def test_the_side_that_reaches_the_target_together_wins():
    play = four("KH QH AH 9C 9C 9C 8C 8C", None, "AH KS KD KC 9D 9D 8D 8D", target=140)
    play.lead("AH")
    play.declare("marriage H")
    play.declare("nothing")
    play.play("9C", "low", "AH", "low")
    play.declare("kings")  # 50 and 90
    assert int(play.state["common"]["winner"]) == 2
    seats = np.zeros(1, np.int64)
    compiled.seats(play.states, seats)
    assert seats[0] == -2


def test_regrouped_partners_halve_what_the_last_tricks_bring():
    gone = 0
    for number in range(20):
        ends = []
        for regroup in ("no", "yes"):
            rules = {**PARTNERS, "regroup_last_eight": regroup}
            trace = replay(make_plan("bezique-four-handed", deals=20, strategies="random", rules=rules), number)
            points = trace.states["public"]["points"]
            start = points[int(np.argmax(trace.states["common"]["draws"] == 0))]
            ends.append((points[-1].sum(), start.tolist(), (points[-1] - start).tolist()))
        assert ends[0][:2] == ends[1][:2]
        won = ends[1][2]
        assert won[0] + won[2] == won[1] + won[3] == sum(ends[0][2]) / 2
        # the winner of the last trick with the stock and his left neighbour have got alike, so have the others
        pair = int(trace.states[-1]["common"]["pair"])
        assert won[pair] == won[(pair + 1) % 4]
        assert won[(pair + 2) % 4] == won[(pair + 3) % 4]
        gone += won[0] != ends[0][2][0]
    assert gone


# -- what is measured, and the contract under changed rules ----------------------------------------------------


@pytest.mark.parametrize("rules", [{}, PARTNERS])
def test_values_of_the_seats(rules):
    frame = samples(make_plan("bezique-four-handed", deals=300, strategies="basic", rules=rules))
    seats = ("first", "second", "third", "dealer")
    points = [frame[f"points.{seat}"] for seat in seats]
    values = [frame[f"value.{seat}"] for seat in seats]
    assert (sum(values) == 0).all()
    if not rules:
        assert (values[0] == sum(points[0] - other for other in points[1:])).all()
        assert all((frame[f"side_points.{seat}"] == frame[f"points.{seat}"]).all() for seat in seats)
        assert all((frame[f"{name}.{seat}"] == 0).all() for name in ("joint", "shown") for seat in seats)
    else:
        sides = points[0] + points[2], points[1] + points[3]
        assert (values[0] == sides[0] - sides[1]).all()
        assert (values[0] == values[2]).all()
        assert (frame["side_points.third"] == sides[0]).all()
        assert (frame["won.first"] == (sides[0] > sides[1])).all()
        assert (frame["won.third"] == frame["won.first"]).all()
        assert frame["joint.first"].sum() > 0
        assert frame["shown.first"].sum() > 0
    assert (sum(frame[f"points_brisques.{seat}"] for seat in seats) == 320).all()
    assert (sum(frame[f"points_last_trick.{seat}"] for seat in seats) == 10).all()
    assert (sum(frame[f"tricks.{seat}"] for seat in seats) == 32).all()


@pytest.mark.parametrize(("game_id", "rules"), RULES)
def test_views_and_worlds_and_cards_under_changed_rules(game_id, rules):
    game = load(game_id)
    counts = np.zeros(32, np.int64)
    moved = 0
    for number, strategy in enumerate(("random", "basic", "random", "mc:worlds=2")):
        trace = replay(make_plan(game_id, deals=4, strategies=strategy, rules=rules, seed=7), number)
        counts = trace.plan.pack.counts()
        found = np.zeros((len(trace.states), 32), np.int64)
        compiled.census(trace.states, found)
        actors = np.zeros(len(trace.states), np.int64)
        compiled.seats(trace.states, actors)
        assert (found[actors != DEALER] == counts).all()
        worlds, views = game.workspace(trace.plan.overrides)
        rng = np.array([11, 12, 13, 14], np.uint64)
        for place in np.flatnonzero(actors >= 0)[::3]:
            actual = trace.states[place : place + 1]
            seat = int(actors[place])
            view = views[seat : seat + 1].copy()
            compiled.observe(actual, seat, view)
            compiled.determinize(view, rng, worlds)
            again = views[seat : seat + 1].copy()
            compiled.observe(worlds, seat, again)
            assert named_fields_equal(view[0], again[0])
            found = np.zeros((1, 32), np.int64)
            compiled.census(worlds, found)
            assert np.array_equal(found[0], counts)
            masks = np.zeros((2, 1), np.uint64)
            compiled.masks(actual, masks[0])
            compiled.masks(worlds, masks[1])
            assert masks[0] == masks[1]
            moved += not named_fields_equal(actual[0]["private"], worlds[0]["private"])
    assert moved


def test_another_pack_by_rule():
    assert make_plan("bezique-three-handed", deals=1, cards={"first": "8C 8C"}).pack.size == 95
    plan = make_plan("bezique-three-handed", deals=1, cards={"first": "8C 8C 8C"}, rules={"remove_eights": 0})
    assert plan.pack.size == 96
    assert list(replay(plan, 0).dealt[0].cards["first"]).count("8C") == 3


@pytest.mark.parametrize(("game_id", "rules"), [("bezique-three-handed", {}), ("bezique-four-handed", PARTNERS)])
def test_hidden_cards_are_spread_evenly(game_id, rules):
    """Every hidden hand is a hypergeometric draw from the cards that the player cannot place."""
    worlds = 20_000
    trace = replay(make_plan(game_id, deals=1, strategies="basic", rules=rules, seed=11), 0)
    place = len(trace.steps) // 2
    seats = trace.plan.ruleset.seats
    seat = seats.index(trace.steps[place].seat)
    game = load(game_id)
    states, views = game.workspace(trace.plan.overrides)
    view = views[seat : seat + 1]
    compiled.observe(trace.states[place : place + 1], seat, view)
    hands, tops = np.zeros((worlds, 4, 32), np.int64), np.zeros(worlds, np.uint8)
    rng = np.array([(5, 6, 7, 8)], "u8").view(STREAM).reshape(-1)
    sample(view, rng, states, hands, tops)
    unseen = trace.plan.pack.counts().astype(int)
    unseen -= view[0]["common"]["seen"]
    unseen -= view[0]["own"]["hand"]
    unseen[view[0]["common"]["turn_up"]] -= 1
    publics = view[0]["public"][: len(seats)]
    for k, public in enumerate(publics):
        for slot in public["table"][: public["laid"]]:
            unseen[slot["type"]] -= 1
        if k > 0:
            unseen -= public["shown"]
    size = unseen.sum()
    kinds = unseen > 0
    for k, public in enumerate(publics[1:], 1):
        drawn = int(public["cards"]) - int(public["shown"].sum())
        hidden = hands[:, (seat + k) % len(seats)] - public["shown"].astype(int)
        assert (hidden.sum(axis=1) == drawn).all()
        assert (hidden >= 0).all()
        law = stats.hypergeom(size, unseen[kinds], drawn)
        z = (hidden[:, kinds].mean(axis=0) - law.mean()) * np.sqrt(worlds) / law.std()
        assert np.abs(z).max() < 4.5
        assert stats.chi2.sf((z**2).sum() * (1 - 1 / size), len(z) - 1) > 1e-4
    counts = np.bincount(tops, minlength=32)[:32]
    assert stats.chisquare(counts[kinds], worlds * unseen[kinds] / size).pvalue > 1e-4
