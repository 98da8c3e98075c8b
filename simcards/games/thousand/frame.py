"""What the modules of thousand share: cards, records, actions.

Cards are codes ``6 * suit + rank`` with the ranks low to high 9 J Q K T A and the suits S H D C; every set of cards is
one mask. There is no trump suit (-1) until a marriage is announced.
"""

from __future__ import annotations

import numpy as np

from simcards.games.game import rules_dtype
from simcards.games.thousand import STOCK_HAND, THREE_HAND, TWO_AUCTION, TWO_HAND
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.tricks import make_order

ONE = np.uint64(1)
NONE = np.uint64(0)
CARDS = 24
PACK = np.uint64((1 << CARDS) - 1)
SUIT = np.uint64(0x3F)
NINE, JACK, QUEEN, KING, TEN, ACE = range(6)
VALUES = (0, 2, 3, 4, 10, 11)  # by rank
ALL_POINTS = 120  # of the cards of the pack
PAIR = np.uint64(1 << QUEEN | 1 << KING)
PLAYERS = 3  # room for as many
PACKET = 2  # cards in each of the two packets of the game for two
FIRST_PACKET = 2 * TWO_HAND  # its place in the dealing order
TALON = 3 * THREE_HAND  # place of the packet of three

# Stages of a deal
DEALING, PLAYING, BIDDING, EXCHANGING, RAISING, LOOKING, CHOOSING, OVER = range(8)
PHASES = ("play", "bid", "exchange", "raise", "look", "packet")

# Actions: cards are played, laid away and given by their codes
ANNOUNCE = 24  # added to the card led with a marriage
PASS = 0  # no bid, or no higher one; bids are 1, 2, … by height

ORDERS = np.concatenate(
    [
        make_order(
            [[[6 * suit + rank] for rank in range(6)] for suit in range(4)],
            trump,
            "FR",
            {6 * suit + rank: VALUES[rank] for suit in range(4) for rank in range(6)},
        )
        for trump in range(-1, 4)
    ]
)  # by trump suit, the first for none

# What all know. `high` is the highest bid and `declarer` who bid it; `blind`: he had not looked at his cards. `led` is
# -1 before the lead, `best` the card that wins the trick so far and `ahead` who played it; `table` by player. `history`
# are the actions by which cards were played, in their order, -1 behind them.
COMMON = np.dtype(
    [
        ("shown", "u8"),
        ("gone", "u8"),
        ("stage", "i4"),
        ("turn", "i4"),
        ("forehand", "i4"),
        ("deals", "i4"),
        ("high", "i4"),
        ("declarer", "i4"),
        ("blind", "i4"),
        ("opened", "i4"),
        ("stock", "i4"),
        ("trump", "i4"),
        ("leader", "i4"),
        ("trick", "i4"),
        ("led", "i4"),
        ("best", "i4"),
        ("ahead", "i4"),
        ("count", "i4"),
        ("table", "i4", (PLAYERS,)),
        ("history", "i1", (CARDS,)),
    ],
    align=True,
)

# What all know of a player: cards played, cards that he is known to hold (the other card of a marriage) and not to
# hold, marriages announced (suits as bits); points in cards and for marriages of this deal, total of the deals before.
PUBLIC = np.dtype(
    [
        ("played", "u8"),
        ("known", "u8"),
        ("absent", "u8"),
        ("announced", "u8"),
        ("bid", "i4"),
        ("passed", "i4"),
        ("looked", "i4"),
        ("cards", "i4"),
        ("marriages", "i4"),
        ("tricks", "i4"),
        ("total", "i4"),
    ],
    align=True,
)

# What a player alone knows: `laid` away, `given` to each player by his number, `received` from another
PRIVATE = np.dtype([("hand", "u8"), ("laid", "u8"), ("received", "u8"), ("given", "u8", (PLAYERS,))], align=True)

# Where written points come from with bidding
SOURCES = ("made", "failed", "defence_cards", "defence_marriages", "doubled")
MADE, FAILED, DEFENCE_CARDS, DEFENCE_MARRIAGES, DOUBLED = range(len(SOURCES))

