"""The dealt hand: the features of the rule sets against counting by hand."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from simcards.games.sixty_six import SIXTY_SIX, SWABIAN
from simcards.odds import odds


def chance(ruleset, name):
    feature = next(feature for feature in ruleset.features if feature.name == name)
    return odds(feature.expression, pack=ruleset.pack, hand=ruleset.hand, deals=0).rows[0].value


def test_a_given_marriage_in_six_cards():
    assert Fraction(comb(22, 4), comb(24, 6)) == Fraction(5, 92)
    assert chance(SIXTY_SIX, "marriage in a named suit") == Fraction(5, 92)


def test_any_marriage_in_six_cards():
    """Published as 20.90 %; inclusion and exclusion over the four suits."""
    wanted = Fraction(4 * comb(22, 4) - 6 * comb(20, 2) + 4 * comb(18, 0), comb(24, 6))
    assert round(100 * float(wanted), 2) == 20.90
    assert chance(SIXTY_SIX, "a marriage") == wanted


def test_a_given_marriage_in_eight_of_two_packs():
    """Without a king 46 cards are left, without either 44."""
    wanted = 1 - Fraction(2 * comb(46, 8) - comb(44, 8), comb(48, 8))
    assert chance(SWABIAN, "marriage in a named suit") == wanted
