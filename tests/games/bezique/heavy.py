"""Games full of declarations: stacked decks and a player who declares and re-forms whenever possible.

Uniformly random play on random decks hardly ever shows a quadruple bezique, a credit or a chain of cartes
blanches. Here the reference plays such games; their decks and actions can then be put to the kernel.
"""

from __future__ import annotations

import random
from collections import Counter

from .reference import (
    BEZIQUE,
    COURTS,
    FROM_TABLE,
    PACKETS,
    PASS,
    SEQUENCE,
    SHOW,
    Reference,
    code_of,
    name_of,
    pack,
)

QS, JD = code_of("QS"), code_of("JD")
STYLES = (
    "plain",
    "courts",
    "bezique",
    "one hand",
    "blank",
    "sequences",
    "few ranks",
    "turned seven",
    "marriages",
    "one rank",
)


# Every value different from the printed one and from the others. The low line leads to close settlements.
OTHER_VALUES: dict[str, dict[str, int | str]] = {
    "bezique": {
        "marriage": 21,
        "royal_marriage": 43,
        "royal_sequence": 257,
        "bezique": 37,
        "double_bezique": 503,
        "aces": 101,
        "kings": 83,
        "queens": 61,
        "jacks": 41,
        "seven": 11,
        "brisque": 9,
        "last_trick": 13,
        "target": 700,
    },
    "rubicon-bezique": {
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
        "carte_blanche": 53,
        "last_trick": 47,
        "brisque": 9,
        "rubicon_line": 400,
        "game_bonus": 510,
        "rubicon_bonus": 1030,
        "brisque_bonus": 305,
        "close_bonus": 120,
        "low_loser": 107,
    },
}

VARIATIONS: list[tuple[str, dict[str, int | str]]] = [
    ("bezique", {}),
    ("bezique", {"target": 0}),
    ("bezique", {"draw_order": "pone", "brisques": "at_end"}),
    ("bezique", {"draw_order": "pone", "target": 0}),
    ("bezique", {"brisques": "at_end", "target": 0}),
    ("bezique", OTHER_VALUES["bezique"]),
    ("rubicon-bezique", {}),
    ("rubicon-bezique", OTHER_VALUES["rubicon-bezique"]),
]

# How many heavy games a variation are put to the kernel in an ordinary run, and how often at least each
# event must have happened in all of them together (the seeds are fixed, so this does not vary).
NORMAL_RUN = {"bezique": 60, "rubicon-bezique": 400}
COMMON = {
    "marriage": 20,
    "royal_marriage": 20,
    "royal_sequence": 10,
    "bezique": 20,
    "double_bezique": 10,
    "aces": 10,
    "kings": 10,
    "queens": 10,
    "jacks": 10,
    "lay": 10,
    "held": 5,
    "scored from the table": 5,
    "most used copy played": 10,
}
COVERED = {
    "bezique": COMMON | {"seven turned": 10, "seven exchanged": 10, "seven for a seven": 10, "scored seven played": 5},
    "rubicon-bezique": COMMON
    | {
        "sequence": 10,
        "triple_bezique": 10,
        "quadruple_bezique": 3,
        "carte blanche": 20,
        "carte blanche again": 50,
        "carte blanche declined": 5,
        "credit earned": 100,
        "credit used": 100,
        "credit lost": 20,
        "several held": 20,
        "re-formed marriage": 50,
        "re-formed sequence": 20,
        "re-formed single": 50,
        "re-formed four": 50,
        "new copy in place of a used one: bezique": 10,
        "new copy in place of a used one: marriage": 2,
        "trump by marriage": 50,
        "trump by sequence": 5,
    },
}


def uncovered(game: str, events: Counter[str]) -> dict[str, int]:
    """What happened less often than it should have."""
    return {event: events[event] for event, least in COVERED[game].items() if events[event] < least}


