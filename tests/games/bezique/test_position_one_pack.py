"""Positions in words of cinq-cents and penchant: there and back, by hand, and what cannot be."""

from __future__ import annotations

import pytest

import simcards
from simcards.study.advise import read_position
from tests.games.bezique.positions import check_changed_texts, check_there_and_back, decisions

# the seven of hearts turned up is a question to the dealer before the first trick, in a game that he may have won
STUDIES = [
    ("cinq-cents", "basic", (), 0, (), "deal", 25),
    ("cinq-cents", "random", (), 1, (("draw_order", "pone"),), "deal", 20),
    ("cinq-cents", "basic", (("turn-up", "7H"),), 2, (("target", 120),), "game", 8),
    ("cinq-cents", "random", (), 3, (("target", 150), ("target_step", 30)), "game", 8),
    ("cinq-cents", "basic", (), 8, (("knocking", "no"), ("target", 100), ("target_step", 40)), "game", 6),
    ("penchant", "basic", (), 0, (), "deal", 25),
    ("penchant", "random", (), 1, (), "deal", 20),
    ("penchant", "basic", (), 2, (), "game", 8),
    ("penchant", "random", (), 3, (("blocking", "no"),), "game", 6),
]


@pytest.mark.parametrize("study", range(len(STUDIES)))
def test_a_replayed_position_is_written_and_read_as_the_same_view(study):
    check_there_and_back(*decisions(*STUDIES[study]))


@pytest.mark.parametrize("name", ["cinq-cents", "penchant"])
def test_these_positions_are_many_and_of_all_kinds(name):
    phases, keys, following, count = set(), set(), set(), 0
    for study in STUDIES:
        if study[0] != name:
            continue
        plan, found = decisions(*study)
        for step, view in found:
            written = plan.load().positions.write(view[0])
            phases.add(step.phase)
            keys |= set(written)
            following.add(written.get("next"))
            count += 1
    assert phases == set(plan.load().phases)
    # combinations are counted by the numbers on the table as long as no card of them has been played
    assert set(plan.load().positions.keys) - keys <= {"declared", "taken", "combinations"} - (
        set() if name == "cinq-cents" else {"declared", "taken"}
    )
    assert count > 2500
    if name == "cinq-cents":
        assert following == {None, "declare", "draw", "lead", "end"}


@pytest.mark.parametrize("study", [2, 3, 7])
def test_a_text_with_one_thing_changed_is_read_or_refused_in_one_line(study):
    plan, found = decisions(*STUDIES[study])
    check_changed_texts(plan, found, 1000)


def read(game, text, unit=None, **rules):
    return read_position(simcards.game(game).plan(rules=rules, unit=unit), text)


def worths(game, text, worlds=400, **more):
    result = simcards.game(game).advise(text, worlds=worlds, **more)
    return {row.action: (row.estimate, row.se) for row in result.frame.itertuples()}


PLAYED = "S:TKQJ987 H:AKQJ8 D:ATKQJ987 C:ATKQJ987"  # all but AS, 9H, TH, 7H
LAST = "hand: 9H; trump: S; stock: 0"


def test_the_last_trick_of_cinq_cents_is_worth_what_it_brings():
    # the ace wins the king: 11 + 4 points, and 10 for the last trick; 39 are the other's
    played = "S:TQJ987 H:ATKQJ987 D:ATKQJ987 C:ATKQJ987"
    text = f"hand: AS; trump: H; stock: 0; known: KS; played: {played}; in cards: 66 - 39; points: 20 - 50"
    (found,) = worths("cinq-cents", text).values()
    assert found == (20 + 66 + 11 + 4 + 10 - 50 - 39, 0)


def test_what_is_known_of_cards_won_tells_what_the_other_holds():
    # AS 9H TH 7H are not among the 28; 2 of AS TH 7H were played: 120 - 99 is 21, or 11, or 10 of them
    # with 21 of them the other has the seven: the nine wins, and 10 for the last trick
    (found,) = worths("cinq-cents", f"{LAST}; played: {PLAYED}; in cards: 80 - 40").values()
    assert found == (80 + 10 - 40, 0)
    # with 11 he has the ten: 10 points and the last trick are his
    (found,) = worths("cinq-cents", f"{LAST}; played: {PLAYED}; in cards: 60 - 50").values()
    assert found == (60 - 50 - 20, 0)
    # with 10 he has the ace of trumps
    (found,) = worths("cinq-cents", f"{LAST}; played: {PLAYED}; in cards: 50 - 59").values()
    assert found == (50 - 59 - 21, 0)
    # without a word of them the three are equally likely, and what was won went either way
    ((worth, error),) = worths("cinq-cents", f"{LAST}; played: {PLAYED}", worlds=4000).values()
    assert abs(worth - (10 - 20 - 21) / 3) < 4 * error
    assert 0 < error < 1


