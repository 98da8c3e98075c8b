"""The shares of 17.97 million games played by people, beside those of `basic`: class C, so only in wide bands.

The bands were written down before anything was measured, for the rules of the book. By these, three shares came out
outside them, and are kept here as such. Only then the same was asked by the rules of today, by which those games were
presumably played: a hand game that is lost costs double, too, and a null may be played open after taking the skat. So
the second set is no test declared beforehand. What comes out is discussed in the decisions.
"""

import pytest

from simcards.study.plan import make_plan
from simcards.study.samples import samples

BOOK: dict[str, str] = {}
TODAY = {"hand_loss": "double", "open_null": "yes"}

# What, of which whole, published, and from where to where it is believed
SHARES = [
    ("games_made", "games", 0.816, 0.70, 0.92),
    ("games_grand", "games", 0.322, 0.15, 0.45),
    ("grand_made", "games_grand", 0.914, 0.80, 0.97),
    ("suit_made", "games_suit", 0.777, 0.65, 0.90),
    ("games_null", "games", 0.064, 0.01, 0.15),
    ("null_made", "games_null", 0.707, 0.50, 0.90),
    ("games_schneider", "games", 0.234, 0.12, 0.35),
]
PASSED_IN = (0.049, 0.02, 0.15)


# by the rules of the book nearly half of all games are played from the hand, since a lost one costs only once
OUTSIDE_BY_BOOK = ("games_grand", "grand_made")


@pytest.fixture(scope="module", params=[BOOK, TODAY], ids=["book", "today"])
def rules(request):
    return request.param


@pytest.fixture(scope="module")
def frame(rules):
    return samples(make_plan("skat", deals=20_000, strategies="basic", rules=rules, seed=17))


@pytest.mark.parametrize(("part", "whole", "published", "low", "high"), SHARES)
def test_share_is_in_its_band(request, rules, frame, part, whole, published, low, high):
    if rules is BOOK and part in OUTSIDE_BY_BOOK:
        request.applymarker(pytest.mark.xfail(strict=True, reason="outside by the rules of the book"))
    assert low <= published <= high
    assert low <= frame[part].sum() / frame[whole].sum() <= high


@pytest.mark.xfail(strict=True, reason="basic passes less than people do: it gains by it in matches")
def test_deals_passed_in_are_in_their_band(frame):
    published, low, high = PASSED_IN
    assert low <= published <= high
    assert low <= frame["passed_in"].sum() / frame["deals"].sum() <= high
