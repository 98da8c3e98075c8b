"""Games full of declarations of bezique for three, for four and in the Polish way (see `heavy`)."""

from __future__ import annotations

import random
from typing import Any

from .reference_many import PACKETS, Action, Many, pack

STYLES = ("plain", "courts", "bezique", "one hand", "sequences", "few ranks", "turned seven", "marriages", "sevens")


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
    """Eager to declare, from the lowest bezique up; keeps its court cards unless it is restless."""
    actions = sorted(game.legal(), key=str)
    if game.phase() != "play":
        weights = []
        for action in actions:
            weight = 10.0 if action[0] in ("declare", "seven") else 1.0
            if action[:2] == ("declare", "bezique"):
                weight = 60.0 / action[2]
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
