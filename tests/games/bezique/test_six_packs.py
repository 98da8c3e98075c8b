"""Bezique with six packs: the source's examples and restrictions, told card by card; Chinese bezique."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest

import simcards
from simcards.games.bezique import endgame
from simcards.games.bezique.endgame import DEPTH
from simcards.games.bezique.six_packs import PHASES, settle_six
from simcards.games.registry import load, ruleset
from simcards.kernel import protocol, search
from simcards.study.advise import read_position
from simcards.study.plan import make_plan
from simcards.study.replay import replay
from simcards.study.samples import samples
from tests.contract import compiled
from tests.games.bezique.positions import differences, meaning
from tests.games.bezique.test_endgame import packed

SUITS = "SHDC"
FROM_TABLE = 32
DECLARATIONS = {
    "nothing": 0,
    **{f"marriage {suit}": 1 + place for place, suit in enumerate(SUITS)},
    **{f"sequence {suit}": 5 + place for place, suit in enumerate(SUITS)},
    **{name: 9 + place for place, name in enumerate(("bezique", "double", "triple", "quadruple"))},
    **{name: 13 + place for place, name in enumerate(("aces", "kings", "queens", "jacks"))},
    **{f"trump {name}": 18 + place for place, name in enumerate(("aces", "tens", "kings", "queens", "jacks"))},
}
LOW = "7S 7S 7S 8S 8S 8S 7C 7C 7C 8C 8C JC"


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
def measured(states, rows):
    protocol.measure(states[0], rows[0])


@numba.njit
def settle_all(points, rules, found):
    for k in range(points.shape[0]):
        value, loser, rubiconed = settle_six(points[k, 0], points[k, 1], rules[0])
        found[k, 0] = value
        found[k, 1] = loser
        found[k, 2] = rubiconed


class Deal:
    """One deal with the hands given; what is drawn is put on top of the stock just before."""

    def __init__(self, pone, dealer=LOW, **rules):
        self.game = load("bezique-six-pack")
        self.pack = self.game.ruleset.pack
        self.states, _ = self.game.workspace(rules)
        self.state = self.states[0]
        left = sorted(self.pack.deck().tolist())
        places = self.game.places(self.game.encoded(rules))
        deck = np.full(len(left), 255, np.uint8)
        for name, text in (("pone", pone), ("dealer", dealer)):
            cards = self.pack.parse(text)
            assert len(cards) == 12
            deck[places[name]] = cards
            for card in cards:
                left.remove(card)
        deck[places["stock"]] = left
        begin(self.states)
        deal(self.states, deck)

    def put(self, cards):
        """Put cards on top of the stock."""
        deck, top = self.state["deck"], int(self.state["next"])
        for place, card in enumerate(self.pack.parse(cards), top):
            other = place + int(np.argmax(deck[place:] == card))
            assert deck[other] == card
            deck[place], deck[other] = deck[other], deck[place]

    @property
    def legal(self):
        mask = np.zeros(1, np.uint64)
        compiled.masks(self.states, mask)
        return {action for action in range(64) if int(mask[0]) >> action & 1}

    @property
    def phase(self):
        return PHASES[phases(self.states)]

    @property
    def can(self):
        assert self.phase == "declare"
        names = {action: name for name, action in DECLARATIONS.items()}
        return {names[action] for action in self.legal} - {"nothing"}

    @property
    def points(self):
        return self.state["public"]["points"].tolist()

    @property
    def playable(self):
        assert self.phase == "play"
        return {self.pack.text(action % FROM_TABLE) + "*" * (action >= FROM_TABLE) for action in self.legal}

    @property
    def trump(self):
        return int(self.state["common"]["trump"])

    def table(self, player=0):
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
                self.do(min(self.legal, key=lambda action: (action // 8 == self.trump, action)))
            else:
                self.do(self.pack.parse(card.strip("*"))[0] + (FROM_TABLE if card.endswith("*") else 0))

    def declare(self, what, draw="9D 8D"):
        assert self.phase == "declare"
        self.put(draw)
        self.do(DECLARATIONS[what])

    def lay(self, *cards):
        for card in cards:
            assert self.phase == "lay"
            self.do(self.pack.parse(card)[0])

    def row(self):
        rows = np.zeros(1, self.game.row)
        measured(self.states, rows)
        return rows[0]


# -- settlement ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "value", "rubiconed"),
    [
        ((7960, 3780), 52, False),  # 4180 + 1000 = 5180
        ((7960, 2780), 117, True),  # 7960 + 2780 + 1000 = 11740
        ((5000, 4950), 11, False),  # 100 + 1000, the least there is
        ((2500, 1800), 17, False),  # both before the rubicon: 700 + 1000
        ((2500, 2490), 11, False),
        ((3000, 2990), 70, True),  # 3000 counts as crossed: 3000 + 2990 + 1000 = 6990
        ((5000, 3000), 30, False),
        ((2990, 0), 40, False),  # 2990 + 1000 = 3990
        ((4140, 3000), 21, False),  # 2140
        ((4150, 3000), 22, False),  # 2150: halves are rounded up
        ((4000, 4000), 0, False),
    ],
)
def test_settlement(points, value, rubiconed):
    rules = load("bezique-six-pack").workspace({})[0]["rules"].copy()
    found = np.zeros((2, 3), np.int64)
    settle_all(np.array([points, points[::-1]]), rules, found)
    loser = -1 if value == 0 else 1
    assert found.tolist() == [[value, loser, rubiconed], [-value, 1 - loser if loser == 1 else -1, rubiconed]]


# -- combinations ----------------------------------------------------------------------------------------------

TRUMP_SEQUENCE = "AH TH KH QH JH"


def test_the_sources_example_of_blocked_fours():
    """Three trump jacks and a double bezique lie: four jacks need a jack played, four trump jacks both of diamonds."""
    play = Deal(f"{TRUMP_SEQUENCE} JH JH QS QS JD JD 9S")
    play.play("9S", "low")
    play.declare("sequence H")
    for _ in range(2):  # each further jack makes a sequence of its own
        play.play("9D", "low")
        play.declare("sequence H")
    play.play("9D", "low")
    play.declare("double", "JH 7D")
    assert play.points == [3 * 250 + 500, 0]
    assert play.table() == sorted([*TRUMP_SEQUENCE.split(), "JH", "JH", "QS", "QS", "JD", "JD"])
    play.play("AH*", "low")
    assert not {"jacks", "trump jacks"} & play.can
    play.declare("nothing")
    play.play("JD*", "low")
    assert "jacks" in play.can
    assert "trump jacks" not in play.can
    play.declare("nothing")
    play.play("JD*", "low")
    assert {"jacks", "trump jacks"} <= play.can
    play.declare("trump jacks")
    assert play.points == [3 * 250 + 500 + 400, 0]
    assert play.table().count("JH") == 4


def test_any_jack_played_frees_the_four():
    play = Deal(f"{TRUMP_SEQUENCE} JH JH QS QS JD JD 9S")
    play.play("9S", "low")
    play.declare("sequence H")
    for _ in range(2):
        play.play("9D", "low")
        play.declare("sequence H")
    play.play("9D", "low")
    play.declare("double")
    play.play("9D", "low")
    assert "jacks" not in play.can
    play.declare("nothing")
    play.play("JH*", "low")
    assert "jacks" in play.can
    play.declare("jacks")
    assert play.points == [3 * 250 + 500 + 40, 0]
    assert play.table().count("JH") == play.table().count("JD") == 2


@pytest.mark.parametrize(
    ("rank", "name", "value"),
    [("A", "aces", 1000), ("T", "tens", 900), ("K", "kings", 800), ("Q", "queens", 600), ("J", "jacks", 400)],
)
def test_four_trumps(rank, name, value):
    """They need trumps; one of them played and another come, they score again; any other of the rank is in the way."""
    play = Deal(f"{rank}H {rank}H {rank}H {rank}H KC QC KS QS 9S 9S 9S {'AS' if rank == 'A' else '9S'}")
    play.play("9S", "low")
    assert f"trump {name}" not in play.can
    play.declare("marriage S")
    play.play("9S", "low")
    assert f"trump {name}" not in play.can, "hearts are not trumps"

    play = Deal(f"{rank}H {rank}H {rank}H {rank}H KH QH {rank}C 9S 9S 9S 9S 9S")
    play.play("9S", "low")
    play.declare("marriage H", "8H 8S")
    before = play.points[0]
    play.play("9S", "low")
    assert f"trump {name}" in play.can
    play.declare(f"trump {name}", f"{rank}H 8S")
    assert play.points[0] == before + value
    play.play("9S", "low")
    if rank not in "KQ":
        assert f"trump {name}" not in play.can, "the fifth can only be added when one has gone"
    play.declare("nothing", "8H 8S")
    if rank not in "KQ":
        play.play(f"{rank}H*", "8S")
        assert f"trump {name}" in play.can
        play.declare(f"trump {name}")
        assert play.points[0] == before + 2 * value
        assert play.table().count(f"{rank}H") == 4


def test_four_of_any_suits_then_of_trumps_but_not_the_other_way_round():
    play = Deal("AH AH AH AH KH QH 9S 9S 9S 9S 9S 9S")
    play.play("9S", "low")
    play.declare("marriage H")
    play.play("9S", "low")
    assert {"aces", "trump aces"} <= play.can
    play.declare("aces")
    play.play("9S", "low")
    assert "trump aces" in play.can
    assert "aces" not in play.can
    play.declare("trump aces", "AS 7H")
    assert play.points == [40 + 100 + 1000, 0]
    play.play("AH*", "8S")
    assert "aces" not in play.can, "three of four trumps are on the table"
    play.declare("nothing")


def test_four_uses_what_lies_and_the_hand_chooses_the_rest():
    play = Deal("KH QH KS KS KD KD KC 9S 9S 9S 9S 9S")
    play.play("9S", "low")
    play.declare("marriage H")
    play.play("9S", "low")
    assert "kings" in play.can
    play.put("9D 7H")
    play.do(DECLARATIONS["kings"])
    assert {play.pack.text(card) for card in play.legal} == {"KS", "KD", "KC"}
    play.lay("KC", "KD", "KD")
    assert play.points == [120, 0]
    assert play.table() == sorted(["KH", "QH", "KC", "KD", "KD"])


def test_a_king_added_to_a_sequence_makes_another():
    play = Deal(f"{TRUMP_SEQUENCE} KH 9S 9S 9S 9S 9S 9S")
    play.play("9S", "low")
    play.declare("sequence H")
    assert play.trump == 1
    play.play("9S", "low")
    assert "sequence H" in play.can
    assert "marriage H" not in play.can, "a king cannot be added to the queen of a sequence"
    play.declare("sequence H")
    assert play.points == [500, 0]
    assert play.table() == sorted([*TRUMP_SEQUENCE.split(), "KH"])
    play.play("9S", "low")
    assert "sequence H" not in play.can, "both kings have served"


def test_only_a_broken_sequence_scores_again_where_the_rules_say_so():
    play = Deal(f"{TRUMP_SEQUENCE} KH 9S 9S 9S 9S 9S 9S", reform="broken")
    play.play("9S", "low")
    play.declare("sequence H")
    play.play("9S", "low")
    assert "sequence H" not in play.can
    play.declare("nothing")
    play.play("KH*", "7S")
    assert "sequence H" in play.can
    play.declare("sequence H")
    assert play.points == [500, 0]

    play = Deal(f"{TRUMP_SEQUENCE} KH 9S 9S 9S 9S 9S 9S", reform="no")
    play.play("9S", "low")
    play.declare("sequence H")
    play.play("KH*", "7S")
    assert "sequence H" not in play.can


@pytest.mark.parametrize("reform", ["no", "broken", "added"])
def test_two_sequences_of_a_suit_never_lie_together(reform):
    play = Deal(f"{TRUMP_SEQUENCE} {TRUMP_SEQUENCE} 9S 9S", reform=reform)
    play.play("9S", "low")
    play.declare("sequence H")
    times = 1
    for _ in range(6):
        play.play(min(play.playable & {"9S", "9D"}), "low")
        if "sequence H" not in play.can:
            break
        play.declare("sequence H")
        times += 1
    assert times == {"no": 1, "broken": 1, "added": 5}[reform]
    assert play.table().count("AH") + play.table().count("KH") < 4
    play.declare("nothing")
    play.play("JH*", "low")
    assert "sequence H" in play.can


def test_the_card_added_to_a_sequence_is_one_that_completes_no_second():
    """With one jack of hearts on the table only that jack would: a ten in the hand is laid instead, though higher."""
    play = Deal(f"{TRUMP_SEQUENCE} AH TH KH QH 9S 9S 9S")
    play.play("9S", "low")
    play.declare("sequence H")
    for draw in ("9D 8D", "9D 8D", "9D 8D", "JH 8D"):  # queen, king, ten and ace are added, lowest first
        play.play(min(play.playable & {"9S", "9D"}), "low")
        play.declare("sequence H", draw)
    assert play.table() == sorted(["AH", "AH", "TH", "TH", "KH", "KH", "QH", "QH", "JH"])
    play.play("9S", "low")
    assert "sequence H" not in play.can
    play.declare("nothing", "TH 8D")
    play.play("9S", "low")
    assert "sequence H" in play.can
    play.declare("sequence H", "9C 9C")
    assert play.table() == sorted(["AH", "AH", "TH", "TH", "TH", "KH", "KH", "QH", "QH", "JH"])
    assert play.points == [6 * 250, 0]


def test_a_sequence_before_any_marriage_makes_trumps():
    play = Deal("AC TC KC QC JC 9S 9S 9S 9S 9S 9S 9H")
    play.play("9S", "low")
    assert {"sequence C", "marriage C"} <= play.can
    play.declare("sequence C")
    assert (play.trump, play.points) == (3, [250, 0])


def test_a_plain_sequence_after_trumps_are_made():
    play = Deal("AC TC KC QC JC KS QS 9S 9S 9S 9S 9S")
    play.play("9S", "low")
    play.declare("marriage S")
    play.play("9S", "low")
    play.declare("marriage C")
    play.play("9S", "low")
    play.declare("sequence C")
    assert (play.trump, play.points) == (0, [40 + 20 + 150, 0])


# -- play ------------------------------------------------------------------------------------------------------


def test_carte_blanche_goes_on_until_a_court_is_drawn():
    play = Deal("AS AS AS TS TS TS 9S 9S 9S 9H 9H 9H", "7S 7S 7S 8S 8S 8S 7C 7C 7C 8C 8C KD")
    assert play.phase == "show"
    play.do(1)
    assert play.points == [250, 0]
    play.play("AS", "7S")
    play.declare("nothing", "TD 7H")
    assert play.phase == "show"
    play.do(1)
    assert play.points == [500, 0]
    play.play("AS", "7S")
    play.declare("nothing", "KC 7H")
    assert play.phase == "play"
    play.play("KC", "8C")
    play.declare("nothing", "9H 7H")
    assert play.phase == "play"
    assert play.points == [500, 0]


def to_the_last_twelve(play):
    """Play on with nothing declared until the stock is gone."""
    while play.state["common"]["stock"] > 0:
        play.do(0 if play.phase in ("show", "declare") else min(play.legal))


def test_last_twelve_tricks():
    """Suit is followed, or trumped, but need not be headed; the tables are empty and nothing is declared."""
    play = Deal("KH QH 9S 9S 9S 9S 9S 9S 8H 7D 7D 7D")
    play.play("9S", "low")
    play.declare("marriage H")
    to_the_last_twelve(play)
    assert play.phase == "play"
    assert play.table(0) == play.table(1) == []
    start = play.states.copy()
    trumped = low = 0
    rng = np.random.default_rng(1)
    for _ in range(20):
        play.states[:] = start
        while play.phase == "play":
            led = int(play.state["common"]["led"])
            hand = play.state["private"][play.state["common"]["turn"]]["hand"]
            held = {card for card in range(32) if hand[card]}
            suit = {card for card in held if card // 8 == led // 8}
            trumps = {card for card in held if card // 8 == SUITS.index("H")}
            assert play.legal == ((suit or trumps or held) if led >= 0 else held)
            trumped += led >= 0 and not suit and bool(trumps)
            low += bool(suit) and min(suit) < led < max(suit)
            play.do(int(rng.choice(sorted(play.legal))))
        assert play.phase == "take"
        assert play.legal == {0, 1}
        assert play.state["common"]["trick"] == 96
    assert trumped
    assert low, "a trick could have been won and need not be"


@pytest.mark.parametrize("taken", [0, 1])
def test_the_last_trick_may_be_declined(taken):
    play = Deal("KH QH 9S 9S 9S 9S 9S 9S 8H 7D 7D 7D")
    to_the_last_twelve(play)
    while play.phase == "play":
        play.do(min(play.legal))
    winner = int(play.state["common"]["turn"])
    play.do(taken)
    assert play.points[winner] == 250 * taken
    assert play.points[1 - winner] == 0
    row = play.row()
    assert row["points_last_trick"][winner] == 250 * taken
    assert row["declined"].tolist() == [int(not taken and player == winner) for player in range(2)]


def test_basic_declines_the_last_trick_only_below_the_rubicon():
    frame = samples(make_plan("bezique-six-pack", deals=2000, strategies="basic", seed=4))
    declined = 0
    for seat, other in (("pone", "dealer"), ("dealer", "pone")):
        here = frame[frame[f"declined.{seat}"] == 1]
        declined += len(here)
        assert (here[f"points.{seat}"] < here[f"points.{other}"]).all()
        assert (here[f"points.{seat}"] < 3000).all()
    assert declined > 0
    # one of the two wins the last trick
    taken = sum((frame[f"points_last_trick.{seat}"] == 250).astype(int) for seat in ("pone", "dealer"))
    assert (taken + frame["declined.pone"] + frame["declined.dealer"] == 1).all()


def test_chance_of_a_dealt_carte_blanche():
    chance = math.comb(120, 12) / math.comb(192, 12)
    assert chance == pytest.approx(0.002858, abs=5e-7)
    found = simcards.odds(game="bezique-six-pack").frame
    assert chance == pytest.approx(float(found.set_index("quantity").loc["carte blanche", "exact"]))


# -- Chinese bezique -------------------------------------------------------------------------------------------


def test_chinese_bezique_is_rubicon_bezique_with_six_packs():
    rubicon, chinese = ruleset("rubicon-bezique"), ruleset("chinese-bezique")
    values = chinese.values()
    assert {name: value for name, value in rubicon.values().items() if values[name] != value} == {"packs": 4}
    assert (values["packs"], values["hand"], values["rubicon_line"], values["brisque_bonus"]) == (6, 9, 1000, 300)
    assert chinese.pack.size == 192
    game = load("chinese-bezique")
    assert {name: len(places) for name, places in game.places(game.encoded({})).items()} == {
        "pone": 9,
        "dealer": 9,
        "stock": 174,
    }
    frame = samples(make_plan("chinese-bezique", deals=300, strategies="random", seed=2))
    assert (frame["tricks.pone"] + frame["tricks.dealer"] == 96).all()
    assert (frame["brisques.pone"] + frame["brisques.dealer"] == 48).all()


@pytest.mark.parametrize("hand", [7, 9, 12])
def test_hands_of_chinese_bezique(hand):
    game = load("chinese-bezique")
    places = game.places(game.encoded({"hand": hand}))
    assert [len(places[name]) for name in ("pone", "dealer", "stock")] == [hand, hand, 192 - 2 * hand]
    assert places["pone"][:3] == [0, 1, 2]
    assert places["dealer"][:3] == [3, 4, 5]
    plan = make_plan("chinese-bezique", deals=200, strategies="basic", seed=3, rules={"hand": hand})
    frame = samples(plan)
    assert (frame["tricks.pone"] + frame["tricks.dealer"] == 96).all()


@pytest.mark.parametrize("hand", [9, 12])
def test_positions_of_chinese_bezique_are_written_and_read(hand):
    plan = make_plan("chinese-bezique", deals=1, strategies="basic", seed=5, rules={"hand": hand})
    game = plan.load()
    played = replay(plan, 0)
    for step, state in list(zip(played.steps, played.states))[::5]:
        _, views = game.workspace(plan.overrides)
        search.look(np.array([state], game.state), plan.ruleset.seats.index(step.seat), views)
        written = game.positions.write(views[0])
        question = read_position(plan, "; ".join(f"{key}: {value}" for key, value in written.items()))
        assert not differences(meaning(views[:1]), meaning(question.view)), written
        assert question.words == step.legal


# -- the last tricks without the duty to head ------------------------------------------------------------------


def best_value(leader, other, trump, last):
    """Plain recursion: what the leader can get more than the other when nobody needs to head."""
    values = []
    for led in set(leader):
        answers = []
        suit = [card for card in other if card // 8 == led // 8]
        for reply in set(suit or [card for card in other if card // 8 == trump] or other):
            beaten = reply > led if reply // 8 == led // 8 else reply // 8 == trump
            mine, theirs = list(leader), list(other)
            mine.remove(led)
            theirs.remove(reply)
            if not mine:
                answers.append(-last if beaten else last)
            elif beaten:
                answers.append(-best_value(theirs, mine, trump, last))
            else:
                answers.append(best_value(mine, theirs, trump, last))
        values.append(min(answers))
    return max(values)


@pytest.mark.parametrize("count", range(1, DEPTH + 1))
def test_search_of_the_last_tricks(count):
    rng = np.random.default_rng(count)
    pack = np.repeat(np.arange(32), 6)
    for k in range(60):
        cards = sorted(int(card) for card in rng.choice(pack, 2 * count, replace=False))
        leader = sorted(rng.permutation(cards)[:count].tolist())
        other = list(cards)
        for card in leader:
            other.remove(card)
        trump = k % 4
        _, found = endgame.search(packed(leader), packed(other), count, trump, np.zeros(8), 250.0, False)
        assert found == best_value(leader, other, trump, 250)
