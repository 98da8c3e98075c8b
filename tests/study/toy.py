"""A small game to test the engine with: four hands of thirteen, the last card shows trumps, follow suit."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from simcards.cards import Pack
from simcards.games.game import Game, Quantity, rules_dtype
from simcards.games.ruleset import Rule, RuleSet
from simcards.games.strategy import Strategy, monte_carlo
from simcards.kernel import protocol
from simcards.kernel.bits import lowest, popcount
from simcards.kernel.policies import uniform
from simcards.kernel.protocol import DEALER, MISSING, implements, policy
from simcards.kernel.shuffle import shuffle_prefix

SEATS = ("north", "east", "south", "west")
TOY = RuleSet(
    id="toy-whist",
    title="Toy whist",
    family="toy",
    summary="A game for tests.",
    source="none",
    seats=SEATS,
    pack=Pack.named("52"),
    rules=(
        Rule("target", 0, "points that end the game; 0 for one deal", high=1000),
        Rule("trump", "last", "what is trumps", choices=("last", "none")),
        Rule("bias", 0, "added to every score, to test large numbers", low=-(2**30), high=2**30),
    ),
    module=__name__,
    strategies=("random", "lowest", "broken", "mc"),
    synonyms=("вист для проб",),
    units=MappingProxyType({"deal": MappingProxyType({"target": 0}), "game": MappingProxyType({"target": 20})}),
)
RULES = rules_dtype(TOY.rules)
STATE = protocol.record(
    "toy_whist",
    [
        ("rules", RULES),
        ("hands", "u8", (4,)),
        ("trick", "i8", (4,)),
        ("won", "i8", (4,)),
        ("score", "i8", (4,)),
        ("first", "i8", (4,)),
        ("leader", "i8"),
        ("in_trick", "i8"),
        ("played", "i8"),
        ("trump", "i8"),
        ("deals", "i8"),
        ("over", "i8"),
    ],
)
VIEW = protocol.record(
    "toy_whist_view",
    [
        ("rules", RULES),
        ("seat", "i8"),
        ("hand", "u8"),
        ("seen", "u8"),
        ("counts", "i8", (4,)),
        ("trick", "i8", (4,)),
        ("leader", "i8"),
        ("in_trick", "i8"),
        ("played", "i8"),
        ("trump", "i8"),
    ],
)
ONE = np.uint64(1)
SUIT = np.uint64(0x1FFF)
BEST = np.uint64(1 << 51 | 1 << 50)


@implements(protocol.begin, STATE)
def _begin(state):
    state.score[:] = 0
    state.first[:] = MISSING
    state.deals = 0
    state.over = 0
    state.played = 52


@implements(protocol.deal, STATE)
def _deal(state, deck):
    state.hands[:] = 0
    state.won[:] = 0
    state.leader = 0
    state.in_trick = 0
    state.played = 0
    state.deals += 1
    for c in range(52):
        state.hands[c & 3] |= ONE << np.uint64(deck[c])
    state.trump = deck[51] // 13 if state.rules.trump == 0 else -1


@implements(protocol.is_over, STATE)
def _is_over(state):
    return state.over == 1


@implements(protocol.actor, STATE)
def _actor(state):
    return DEALER if state.played == 52 else (state.leader + state.in_trick) & 3


@implements(protocol.phase, STATE)
def _phase(state):
    return 0


@implements(protocol.legal, STATE)
def _legal(state):
    hand = state.hands[(state.leader + state.in_trick) & 3]
    if state.in_trick > 0:
        follow = hand & (SUIT << np.uint64(13 * (state.trick[0] // 13)))
        if follow:
            hand = follow
    return hand


@implements(protocol.observe, STATE)
def _observe(state, player, view):
    view.seat = player
    view.hand = state.hands[player]
    view.seen = np.uint64(0)
    hidden = np.uint64(0)
    for p in range(4):
        hidden |= state.hands[p]
        view.counts[p] = popcount(state.hands[p])
    view.seen = ~hidden & ((ONE << np.uint64(52)) - ONE)
    view.trick[:] = state.trick
    view.leader = state.leader
    view.in_trick = state.in_trick
    view.played = state.played
    view.trump = state.trump


@implements(protocol.apply, STATE)
def _apply(state, action):
    p = (state.leader + state.in_trick) & 3
    state.hands[p] &= ~(ONE << np.uint64(action))
    state.trick[state.in_trick] = action
    state.in_trick += 1
    state.played += 1
    if state.in_trick == 4:
        best = 0
        for k in range(1, 4):
            a = state.trick[k]
            b = state.trick[best]
            if a // 13 == b // 13:
                if a > b:
                    best = k
            elif a // 13 == state.trump:
                best = k
        winner = (state.leader + best) & 3
        state.won[winner] += 1
        if state.first[winner] == MISSING:
            state.first[winner] = state.played // 4
        state.leader = winner
        state.in_trick = 0
    if state.played == 52:
        most = 0
        for p in range(4):
            state.score[p] += state.won[p]
            most = max(most, state.score[p])
        if most >= state.rules.target:
            state.over = 1


@implements(protocol.measure, STATE)
def _measure(state, row):
    most = max(state.score)
    for p in range(4):
        row.points[p] = state.score[p] + state.rules.bias
        row.won[p] = state.score[p] == most
        row.first[p] = state.first[p]
        row.long[p] = state.won[p] // 5
        row.share[p] = state.won[p]
    row.trump = state.trump if state.trump >= 0 else MISSING
    row.deals = state.deals
    row.tricks = 13 * state.deals


@implements(protocol.census, STATE)
def _census(state, counts):
    if state.deals == 0:
        return
    for p in range(4):
        for card in range(52):
            counts[card] += (state.hands[p] >> np.uint64(card)) & ONE


@implements(protocol.determinize, VIEW)
def _determinize(view, rng, state):
    unseen = np.empty(52, np.uint8)
    count = 0
    for card in range(52):
        if ((view.seen | view.hand) >> np.uint64(card)) & ONE == 0:
            unseen[count] = card
            count += 1
    shuffle_prefix(rng, unseen[:count], count)
    place = 0
    for p in range(4):
        state.hands[p] = np.uint64(0)
        if p == view.seat:
            state.hands[p] = view.hand
            continue
        for _ in range(view.counts[p]):
            state.hands[p] |= ONE << np.uint64(unseen[place])
            place += 1
    state.trick[:] = view.trick
    state.leader = view.leader
    state.in_trick = view.in_trick
    state.played = view.played
    state.trump = view.trump
    state.won[:] = 0
    state.score[:] = 0
    state.deals = 1
    state.over = 0


def _lowest(view, legal, rng, options):
    return lowest(legal)


def _broken(view, legal, rng, options):
    if view.played > 40 and view.hand & BEST == BEST:  # now and then it says nonsense late in a deal
        return 63
    return lowest(legal)


@implements(protocol.space, VIEW)
def _space(view):
    return np.empty(3, STATE), np.empty(4, VIEW)


@implements(protocol.basic, VIEW)
def _basic(view, part, legal, rng, options):
    return lowest(legal)


@implements(protocol.worth, STATE)
def _worth(state, player):
    return np.float64(state.won[player])


QUANTITIES = (
    Quantity("points", "tricks won", "points", "result", bin_low=0, bin_width=2, bins=6),
    Quantity("won", "has the most points", "flag", "result"),
    Quantity("first", "first trick won", "trick", "timing"),
    Quantity("long", "fives of tricks", "count", "play"),
    Quantity("share", "tricks won in the last deal", "points", "play"),
    Quantity("trump", "suit of trumps", "points", "result"),
    Quantity("deals", "deals in the game", "deals", "result"),
    Quantity("tricks", "tricks in the game", "points", "play"),
)
ROW = np.dtype(
    [(q.name, "i4", (4,)) if q.name not in ("trump", "deals", "tricks") else (q.name, "i4") for q in QUANTITIES],
    align=True,
)


def _strategy(name, function):
    return Strategy(name, f"plays {name}", (policy(VIEW)(function),))


def _action_text(state, action):
    return TOY.pack.text(action)


def _state_text(state):
    hands = (
        f"{seat} {TOY.pack.format(c for c in range(52) if int(hand) >> c & 1)}"
        for seat, hand in zip(SEATS, state["hands"])
    )
    return "\n".join(hands)


def _places(rules):
    return {seat: range(k, 52, 4) for k, seat in enumerate(SEATS)}


GAMES = (
    Game(
        ruleset=TOY,
        state=STATE,
        view=VIEW,
        row=ROW,
        phases=("play",),
        quantities=QUANTITIES,
        strategies={
            "random": _strategy("random", uniform),
            "lowest": _strategy("lowest", _lowest),
            "broken": _strategy("broken", _broken),
            "mc": monte_carlo(VIEW, 1),
        },
        places=_places,
        action_text=_action_text,
        state_text=_state_text,
        payoff="points",
        limit=52 * 30,
        shares=(("share", "points"),),
    ),
)
