"""What the modules of skat share: cards, contracts, values of bids, records, actions.

Cards are codes ``8 * suit + rank`` with the suits S H D C and the ranks low to high 7 8 9 Q K T A J; every set of cards
is one mask. Players have numbers for the whole list; in a deal three of them have the roles of forehand, middlehand and
rearhand, counted from the number of forehand. With four at the table the dealer, who sits before forehand, has none.
"""

from __future__ import annotations

import numpy as np

from simcards.games.game import rules_dtype
from simcards.games.skat import SKAT
from simcards.kernel import protocol
from simcards.kernel.bits import highest, lowest
from simcards.kernel.compiled import kernel
from simcards.kernel.tricks import make_order

ONE = np.uint64(1)
NONE = np.uint64(0)
CARDS = 32
ALL = np.uint64((1 << CARDS) - 1)
SUIT = np.uint64(0x7F)  # of a suit but its jack
SEVEN, EIGHT, NINE, QUEEN, KING, TEN, ACE, JACK = range(8)
VALUES = (0, 0, 0, 3, 4, 10, 11, 2)  # by rank
JACKS = np.uint64(0x80808080)
JACKS_FALLING = (3, 0, 1, 2)  # suits of the jacks from the highest down
ROLES = 3
PLAYERS = 4  # room for as many
TRICKS = 10
HALF = 61  # points that win a game

# Games: 0 to 3 with the trumps S H D C, then
GRAND, NULL = 4, 5
GAMES = ("spades", "hearts", "diamonds", "clubs", "grand", "null")
BASES = np.array([11, 10, 9, 12, 24])
GRAND_OUVERT = 36  # what counts in place of 24
NULLS = np.array([[23, 46], [35, 59]])  # with the skat or hand, closed or open
LEVELS = ("", "schneider", "schwarz", "ouvert")
PLAIN, SCHNEIDER, SCHWARZ, OUVERT = range(4)  # announced, each with those before it

# Stages of a deal
DEALING, PLAYING, BIDDING, TAKING, DISCARDING, DECLARING, OVER = range(7)
PHASES = ("play", "bid", "skat", "discard", "declare")

# Actions: cards are played and laid away by their codes. In the auction who calls passes or takes the bid so many
# values up, who is called to passes or holds; a game is declared with the level announced.
PASS, HOLD = 0, 1
HAND, TAKE = 0, 1
DECLARED = 6  # what a level adds to the number of a game
MOST_STEPS = 63  # values that can be skipped at most, for room among the actions


def possible_values(open_null: bool) -> list[int]:
    """Return every value that a game can have, ascending: what can be bid."""
    found = {23, 35, 59} | ({46} if open_null else set())
    for base, matadors in ((9, 11), (10, 11), (11, 11), (12, 11), (24, 4)):
        # for the game, hand, schneider, schwarz and both announced; in suits also for open cards
        most = matadors + (7 if matadors == 11 else 6)
        found |= {base * factors for factors in range(2, most + 1)}
    found |= {GRAND_OUVERT * (matadors + 6) for matadors in range(1, 5)}
    return sorted(found)


_CLOSED, _OPEN = possible_values(False), possible_values(True)
SIZES = np.array([len(_CLOSED), len(_OPEN)])
LADDER = np.array([[0, *_CLOSED, 0, 0], [0, *_OPEN, 0]])  # by the rule open_null; nothing before and behind them


def _orders() -> np.ndarray:
    values = {8 * suit + rank: VALUES[rank] for suit in range(4) for rank in range(8)}
    jacks = [[8 * suit + JACK] for suit in reversed(JACKS_FALLING)]
    plain = [[[8 * suit + rank] for rank in range(JACK)] for suit in range(4)]
    orders = [
        make_order([cards + (jacks if suit == trump else []) for suit, cards in enumerate(plain)], trump, "F", values)
        for trump in range(4)
    ]
    orders.append(make_order([*plain, jacks], 4, "F", values))
    falling = (SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE)
    orders.append(make_order([[[8 * suit + rank] for rank in falling] for suit in range(4)], -1, "F", values))
    return np.concatenate(orders)


ORDERS = _orders()  # by game

# Role by place of the dealing order, and SKAT_ROLE for the skat: three each, two aside, four each, three each
SKAT_ROLE = 3
DEALT_TO = np.array(
    [0] * 3 + [1] * 3 + [2] * 3 + [SKAT_ROLE] * 2 + [0] * 4 + [1] * 4 + [2] * 4 + [0] * 3 + [1] * 3 + [2] * 3
)

# What all know; arrays by the number of a player. `step` is the place of the highest bid among the values and `high`
# the bid; `caller` bids and `hearer` is asked whether he holds (-1: forehand alone is left), in one of two `duel`s.
# `bid` is what each has called or held last. `skat`: 1 when the declarer has taken it. `led` is -1 before the lead,
# `best` the card that wins the trick so far and `ahead` who played it. `history` are the cards played, in their order.
COMMON = np.dtype(
    [
        ("shown", "u8"),
        ("played", "u8", (PLAYERS,)),
        ("absent", "u8", (PLAYERS,)),
        ("totals", "i4", (PLAYERS,)),
        ("bid", "i4", (PLAYERS,)),
        ("passed", "i4", (PLAYERS,)),
        ("table", "i4", (PLAYERS,)),
        ("tricks", "i4", (PLAYERS,)),
        ("cards", "i4", (PLAYERS,)),
        ("stage", "i4"),
        ("turn", "i4"),
        ("forehand", "i4"),
        ("deals", "i4"),
        ("redeals", "i4"),
        ("again", "i4"),
        ("duel", "i4"),
        ("caller", "i4"),
        ("hearer", "i4"),
        ("step", "i4"),
        ("high", "i4"),
        ("declarer", "i4"),
        ("skat", "i4"),
        ("game", "i4"),
        ("level", "i4"),
        ("leader", "i4"),
        ("trick", "i4"),
        ("led", "i4"),
        ("best", "i4"),
        ("ahead", "i4"),
        ("count", "i4"),
        ("history", "i1", (CARDS,)),
    ],
    align=True,
)