TALLY = np.dtype(
    [
        ("points", "i4", (len(SOURCES), PLAYERS)),
        ("taken", "i4", (2, PLAYERS)),  # points in cards, points for marriages
        ("marriages", "i4", (4, PLAYERS)),
        ("first", "i4", (4, PLAYERS)),  # trick of the first marriage of each suit
        ("tricks", "i4", (PLAYERS,)),
        ("held", "i4", (PLAYERS,)),
        ("declared", "i4", (PLAYERS,)),
        ("made", "i4", (PLAYERS,)),
        ("failed", "i4", (PLAYERS,)),
        ("contract", "i4", (PLAYERS,)),
        ("as_declarer", "i4", (PLAYERS,)),
        ("raised", "i4", (PLAYERS,)),
        ("raised_by", "i4", (PLAYERS,)),
        ("blind", "i4", (PLAYERS,)),
        ("talon_points", "i4", (PLAYERS,)),
        ("talon_marriages", "i4", (PLAYERS,)),
        ("sweeps", "i4", (PLAYERS,)),
        ("packets", "i4", (PLAYERS,)),
        ("both_over", "i4"),
    ],
    align=True,
)

RULES = rules_dtype(TWO_AUCTION.rules)  # the other rule sets lack some of them
STATE = protocol.record(
    "thousand",
    [
        ("rules", RULES),
        ("common", COMMON),
        ("public", PUBLIC, (PLAYERS,)),
        ("private", PRIVATE, (PLAYERS,)),
        ("deck", "u1", (CARDS,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "thousand_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (PLAYERS,)),
        ("own", PRIVATE),
    ],
)


@kernel
def bit_of(card):
    """Return the mask of one card."""
    return ONE << np.uint64(card)


@kernel
def suit_mask(suit):
    """Return all cards of a suit."""
    return SUIT << np.uint64(6 * suit)


@kernel
def ranks_in(cards, suit):
    """Return the ranks held in a suit, six bits."""
    return (cards >> np.uint64(6 * suit)) & SUIT


@kernel
def value_of(card):
    """Return what a card is worth to who wins it."""
    return np.int64(ORDERS[0].value[card])


@kernel
def points_in(cards):
    """Return what cards are worth together."""
    total = 0
    while cards:
        total += value_of(lowest(cards))
        cards &= cards - ONE
    return total


@kernel
def bonus_of(rules, suit):
    """Return what a marriage of a suit scores."""
    if suit == 0:
        return np.int64(rules.spades)
    if suit == 1:
        return np.int64(rules.hearts)
    if suit == 2:
        return np.int64(rules.diamonds)
    return np.int64(rules.clubs)


@kernel
def pairs_in(cards):
    """Return the kings and queens of marriages among some cards."""
    pairs = NONE
    for suit in range(4):
        pair = PAIR << np.uint64(6 * suit)
        if cards & pair == pair:
            pairs |= pair
    return pairs


@kernel
def mate_of(card):
    """Return the other card of the marriage of a king or queen."""
    return card + 1 if card % 6 == QUEEN else card - 1


@kernel
def has_auction(rules):
    """Return whether there is any bidding."""
    return rules.hand != STOCK_HAND


@kernel
def bid_value(rules, action):
    """Return the points of a bid."""
    return np.int64(rules.first_bid) + (action - 1) * np.int64(rules.step)


@kernel
def bids_above(rules, points):
    """Return the bids higher than some points, as a mask of actions."""
    first = np.int64(rules.first_bid)
    step = np.int64(rules.step)
    least = max(1, (points - first) // step + 2)
    most = (np.int64(rules.highest_bid) - first) // step + 1
    if least > most:
        return NONE
    return ((np.uint64(2) << np.uint64(most)) - ONE) & ~((ONE << np.uint64(least)) - ONE)


@kernel
def after(rules, player, steps):
    """Return the player so many places after another."""
    return (player + steps) % np.int64(rules.players)
