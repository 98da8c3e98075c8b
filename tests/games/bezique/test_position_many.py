"""Positions in words of bezique for three and four: there and back, by hand, and what cannot be."""

from __future__ import annotations

import pytest

import simcards
from simcards.study.advise import read_position
from tests.games.bezique.positions import check_changed_texts, check_there_and_back, decisions

PARTNERS = ("partnership", "opposite")
ACES = (("first", "AS AS AH AH AD AD AC AC"), ("third", "AS AS AH AH AD AD AC AC"))
STUDIES = [
    ("bezique-three-handed", "basic", (), 0, (), "deal", 3),
    ("bezique-three-handed", "random", (), 1, (("remove_eights", 0), ("brisques", "at_end")), "deal", 2),
    ("bezique-three-handed", "random", (("turn-up", "7S"), ("first", "AS AS AH AH AD AD AC AC")), 2, (), "deal", 2),
    ("bezique-three-handed", "basic", (), 3, (("target", 800),), "game", 1),
    ("bezique-four-handed", "basic", (), 0, (), "deal", 1),
    ("bezique-four-handed", "basic", (), 1, (PARTNERS, ("regroup_last_eight", "yes")), "deal", 1),
    (
        "bezique-four-handed",
        "random",
        ACES,
        2,
        (PARTNERS, ("partner_seven", "yes"), ("brisques", "at_end"), ("regroup_last_eight", "yes")),
        "deal",
        3,
    ),
    ("bezique-four-handed", "random", (("turn-up", "7S"),), 3, (PARTNERS, ("target", 2500)), "game", 1),
]


@pytest.mark.parametrize("study", range(len(STUDIES)))
def test_a_replayed_position_is_written_and_read_as_the_same_view(study):
    check_there_and_back(*decisions(*STUDIES[study]))


@pytest.mark.parametrize("name", ["bezique-three-handed", "bezique-four-handed"])
def test_these_positions_are_many_and_of_all_kinds(name):
    phases, keys, values, count = set(), set(), set(), 0
    for study in STUDIES:
        if study[0] != name:
            continue
        plan, found = decisions(*study)
        for step, view in found:
            written = plan.load().positions.write(view[0])
            phases.add(step.phase)
            keys |= set(written)
            values |= {written.get("done"), written.get("declared", "").split(" ")[0]}
            count += 1
    assert phases == set(plan.load().phases)
    assert set(plan.load().positions.keys) == keys
    if name == "bezique-four-handed":
        assert values >= {"scored", "shown", "scored shown", "show", "aces"}
    assert count > 800


@pytest.mark.parametrize("study", [1, 6])
def test_a_text_with_one_thing_changed_is_read_or_refused_in_one_line(study):
    plan, found = decisions(*STUDIES[study])
    check_changed_texts(plan, found, 700)


def read(game, text, unit=None, **rules):
    return read_position(simcards.game(game).plan(rules=rules, unit=unit), text)


def worths(game, text, worlds=100, **more):
    result = simcards.game(game).advise(text, worlds=worlds, **more)
    return {row.action: (row.estimate, row.se) for row in result.frame.itertuples()}


def test_the_last_trick_of_three_is_worth_what_it_brings():
    # two brisques at ten each, and ten for the last trick: 130, 50 and 20
    text = "hand: AS; known: TS / KS; trump: H; points: 100 - 50 - 20"
    assert worths("bezique-three-handed", text) == {"plays AS": (80 + 110, 0)}
    # the second wins: the ace of hearts is a trump
    text = "hand: AS; known: AH / KS; trump: H; points: 100 - 50 - 20"
    assert worths("bezique-three-handed", text) == {"plays AS": (20 + 80, 0)}
    # the last to play: his trump wins two brisques besides
    text = "hand: 7H; led: AS TS; trump: H; points: 0 - 0 - 0"
    assert worths("bezique-three-handed", text) == {"plays 7H": (60, 0)}


def test_the_last_trick_of_partners_goes_to_a_side():
    text = "hand: AS; known: TS / KS / QS; trump: H; points: 100 - 50 - 20 - 10; pair: first"
    assert worths("bezique-four-handed", text.replace("; pair: first", ""), rules={"partnership": "opposite"}) == {
        "plays AS": (100 + 20 + 30 - 60, 0)
    }
    # parted, the two halves of what a pair wins go to both sides
    rules = {"partnership": "opposite", "regroup_last_eight": "yes"}
    assert worths("bezique-four-handed", text, rules=rules) == {"plays AS": (120 - 60, 0)}


def test_a_short_text_is_enough():
    question = read("bezique-three-handed", "hand: AS KS QS 9H JH TD JD 9C; trump: H; stock: 32; brisques: 1 - 0 - 2")
    view = question.view[0]
    assert (view["common"]["draws"], view["common"]["trick"]) == (10, 13)
    assert question.assumed == (
        "7H turned up, as after an exchange",
        "no points so far",
        "the 39 cards played were not named: drawn at random in each world",
    )
    views = question.views(2, 0, 100)
    assert (views["common"]["seen"].sum(axis=1) == 39).all()
    # with the stock gone two cards are left over
    assert read("bezique-three-handed", "hand: AS KS; trump: H").view[0]["common"]["stock"] == 2