# What a player alone knows: the hand, the two cards he found in the skat, and what he laid away
PRIVATE = np.dtype([("hand", "u8"), ("found", "u8"), ("laid", "u8")], align=True)

# Where written points come from: of a game won so much for each factor, of a lost one the whole
SOURCES = (
    "matadors",
    "game",
    "hand",
    "schneider",
    "schneider_announced",
    "schwarz",
    "schwarz_announced",
    "ouvert",
    "null",
    "failed",
    "overbid",
    "doubled",
)
(
    FOR_MATADORS,
    FOR_GAME,
    FOR_HAND,
    FOR_SCHNEIDER,
    FOR_SCHNEIDER_ANNOUNCED,
    FOR_SCHWARZ,
    FOR_SCHWARZ_ANNOUNCED,
    FOR_OUVERT,
    FOR_NULL,
    FAILED,
    OVERBID,
    DOUBLED,
) = range(len(SOURCES))

# What is counted of each player, besides
COUNTS = (
    *(f"played_{name}" for name in GAMES),
    *(f"made_{name}" for name in GAMES),
    "hand_games",
    "hand_made",
    "open_games",
    "schneider_announced",
    "schwarz_announced",
    "schneider",
    "schwarz",
    "schneidered",
    "schwarzed",
    "overbid",
    "failed",
    "declared",
    "made",
    "defended",
    "defence_won",
    "tricks",
    "defence_points",
)

TALLY = np.dtype(
    [
        ("points", "i4", (len(SOURCES), PLAYERS)),
        ("counts", "i4", (len(COUNTS), PLAYERS)),
        ("bid", "i4", (PLAYERS,)),  # the highest played for, MISSING for none; so the next three
        ("with_jacks", "i4", (PLAYERS,)),
        ("without_jacks", "i4", (PLAYERS,)),
        ("game_value", "i4", (PLAYERS,)),
        ("declarer_points", "i4", (PLAYERS,)),  # the sum, MISSING for none
        ("skat_points", "i4", (PLAYERS,)),
        ("skat_jacks", "i4", (PLAYERS,)),
        ("as_declarer", "i4", (PLAYERS,)),
        ("passed_in", "i4"),
    ],
    align=True,
)

RULES = rules_dtype(SKAT.rules)
STATE = protocol.record(
    "skat",
    [
        ("rules", RULES),
        ("common", COMMON),
        ("aside", "u8"),  # the cards that lie in the skat
        ("private", PRIVATE, (PLAYERS,)),
        ("deck", "u1", (CARDS,)),  # as it was dealt
        ("tally", TALLY),
    ],
)
VIEW = protocol.record("skat_view", [("rules", RULES), ("seat", "i8"), ("common", COMMON), ("own", PRIVATE)])


@kernel
def bit_of(card):
    """Return the mask of one card."""
    return ONE << np.uint64(card)


@kernel
def ranks_in(cards, suit):
    """Return the ranks held in a suit but for the jack, seven bits."""
    return (cards >> np.uint64(8 * suit)) & SUIT


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
def gone(common):
    """Return the cards that have been played."""
    return common.played[0] | common.played[1] | common.played[2] | common.played[3]


@kernel
def player_of(common, rules, role):
    """Return the player who has a role in this deal."""
    player = np.int64(common.forehand) + role
    players = np.int64(rules.players)
    return player - players if player >= players else player


@kernel
def role_of(common, rules, player):
    """Return a player's role in this deal; 3 for a dealer who sits out."""
    role = player - np.int64(common.forehand)
    return role + np.int64(rules.players) if role < 0 else role


@kernel
def following(common, rules, player):
    """Return who plays after a player."""
    role = role_of(common, rules, player) + 1
    return player_of(common, rules, 0 if role == ROLES else role)


@kernel
def matadors(cards, game):
    """Return how many of the highest trumps in unbroken order are held, or minus how many are missing.

    Parameters
    ----------
    cards : uint64
        Those that count for the declarer.
    game : int
        A suit, or ``GRAND``.
    """
    first = (cards >> np.uint64(8 * 3 + JACK)) & ONE
    count = 1
    while count < 4 and (cards >> np.uint64(8 * (count - 1) + JACK)) & ONE == first:
        count += 1  # the jacks of spades, hearts, diamonds follow each other
    if count == 4 and game != GRAND:
        held = ranks_in(cards, game)
        missing = ~held & SUIT if first else held
        count += ACE - highest(missing)
    return count if first else -count


@kernel
def bid_above(rules, step, steps):
    """Return the value that is so many steps above the one at a place."""
    return LADDER[rules.open_null, step + steps]


@kernel
def null_value(skat, level):
    """Return what a null is worth."""
    return NULLS[0 if skat else 1, 1 if level == OUVERT else 0]
