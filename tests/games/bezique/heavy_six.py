"""Games full of declarations for the two games with six packs: stacked decks and eager players (see `heavy`)."""

from __future__ import annotations

import random
from collections import Counter

from . import heavy
from .reference import BEZIQUE, COURTS, FROM_TABLE, PASS, SEQUENCE, name_of, pack
from .reference_six import CHINESE, RUN, SIX, TRUMP_FOUR, Chinese, SixPack, make

STYLES = ("plain", "courts", "bezique", "one hand", "blank", "sequences", "few ranks", "marriages", "one rank", "suit")

OTHER_VALUES: dict[str, dict[str, int]] = {
    CHINESE: heavy.OTHER_VALUES["rubicon-bezique"],
    SIX: {
        "marriage": 21,
        "royal_marriage": 43,
        "sequence": 149,
        "royal_sequence": 257,
        "bezique": 37,
        "double_bezique": 503,
        "triple_bezique": 1499,
        "quadruple_bezique": 4507,
        "aces": 101,
        "kings": 83,
        "queens": 61,
        "jacks": 41,
        "trump_aces": 1009,
        "trump_tens": 907,
        "trump_kings": 809,
        "trump_queens": 601,
        "trump_jacks": 409,
        "carte_blanche": 251,
        "last_trick": 247,
        "rubicon_line": 2000,
        "game_bonus": 1030,
        "least_difference": 110,
    },
}

VARIATIONS: list[tuple[str, dict[str, int]]] = [
    (CHINESE, {}),
    (CHINESE, OTHER_VALUES[CHINESE]),
    (SIX, {}),
    (SIX, OTHER_VALUES[SIX]),
]

# Heavy games a variation in an ordinary run, and how often at least each event happens in all of them.
NORMAL_RUN = {CHINESE: 200, SIX: 200}
_BOTH = {
    "marriage": 20,
    "royal_marriage": 20,
    "sequence": 20,
    "royal_sequence": 20,
    "bezique": 20,
    "double_bezique": 20,
    "triple_bezique": 10,
    "quadruple_bezique": 3,
    "aces": 10,
    "kings": 10,
    "queens": 10,
    "jacks": 10,
    "carte blanche": 10,
    "carte blanche again": 20,
    "carte blanche declined": 3,
    "lay": 20,
    "scored from the table": 20,
    "most used copy played": 20,
    "trump by marriage": 20,
    "trump by sequence": 3,
}
COVERED = {
    CHINESE: _BOTH | {"more than four of one card": 3, "credit used": 20, "re-formed four": 20},
    SIX: _BOTH
    | {
        "trump_aces": 10,
        "trump_tens": 10,
        "trump_kings": 10,
        "trump_queens": 10,
        "trump_jacks": 10,
        "again: marriage": 20,
        "again: royal_marriage": 20,
        "again: sequence": 10,
        "again: royal_sequence": 20,
        "again: bezique": 20,
        "again: double_bezique": 10,
        "again: triple_bezique": 10,
        "again: quadruple_bezique": 3,
        "grown: double_bezique": 10,
        "grown: triple_bezique": 10,
        "grown: quadruple_bezique": 3,
        "again: aces": 10,
        "again: kings": 10,
        "again: queens": 10,
        "again: jacks": 10,
        "again: trump_aces": 3,
        "again: trump_kings": 3,
        "grown: trump_aces": 3,
        "barred: kings": 20,
        "barred: queens": 20,
        "barred: jacks": 20,
        "barred: trump_kings": 20,
        "barred: trump_jacks": 20,
        "barred: second sequence": 3,
        "last trick declined": 20,
    },
}


def uncovered(game: str, events: Counter[str]) -> dict[str, int]:
    """What happened less often than it should have."""
    return {event: events[event] for event, least in COVERED[game].items() if events[event] < least}


def stacked_deck(game: str, style: str, rng: random.Random) -> list[int]:
    """A deck in which the cards of the style come early, or to one hand."""
    if style == "suit":  # much of one suit, now one rank of it and now all from jack to ace
        suit = rng.choice("SHDC")
        wanted = rng.choice([RUN, RUN, *RUN, "KQ"])
        codes = rng.sample(pack(game), len(pack(game)))
        codes.sort(key=lambda code: rng.random() * (0.3 if name_of(code) in [r + suit for r in wanted + "KQ"] else 1))
        if wanted == RUN:  # two sequences for one player
            for place, rank in zip(heavy._places(game, 0), 2 * RUN):
                heavy._exchange(codes, [place], lambda code, card=rank + suit: name_of(code) == card)
        return codes
    codes = heavy.stacked_deck(game, style, rng)
    if style == "blank":
        size = sum(heavy.PACKETS[game])
        for seat in rng.choice([[0], [1], [0, 1]]):
            # A whole hand without courts, and often the next cards drawn; now and then nearly all of them.
            drawn = rng.randrange(0, 90 if rng.random() < 0.1 else 14)
            places = heavy._places(game, seat) + list(range(2 * size, 2 * size + drawn))
            heavy._exchange(codes, places, lambda code: name_of(code)[0] not in COURTS)
    return codes


def choose(game: SixPack, rng: random.Random, restless: bool) -> int:
    """An action which keeps many combinations going; every legal action has some chance."""
    legal = sorted(game.legal())
    if game.step in ("show", "last"):
        return int(rng.random() < 0.8)
    if game.step == "declare":
        return _declaration(legal, rng)
    if game.step == "lay":
        return rng.choice(legal)
    player = game.players[game.actor()]
    held = {card.code for card in player.hand}
    weights = []
    for action in legal:
        rank, suit = name_of(action % FROM_TABLE)
        weight = 5.0 if rank in "789" else 1.0
        if rank + suit in ("QS", "JD") and not restless:
            weight = 0.05
        if suit == game.trump and rank in RUN:
            weight *= 0.3 if restless else 0.02
        if action >= FROM_TABLE:
            weight *= 6.0 if action - FROM_TABLE in held or restless else 0.5
            if len(player.lying(rank)) > 3:  # another four becomes possible
                weight *= 4.0
        weights.append(weight)
    return rng.choices(legal, weights)[0]


def _declaration(legal: list[int], rng: random.Random) -> int:
    if len(legal) == 1 or rng.random() < 0.08:
        return PASS
    fours = [action for action in legal if action in TRUMP_FOUR.values()]
    if fours and rng.random() < 0.6:
        return rng.choice(fours)
    beziques = [action for action in legal if BEZIQUE <= action < BEZIQUE + 4]
    if beziques and rng.random() < 0.6:
        return min(beziques) if rng.random() < 0.6 else rng.choice(beziques)
    sequences = [action for action in legal if SEQUENCE <= action < SEQUENCE + 4]
    if sequences and rng.random() < 0.5:
        return rng.choice(sequences)
    return rng.choice(legal[1:])


def play_heavy(
    game: str, rules: dict[str, int], seed: int, style: str | None = None
) -> tuple[Chinese | SixPack, list[list[int]], list[int]]:
    """Play one deal; returns the finished reference, the deck (as a list of one) and the actions."""
    rng = random.Random(f"{game} {sorted(rules.items())} {seed}")
    restless = rng.random() < 0.4
    deck = stacked_deck(game, style or STYLES[seed % len(STYLES)], rng)
    reference = make(game, rules, [deck])
    actions: list[int] = []
    while not reference.over:
        actions.append((choose if game == SIX else heavy.choose)(reference, rng, restless))
        reference.apply(actions[-1])
    return reference, [deck], actions