def test_points_that_are_due_tell_what_was_played():
    text = "hand: AS KS QS 9H JH TD JD 9C; trump: H; stock: 68; brisques: 0 - 0 - 0"
    rules = {"brisques": "at_end"}
    views = read("bezique-three-handed", f"{text}; due: 20 - 0 - 10", **rules).views(2, 0, 100)
    high = [card for card in range(32) if card % 8 >= 6]
    assert (views["common"]["seen"][:, high].sum(axis=1) == 3).all()
    assert (views["due"] == [20, 0, 10, 0]).all()
    views = read("bezique-three-handed", text, **rules).views(2, 0, 100)
    assert (views["due"].sum(axis=1) == 10 * views["common"]["seen"][:, high].sum(axis=1)).all()


def test_the_partner_declares_after_the_winner():
    text = "hand: QS 7H 7S 8S 8D 9D 9D; other tables: / KS(m); trump: D; stock: 40; phase: declare; leader: partner"
    question = read("bezique-four-handed", text, partnership="opposite")
    assert "declares a marriage in spades" not in question.words  # the king has been in one
    question = read("bezique-four-handed", text.replace("KS(m)", "KS(f)"), partnership="opposite")
    assert question.words == ("declares nothing", "declares a marriage in spades", "shows a marriage in spades")
    assert question.view[0]["common"]["leader"] == 2
    question = read("bezique-four-handed", f"{text.replace('KS(m)', 'KS')}; done: scored", partnership="opposite")
    assert question.words == ("declares nothing", "shows a marriage in spades")


HAND = "AS KS QS 9H JH TD JD 9C"
SEVEN = "AS KS QS 9H JH TD JD"
WRONG = [
    ("bezique-three-handed", "trump: H", "a position says what the player holds"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 33", "3 cards are drawn at a time, and 2 are left over"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 80", "stock: a whole number from 2 to 71, not '80'"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; points: 3 - 4", "points: 3 numbers, one's own first"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; led: AS AH AD", "led: at most 2 cards have been"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; known: AS / AH / AD", "known: one list of cards a"),
    (
        "bezique-three-handed",
        f"hand: {HAND}; trump: H; stock: 32; tricks: 3 - 4 - 5",
        "tricks: 3, 4 and 5, but 13 were",
    ),
    ("bezique-three-handed", f"hand: {HAND}; turn-up: 9D; seat: second", "it is the turn of first"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; due: 10 - 0 - 0", "counted at the end of the deal"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; known: 8C 8C 8C", "8C is given 3 times"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; sevens: 1 - 0 - 0", "cannot have been scored, it"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; played: AS AS", "played: 2 cards, but tricks have 3"),
    ("bezique-three-handed", f"hand: {SEVEN}; trump: H; stock: 32; leader: me", "there is no key 'leader'"),
    ("bezique-three-handed", f"hand: {SEVEN}; trump: H; stock: 32; phase: declare; led: AS", "no card is led in the"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; phase: declare", "hand and table hold 8 cards"),
    ("bezique-three-handed", f"hand: {HAND}; trump: H; stock: 32; deal: 2", "deal: there is only one, unless"),
    ("bezique-three-handed", "hand: AS; table: KS; trump: H", "the tables are empty when the stock is gone"),
    ("bezique-four-handed", f"hand: {SEVEN}; trump: H; stock: 32; phase: declare; leader: partner", "are no partners"),
    ("bezique-four-handed", f"hand: {SEVEN}; trump: H; stock: 32; phase: declare; done: scored", "done: it says what"),
    ("bezique-four-handed/", f"hand: {HAND}; trump: H; stock: 32; leader: partner", "leader: it is said in the phases"),
    (
        "bezique-four-handed/",
        f"hand: {SEVEN}; trump: H; stock: 32; phase: declare; done: scored",
        "who has scored is not asked again",
    ),
    (
        "bezique-four-handed/",
        f"hand: {SEVEN}; trump: H; stock: 32; phase: declare; done: sung",
        "done: scored, shown or",
    ),
    ("bezique-four-handed/", "hand: AS; trump: H", "pair: say who won the trick before the last eight"),
    ("bezique-four-handed/", f"hand: {HAND}; trump: H; stock: 0; pair: second", "pair: 'second' does not fit"),
    ("bezique-four-handed/", f"hand: {HAND}; trump: H; stock: 32; pair: second", "partners part only for the last"),
    ("bezique-four-handed", f"hand: {SEVEN}; trump: H; stock: 32; declared: show kings", "show kings cannot be scored"),
]


@pytest.mark.parametrize(("game", "text", "wrong"), WRONG, ids=[wrong[:40] for _, _, wrong in WRONG])
def test_what_cannot_be_is_refused_in_one_line(game, text, wrong):
    rules = {"partnership": "opposite", "regroup_last_eight": "yes"} if game.endswith("/") else {}
    with pytest.raises(simcards.UsageError) as caught:
        read(game.rstrip("/"), text, **rules)
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)
