"""Penchant: the compiled game against its reference, and the rules that the source states, one by one."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from simcards.games.bezique.penchant import settle as compiled_settle

from .compare import Pair, compare_random, compare_traced
from .kernel import kernel
from .reference_penchant import DEFAULTS, MELDS, MISSING, RANKS, SUITS, Penchant, code_of, settle

GAME = "penchant"
DEAL_ONLY = {"deals": 1, "double_line": 0}
VARIATIONS = [
    {},
    DEAL_ONLY,
    {"deals": 2, "blocking": "no"},
    {"deals": 1, "four": 101, "trio": 31, "pair": 21, "flush": 53, "penchant": 11, "brisque": 9, "brisque_line": 4},
    {"deals": 3, "brisque_line": 0, "double_line": 150},
    {"deals": 1, "sequence_of_five": 251, "sequence_of_four": 43, "sequence_of_three": 37, "king_and_queen": 22},
]
PASS, PENCHANT = 0, 57


def group(rank, size):
    return 1 + 3 * RANKS.index(rank) + size - 2


def run(suit, kind):
    names = ("KQ", "QJ", "KQJ", "AKQJ", "KQJT", "AKQJT", "KQJT9", "flush")
    return 25 + 8 * SUITS.index(suit) + names.index(kind)


def cards(text):
    return [code_of(card) for card in text.split()]


def eager(phase, action):
    return 10 if phase == "declare" and action else 1


def collected(card):
    return card // 8 == 1 or card % 8 == 7


def hoarding(phase, action):
    """Keep hearts and aces, so that flushes, long runs and fours come up."""
    if phase == "declare":
        return 20 if action == group("A", 4) or 25 <= action < PENCHANT else 0.5
    return 0.002 if phase == "play" and collected(action % 32) else 1


def alike(phase, action):
    return 1


@pytest.mark.parametrize("rules", VARIATIONS)
@pytest.mark.parametrize("strategy", ["random", "basic"])
def test_traced_games(rules, strategy):
    compiled = kernel(GAME, rules)
    for index in range(60):
        compare_traced(compiled, lambda: Penchant(rules), strategy, index)


@pytest.mark.parametrize("rules", VARIATIONS)
def test_random_games(rules):
    compiled = kernel(GAME, rules)
    seen = Counter()
    values = DEFAULTS | rules
    for seed in range(100):
        weights = (hoarding, eager, hoarding, alike)[seed % 4]
        row = compare_random(
            compiled, Penchant(rules), seed, weights, collected if seed % 2 == 0 else lambda card: False
        )
        seen.update({name: sum(value) for name, value in row.items() if isinstance(value, list)})
        assert sum(row["brisques"]) == 12 * values["deals"]
        assert sum(row["tricks"]) == 16 * values["deals"]
        for seat in (0, 1):
            sources = (*MELDS, "late_brisques", "over_six")
            assert row["points"][seat] == sum(row[f"points_{source}"][seat] for source in sources)
            for meld in MELDS:
                assert row[f"points_{meld}"][seat] == values[meld] * row[f"count_{meld}"][seat]
                assert (row[f"first_{meld}"][seat] == MISSING) == (row[f"count_{meld}"][seat] == 0)
    if rules == {}:
        for name in (*(f"count_{meld}" for meld in MELDS), "penchants_by_loser"):
            assert seen[name], name
    assert bool(seen["blocked"]) == (values["blocking"] == "yes")


@pytest.mark.slow
def test_many_games():
    """Some thousand games, played by habits that bring every declaration."""
    seen = Counter()
    for rules in VARIATIONS:
        compiled = kernel(GAME, rules)
        for index in range(100, 400):
            for strategy in ("random", "basic"):
                compare_traced(compiled, lambda rules=rules: Penchant(rules), strategy, index)
            reference = Penchant(rules)
            early = collected if index % 2 else lambda card: card % 8 in (5, 6)
            row = compare_random(compiled, reference, index, (hoarding, eager, alike)[index % 3], early)
            seen += reference.events
            seen.update({name: sum(row[name]) for name in ("penchants_by_loser", "blocked") if any(row[name])})
    assert not {*MELDS, "penchants_by_loser", "blocked"} - set(seen)


# Positions ----------------------------------------------------------------------------------------------------


def after_a_trick(hands, tables, trump="", leader=0, rules=DEAL_ONLY):
    """The first player has won a trick and is to declare; hands and tables are as given."""
    pair = Pair(kernel(GAME, rules), Penchant(rules))
    pair.deal(list(range(32)))
    hands, tables = ([cards(text) for text in texts] for texts in (hands, tables))
    reference, state = pair.reference, pair.states[0]
    names = {code: name for name in (rank + suit for rank in RANKS for suit in SUITS) for code in [code_of(name)]}
    placed = sum(hands + tables, [])
    rest = [code for code in range(32) if code not in placed]
    for player, hand, table in zip(reference.players, hands, tables, strict=True):
        player.hand, player.table = {names[code] for code in hand}, {names[code] for code in table}
    reference.stock = [names[code] for code in rest[:10]]
    reference.trump = trump
    reference.step, reference.taker, reference.turn = "declare", leader, leader
    for seat in (0, 1):
        own, public = state["private"][seat], state["public"][seat]
        own["hand"] = np.bincount(hands[seat], minlength=32)
        own["mask"] = sum(1 << code for code in hands[seat])
        public["cards"], public["laid"] = len(hands[seat]), len(tables[seat])
        public["table"]["type"][: len(tables[seat])] = tables[seat]
        public["table_mask"] = sum(1 << code for code in tables[seat])
    state["deck"][22:32] = rest[:10]
    state["next"] = 22
    common = state["common"]
    common["stock"], common["stage"], common["turn"], common["leader"] = 10, 2, leader, leader
    common["trump"] = SUITS.index(trump) if trump else -1
    pair.check()
    return pair


def test_no_pair_of_queens_without_a_new_one_but_a_trio_with_it():
    """S000: marriage and penchant on the table give no pair of queens; a queen added from the hand gives a trio."""
    pair = after_a_trick(["7S 8H", "9S 9H 9D 9C TS"], ["KH QH QS JD", ""])
    assert group("Q", 2) not in pair.reference.legal()
    pair = after_a_trick(["7S QC", "9S 9H 9D 9C TS"], ["KH QH QS JD", ""])
    assert group("Q", 3) in pair.reference.legal()
    pair.apply(group("Q", 3))
    assert pair.reference.points == [30, 0]
    assert "QC" in pair.reference.players[0].table
    pair.check()


def test_two_queens_on_the_table_block_pairs_below_jacks():
    """S000: they may be parts of a marriage and a penchant; a pair of jacks is free."""
    pair = after_a_trick(["7S 7H JC JH TD", "9S"], ["", "KH QH QS JD"])
    assert group("7", 2) not in pair.reference.legal()
    assert group("J", 2) in pair.reference.legal()


@pytest.mark.parametrize(
    ("mine", "theirs", "mine_free", "theirs_free"),
    [
        ("AS AH", "KS KH", True, False),  # aces annul kings
        ("KC KD", "KS KH", True, True),  # as good as
        ("", "KS KH", False, True),
        ("QC QD", "KS KH", False, True),
        ("QC QD QH", "KS KH", True, False),  # three queens are better than two kings
        ("TC TD", "KS KH", False, True),  # low cards annul nothing
        ("", "TS TH", True, True),  # and block nothing
        ("", "KS QH", True, True),
    ],
)
def test_a_pair_as_good_annuls_the_others(mine, theirs, mine_free, theirs_free):
    for leader, free in ((0, mine_free), (1, theirs_free)):
        pair = after_a_trick(["7S 7H 8D", "9S 9H 8C"], [mine, theirs], leader=leader)
        assert (group("9" if leader else "7", 2) in pair.reference.legal()) == free


def test_a_high_pair_does_not_block_a_low_trio():
    pair = after_a_trick(["8S 8H 8D 7S", "9S"], ["", "AS AH"])
    assert group("8", 3) in pair.reference.legal()
    assert group("8", 2) not in pair.reference.legal()
    pair = after_a_trick(["8S 8H 8D 7S", "9S"], ["", "JS JH JD"])
    assert group("8", 3) not in pair.reference.legal()


def high_groups():
    """No group, or two to four cards of a high rank."""
    return [("", 0), *((rank, size) for rank in "JQKA" for size in (2, 3, 4))]


def test_every_meeting_of_high_groups():
    """Which of two, three and four sevens are free, for every high group on either table."""
    for mine in high_groups():
        for theirs in high_groups():
            if mine[0] == theirs[0] and mine[1] + theirs[1] > 4:
                continue
            tables = [
                " ".join(mine[0] + suit for suit in SUITS[: mine[1]]),
                " ".join(theirs[0] + suit for suit in SUITS[4 - theirs[1] :]) if theirs[0] else "",
            ]
            legal = after_a_trick(["7S 7H 7D 7C", "9S"], tables).reference.legal()
            equal = mine[1] > theirs[1] or (mine[1] == theirs[1] and "JQKA".find(mine[0]) >= "JQKA".find(theirs[0]))
            for size in (2, 3, 4):
                assert (group("7", size) in legal) == (equal or theirs[1] < size), (mine, theirs, size)


def test_blocking_can_be_left_out():
    pair = after_a_trick(["7S 7H JC", "9S"], ["", "KH KS"], rules={**DEAL_ONLY, "blocking": "no"})
    assert group("7", 2) in pair.reference.legal()


def test_the_loser_may_declare_a_penchant_when_the_winner_declares_nothing():
    """The winner draws first; the jack's suit is trumps."""
    pair = after_a_trick(["7S 8H KH QH 9D", "QS JD TS TH 9C"], ["", ""])
    pair.apply(PASS)
    assert pair.reference.actor() == 1
    assert pair.reference.legal() == {PASS, PENCHANT}
    pair.apply(PENCHANT)
    assert pair.reference.points == [0, 10]
    assert pair.reference.trump == "D"
    assert [len(player.hand) for player in pair.reference.players] == [6, 4]
    assert pair.reference.actor() == 0
    pair.check()
    pair = after_a_trick(["7S 8H KH QH 9D", "QS JD TS TH 9C"], ["", ""])
    pair.apply(run("H", "KQ"))
    assert pair.reference.phase() == "play"  # he declared, so the loser may not
    pair.check()


