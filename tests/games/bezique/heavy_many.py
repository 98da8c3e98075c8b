"""Games full of declarations of bezique for three, for four and in the Polish way (see `heavy`)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from .reference_many import PACKETS, Action, Many, pack

THREE, FOUR, POLISH = "bezique-three-handed", "bezique-four-handed", "polish-bezique"
OTHER_VALUES = {
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
}
PARTNERS = {"partnership": "opposite"}
VARIATIONS: list[tuple[str, dict[str, Any]]] = [
    (THREE, {}),
    (THREE, {"target": 0, "remove_eights": 0, "undertrump": "yes"}),
    (THREE, {"draw_order": "pone", "brisques": "at_end", "levels": 2}),
    (THREE, OTHER_VALUES | {"triple_bezique": 1499, "brisques": "never", "remove_eights": 0}),
    (FOUR, {}),
    (FOUR, OTHER_VALUES | {"triple_bezique": 1499, "undertrump": "yes", "draw_order": "pone"}),
    (FOUR, PARTNERS),
    (FOUR, PARTNERS | {"target": 0, "regroup_last_eight": "yes"}),
    (FOUR, PARTNERS | {"regroup_last_eight": "yes", "brisques": "at_end", "showing": "no"}),
    (FOUR, PARTNERS | OTHER_VALUES | {"regroup_last_eight": "yes", "partner_seven": "yes", "levels": 1}),
    (FOUR, PARTNERS | {"showing": "no", "partner_seven": "yes", "draw_order": "pone"}),
    (POLISH, {}),
    (POLISH, {"target": 0}),
    (POLISH, {"recaptured": "new"}),
    (POLISH, {"draw_order": "pone", "brisques": "at_end", "levels": 1}),
    (POLISH, OTHER_VALUES | {"brisques": "never", "recaptured": "new"}),
]
HEAVY = 11  # games to the target a variation in an ordinary run

# How often at least each event happens in all of them together; the seeds are fixed, so this does not vary.
_MELDS = {
    "marriage": 200,
    "royal_marriage": 200,
    "royal_sequence": 30,
    "bezique": 200,
    "double_bezique": 20,
    "aces": 50,
    "kings": 50,
    "queens": 50,
    "jacks": 50,
    "lay": 20,
    "seven turned": 20,
    "seven exchanged": 50,
    "seven for a seven": 20,
    "most used copy played": 20,
}
COVERED = {
    THREE: _MELDS | {"triple_bezique": 5},
    FOUR: _MELDS
    | {
        "triple_bezique": 5,
        "declared by the partner": 100,
        "marriage with the partner": 50,
        "sequence with the partner": 20,
        "bezique with the partner": 20,
        "four with the partner": 50,
        "shown: marriage": 50,
        "shown: sequence": 20,
        "shown: bezique": 50,
        "shown: four": 50,
        "scored from the table": 50,
    },
    POLISH: _MELDS
    | {
        "marriage with captured cards": 50,
        "sequence with captured cards": 20,
        "bezique with captured cards": 20,
        "four with captured cards": 50,
        "of captured cards only": 50,
        "used cards won back": 50,
    },
}

STYLES = (
    *("plain", "courts", "bezique", "one hand", "sequences", "few ranks", "turned seven", "marriages", "sevens"),
    *("one hand", "sequences"),
)


def places(game: Many, seat: int) -> list[int]:
    """Where in the dealing order the cards dealt to a seat lie, seat 0 being dealt to first."""
    found, position = [], 0
    for packet in PACKETS:
        for other in game.seats:
            if other == seat:
                found += range(position, position + packet)
            position += packet
    return found


def exchange(cards: list[str], wanted_at: list[int], wanted: Any) -> None:
    """Fill the places with wanted cards as far as there are any, from the end of the deck."""
    donors = [k for k, card in enumerate(cards) if wanted(card) and k not in wanted_at]
    for place in wanted_at:
        if not wanted(cards[place]) and donors:
            donor = donors.pop()
            cards[place], cards[donor] = cards[donor], cards[place]


def stacked_deck(game: Many, style: str, rng: random.Random) -> list[str]:
    """A deck in which the cards of the style come early, or to one hand."""
    cards = pack(game.game, game.rules)
    rng.shuffle(cards)
    suits = rng.sample("SHDC", 2)
    ranks = rng.choice(["KQ", "QJ", "KJ", "AK"])

    def early(card: str) -> float:
        if style == "courts" and card[0] in "JQKA":
            return 0.4
        if style in ("bezique", "one hand") and card in ("QS", "JD"):
            return 0.15
        if style == "sequences" and card[0] in "JQKTA" and card[1] in suits:
            return 0.3
        if style == "few ranks" and card[0] in ranks:
            return 0.2
        if style == "marriages" and card[0] in "KQ" and card[1] in suits:
            return 0.2
        return 1.0

    cards.sort(key=lambda card: rng.random() * early(card))
    turned = 8 * len(game.seats)
    seat = rng.choice(game.seats)
    if style == "turned seven":
        exchange(cards, [turned], lambda card: card[0] == "7")
    if style == "sequences":
        exchange(cards, [turned], lambda card: card in (f"8{suits[0]}", f"9{suits[0]}"))
        exchange(cards, places(game, seat), lambda card: card[0] in "JQKTA" and card[1] == suits[0])
    if style == "few ranks":
        exchange(cards, places(game, seat), lambda card: card[0] in ranks)
    if style == "one hand":
        exchange(cards, places(game, seat), lambda card: card in ("QS", "JD"))
    if style == "sevens":
        exchange(cards, [turned], lambda card: card[1] == suits[0] and card[0] != "7")
        exchange(cards, places(game, seat), lambda card: card == "7" + suits[0])
    return cards


def choose(game: Many, rng: random.Random, restless: bool) -> Action:
    """Eager to declare, from the lowest bezique up, and keeps its court cards; unless it is restless."""
    actions = sorted(game.legal(), key=str)
    if game.phase() != "play":
        weights = []
        for action in actions:
            weight = {"declare": 10.0, "seven": 10.0, "show": 5.0}.get(action[0], 1.0)
            if action[:2] == ("declare", "bezique"):
                weight = 20.0 * action[2] if restless else 60.0 / action[2]
            if action[:2] == ("declare", "sequence"):
                weight = 40.0
            weights.append(weight)
        return rng.choices(actions, weights)[0]
    weights = []
    for action in actions:
        rank, suit = action[1]
        weight = 5.0 if rank in "789" else 1.0
        if action[1] in ("QS", "JD") or (suit == game.trump and rank in "JQKTA"):
            weight = 0.6 if restless else 0.05
        if action[2] == "table":
            weight *= 4.0 if restless else 0.5
        weights.append(weight)
    return rng.choices(actions, weights)[0]


def games(game: str, rules: dict[str, Any], count: int) -> int:
    """More of them where they are short: single deals, and two players."""
    return count * (1 if rules.get("target", 1) else 5) * (4 if game == POLISH else 1)


def heavy_game(game: Many, seed: int) -> Iterator[list[str] | Action]:
    """The decks and actions of a game; whoever asks for them carries them out."""
    rng = random.Random(f"{game.game} {sorted(game.rules.items())} {seed}")
    restless = rng.random() < 0.4
    while not game.over:
        yield (
            stacked_deck(game, STYLES[seed % len(STYLES)], rng)
            if game.phase() == "deal"
            else choose(game, rng, restless)
        )
