"""What the modules of preferans share: cards, records, actions.

Cards are codes ``8 * suit + rank`` with the ranks low to high 7 8 9 T J Q K A and the suits S H D C; every set of cards
is one mask. *Chairs* are the three places at which cards are held in a deal: 0 is the eldest hand, who speaks and leads
first. A player sits at another chair in every deal, or at none when he deals for four; the dummy of the game for two is
player 2.
"""

from __future__ import annotations

import numpy as np

from simcards.games.game import rules_dtype
from simcards.games.preferans import ALL_RULES, HAND
from simcards.kernel import protocol
from simcards.kernel.bits import lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.tricks import make_order

ONE = np.uint64(1)
NONE = np.uint64(0)
CARDS = 32
PACK = np.uint64((1 << CARDS) - 1)
SUIT = np.uint64(0xFF)
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)
CHAIRS = 3
PLAYERS = 4  # room for as many
DUMMY = 2  # the player that is none, in the game for two
TALON = 3 * HAND  # its place in the dealing order
NOBODY = 3  # in place of the chair that wins a trick: the talon

# Stages of a deal
DEALING, PLAYING, BIDDING, LOOKING, DISCARDING, NAMING, WHISTING, INVITING, OVER = range(9)
PHASES = ("play", "bid", "look", "discard", "contract", "whist", "invite")

# Bids, by rank; a contract of tricks is `1 + 5 * (level - 6) + strain` with those that stand between left out
PASS = 0
MISERE = 16
NINE_SPADES = 17
MISERE_WITHOUT = 22  # without the talon
NINE_WITHOUT = 23
BIDS = 29
NO_TRUMPS = 4  # a strain; the others are the suits in the order of bids
LEVELS = np.array([0, *[6] * 5, *[7] * 5, *[8] * 5, 0, *[9] * 5, 0, 9, *[10] * 5], np.int64)
STRAINS = np.array([-1, *range(5), *range(5), *range(5), -1, *range(5), -1, 0, *range(5)], np.int64)
CONTRACTS = np.uint64(sum(1 << bid for bid in (*range(1, 16), *range(17, 22), *range(24, 29))))
BID_OF = np.array([*range(1, 16), *range(17, 22), *range(24, 29), MISERE], np.int64)  # by what one can be after
TRUMPS = np.array([0, 3, 2, 1, -1], np.int64)  # suits by strain

# Whisting
PASSED, WHIST, OWN = range(3)  # actions; a player who has not spoken has -1
CLOSED, OPEN, TAKE_OWN = range(3)  # actions of a single whister

# What is played
NOTHING, CONTRACT, NO_TRICK, ALL_PASS = range(4)

ORDERS = np.concatenate(
    [make_order([[[8 * suit + rank] for rank in range(8)] for suit in range(4)], trump, "FR") for trump in range(-1, 4)]
)  # by trump suit, the first for none

# What all know. `high` is the highest bid, of the declarer; `bid` what is played: the contract as a bid, or a misère.
# `forced` deals are left in which all have to pass; in `row` deals before this one all passed, and the dealer stayed.
# `led` is -1 before the lead, `best` the card that wins the trick so far and `ahead` who played it; `table` by chair.
# `history` are the cards played from hands, in their order, -1 behind them; `turned` the cards of the talon that were
# turned up when all passed.
COMMON = np.dtype(
    [
        ("shown", "u8"),
        ("gone", "u8"),
        ("stage", "i4"),
        ("turn", "i4"),
        ("decider", "i4"),
        ("dealer", "i4"),
        ("deals", "i4"),
        ("forced", "i4"),
        ("row", "i4"),
        ("passed_deals", "i4"),
        ("made_games", "i4"),
        ("high", "i4"),
        ("declarer", "i4"),
        ("kind", "i4"),
        ("bid", "i4"),
        ("trump", "i4"),
        ("blind", "i4"),
        ("without", "i4"),
        ("open", "i4"),
        ("exposed", "i4"),
        ("unplayed", "i4"),
        ("leader", "i4"),
        ("trick", "i4"),
        ("led", "i4"),
        ("best", "i4"),
        ("ahead", "i4"),
        ("count", "i4"),
        ("talon_tricks", "i4"),
        ("table", "i4", (CHAIRS,)),
        ("who", "i4", (CHAIRS,)),
        ("turned", "i4", (2,)),
        ("history", "i1", (CARDS,)),
    ],
    align=True,
)

# What all know of a chair: cards played, cards that it cannot hold, cards that lie open; the last bid (0: none),
# whether it has passed and looked, what it said to whist (-1: nothing)
PUBLIC = np.dtype(
    [
        ("played", "u8"),
        ("absent", "u8"),
        ("exposed", "u8"),
        ("bid", "i4"),
        ("passed", "i4"),
        ("looked", "i4"),
        ("whist", "i4"),
        ("tricks", "i4"),
    ],
    align=True,
)

# What a chair alone knows: the hand, and what was laid away
PRIVATE = np.dtype([("hand", "u8"), ("laid", "u8")], align=True)