def test_the_first_penchant_alone_makes_trumps():
    pair = after_a_trick(["7S QH JS QD JC 9D", "9S"], ["", ""], trump="H")
    pair.apply(PENCHANT)
    pair.apply(code_of("QH"))
    assert pair.reference.legal() == set(cards("JS JC"))
    pair.apply(code_of("JC"))
    assert pair.reference.trump == "H"
    pair.check()
    pair = after_a_trick(["7S QH JS QD JC 9D", "9S"], ["", ""])
    pair.apply(PENCHANT, code_of("QD"), code_of("JS"))
    assert pair.reference.trump == "S"
    pair.check()


def test_a_penchant_is_of_two_suits_and_one_card_is_new():
    assert PENCHANT not in after_a_trick(["QH JH 7S", "9S"], ["", ""]).reference.legal()
    assert PENCHANT not in after_a_trick(["7S", "9S"], ["QH JS", ""]).reference.legal()
    assert PENCHANT in after_a_trick(["JD", "9S"], ["QH JS", ""]).reference.legal()


@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        ("KH QH 7S 8S 9S", {"KQ"}),
        ("QH JH 7S 8S 9S", {"QJ"}),
        ("KH QH JH 7S 8S", {"KQ", "QJ", "KQJ"}),
        ("AH KH QH JH 8S", {"KQ", "QJ", "KQJ", "AKQJ"}),
        ("TH KH QH JH 8S", {"KQ", "QJ", "KQJ", "KQJT"}),
        ("AH KH QH JH TH", {"KQ", "QJ", "KQJ", "AKQJ", "KQJT", "AKQJT"}),
        ("9H KH QH JH TH", {"KQ", "QJ", "KQJ", "KQJT", "KQJT9"}),
        ("7H KH QH JH TH", {"KQ", "QJ", "KQJ", "KQJT", "flush"}),
        ("8H KH QH JH 7H", {"KQ", "QJ", "KQJ", "flush"}),
        ("AH KH QH JH 9H", {"KQ", "QJ", "KQJ", "AKQJ", "flush"}),
        ("AH KH QH TH 9H", {"KQ"}),  # a sequence contains K Q J
        ("QH JH TH 9H 8H", {"QJ"}),
    ],
)
def test_class_b(hand, kinds):
    pair = after_a_trick([hand, "9C"], ["", ""])
    found = {action for action in pair.reference.legal() if 25 <= action < 57}
    assert found == {run("H", kind) for kind in kinds}


