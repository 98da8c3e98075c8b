"""The reference of cribbage by itself: the examples of the text, the order of the play and of the show."""

from __future__ import annotations

from itertools import permutations

import pytest

from .reference import PACK, Cribbage, laid_scores, show


def pile_scores(text, suits="SHDC"):
    return laid_scores([rank + suits[place % 4] for place, rank in enumerate(text)])


def hands(*texts):
    return [text.split() for text in texts]


def started(game, dealt, starter, discards, **rules):
    """A single deal, the crib laid away."""
    table = Cribbage(game, {"target": 0, **rules})
    table.deal(hands(*dealt), starter)
    cards = discards.split()
    while cards:
        table.apply(("discard", *cards[: table.give]))
        del cards[: table.give]
    return table


def lay(table, cards):
    """Who can lay nothing says so."""
    for card in cards.split():
        table.apply(("play", card))
        while not table.over and table.step == "play" and table.legal() == {("go",)}:
            table.apply(("go",))
    return table


def test_show_of_the_text():
    scores = show(["4H", "5H", "QH"], "6S")
    assert scores == {"fifteens": 4, "pairs": 0, "runs": 3, "flush": 3, "nobs": 0}


@pytest.mark.parametrize("text", ["K5", "J5", "5T", "96", "68A", "482A", "64A4", "384"])
def test_fifteen_in_play(text):
    """3-8-4 is a fifteen but no run, whatever the text says."""
    assert pile_scores(text) == {"fifteens": 2, "thirty_one": 0, "pairs": 0, "runs": 0}


def test_fifteen_with_pair_in_play():
    assert pile_scores("366") == {"fifteens": 2, "thirty_one": 0, "pairs": 2, "runs": 0}


@pytest.mark.parametrize(
    ("text", "points"),
    [("456", 3), ("546", 3), ("645", 3), ("654", 3), ("325", 0), ("3254", 4), ("325A4", 5), ("2A6534", 6), ("AKQ", 0)]
    + [("".join(first) + last, 4) for first in permutations("456") for last in "37"],
)
def test_runs_in_play(text, points):
    assert pile_scores(text)["runs"] == points


@pytest.mark.parametrize(("text", "points"), [("Q", 0), ("QQ", 2), ("QQQ", 6), ("3333", 12), ("7377", 2), ("373", 0)])
def test_pairs_in_play(text, points):
    assert pile_scores(text)["pairs"] == points


def test_thirty_one_and_pair():
    assert pile_scores("JJTA")["thirty_one"] == 2
    assert pile_scores("TTJA") == {"fifteens": 0, "thirty_one": 2, "pairs": 0, "runs": 0}


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        # 29: the largest hand; 8 fifteens, four fives, his nob
        ("5S 5H 5D JC", "5C", {"fifteens": 16, "pairs": 12, "runs": 0, "flush": 0, "nobs": 1}),
        # 28: tens instead
        ("5S 5H 5D 5C", "TC", {"fifteens": 16, "pairs": 12, "runs": 0, "flush": 0, "nobs": 0}),
        # a double double run
        ("4S 4H 5D 5C", "6C", {"fifteens": 8, "pairs": 4, "runs": 12, "flush": 0, "nobs": 0}),
        # a triple run
        ("4S 4H 4D 5C", "6C", {"fifteens": 6, "pairs": 6, "runs": 9, "flush": 0, "nobs": 0}),
        # five in a row
        ("AS 2H 3D 4C", "5C", {"fifteens": 2, "pairs": 0, "runs": 5, "flush": 0, "nobs": 0}),
        # flush of four, of five; the jack turned up is no nob
        ("2S 4S 6S 8S", "KD", {"fifteens": 0, "pairs": 0, "runs": 0, "flush": 4, "nobs": 0}),
        ("2S 4S 6S 8S", "JS", {"fifteens": 0, "pairs": 0, "runs": 0, "flush": 5, "nobs": 0}),
        # a seven-card hand: two runs apart from each other
        ("AS 2H 3D JC QC", "KH", {"fifteens": 6, "pairs": 0, "runs": 6, "flush": 0, "nobs": 0}),
        ("2S 4S 6S 8S TS", "JS", {"fifteens": 0, "pairs": 0, "runs": 0, "flush": 6, "nobs": 0}),
    ],
)
def test_shows(hand, starter, points):
    assert show(hand.split(), starter) == points


