"""Polish bezique: the rules that the source states, one by one, and the captured cards counted again."""

import itertools

import numpy as np
import pytest

from simcards.games.bezique.frame import CAPTURED, RANKS, reply_wins
from simcards.study.plan import make_plan
from simcards.study.replay import replay

from .compare import stacked
from .kernel import DEAL, kernel

GAME = "polish-bezique"
PASS, MARRIAGE, SEQUENCE, BEZIQUE, FOUR, TABLE = 0, 1, 5, 9, 13, 32
S, H, D, C = range(4)


def code_of(card):
    return 8 * "SHDC".index(card[1]) + RANKS.index(card[0])


def text_of(card):
    return RANKS[card & 7] + "SHDC"[card >> 3]


def dealt(pone, dealer, turn_up="9H", stock=""):
    """The dealing order that gives these hands."""
    pone, dealer, stock = ([code_of(card) for card in text.split()] for text in (pone, dealer, stock))
    assert len(pone) == len(dealer) == 8
    order = [*pone[:3], *dealer[:3], *pone[3:5], *dealer[3:5], *pone[5:], *dealer[5:], code_of(turn_up), *stock]
    return stacked(order, [card for card in range(32) for _ in range(2)])


class Played:
    """The compiled game after these actions; cards are words, those from the table have a star."""

    def __init__(self, deck, *actions, **rules):
        self.kernel = kernel(GAME, rules)
        codes = [DEAL]
        for action in actions:
            if isinstance(action, int):
                codes.append(action)
            else:
                codes.append(code_of(action[:2]) + TABLE * action.endswith("*"))
        self.kernel.replay([deck], codes)
        self.state = self.kernel.states[0].copy()
        self.position = self.kernel.position()
        self.legal = self.position.legal

    def lying(self, player):
        public = self.state["public"][player]
        return [
            (text_of(int(slot["type"])), int(slot["used"]) >= CAPTURED)
            for slot in public["table"][: int(public["laid"])]
        ]

    def captured(self, player):
        return [card for card, captured in self.lying(player) if captured]

    def declared(self, player):
        return [card for card, captured in self.lying(player) if not captured]

    def points(self):
        return self.state["public"]["points"].tolist()


def test_courts_and_the_ten_of_trumps_are_kept_aces_and_other_tens_are_not():
    deck = dealt("QD TS TH 7C 8C 9C 7D 8D", "KD AS 7H 7S 8S 9S 8H 9D")
    played = Played(deck, "QD", "KD")
    assert played.position.actor == 1
    assert played.captured(1) == ["QD", "KD"]
    played = Played(deck, "TS", "AS")
    assert played.captured(1) == []
    assert played.points() == [0, 20]
    played = Played(deck, "TH", "AS")
    assert played.captured(0) == ["TH"]
    assert played.points() == [20, 0]  # brisques are counted as well
    assert int(played.state["common"]["seen"][code_of("TH")]) == 0


def test_captured_cards_alone_make_a_combination_and_are_not_played():
    deck = dealt("QD TS TH 7C 8C 9C 7D 8D", "KD AS 7H 7S 8S 9S 8H 9D", stock="9S 8C")
    played = Played(deck, "QD", "KD")
    assert {PASS, MARRIAGE + D} <= played.legal
    assert MARRIAGE + H not in played.legal
    played = Played(deck, "QD", "KD", MARRIAGE + D)
    assert played.points() == [0, 20]
    assert played.captured(1) == ["QD", "KD"]
    assert played.declared(1) == []
    assert played.position.actor == 1
    assert not [action for action in played.legal if action >= TABLE]
    assert len(played.legal) == 7  # eight cards in the hand, two of them alike


def test_a_captured_card_joins_one_from_the_hand_and_one_won_later():
    """Her own court that wins is kept too: queen of spades, then jack of diamonds, the king from the hand."""
    deck = dealt("QS JD KS KH AH 7C 8C 9C", "7S 8S 9S 7D 8D 9D 7C 8C", stock="9C 9D 8D 7D 8S 7S")
    played = Played(deck, "QS", "7D")
    assert played.captured(0) == ["QS"]
    assert {MARRIAGE + S} <= played.legal
    assert BEZIQUE in played.legal  # the jack is in the hand
    played = Played(deck, "QS", "7D", PASS, "JD", "8C")
    assert played.captured(0) == ["QS", "JD"]
    assert {MARRIAGE + S, BEZIQUE} <= played.legal
    # one is scored, the other is left in mind for the next trick won
    played = Played(deck, "QS", "7D", PASS, "JD", "8C", BEZIQUE, "AH", "7C")
    assert played.points()[0] == 40 + 10
    assert MARRIAGE + S in played.legal
    assert BEZIQUE not in played.legal
    played = Played(deck, "QS", "7D", PASS, "JD", "8C", BEZIQUE, "AH", "7C", MARRIAGE + S)
    assert played.points()[0] == 70
    assert played.declared(0) == ["KS"]
    assert code_of("KS") + TABLE in played.legal
    assert code_of("QS") + TABLE not in played.legal