def test_whoever_has_the_points_wins_by_knocking():
    text = "phase: knock; next: end; trump: S; in cards: 60 - 60; points: 450 - 445"
    found = worths("cinq-cents", text, unit="game")
    assert found["knocks"] == (1, 0)
    # else both have it and the goal goes up to 600
    assert -1 < found["does not knock"][0] < 1
    wrong = worths("cinq-cents", text.replace("450", "430"), unit="game")
    assert wrong["knocks"] == (-1, 0)
    question = read("cinq-cents", text, unit="game")
    assert question.view["common"]["trick"] == 16
    assert question.text.startswith("seat: pone\nphase: knock\n")


def test_a_short_text_of_cinq_cents_is_enough():
    question = read("cinq-cents", "hand: AS KS QS 9H 8H 7C TD JD; trump: H; stock: 6")
    view = question.view[0]
    assert view["common"]["trick"] == 5
    assert question.assumed == (
        "7H turned up, as after an exchange",
        "no points so far",
        "the 10 cards played were not named: drawn at random in each world",
        "points in cards played went to either player at random in each world",
    )
    views = question.views(5, 0, 300)
    values = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    worth = [values.get("789JQKTA"[card % 8], 0) for card in range(32)]
    assert (views["pile"].sum(axis=1) == views["common"]["seen"] @ worth).all()
    assert (views["common"]["seen"].sum(axis=1) == 10).all()


def test_a_card_on_the_table_of_cinq_cents_has_been_scored():
    text = "hand: AS TS JS 9H; table: KS QS(m) KD(m1) QD(m1); trump: H; stock: 6; phase: play"
    slots = read("cinq-cents", text).view[0]["public"]["table"][0][:4]
    assert slots["used"].tolist() == [63] * 4
    assert slots["marriage"].tolist() == [0, 0, 1, 1]


def test_the_last_trick_of_penchant_is_worth_what_it_brings():
    # ace and ten are two more brisques to six: ten points each at once and again above six
    played = "S:789JQK H:789TJQKA D:789TJQKA C:789TJQKA"
    text = f"hand: AS; led: TS; stock: 0; played: {played}; trump: none; brisques: 6 - 4; points: 100 - 70"
    assert worths("penchant", text) == {"plays AS": (100 + 40 - 70, 0)}
    # the same below the line of a game, which doubles the difference
    game = f"{text}; deal: 4; earlier brisques: 20 - 16"
    assert worths("penchant", game, unit="game") == {"plays AS": (2 * (100 + 40 - 70), 0)}
    # with the brisques of both unsaid each went to either player; the ten was certainly the other's to lead
    ((worth, error),) = worths("penchant", text.replace("; brisques: 6 - 4", ""), worlds=4000).values()
    # of ten fair coins: 10 for each above six of k + 2 mine, less those above six of 10 - k of his
    from math import comb

    mean = sum(comb(10, k) * (max(0, k - 4) - max(0, 4 - k)) * 10 for k in range(11)) / 1024
    assert abs(worth - (30 + 20 + mean)) < 4 * error


def test_who_lost_the_trick_declares_after_the_winner():
    text = "hand: QS JH 7S 8S 9S; phase: declare; leader: other; stock: 9; trump: none"
    question = read("penchant", text)
    assert question.words == ("declares nothing", "declares a penchant")
    assert question.view["public"]["cards"].tolist() == [[5, 6]]
    assert question.view["common"]["trick"] == 6
    assert read("penchant", text.replace("leader: other; stock: 9", "stock: 10")).words[-1] == "declares a penchant"


def test_the_cards_of_a_flush_are_chosen_one_by_one():
    text = "hand: KS QS JS AS; table: 9S; declared: flush with K Q J in spades"
    with pytest.raises(simcards.UsageError, match="declared: flush with K Q J in spades cannot be scored"):
        read("penchant", text.replace("9S", "TS") + "; stock: 10; trump: none")
    text = "hand: KS QS JS AS 9S; declared: flush with K Q J in spades; stock: 10; trump: none"
    with pytest.raises(simcards.UsageError, match="there is no choice of cards for flush"):
        read("penchant", text)
    text = "hand: KS QS JS 8S; table: 9S; declared: flush with K Q J in spades; stock: 10; trump: none"
    with pytest.raises(simcards.UsageError, match="there is no choice of cards for flush"):
        read("penchant", text)
    text = "hand: QS QH JD JC 7S; declared: penchant; stock: 10; trump: none"
    assert read("penchant", text).words == ("takes QS", "takes QH")
    assert read("penchant", f"{text}; taken: QS").words == ("takes JD", "takes JC")
    with pytest.raises(simcards.UsageError, match="taken: 7S cannot be taken for penchant here"):
        read("penchant", f"{text}; taken: 7S")