def test_flush_in_the_crib():
    crib = ["2S", "4S", "6S", "8S"]
    assert show(crib, "KD", crib=True)["flush"] == 0
    assert show(crib, "KS", crib=True)["flush"] == 5


def test_three_card_flush():
    assert show(["2S", "4S", "6S"], "KD")["flush"] == 3
    assert show(["2S", "4S", "6S"], "KS")["flush"] == 4


def test_deal_of_the_text():
    """The five-card deal printed in full. A may not say go: the five of clubs still fits."""
    table = started("cribbage-five-card", ("JH 9S 7D 5S 5C", "KS KC JD 8H 6H"), "5H", "9S 7D 8H 6H")
    lay(table, "JH JD 5S")
    assert table.turn == 0
    assert table.legal() == {("play", "5C")}
    lay(table, "5C")
    assert table.over
    assert (table.total(0, "before"), table.total(0, "play"), table.total(0, "hand")) == (3, 3, 15)
    assert (table.total(1, "play"), table.total(1, "hand"), table.total(1, "crib")) == (2, 8, 9)
    assert table.scores == [21, 19]
    assert table.total(0, "play", "last_card") == 1
    assert (table.total(0, "hand", "fifteens"), table.total(0, "hand", "pairs"), table.total(0, "hand", "nobs")) == (
        8,
        6,
        1,
    )
    assert (table.total(1, "hand", "fifteens"), table.total(1, "hand", "pairs")) == (6, 2)
    assert (table.total(1, "crib", "fifteens"), table.total(1, "crib", "runs")) == (4, 5)


@pytest.mark.parametrize(("low", "source", "points"), [("6C", "last_card", 1), ("7C", "thirty_one", 2)])
def test_go_of_the_text(low, source, points):
    """24 on the table, and only a nine in the hand."""
    table = started("cribbage-five-card", (f"9S KD 2H 3H {low}", "9D 5D QS 2C 3C"), "AH", "2H 3H 2C 3C")
    lay(table, f"9S 5D KD {low}")  # 24; the other has 9D and QS
    assert table.total(0, "play") == points
    assert table.total(0, "play", source) == points
    assert table.over
    assert table.events["cards left"]


@pytest.mark.parametrize(("rule", "points"), [("no", 1), ("yes", 2)])
def test_laying_on_may_score_each_time(rule, points):
    """The text: one can earn a point for the last card several times with several low cards. With five cards never."""
    deal = ("KS 3S 2S AS 2H AH", "KH QH TH JD 3H 3D"), "4C", "2H AH 3H 3D"
    table = lay(started("cribbage-six-card", *deal, last_card_again=rule), "KS KH 3S AS 2S")
    assert table.turn == 1
    assert table.total(0, "play", "last_card") == points
    assert table.total(0, "play", "runs") == 3


def test_cycles():
    """After 31 or two goes the other begins again, and the last card of all scores."""
    table = started("cribbage-six-card", ("KS QS JS 9H AS 2S", "KH QH JH TH AD 2D"), "5C", "AS 2S AD 2D")
    lay(table, "KS KH QS")  # 30: nobody can go on, QS is the last card
    assert table.total(0, "play", "last_card") == 1
    assert (table.turn, table.pile, table.cycle) == (1, [], 2)
    lay(table, "QH JS JH")  # 30 again
    assert table.total(1, "play", "last_card") == 1
    assert (table.turn, table.cycle) == (0, 3)
    lay(table, "9H TH")
    assert table.total(1, "play", "last_card") == 2
    assert table.over


def test_one_without_cards_lets_the_other_go_on():
    table = started("cribbage-six-card", ("AS 2S 3S 4S KD QD", "KH QH JH TH 9D 8D"), "5C", "KD QD 9D 8D")
    lay(table, "AS KH 2S QH 3S 4S")  # 30: the other three can never be laid in between
    assert table.total(0, "play", "last_card") == 1
    assert table.turn == 1
    lay(table, "JH TH")
    assert table.total(1, "play", "last_card") == 1
    assert table.over