@pytest.mark.parametrize(
    ("action", "points"),
    [
        (group("A", 4), 100),
        (group("A", 3), 30),
        (group("A", 2), 20),
        (run("H", "AKQJT"), 250),
        (run("H", "AKQJ"), 40),
        (run("H", "KQJT"), 40),
        (run("H", "KQJ"), 30),
        (run("H", "KQ"), 20),
        (run("H", "QJ"), 20),
        (run("H", "flush"), 50),
        (PENCHANT, 10),
    ],
)
def test_values(action, points):
    hand = "AH AS AC AD 7S" if action < 25 else "AH KH QH TH JC 8H" if action == PENCHANT else "AH KH QH JH TH 8H"
    pair = after_a_trick([hand, "9C"], ["", ""])
    pair.apply(action)
    while pair.reference.phase() == "lay":
        pair.apply(max(pair.reference.legal()))
    pair.check()
    assert pair.reference.points == [points, 0]


def test_a_run_grows_card_by_card():
    """Each time one card new from the hand: 20 + 30 + 40 + 250."""
    total = 0
    table = ""
    for new, kind, points in (("KH", "KQ", 20), ("JH", "KQJ", 30), ("AH", "AKQJ", 40), ("TH", "AKQJT", 250)):
        pair = after_a_trick([f"{new} 7S", "9C"], [table or "QH", ""])
        assert run("H", kind) in pair.reference.legal()
        pair.apply(run("H", kind))
        pair.check()
        total += pair.reference.points[0]
        assert pair.reference.points[0] == points
        table = f"{table or 'QH'} {new}"
    assert total == 340
    assert not after_a_trick(["7S", "9C"], [table, ""]).reference.legal() - {PASS}


