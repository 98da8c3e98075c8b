"""The slow preferans by itself: the examples of the book, and deals that can be followed by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from .reference import (
    BIDS,
    MISERE,
    MISERE_DARK,
    NINE_DARK,
    PACK,
    Entry,
    Preferans,
    Rules,
    Sheet,
    order,
    pairs,
    replies,
    settle,
    talon_bonus,
    write_all_pass,
    write_contract,
)


def total(entries: list[Entry], where: str, seat: int) -> int:
    return sum(entry.amount for entry in entries if (entry.where, entry.seat) == (where, seat))


def test_six_with_four_tricks() -> None:
    entries = write_contract(6, 0, (1, 2), 4, (3, 3), "both")
    assert total(entries, "hill", 0) == 40
    assert total(entries, "pool", 0) == 0


@pytest.mark.parametrize(("tricks", "expected"), [((3, 3), (10, 10)), ((4, 2), (12, 8))])
def test_whists(tricks: tuple[int, int], expected: tuple[int, int]) -> None:
    entries = write_contract(6, 0, (1, 2), 4, tricks, "both")
    assert (total(entries, "whists", 1), total(entries, "whists", 2)) == expected


def test_no_more_for_tricks_over() -> None:
    entries = write_contract(6, 0, (1, 2), 8, (1, 1), "both")
    assert total(entries, "pool", 0) == 20
    assert (total(entries, "hill", 1), total(entries, "hill", 2)) == (20, 20)
    assert (total(entries, "whists", 1), total(entries, "whists", 2)) == (2, 2)


def test_a_single_whister() -> None:
    entries = write_contract(6, 0, (1, 2), 4, (1, 5), "first")
    # six tricks, two missing, and two more for the invitation; the other two missing
    assert (total(entries, "whists", 1), total(entries, "whists", 2)) == (12 + 4 + 4, 4)
    entries = write_contract(7, 0, (1, 2), 9, (0, 1), "second")
    assert (total(entries, "hill", 1), total(entries, "hill", 2)) == (0, 40)
    assert total(entries, "whists", 2) == 4
    assert total(entries, "pool", 0) == 40


def test_duty_at_eight_and_nine_is_the_second_whisters() -> None:
    for level in (8, 9):
        entries = write_contract(level, 2, (0, 1), 10, (0, 0), "both")
        assert total(entries, "hill", 0) == 0
        assert total(entries, "hill", 1) == {8: 60, 9: 80}[level]
    entries = write_contract(10, 2, (0, 1), 10, (0, 0), "both")
    assert entries == [Entry("pool", 2, 2, 100, "contracts")]


def test_all_pass_prices() -> None:
    for price in (10, 20, 40):
        entries = write_all_pass({0: 4, 1: 6, 2: 0}, price)
        assert [total(entries, "hill", seat) for seat in range(3)] == [4 * price, 6 * price, 0]
        assert [total(entries, "pool", seat) for seat in range(3)] == [0, 0, price]


def test_amnesty() -> None:
    hill = [Fraction(value) for value in (0, 120, 140)]
    table = pairs(hill, [[Fraction(0)] * 3 for _ in range(3)])
    assert table == [[0, 40, 47], [0, 0, 47], [0, 40, 0]]
    # the least hill is taken off all
    assert pairs([value + 70 for value in hill], [[Fraction(0)] * 3 for _ in range(3)]) == table


def test_netting() -> None:
    sheet = Sheet(3)
    sheet.whists[0][1], sheet.whists[1][0] = Fraction(125), Fraction(80)
    sheet.whists[0][2], sheet.whists[2][0] = Fraction(0), Fraction(23)
    results = settle(sheet)
    assert results[0] == 22
    assert results[1] == -45
    assert sum(results) == 0


def test_help() -> None:
    sheet = Sheet(3, {"pool": 200})
    sheet.pool = [Fraction(190), Fraction(50), Fraction(100)]
    sheet.win(0, Fraction(40), "contracts")
    assert sheet.pool == [200, 50, 130]
    assert sheet.whists[0][2] == 30
    sheet.win(0, Fraction(100), "contracts")
    assert sheet.pool == [200, 80, 200]
    assert (sheet.whists[0][1], sheet.whists[0][2]) == (30, 100)
    sheet.win(2, Fraction(500), "contracts")
    assert sheet.all_closed
    assert sheet.whists[2][1] == 120


def test_talon() -> None:
    assert talon_bonus(["AS", "AH"]) == 3
    assert talon_bonus(["AS", "KS"]) == 2
    assert talon_bonus(["KS", "AS"]) == 2
    assert talon_bonus(["KS", "QS"]) == 1
    assert talon_bonus(["QS", "KS"]) == 1
    assert talon_bonus(["AS", "KH"]) == 1
    assert talon_bonus(["KS", "QH"]) == 0
    assert talon_bonus(["KS", "KH"]) == 0


def test_row_of_calls() -> None:
    assert BIDS[0] == "6S"
    assert BIDS[4] == "6NT"
    assert BIDS[5] == "7S"
    assert BIDS[-1] == "10NT"
    assert len(BIDS) == 25
    assert order("8NT") < order(MISERE) < order("9S") < order("9NT") < order(MISERE_DARK) < order(NINE_DARK)


def test_replies() -> None:
    hand = {"AS", "7H", "8H", "QD"}
    assert replies(hand, "S", "H") == {"AS"}
    assert replies(hand, "C", "H") == {"7H", "8H"}
    assert replies(hand, "C", "") == hand


def dealt(seed: int = 1, rules: Rules | None = None) -> Preferans:
    game = Preferans(rules)
    pack = random.Random(seed).sample(PACK, 32)
    game.deal([pack[:10], pack[10:20], pack[20:30]], pack[30:])
    return game


def bids(game: Preferans, *calls: str) -> Preferans:
    for call in calls:
        game.apply(("pass",) if call == "pass" else ("bid", call))
    return game


def test_misere_is_answered_by_nine() -> None:
    game = bids(dealt(), MISERE)
    assert ("bid", "8NT") not in game.legal()
    assert ("bid", "9S") in game.legal()
    bids(game, "9S", "pass")
    assert game.turn == 0
    assert game.legal() == {("pass",), ("bid", MISERE_DARK)}
    bids(game, MISERE_DARK)
    assert ("bid", NINE_DARK) in game.legal()
    assert ("bid", "9H") not in game.legal()
    bids(game, NINE_DARK)
    assert game.turn == 0
    assert game.legal() == {("pass",)}
    bids(game, "pass")
    assert (game.declarer, game.step) == (1, "contract")
    assert ("contract", "9S") in game.legal()
    assert ("contract", "8NT") not in game.legal()


def test_misere_only_at_first() -> None:
    game = bids(dealt(), "6S", "6C", "pass")
    assert ("bid", MISERE) not in game.legal()
    assert ("bid", MISERE) in bids(dealt(), "8NT").legal()
    assert ("bid", MISERE) not in bids(dealt(), "9S").legal()


def test_whist_or_pass() -> None:
    game = bids(dealt(), "pass", "6S", "pass")
    assert (game.declarer, game.step) == (1, "discard")
    for card in sorted(game.hands[1])[:2]:
        game.apply(("discard", card))
    game.apply(("contract", "7D"))
    assert (game.step, game.turn) == ("whist", 2)
    assert game.legal() == {("pass",), ("whist",)}
    game.apply(("pass",))
    assert game.turn == 0
    # the second, after a pass: pass as well, whist and invite, or his own
    assert game.legal() == {("pass",), ("whist",), ("own",)}
    game.apply(("own",))
    assert game.over
    assert game.entries() == [Entry("pool", 1, 1, 40, "contracts"), Entry("whists", 0, 1, 4, "own")]


def test_first_whister_alone() -> None:
    game = bids(dealt(), "pass", "6S", "pass")
    for card in sorted(game.hands[1])[:2]:
        game.apply(("discard", card))
    for action in [("contract", "6D"), ("whist",), ("pass",)]:
        game.apply(action)
    assert (game.step, game.turn) == ("how", 2)
    assert game.legal() == {("own",), ("closed",), ("open",)}
    game.apply(("own",))
    assert game.entries() == [Entry("pool", 1, 1, 20, "contracts"), Entry("whists", 2, 1, 4, "own", 2)]


def test_all_pass_by_the_talon() -> None:
    for takes in (False, True):
        for seed in range(200):
            game = bids(dealt(seed, {"all_pass_talon": "takes" if takes else "shows"}), "pass", "pass", "pass")
            rng = random.Random(seed)
            starts = []
            while not game.over:
                if not game.laid:
                    starts.append(game.turn)
                game.apply(rng.choice(sorted(game.legal())))
            assert starts[:3] == [0, 0, 0]
            assert starts[3:] == [trick.winner for trick in game.tricks[2:9]]
            for trick, card in zip(game.tricks, game.talon):
                suit = [laid for laid in trick.cards if laid[1] == card[1]]
                assert suit  # the talon's suit is always followed
                best = max(suit, key=lambda laid: "789TJQKA".index(laid[0]))
                above = "789TJQKA".index(card[0]) > "789TJQKA".index(best[0])
                assert trick.winner == (3 if takes and above else trick.cards.index(best))
            assert sum(game.taken().values()) == 10


def test_ten_is_whisted_by_all() -> None:
    game = bids(dealt(), "10S", "pass", "pass")
    for card in sorted(game.hands[0])[:2]:
        game.apply(("discard", card))
    game.apply(("contract", "10NT"))
    assert (game.step, game.turn) == ("play", 0)