def test_a_trump_sequence_of_four_captured_cards_and_the_ace():
    deck = dealt("JH QH KH TH AH 7C 8C 9C", "7S 8S 9S 7D 8D 9D 7C 8C", stock="9C 9D 8D 7D 8S 7S AS AD KD KC")
    actions = ["JH", "7S", PASS, "QH", "8S", PASS, "KH", "9S", PASS, "TH", "7D"]
    played = Played(deck, *actions)
    assert played.captured(0) == ["JH", "QH", "KH", "TH"]
    assert {SEQUENCE + H, MARRIAGE + H} <= played.legal
    before = played.points()[0]
    played = Played(deck, *actions, SEQUENCE + H)
    assert played.points()[0] == before + 250
    assert played.declared(0) == ["AH"]
    assert int(played.state["tally"]["helped"][0]) == 1
    assert int(played.state["tally"]["whole"][0]) == 0
    assert int(played.state["tally"]["points_helped"][0]) == 250
    played = Played(deck, *actions, SEQUENCE + H, "AH*", "8D")
    assert MARRIAGE + H not in played.legal  # the stronger one was scored first
    # the weaker one first, and both score
    played = Played(deck, *actions, MARRIAGE + H, "9C", "7C")
    assert SEQUENCE + H in played.legal


def test_the_ace_is_lost_with_its_trick():
    deck = dealt("JH QH KH TH AH 7C 8C 9C", "7S 8S 9S 7D 8D 9D 7C 8C", stock="9C 9D 8D 7D 8S 7S AS AD KD KC")
    actions = ["JH", "7S", PASS, "QH", "8S", PASS, "KH", "9S", PASS, "AH", "7D", PASS, "TH", "8D"]
    played = Played(deck, *actions)
    assert played.captured(0) == ["JH", "QH", "KH", "TH"]
    assert SEQUENCE + H not in played.legal
    assert MARRIAGE + H in played.legal


@pytest.mark.parametrize("recaptured", ["used", "new"])
def test_a_card_won_back_is_used_unless_it_counts_as_new(recaptured):
    deck = dealt("KH QH QH AC 7C 8C 9C 9C", "7S 8S 9S 7D 8D 9D 7C 8C", stock="9S 9D 8D 7D 8S 7S")
    played = Played(deck, "AC", "7C", MARRIAGE + H, "KH*", "7S", recaptured=recaptured)
    assert played.captured(0) == ["KH"]
    assert played.declared(0) == ["QH"]
    assert (MARRIAGE + H in played.legal) == (recaptured == "new")


def test_to_the_other_a_captured_card_is_new():
    deck = dealt("KH QH 7D AC 7C 8C 9C 9C", "AH QH 9S 7D 8D 9D 7C 8C", stock="9S 9D 8D 8S 8S 7S")
    played = Played(deck, "AC", "7C", MARRIAGE + H, "KH*", "AH")
    assert played.captured(1) == ["KH"]
    assert MARRIAGE + H in played.legal
    played = Played(deck, "AC", "7C", MARRIAGE + H, "KH*", "AH", MARRIAGE + H)
    assert played.points() == [10 + 40, 10 + 40]


def test_four_kings_with_captured_ones_leave_a_choice():
    deck = dealt("KH KS KD KC 7C 8C 9C AC", "7S 8S 9S 7D 8D 9D 7C 8C", stock="KH KS 8D 7D 8S 7S")
    played = Played(deck, "KH", "7S")
    assert FOUR + 1 in played.legal
    played = Played(deck, "KH", "7S", FOUR + 1)
    assert played.points()[0] == 80
    assert played.captured(0) == ["KH"]
    assert sorted(played.declared(0)) == ["KC", "KD", "KS"]
    # nothing that was in the four serves for another
    played = Played(deck, "KH", "7S", FOUR + 1, "KH", "8S")
    assert FOUR + 1 not in played.legal
    assert played.captured(0) == ["KH", "KH"]


