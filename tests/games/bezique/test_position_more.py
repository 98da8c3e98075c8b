"""Positions in words of polish bezique, of bezique with six packs and of binocle."""

from __future__ import annotations

import pytest

import simcards
from simcards.study.advise import read_position
from tests.games.bezique.positions import check_changed_texts, check_there_and_back, decisions, differences, meaning

# dealt hands that are a carte blanche are rare, so they are given
PLAIN = (("pone", "7S 7S 8S 8S 9S 9S TS TS AS AS 7D 8D"), ("dealer", "7H 7H 8H 8H 9H 9H TH TH AH AH 7C 8C"))
NINES = (("pone", "9H 9S AS AS KH QH JS JD QS TD KD TS"), ("turn-up", "9H"))
STUDIES = [
    ("polish-bezique", "basic", (), 0, (), "deal", 6),
    ("polish-bezique", "random", (), 1, (("recaptured", "new"), ("brisques", "at_end")), "deal", 4),
    ("polish-bezique", "basic", (), 2, (("reform", "yes"),), "game", 2),
    ("polish-bezique", "random", (("pone", "AS AS AH AH AD AD AC AC"),), 4, (("reform", "yes"),), "deal", 8),
    ("bezique-six-pack", "basic", (), 0, (), None, 2),
    ("bezique-six-pack", "random", (), 1, (("reform", "broken"),), None, 2),
    ("bezique-six-pack", "basic", PLAIN, 2, (), None, 1),
    ("bezique-six-pack", "random", PLAIN, 3, (("dealer_shows", "after"), ("reform", "no")), None, 1),
    ("binocle", "basic", (), 0, (), "deal", 12),
    ("binocle", "random", NINES, 1, (("grand_binocle", "yes"), ("fresh", "table")), "deal", 8),
    ("binocle", "basic", NINES, 2, (("target", 300),), "game", 3),
    ("binocle", "random", (), 3, (("looking", "yes"), ("target", 300), ("target_step", 40)), "game", 4),
    ("binocle", "random", (), 4, (("claims", "no"), ("target", 100), ("target_step", 400)), "game", 3),
    ("binocle-64", "basic", (), 0, (), "deal", 8),
    ("binocle-64", "random", (), 1, (("looking", "yes"), ("target", 300)), "game", 3),
]


@pytest.mark.parametrize("study", range(len(STUDIES)))
def test_a_replayed_position_is_written_and_read_as_the_same_view(study):
    check_there_and_back(*decisions(*STUDIES[study]))


@pytest.mark.parametrize("names", [("polish-bezique",), ("bezique-six-pack",), ("binocle", "binocle-64")])
def test_these_positions_are_many_and_of_all_kinds(names):
    phases, keys, count, marks = set(), set(), 0, set()
    for study in STUDIES:
        if study[0] not in names:
            continue
        plan, found = decisions(*study)
        for step, view in found:
            written = plan.load().positions.write(view[0])
            phases.add(step.phase)
            keys |= set(written)
            marks |= set(written.get("table", ""))
            count += 1
    # that both cards of a meld lie open on the table and are in the hand as well hardly ever happens in binocle
    rare = {"lay", "declared", "taken"} if "binocle" in names else set()
    assert phases | rare >= set(plan.load().phases)
    assert keys | rare >= set(plan.load().positions.keys)
    assert marks >= {"polish-bezique": set("cm-sbf"), "bezique-six-pack": set("mstb-"), "binocle": set("msb")}[names[0]]
    assert count > 800


@pytest.mark.parametrize("study", [2, 5, 11])
def test_a_text_with_one_thing_changed_is_read_or_refused_in_one_line(study):
    plan, found = decisions(*STUDIES[study])
    check_changed_texts(plan, found, 1000)


def read(game, text, unit=None, **rules):
    return read_position(simcards.game(game).plan(rules=rules, unit=unit), text)


def worths(game, text, worlds=200, **more):
    result = simcards.game(game).advise(text, worlds=worlds, **more)
    return {row.action: (row.estimate, row.se) for row in result.frame.itertuples()}


def test_a_captured_card_serves_and_is_not_played():
    hand = "hand: QH 7S 7S 8S 9S 9D 9D"
    text = f"{hand}; table: KH(c); trump: D; stock: 20; phase: declare"
    assert read("polish-bezique", text).words == ("declares nothing", "declares a marriage in hearts")
    question = read("polish-bezique", f"{hand} 8D; table: KH(c); trump: D; stock: 20")
    assert "plays KH from the table" not in question.words
    # 14 tricks are over: the king is one of their cards, and 27 were not named
    assert "27 of the 28 cards played were not named: drawn at random in each world" in question.assumed
    assert (question.views(1, 0, 50)["common"]["seen"].sum(axis=1) == 27).all()