def stacked_deck(game: str, style: str, rng: random.Random) -> list[int]:
    """A deck in which the cards of the style come early, or to one hand."""
    codes = pack(game)
    weight = dict.fromkeys(range(32), 1.0)  # larger: later
    suits = rng.sample("SHDC", 2)
    ranks = rng.choice(["KQ", "KQ", "QJ", "KJ", "AK"])
    for code in range(32):
        rank, suit = name_of(code)
        if style == "courts" and rank in "JQKA":
            weight[code] = 0.4
        if style in ("bezique", "one hand") and code in (QS, JD):
            weight[code] = 0.15
        if style == "sequences" and rank in "JQKTA" and suit in suits:
            weight[code] = 0.3 if suit == suits[0] else 0.5
        if style == "few ranks" and rank in ranks:
            weight[code] = 0.2
    rng.shuffle(codes)
    codes.sort(key=lambda code: rng.random() * weight[code])
    if style == "turned seven" and game == "bezique":
        place = sum(PACKETS[game]) * 2
        seven = rng.choice([i for i, code in enumerate(codes) if name_of(code)[0] == "7"])
        codes[place], codes[seven] = codes[seven], codes[place]
    if style == "sequences":
        if game == "bezique":  # only trumps have a sequence
            _exchange(codes, [16], lambda code: name_of(code) in [rank + suits[0] for rank in "89"])
        _exchange(codes, _places(game, rng.randrange(2)), lambda code: name_of(code) in _top(suits[0]))
    if style == "marriages":
        wanted = ["K" + suits[0], "Q" + suits[0]]
        _exchange(codes, _places(game, rng.randrange(2)), lambda code: name_of(code) in wanted)
    if style == "one rank":
        _exchange(codes, _places(game, rng.randrange(2)), lambda code: name_of(code)[0] == ranks[0])
    if style == "few ranks":
        _exchange(codes, _places(game, rng.randrange(2)), lambda code: name_of(code)[0] in ranks)
    if style == "one hand":
        _exchange(codes, _places(game, rng.randrange(2)), lambda code: code in (QS, JD))
    if style == "blank" and game == "rubicon-bezique":
        seats = rng.choice([[0], [1], [0, 1]])
        for seat in seats:
            places = _places(game, seat)
            # A whole hand without courts, and often the next few cards drawn.
            places += range(18, 18 + rng.randrange(0, 12))
            _exchange(codes, places, lambda code: name_of(code)[0] not in COURTS)
    return codes


def _top(suit: str) -> list[str]:
    return [rank + suit for rank in "JQKTA"]


def _places(game: str, seat: int) -> list[int]:
    """Where in the deck the cards dealt to a seat lie (seat 0 not dealing)."""
    places, position = [], 0
    for packet in PACKETS[game]:
        for other in (0, 1):
            if other == seat:
                places += range(position, position + packet)
            position += packet
    return places


def _exchange(codes: list[int], places: list[int], wanted) -> None:
    """Fill the places with wanted cards as far as there are any, taking them from the end of the deck."""
    kept = {place for place in places if wanted(codes[place])}
    donors = [i for i, code in enumerate(codes) if wanted(code) and i not in places]
    for place in places:
        if place not in kept and donors:
            donor = donors.pop()
            codes[place], codes[donor] = codes[donor], codes[place]


def choose(game: Reference, rng: random.Random, restless: bool) -> int:
    """An action which keeps many combinations going; every legal action has some chance.

    A restless player also breaks what he cannot re-form at once.
    """
    legal = sorted(game.legal())
    if game.step == "show":
        return SHOW if rng.random() < 0.9 else 0
    if game.step == "declare":
        return _declaration(legal, rng)
    if game.step == "lay":
        # Cards of broken fours first: so that the last pick is often bound to be a new card.
        free = [card.code for card in game.players[game.actor()].table if card.free("four")]
        return rng.choice([code for code in legal if code in free and rng.random() < 0.7] or legal)
    player = game.players[game.actor()]
    held = {card.code for card in player.hand}
    weights = []
    for action in legal:
        code = action % FROM_TABLE
        rank = name_of(code)[0]
        if code in (QS, JD) and not restless:
            weight = 0.05
        elif rank in "789":
            weight = 5.0
        else:
            weight = 1.0
        if action >= FROM_TABLE:
            weight *= 6.0 if code in held or restless else 0.5  # break what can be re-formed
        elif player.open_fours(rank):
            weight *= 4.0  # earn a credit
        weights.append(weight)
    return rng.choices(legal, weights)[0]


def _declaration(legal: list[int], rng: random.Random) -> int:
    if len(legal) == 1 or rng.random() < 0.08:
        return PASS
    beziques = [action for action in legal if BEZIQUE <= action < BEZIQUE + 4]
    if beziques and rng.random() < 0.6:
        return min(beziques) if rng.random() < 0.7 else rng.choice(beziques)
    sequences = [action for action in legal if SEQUENCE <= action < SEQUENCE + 4]
    if sequences and rng.random() < 0.5:
        return rng.choice(sequences)
    return rng.choice(legal[1:])


def play_heavy(
    game: str, rules: dict[str, int | str], seed: int, style: str | None = None
) -> tuple[Reference, list[list[int]], list[int]]:
    """Play one row; returns the finished reference, the decks used and the actions."""
    rng = random.Random(f"{game} {sorted(rules.items())} {seed}")
    style = style or STYLES[seed % len(STYLES)]
    restless = rng.random() < 0.4
    reference = Reference(game, rules)
    decks: list[list[int]] = []
    actions: list[int] = []
    while not reference.over:
        if reference.step == "deal":
            decks.append(stacked_deck(game, style, rng))
            reference.feed(decks[-1])
        else:
            actions.append(choose(reference, rng, restless))
            reference.apply(actions[-1])
    return reference, decks, actions
