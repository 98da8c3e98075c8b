"""Tricks of any game: which cards may be played, and who wins, as data.

An ``ORDER`` says everything about the cards of one contract: the suit a card counts to (a jack that is always a trump
counts to the trumps), which cards of its suit beat it, what it is worth, which suit is trump, what the duties are.
Games keep one for every trump that can be, and the functions here read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel

CARDS = 64  # cards are numbers below this
SUITS = 5  # four, and trumps that come from all of them

# Duties, as the letters F, H, R and O name them
FOLLOW = 1  # follow the suit led if able
HEAD = 2  # when following, beat the best card so far if able
RUFF = 4  # without the suit led, trump if able
OVERRUFF = 8  # when trumping, also a lead of trumps, beat the best trump so far if able

DUTIES = {"F": FOLLOW, "H": HEAD, "R": RUFF, "O": OVERRUFF}

ORDER = np.dtype(
    [
        ("above", "u8", (CARDS,)),
        ("cards", "u8", (SUITS,)),
        ("suit", "i1", (CARDS,)),
        ("power", "i1", (CARDS,)),
        ("value", "i2", (CARDS,)),
        ("trump", "i4"),
        ("duties", "i4"),
    ],
    align=True,
)

ONE = np.uint64(1)


def make_order(
    suits: Sequence[Sequence[Sequence[int]]],
    trump: int = -1,
    duties: str = "F",
    values: Mapping[int, int] | None = None,
) -> np.ndarray:
    """Make the order of the cards for one contract.

    Parameters
    ----------
    suits : sequence
        For each suit its cards from the lowest to the highest. A place in the order is a sequence of cards: more than
        one where like cards, of which the first played wins, share it.
    trump : int
        Index of the trump suit; -1 when there is none.
    duties : str
        What players must do, of the letters F (follow suit), H (head the trick when following), R (trump when void)
        and O (overtrump); an empty text when any card may be played.
    values : mapping of int to int, optional
        What cards are worth to those who win them; 0 where nothing is said.

    Returns
    -------
    ndarray of ORDER, shape (1,)

    Raises
    ------
    ValueError
        When the suits, cards or duties cannot be.

    Examples
    --------
    >>> order = make_order([[[0], [1], [2]], [[8], [9], [10]]], trump=1, duties="FR")
    >>> int(order[0]["suit"][9]), bin(order[0]["above"][0])
    (1, '0b110')
    """
    if not 0 < len(suits) <= SUITS or not -1 <= trump < len(suits):
        raise ValueError(f"an order has 1 to {SUITS} suits, of which one may be trump")
    if set(duties) - set(DUTIES):
        raise ValueError(f"duties are letters of {''.join(DUTIES)}, not {duties!r}")
    everything = [card for suit in suits for place in suit for card in place]
    if len(everything) != len(set(everything)) or not all(0 <= card < CARDS for card in everything):
        raise ValueError(f"every card is a number below {CARDS} and has one place")
    order = np.zeros(1, ORDER)
    one = order[0]
    one["suit"] = -1
    one["trump"] = trump
    one["duties"] = sum(DUTIES[letter] for letter in set(duties))
    for suit, places in enumerate(suits):
        higher = 0
        for power in range(len(places) - 1, -1, -1):
            for card in places[power]:
                one["suit"][card] = suit
                one["power"][card] = power
                one["above"][card] = higher
            higher |= sum(1 << card for card in places[power])
        one["cards"][suit] = higher
    for card, value in (values or {}).items():
        one["value"][card] = value
    return order


@kernel
def beats(order, card, best):
    """Return whether a card, played later, beats the best card of the trick so far.

    Parameters
    ----------
    order : ORDER
        The order of the cards.
    card, best : int
        The two cards.
    """
    if (order.above[best] >> np.uint64(card)) & ONE:
        return True
    return order.suit[card] == order.trump and order.suit[best] != order.trump


@kernel
def winner(order, trick, count):
    """Return the place in a trick of the card that wins it.

    Parameters
    ----------
    order : ORDER
        The order of the cards.
    trick : ndarray of int
        The cards in the order they were played.
    count : int
        How many have been played, at least one.
    """
    best = 0
    for place in range(1, count):
        if beats(order, trick[place], trick[best]):
            best = place
    return best


@kernel
def trick_value(order, trick, count):
    """Return what the cards of a trick are worth; parameters as of `winner`."""
    total = 0
    for place in range(count):
        total += order.value[trick[place]]
    return total


@kernel
def playable(order, hand, led, best):
    """Return the cards that may be played.

    Parameters
    ----------
    order : ORDER
        The order of the cards, with the duties of the players.
    hand : uint64
        The cards held, as a mask.
    led : int
        The card led; -1 for the player on lead, who may play any.
    best : int
        The card that wins the trick so far.

    Returns
    -------
    uint64
        Never empty when the hand is not.
    """
    if led < 0:
        return hand
    duties = order.duties
    trump = np.int64(order.trump)
    suit = np.int64(order.suit[led])
    following = hand & order.cards[suit]
    if following:
        if not duties & FOLLOW:
            return hand
        if duties & HEAD or (duties & OVERRUFF and suit == trump):
            if order.suit[best] == suit:
                higher = following & order.above[best]
                if higher:
                    return higher
        return following
    if trump >= 0 and suit != trump and duties & RUFF:
        trumps = hand & order.cards[trump]
        if trumps:
            if duties & OVERRUFF and order.suit[best] == trump:
                higher = trumps & order.above[best]
                if higher:
                    return higher
            return trumps
    return hand


@kernel
def hand_value(order, hand):
    """Return what the cards of a hand are worth together."""
    total = 0
    while hand:
        total += order.value[lowest(hand)]
        hand &= hand - ONE
    return total
