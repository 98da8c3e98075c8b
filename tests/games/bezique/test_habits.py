"""The habits of `basic`: each parameter does what it says, and a search leaves them alone."""

import functools

import pytest

from simcards.games.registry import load
from simcards.study.plan import make_plan
from simcards.study.samples import samples

DEALS = 1_500
GAMES = ("bezique", "rubicon-bezique", "chinese-bezique", "bezique-six-pack", "cinq-cents", "penchant")


@functools.cache
def played(game, strategy, unit=None):
    """Return the rows of deals in which both seats have the same habits."""
    return samples(make_plan(game, deals=DEALS, strategies=strategy, unit=unit, seed=3))


def total(game, strategy, *quantities, unit=None):
    """Return the sum of quantities over all deals and both seats."""
    frame = played(game, strategy, unit)
    return sum(frame[f"{quantity}.{seat}"].sum() for quantity in quantities for seat in ("pone", "dealer"))


@pytest.mark.parametrize("game", GAMES)
def test_saying_the_defaults_changes_nothing(game):
    parameters = load(game).strategies["basic"].parameters
    said = ",".join(f"{parameter.name}={parameter.default:g}" for parameter in parameters)
    assert played(game, f"basic:{said}").equals(played(game, "basic"))


@pytest.mark.parametrize("game", ["bezique", "rubicon-bezique", "chinese-bezique", "bezique-six-pack"])
def test_who_does_not_hold_bezique_cards_has_fewer_double_beziques(game):
    without, usual, more = (
        total(game, strategy, "count_double_bezique") for strategy in ("basic:hold=0", "basic", "basic:hold=3")
    )
    assert without < 0.8 * usual
    assert usual < more


def test_who_does_not_hold_them_in_cinq_cents_has_fewer_beziques():
    assert total("cinq-cents", "basic:hold=0", "count_bezique") < total("cinq-cents", "basic", "count_bezique")


def test_who_breaks_nothing_scores_fewer_combinations_again():
    for habit in ("basic:breaks=0", "basic:breaks=0,keeps=0"):
        assert total("rubicon-bezique", habit, "declarations") < 0.95 * total(
            "rubicon-bezique", "basic", "declarations"
        )


@pytest.mark.parametrize("game", ["rubicon-bezique", "bezique-six-pack"])
def test_a_marriage_waits_for_cards_of_its_suit(game):
    frame, waiting = played(game, "basic"), played(game, "basic:first=4,waits=15")
    early = (frame["trump_trick"] < 15).mean()
    assert (waiting["trump_trick"] < 15).mean() < 0.8 * early
    assert (played(game, "basic:first=5,waits=15")["trump_trick"] < 15).mean() < (waiting["trump_trick"] < 15).mean()
    for same in ("first=5,waits=0", "first=2,waits=100"):  # a marriage is two of the cards
        assert played(game, f"basic:{same}").equals(frame)


def test_the_suit_of_trumps_is_the_one_with_promise():
    cards = {"pone": "KS QS KH QH JH TH 7C 8C 9C"}
    counts = [
        samples(make_plan("rubicon-bezique", deals=DEALS, strategies=f"basic:suit={weight}", cards=cards, seed=3))
        for weight in (1, 0)
    ]
    hearts, spades = (frame["count_royal_sequence.pone"].mean() for frame in counts)
    assert hearts > 1.2 * spades


def test_fours_of_trumps_come_to_those_who_keep_trumps():
    fours = tuple(f"count_trump_{rank}" for rank in ("aces", "tens", "kings", "queens", "jacks"))
    plain = ("count_aces", "count_kings", "count_queens", "count_jacks")
    without, usual = (total("bezique-six-pack", strategy, *fours) for strategy in ("basic:quartets=0", "basic"))
    assert without < 0.8 * usual
    waiting = "basic:spares=2"
    assert total("bezique-six-pack", waiting, *plain) < 0.9 * total("bezique-six-pack", "basic", *plain)


def test_knocks_are_wrong_only_where_the_reckoning_may_be():
    for habit, wrong in (
        ("", False),
        (":margin=20", False),
        (":slip=10", True),
        (":slip=10,margin=9", True),
        (":slip=10,margin=10", False),
        (":margin=-10", True),
    ):
        assert (total("cinq-cents", f"basic{habit}", "knocked_wrong", unit="game") > 0) == wrong, habit
    right = [total("cinq-cents", f"basic:margin={margin}", "knocked_right", unit="game") for margin in (0, 10, 1000)]
    assert right[0] > right[1] > right[2] == 0


def test_who_hopes_for_no_penchant_declares_fewer():
    assert total("penchant", "basic:hold=0", "count_penchant") <= total("penchant", "basic", "count_penchant")
    assert not played("penchant", "basic:suit=-1").equals(played("penchant", "basic"))
    assert not played("penchant", "basic:blocks=50").equals(played("penchant", "basic"))