HAND = "AS KS QS 9H 8H TD JD 9C"
SIX = "AS KS QS 9H 8H TD"
WRONG = [
    ("cinq-cents", "trump: H", "a position says what the player holds"),
    ("cinq-cents", f"hand: {HAND}; sevens: 1 - 0", "there is no key 'sevens' in a position of cinq-cents"),
    ("cinq-cents", "hand: AS AS; trump: H", "AS is given 2 times; the pack has 1"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 6; known: 7H", "all sevens of trumps are elsewhere"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 6; in cards: 30", "in cards: two numbers, one's own and"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 14; in cards: 30 - 0", "but the cards played hold 0 to 22 points"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 14; in cards: 17 - 0", "17 and 0, but no 2 cards that may have"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 14; goal: 600", "goal: 0, not 600"),
    ("cinq-cents/", f"hand: {HAND}; trump: H; stock: 14; goal: 550", "goal: 500, or more by steps of 100, not 550"),
    ("cinq-cents/", f"hand: {HAND}; trump: H; stock: 14; goal: 600", "goal: it is 500 in the first deal"),
    ("cinq-cents/", f"hand: {HAND}; trump: H; stock: 14; goal: 600; deal: 6", "it was raised to 600 since both had"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 14; deal: 2", "deal: there is only one, unless the unit is a game"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 14; next: draw", "next: it belongs to the phase 'knock', not to"),
    ("cinq-cents", "hand: AS; trump: H; phase: knock", "nobody is asked for a knock in a single deal"),
    ("cinq-cents/", "hand: AS; trump: H; phase: knock", "points: with 0 the goal of 500 is out of reach"),
    ("cinq-cents/", "hand: AS; trump: H; phase: knock; next: end; points: 400 - 0", "next: lead with these cards, not"),
    (
        "cinq-cents/",
        f"hand: {HAND}; trump: H; phase: knock; stock: 6; points: 400 - 0",
        "in the phase 'knock' nobody has drawn yet, so a player has 7 cards at most",
    ),
    (
        "cinq-cents/",
        f"hand: {HAND}; turn-up: 7C; phase: knock; seat: pone; points: 400 - 400",
        "before the first trick only the dealer is asked, who has turned up the lowest trump",
    ),
    (
        "cinq-cents/",
        f"hand: {HAND}; turn-up: 8C; phase: knock; points: 400 - 400",
        "turn-up: before the first trick nobody is asked unless it is the seven of trumps",
    ),
    (
        "cinq-cents/",
        "hand: AS; led: 7S; trump: H; phase: knock; points: 400 - 0",
        "no card is led in the phase 'knock'",
    ),
    ("cinq-cents", "hand: AS; table: KS(m3 x); trump: H", "table: 'x' behind KS is no mark; they are m, s, b and f"),
    ("cinq-cents", f"hand: {HAND}; trump: H; stock: 14; brisques: 9 - 0", "brisques: 9 and 0, but there were no more"),
    ("penchant", f"hand: {SIX}; turn-up: 9H", "there is no key 'turn-up' in a position of penchant"),
    ("penchant", f"hand: {SIX} 7S", "hand and table hold 7 cards together; a player has at most 6"),
    ("penchant", f"hand: {SIX}; stock: 9", "stock: two cards are drawn at a time, so it is an even number, not 9"),
    ("penchant", "hand: AS KS; table: QS(m) JS KH; stock: 8", "table: cards on the table bear no marks in this game"),
    ("penchant", f"hand: {SIX}; stock: 10; leader: other", "leader: 'other' does not fit, since no card is led"),
    (
        "penchant",
        "hand: AS KS 7S 8S 9S; phase: declare; leader: other; stock: 10",
        "stock: the other has drawn and the player has not, so it is odd, not 10",
    ),
    (
        "penchant",
        "hand: AS KS 7S 8S 9S; phase: declare; leader: other; stock: 9",
        "who lost the trick declares only a penchant",
    ),
    ("penchant", f"hand: {SIX}; stock: 18; brisques: 3 - 0", "but the cards played hold 0 to 2 aces, tens and sevens"),
    ("penchant", f"hand: {SIX}; stock: 18; deal: 2", "deal: there is only one, unless the unit is a game"),
    ("penchant/", f"hand: {SIX}; stock: 18; deal: 5", "deal: a game has 4, so it cannot be the one with the number 5"),
    (
        "penchant",
        "hand: AS KS 7S 8S 9S; declared: sevens; stock: 10",
        "there is no declaration 'sevens' with a choice of cards",
    ),
    ("penchant", "hand: AS KS 7S 8S 9S; phase: lay; stock: 10", "what was declared? say so, as in 'declared: pair of"),
    ("penchant", "hand: AS KS 7S 8S 9S; declared: pair of aces; stock: 10", "declared: pair of aces cannot be scored"),
]


@pytest.mark.parametrize(("game", "text", "wrong"), WRONG, ids=[wrong[:40] for _, _, wrong in WRONG])
def test_what_cannot_be_is_refused_in_one_line(game, text, wrong):
    with pytest.raises(simcards.UsageError) as caught:
        read(game.rstrip("/"), text, unit="game" if game.endswith("/") else "deal")
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)