def test_the_player_chooses_which_cards_of_a_group_come_from_the_hand():
    pair = after_a_trick(["KS KH 7D", "9C"], ["KD", ""])
    pair.apply(group("K", 2))
    assert pair.reference.phase() == "lay"
    pair.apply(code_of("KH"))
    assert pair.reference.legal() == set(cards("KS KD"))  # another one, or the rest from the table
    pair.apply(code_of("KD"))
    assert pair.reference.players[0].table == {"KD", "KH"}
    pair.check()


@pytest.mark.parametrize(
    ("totals", "value", "doubled"),
    [
        ((520, 430), 90, False),
        ((520, 400), 120, False),
        ((640, 390), 500, True),  # E-PEN-1
        ((520, 399), 242, True),  # the lower total is below 400
        ((300, 350), -100, True),
        ((350, 350), 0, False),
    ],
)
def test_settlement(totals, value, doubled):
    assert settle(totals) == (value, doubled)
    rules = kernel(GAME, {}).states["rules"][0]
    assert compiled_settle(*totals, rules) == (value, doubled)


def test_brisques_of_the_last_six_tricks_count_twice_and_those_above_six_once_more():
    """Six each: nothing in the end; never more than one player has more than six."""
    compiled = kernel(GAME, DEAL_ONLY)
    even = late = 0
    for seed in range(60):
        row = compare_random(compiled, Penchant(DEAL_ONLY), seed, alike)
        over = [10 * max(0, count - 6) for count in row["brisques"]]
        assert row["points_over_six"] == over
        even += row["brisques"] == [6, 6]
        late += sum(row["points_late_brisques"])
    assert even
    assert late


def test_the_same_cards_give_the_same_pack():
    rng = random.Random(1)
    pair = Pair(kernel(GAME, DEAL_ONLY), Penchant(DEAL_ONLY))
    deck = rng.sample(range(32), 32)
    pair.deal(deck)
    assert {code_of(card) for card in pair.reference.players[0].hand} == {*deck[:3], *deck[6:9]}
    assert {code_of(card) for card in pair.reference.players[1].hand} == {*deck[3:6], *deck[9:12]}
    assert len(pair.reference.stock) == 20