def test_what_the_card_led_was_scored_in_is_kept():
    view = read("polish-bezique", "hand: QH 7S 7S 8S 9S 9D 9D 8D; led: KH(m f-); trump: D; stock: 20").view[0]
    assert view["led_used"] == 3
    view = read("polish-bezique", "hand: QH 7S 7S 8S 9S 9D 9D 8D; led: QS(b2); trump: D; stock: 20").view[0]
    assert view["led_used"] == 8


def test_the_last_trick_of_polish_bezique_is_worth_what_it_brings():
    # ace and ten: ten points each, and ten for the last trick
    text = "hand: AS; known: TS; trump: H; brisques: 8 - 6; points: 100 - 40"
    assert worths("polish-bezique", text) == {"plays AS": (100 + 30 - 40, 0)}


def test_the_last_trick_with_six_packs_may_serve_ill_and_is_declined():
    # 3,000 is the rubicon: with it 1,000 and both scores, else 1,000 and the difference, in hundreds
    found = worths("bezique-six-pack", "phase: take; trump: H; points: 2900 - 2700")
    assert found == {
        "declines the points for the last trick": (12, 0),
        "takes the points for the last trick": (69, 0),
    }
    # who loses and stays behind anyhow pays less while the winner's rubicon is not the matter
    found = worths("bezique-six-pack", "phase: take; trump: H; points: 2400 - 2900")
    assert found == {
        "declines the points for the last trick": (-15, 0),
        "takes the points for the last trick": (-13, 0),
    }
    # it is reached by the last trick: the ace wins, and basic takes the points
    found = worths("bezique-six-pack", "hand: AS; led: TS; trump: H; points: 2900 - 2700")
    assert found == {"plays AS": (69, 0)}


def test_four_trumps_with_six_packs_lie_together():
    table = "KH(t) KH(t) KH(t f) KH(t) KS(f-)"
    slots = read("bezique-six-pack", f"hand: 7S 7S 8S 8S 9S 9D AC; table: {table}; trump: H; stock: 80").view[0]
    slots = slots["public"]["table"][0][:5]
    assert slots["used"].tolist() == [64, 64, 66, 64, 2]
    assert slots["four"].tolist() == [1, 1, 1, 1, 0]


def test_the_dealer_shows_carte_blanche_before_the_first_lead():
    hand = dict(PLAIN)["dealer"]
    question = read("bezique-six-pack", f"hand: {hand}; phase: show; seat: dealer; trump: none")
    assert question.words == ("does not show", "shows carte blanche")
    assert question.seat == "dealer"
    with pytest.raises(simcards.UsageError, match="without a card led it is the pone's turn"):
        read("bezique-six-pack", f"hand: {hand}; phase: show; seat: dealer", dealer_shows="after")


REST = "S:TTKKQQJJ99 H:AATTKKQQJJ99 D:AATTKKQQJJ99 C:AATTKKQQJJ99"


def test_the_last_trick_of_binocle_is_worth_what_it_brings():
    # all 48 cards count 240; the two aces are still there, and the first played wins: 22, and 10 for the last trick
    text = f"hand: AS; known: AS; trump: H; stock: 0; played: {REST}; in cards: 118 - 100; points: 100 - 70"
    assert worths("binocle", text) == {"plays AS": (100 + 118 + 22 + 10 - 70 - 100, 0)}
    # the same cards, with sevens and eights gone besides
    more = REST.replace("99", "998877")
    assert worths("binocle-64", text.replace(REST, more)) == {"plays AS": (80, 0)}


def test_whoever_has_the_points_wins_by_claiming():
    text = "phase: claim; next: end; trump: S; in cards: 120 - 120; points: 880 - 870"
    assert worths("binocle", text, unit="game")["claims the game"] == (1, 0)
    assert worths("binocle", text.replace("880", "879"), unit="game")["claims the game"] == (-1, 0)


def test_one_of_two_cards_is_chosen_for_a_meld():
    text = (
        "hand: KH QH 9S 9S TS AC TD; table: KH(f) QH(f) KS(f) KD(f); declared: marriage in hearts; stock: 10; trump: C"
    )
    question = read("binocle", text)
    assert question.words == ("lays QH from the hand", "lays KH from the hand")
    assert question.position["table"] == "KH(f) QH(f) KS(f) KD(f)"
    assert question.position["declared"] == "marriage in hearts"
    again = read("binocle", "\n".join(f"{key}: {value}" for key, value in question.position.items()))
    assert not differences(meaning(again.view), meaning(question.view))
    with pytest.raises(simcards.UsageError, match="there is no choice of cards for marriage in hearts"):
        read("binocle", text.replace("KH(f) QH(f)", "KH(f) JH"))
    with pytest.raises(simcards.UsageError, match="declared: sequence in hearts cannot be scored"):
        read("binocle", text.replace("marriage in", "sequence in"))