def test_game_ends_at_once():
    table = Cribbage("cribbage-five-card", {"target": 3})
    table.deal(hands("JH 9S 7D 5S 5C", "KS KC JD 8H 6H"), "5H")
    assert table.over
    assert (table.winner, table.scores) == (0, [3, 0])
    table = started("cribbage-six-card", ("KS QS 3S 9H AS 2S", "KH QH JH TH AD 2D"), "JC", "AS 2S AD 2D", target=2)
    assert (table.over, table.winner, table.scores) == (True, 1, [0, 2])


def test_pone_counts_first():
    """Both would reach the target by their hands: the pone's is counted, the dealer's is not any more."""
    deal = ("5S 5H JD JC AS 2S", "5D 5C JS JH AD 2D"), "9C", "AS 2S AD 2D"
    plays = "5S 5C JC 5D 5H JS JD JH"
    whole = lay(started("cribbage-six-card", *deal), plays)
    assert (whole.total(0, "hand"), whole.total(1, "hand")) == (13, 12)
    target = whole.total(0, "play") + 13
    assert whole.total(1, "play") < target <= whole.total(1, "play") + 12
    table = lay(started("cribbage-six-card", *deal, target=target), plays)
    assert (table.winner, table.total(1, "hand"), table.total(1, "crib")) == (0, 0, 0)


@pytest.mark.parametrize("after", ["before_discard", "after_discard"])
def test_auction(after):
    """The pone must open; the buyer pays, leads, and shows hand and crib first; heels stay with the dealer."""
    table = Cribbage("cribbage-auction", {"target": 0, "auction": after})
    table.deal(hands("KS QS 3S 9H AS 2S", "KH QH 6H TH AD 2D"), "JC")
    discards = [("discard", "AS", "2S"), ("discard", "AD", "2D")]
    bids = [("bid", "1"), ("bid", "3"), ("bid", "4"), ("pass",)]
    for action in discards if after == "after_discard" else []:
        table.apply(action)
    assert ("pass",) not in table.legal()
    for action in bids:
        table.apply(action)
    for action in discards if after == "before_discard" else []:
        table.apply(action)
    assert table.scores == [-4, 2]
    assert (table.turn, table.owner) == (0, 0)
    while not table.over:
        table.apply(min(table.legal()))
    stages = [(entry.stage, entry.seat) for entry in table.entries if entry.stage in ("hand", "crib")]
    assert list(dict.fromkeys(stages)) == [("hand", 0), ("crib", 0), ("hand", 1)]
    table = Cribbage("cribbage-auction", {"target": 0})
    table.deal(hands("KS QS 3S 9H AS 2S", "KH QH 6H TH AD 2D"), "JC")
    for action in (("bid", "1"), ("bid", "2"), ("pass",)):
        table.apply(action)
    assert (table.scores, table.owner) == ([0, -2], 1)


def test_four_handed():
    dealt = ("KS QS 3S 9H AS", "KH 8H 6H TH AH", "KD 8D 6D TD AD", "KC 8C 6C TC AC")
    table = started("cribbage-four-handed", dealt, "5S", "AS AH AD AC")
    assert table.crib == ["AS", "AH", "AD", "AC"]
    lay(table, "KS KH TD")  # a pair for the second pair of players; 30, all stop
    assert table.total(1, "play", "pairs") == 2
    assert table.total(0, "play", "last_card") == 1
    assert table.turn == 3
    while not table.over:
        table.apply(max(table.legal()))
    shown = [entry.seat for entry in table.entries if entry.stage in ("hand", "crib")]
    assert shown == sorted(shown)
    assert table.total(1, "crib", "pairs") == 12


@pytest.mark.slow
def test_mean_of_all_hands_is_known():
    """The largest hand is 29, and 19 cannot be scored: two facts every player knows."""
    import random

    rng = random.Random(1)
    totals = set()
    for _ in range(20000):
        cards = rng.sample(PACK, 5)
        totals.add(sum(show(cards[:4], cards[4]).values()))
    assert not totals & {19, 25, 26, 27}
    assert max(totals) <= 29