def beats(led, reply, trump):
    return bool(reply_wins.py_func(led, reply, trump))


def is_kept(card, trump):
    return RANKS[card & 7] in "JQK" or (RANKS[card & 7] == "T" and card >> 3 == trump)


@pytest.mark.parametrize("strategy", ["random", "basic"])
@pytest.mark.parametrize("rules", [{}, {"recaptured": "new", "draw_order": "pone"}, {"reform": "yes"}])
def test_captured_cards_counted_again(strategy, rules):
    """From the recorded actions alone: who has captured what at every decision, and that it is never played."""
    helped = 0
    for deal in range(30):
        trace = replay(make_plan(GAME, deals=1, strategies=strategy, rules=rules, seed=5), deal)
        trump = int(trace.states[0]["common"]["trump"])
        kept = [[], []]
        changed, unseen = [0, 0], 0
        led = None
        for step, state, after in zip(trace.steps, trace.states[:-1], trace.states[1:], strict=True):
            player = int(state["common"]["turn"])
            drawing = int(state["common"]["stock"]) > 0
            for side, public in enumerate(state["public"]):
                slots = public["table"][: int(public["laid"])]
                lying = sorted(int(slot["type"]) for slot in slots if slot["used"] >= CAPTURED)
                assert lying == (sorted(kept[side]) if drawing else [])
                playable = {int(slot["type"]) for slot in slots if slot["used"] < CAPTURED}
                assert {card for card in range(32) if int(public["table_mask"]) >> card & 1} == playable
            if step.phase == "play":
                card = step.code % TABLE
                if led is None:
                    led = player, card
                    continue
                winner = player if beats(led[1], card, trump) else led[0]
                if drawing:
                    kept[winner] += [one for one in (led[1], card) if is_kept(one, trump)]
                led = None
            elif int(after["public"][player]["points"]) > int(state["public"][player]["points"]) and step.code != 17:
                if int(after["common"]["stock"]) == 0:
                    unseen += 1
                else:
                    lying = int(state["public"][player]["laid"])
                    slots = zip(
                        *(now["public"][player]["table"]["used"][:lying] for now in (state, after)), strict=True
                    )
                    changed[player] += any(one >= CAPTURED and one != other for one, other in slots)
        if not rules.get("reform"):
            found = sum(trace.row[f"with_captured.{seat}"] for seat in ("pone", "dealer"))
            assert 0 <= found - sum(changed) <= unseen
        helped += sum(changed)
        for side, seat in enumerate(("pone", "dealer")):
            cards = [RANKS[card & 7] for card in kept[side]]
            assert trace.row[f"captured.{seat}"] == len(cards)
            for rank, name in zip("KQJT", ("kings", "queens", "jacks", "trump_tens"), strict=True):
                assert trace.row[f"captured_{name}.{seat}"] == cards.count(rank)
        assert sum(map(len, kept)) <= 26
        # the last eight tricks are played with all eight cards
        last = next(state for state in trace.states if state["common"]["stock"] == 0)
        assert [int(own["hand"].sum()) for own in last["private"]] == [8, 8]
        assert int(np.sum(last["common"]["seen"])) == 48
    assert helped > 30


def test_the_game_ends_with_the_brisques_before_the_cards_are_taken():
    """Points for aces and tens come first: who reaches the target by them has won."""
    deck = dealt("QD TS TH 7C 8C 9C 7D 8D", "KD AS 7H 7S 8S 9S 8H 9D")
    played = kernel(GAME, {"target": 20})
    played.replay([deck], [DEAL, code_of("TH"), code_of("AS")])
    assert int(played.rows[0]["won"][0]) == 1
    assert played.rows[0]["captured"].tolist() == [0, 0]


def test_more_is_scored_than_in_bezique():
    """The point of the variation: what bezique's own captured cards would have brought."""
    from simcards.study.samples import samples

    both = [samples(make_plan(game, deals=300, strategies="random", seed=1)) for game in ("bezique", GAME)]
    means = [frame["points.pone"].mean() for frame in both]
    assert means[1] > means[0]
    for frame, seat in itertools.product(both[1:], ("pone", "dealer")):
        assert (frame[f"only_captured.{seat}"] <= frame[f"with_captured.{seat}"]).all()
        assert (frame[f"with_captured.{seat}"] <= frame[f"declarations.{seat}"]).all()