def test_points_in_cards_that_were_forfeited_go_to_nobody():
    text = "hand: AS KS QS JS; trump: H; forfeited: other; points: 800 - 800"
    views = read("binocle", text, unit="game", looking="yes").views(3, 0, 200)
    assert (views["pile"][:, 1] == 0).all()
    assert len(set(views["pile"][:, 0].tolist())) > 10


HAND = "AS KS QS 9H JH TD JD 9C"
TWELVE = f"{HAND} 9D TC JC JS"
WRONG = [
    ("polish-bezique", f"hand: {HAND}; table: 9S(c); trump: H", "table: 9S is not captured: kings, queens, jacks and"),
    ("polish-bezique", f"hand: {HAND}; table: TS(c); trump: H; stock: 20", "table: TS is no trump, so it cannot have"),
    ("polish-bezique", f"hand: {HAND}; led: KS(x); trump: H", "led: 'x' behind KS is no mark; they are m, s, b and f"),
    ("polish-bezique", f"hand: {HAND}; led: KS(c); trump: H", "led: 'c' behind KS is no mark"),
    ("polish-bezique", f"hand: {HAND}; led: KS KH; trump: H", "led: one card, not 2"),
    ("polish-bezique", "hand: AS; led: KS(m); trump: H", "led: it came from the hand, since the stock is gone"),
    (
        "polish-bezique",
        f"hand: {HAND}; table: KS(c) KH(c) KD(c); stock: 46; trump: H",
        "played: 0 cards and 3 captured, but with 46 cards in the stock and 8 with the player it is 2",
    ),
    (
        "polish-bezique",
        f"hand: {HAND}; table: TH(c); stock: 46; trump: H; brisques: 0 - 1",
        "brisques: 0 and 1, but those captured are 1 and 0",
    ),
    ("polish-bezique", "hand: AS; table: KS(c); trump: H", "the tables are empty when the stock is gone"),
    ("bezique-six-pack", f"hand: {TWELVE}; credit: A", "there is no key 'credit' in a position of bezique-six-pack"),
    ("bezique-six-pack", "phase: take; hand: AS; trump: H", "the phase 'take' comes after the last trick"),
    ("bezique-six-pack", f"hand: {HAND}; table: KS(t) KS KS KS; trump: H", "KS is no trump, so it cannot have been"),
    ("bezique-six-pack", f"hand: {HAND}; table: KS(e) KS KS KS", "they are m, s, b, f and t for what it was scored in"),
    ("bezique-six-pack", f"hand: {HAND}; table: TS(f) KS KS KS", "TS cannot have been scored in a four"),
    ("bezique-six-pack", f"hand: {TWELVE}; leader: other", "leader: 'other' does not fit, since the pone leads to"),
    (
        "bezique-six-pack",
        f"hand: {HAND}; table: KH(t5) KH(t5) KH(t5) KS; trump: H; stock: 80",
        "table: the four with the number 5 is not whole",
    ),
    ("binocle", f"hand: {TWELVE[:-2]}7S; trump: H", "hand: "),
    ("binocle", f"hand: {TWELVE}; trump: H", "at the first trick the card turned up is still there"),
    ("binocle", f"hand: {TWELVE}; trump: H; stock: 10; dix: 2 - 0", "dix: 2 of trumps in the hand cannot have been"),
    ("binocle", f"hand: {TWELVE}; trump: H; stock: 10; known: 9H", "all nines of trumps are elsewhere"),
    ("binocle", f"hand: {TWELVE}; trump: H; stock: 10; forfeited: mine", "nobody looks at old tricks without the rule"),
    (
        "binocle",
        f"hand: {HAND}; table: KS(b3) KH KD KC; trump: H; stock: 10",
        "KS cannot have been scored in a bezique",
    ),
    ("binocle/", "phase: claim; hand: AS; trump: H", "points: with 0 the goal of 1000 is out of reach"),
    ("binocle/", "hand: AS; trump: H; points: 1000 - 0", "points: whoever has 1000 points has won, since 1000 win"),
    (
        "binocle",
        "hand: AS; trump: H; in cards: 200 - 100",
        "in cards: 200 and 100, but the cards played hold 218 to 229",
    ),
]


@pytest.mark.parametrize(("game", "text", "wrong"), WRONG, ids=[wrong[:40] for _, _, wrong in WRONG])
def test_what_cannot_be_is_refused_in_one_line(game, text, wrong):
    with pytest.raises(simcards.UsageError) as caught:
        read(game.rstrip("/"), text, unit="game" if game.endswith("/") else None)
    assert wrong in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "inner"), [("chouette-bezique", "rubicon-bezique"), ("chouette-six-pack", "bezique-six-pack")]
)
def test_a_chouette_has_the_positions_of_the_game_played_in_it(name, inner):
    with pytest.raises(simcards.UsageError, match=f"is one of the game played in it: ask about it in {inner}"):
        read(name, "hand: AS; trump: H")