# The sheet, by player: pool, hill, whists on each other player, and the kinds of games made (6 to 10, misère as bits)
SHEET = np.dtype([("pool", "i4"), ("hill", "i4"), ("types", "i4"), ("whists", "i4", (PLAYERS,))], align=True)

# What is counted, for each player; the names are those of the quantities
COUNTS = (
    "whists_tricks",
    "whists_missing",
    "whists_invitation",
    "whists_own",
    "whists_talon",
    "whists_help",
    "hill_contracts",
    "hill_misere",
    "hill_whisting",
    "hill_all_pass",
    "hill_off",
    "pool_contracts",
    "pool_misere",
    "pool_all_pass",
    "pool_help",
    "played_6",
    "played_7",
    "played_8",
    "played_9",
    "played_10",
    "played_misere",
    "made_6",
    "made_7",
    "made_8",
    "made_9",
    "made_10",
    "made_misere",
    "missing",
    "blind",
    "conceded",
    "tricks_declarer",
    "tricks_misere",
    "tricks_defence",
    "tricks_all_pass",
    "whisted",
    "whist_made",
    "whist_short",
    "invited_closed",
    "invited_open",
    "own_taken",
    "whist_passed",
    "all_pass_clean",
    "talon_tricks",
)
(
    WHISTS_TRICKS,
    WHISTS_MISSING,
    WHISTS_INVITATION,
    WHISTS_OWN,
    WHISTS_TALON,
    WHISTS_HELP,
    HILL_CONTRACTS,
    HILL_MISERE,
    HILL_WHISTING,
    HILL_ALL_PASS,
    HILL_OFF,
    POOL_CONTRACTS,
    POOL_MISERE,
    POOL_ALL_PASS,
    POOL_HELP,
    PLAYED_6,
) = range(16)
PLAYED_MISERE = PLAYED_6 + 5
MADE_6 = PLAYED_6 + 6
MADE_MISERE = MADE_6 + 5
(
    MISSING_TRICKS,
    BLIND,
    CONCEDED,
    TRICKS_DECLARER,
    TRICKS_MISERE,
    TRICKS_DEFENCE,
    TRICKS_ALL_PASS,
    WHISTED,
    WHIST_MADE,
    WHIST_SHORT,
    INVITED_CLOSED,
    INVITED_OPEN,
    OWN_TAKEN,
    WHIST_PASSED,
    ALL_PASS_CLEAN,
    TALON_TRICKS,
) = range(MADE_MISERE + 1, len(COUNTS))

TALLY = np.dtype(
    [
        ("counts", "i4", (len(COUNTS), PLAYERS)),
        ("contract", "i4", (PLAYERS,)),
        ("all_passed", "i4"),
        ("redealt", "i4"),
        ("halved", "i4"),
        ("full", "i4"),
    ],
    align=True,
)

RULES = rules_dtype(ALL_RULES)  # every rule set lacks some of them
STATE = protocol.record(
    "preferans",
    [
        ("rules", RULES),
        ("common", COMMON),
        ("public", PUBLIC, (CHAIRS,)),
        ("sheet", SHEET, (PLAYERS,)),
        ("private", PRIVATE, (CHAIRS,)),
        ("deck", "u1", (CARDS,)),
        ("tally", TALLY),
    ],
)
VIEW = protocol.record(
    "preferans_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("chair", "i8"),
        ("common", COMMON),
        ("public", PUBLIC, (CHAIRS,)),
        ("sheet", SHEET, (PLAYERS,)),
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
    return SUIT << np.uint64(8 * suit)


@kernel
def ranks_in(cards, suit):
    """Return the ranks held in a suit, eight bits."""
    return (cards >> np.uint64(8 * suit)) & SUIT


@kernel
def bits_above(action):
    """Return all actions with higher numbers, as a mask."""
    return ~((np.uint64(2) << np.uint64(action)) - ONE)


@kernel
def contracts_from(bid):
    """Return the contracts that are not lower than a bid, as a mask; without the talon nine is nine of any kind."""
    return CONTRACTS & bits_above((NINE_SPADES if bid == NINE_WITHOUT else bid) - 1)


@kernel
def is_hussar(rules):
    """Return whether two play with a dummy."""
    return rules.players == 2


@kernel
def is_misere(bid):
    """Return whether a bid is a misère."""
    return bid == MISERE or bid == MISERE_WITHOUT


@kernel
def next_chair(chair, steps):
    """Return the chair so many places after another."""
    return (chair + steps) % CHAIRS


@kernel
def lowest_bid(mask):
    """Return the lowest of some bids, PASS when there is none."""
    return np.int64(lowest(mask)) if mask else np.int64(PASS)


@kernel
def duty(rules, level):
    """Return the tricks that whisters answer for together against a contract."""
    if level == 6:
        return np.int64(rules.duty_6)
    if level == 7:
        return np.int64(rules.duty_7)
    if level == 8:
        return np.int64(rules.duty_8)
    if level == 9:
        return np.int64(rules.duty_9)
    return np.int64(0)


@kernel
def share_of_duty(rules, level):
    """Return the tricks that are a whister's own share: half of the duty, of a single trick all."""
    return (duty(rules, level) + 1) // 2
