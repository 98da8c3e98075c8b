"""The compiled piquet against the slow one: the same cards, discards, words and tricks, every point by its source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.bezique.kernel import DEAL, Kernel, Traced, kernel

from .reference import AMERICAN, CARTE_ROUGE, PLAYERS, RANKS, RUBICON, SUITS, Deal, Rules, settle_rubicon

STOP = 32
SOURCES = {
    "carte_blanche": "carte_blanche",
    "point": "point",
    "sequences": "sequences",
    "sets": "sets",
    "carte_rouge": "carte_rouge",
    "repique": "repique",
    "pique": "pique",
    "leads": "leads",
    "tricks_on_leads": "wins",
    "last_trick": "last",
    "cards": "cards",
    "capot": "capot",
    "deal": "deal_won",
}
GAMES: dict[str, tuple[Rules, dict[str, int | str]]] = {
    "piquet-rubicon": (RUBICON, {}),
    "piquet-rubicon-american": (AMERICAN, {}),
    "piquet-rubicon-four-deals": (RUBICON, {}),
    "piquet-carte-rouge": (CARTE_ROUGE, {}),
}


def text(code: int) -> str:
    return RANKS[code % 8] + SUITS[code // 8]


def cards(mask: int) -> list[str]:
    return [text(code) for code in range(32) if int(mask) >> code & 1]


def parts(traced: Traced) -> Iterator[tuple[int, int, list[int]]]:
    """The deals of a game: first and last action, and the deck."""
    starts = [place for place, action in enumerate(traced.actions) if action == DEAL]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(traced.actions)
        yield start + 1, end, traced.decks[number]


def told(compiled: Kernel, traced: Traced, part: tuple[int, int, list[int]], rules: Rules) -> Deal:
    """Tell a deal of the kernel to the slow game, and compare at every step what may be played."""
    first, end, deck = part
    hands = {
        player: [text(deck[place]) for place in range(24) if place // 2 % 2 == seat]
        for seat, player in enumerate(PLAYERS)
    }
    deal = Deal(hands, [text(code) for code in deck[24:]], rules)
    names: dict[str, dict[str, list[str]]] = {player: {} for player in PLAYERS}
    discards: dict[str, list[str]] = {player: [] for player in PLAYERS}
    exchanged = dict.fromkeys(PLAYERS, False)
    if rules.repique_by == "end":  # carte blanche is scored unasked
        for player in PLAYERS:
            if deal.may_show_blank(player):
                deal.show_blank(player)
    declared = False
    for place in range(first, end):
        state, action = traced.seen[place], traced.actions[place]
        position = compiled.position(traced.seen[place : place + 1])
        elder = int(state["common"]["elder"])
        player = PLAYERS[position.actor != elder]
        if position.phase == "show":
            assert deal.may_show_blank(player)
            if action:
                deal.show_blank(player)
        elif position.phase == "exchange":
            if player == "younger" and not exchanged["elder"]:
                deal.exchange("elder", discards["elder"])
                exchanged["elder"] = True
            low, high = deal.least_and_most(player)
            gone = len(discards[player])
            assert (STOP in position.legal) == (gone >= low)
            assert gone < high
            rest = [card for card in deal.hands[player] if card not in discards[player]]
            assert {text(code) for code in position.legal if code != STOP} <= set(rest)
            if action != STOP:
                discards[player].append(text(action))
        elif position.phase == "declare":
            for who in PLAYERS:
                if not exchanged[who]:
                    deal.exchange(who, discards[who])
                    exchanged[who] = True
            kind = ("point", "sequence", "set")[int(state["common"]["kind"])]
            if action != STOP:
                name = {"point": SUITS[action % 4], "set": RANKS[action % 8]}.get(kind, text(action))
                names[player].setdefault(kind, []).append(name)
        elif position.phase == "play":
            if not declared:
                for who in PLAYERS:
                    if not exchanged[who]:
                        deal.exchange(who, discards[who])
                deal.declare(announced=names)
                declared = True
            assert player == deal.turn
            assert {text(code) for code in position.legal} == set(deal.legal())
            assert sorted(cards(state["private"][position.actor]["hand"])) == sorted(deal.hands[player])
            points = [int(state["public"][elder ^ seat]["points"]) for seat in range(2)]
            assert points == [deal.running[who] for who in PLAYERS], place
            deal.play(text(action))
    return deal


def compare(game: str, strategy: str, unit: dict[str, int | str], index: int) -> list[Deal]:
    rules, changes = GAMES[game]
    compiled = kernel(game, {**changes, **unit})
    traced = compiled.trace(strategy, 7, index)
    deals = [told(compiled, traced, part, rules) for part in parts(traced)]
    totals = [0, 0]
    sources: dict[str, list[int]] = {name: [0, 0] for name in (*SOURCES.values(), "doubled")}
    for number, deal in enumerate(deals):
        for place, player in enumerate(PLAYERS):
            seat = place ^ (number % 2)
            for source, points in deal.scores[player].items():
                if source == "leads" and rules.play == "leads" and len(deal.record) == 12:
                    last_leader = deal.last_leader
                    extra = 1 if player == last_leader else 0
                    sources["last"][seat] += extra
                    sources["leads"][seat] += points - extra
                else:
                    sources[SOURCES[source]][seat] += points
            total = deal.total(player)
            if game == "piquet-rubicon-four-deals" and len(deals) > 1 and number in (0, len(deals) - 1):
                sources["doubled"][seat] += total
                total *= 2
            totals[seat] += total
    row = traced.row
    assert row["points"] == totals
    assert {name: row[f"points_{name}"] for name in sources} == sources
    assert row["deals"] == len(deals)
    tricks = [sum(deal.tricks[PLAYERS[seat ^ (number % 2)]] for number, deal in enumerate(deals)) for seat in range(2)]
    assert row["tricks"] == tricks
    if len(deals) > 1 and game != "piquet-carte-rouge":
        assert row["value"] == list(settle_rubicon((totals[0], totals[1])))
    elif game == "piquet-carte-rouge" or len(deals) == 1:
        assert row["value"] == [totals[0] - totals[1], totals[1] - totals[0]]
    return deals


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("strategy", ["random", "basic"])
def test_single_deals(game: str, strategy: str) -> None:
    for index in range(150):
        compare(game, strategy, {"deals": 1}, index)


@pytest.mark.parametrize("game", GAMES)
def test_whole_games(game: str) -> None:
    for index in range(30):
        deals = compare(game, "basic", {}, index)
        assert len(deals) == (6 if game in ("piquet-rubicon", "piquet-rubicon-american") else 4)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_deals(game: str) -> None:
    seen: dict[str, Any] = dict.fromkeys(SOURCES, 0)
    for strategy, many in (("random", 4_000), ("basic", 4_000)):
        for index in range(1_000, 1_000 + many):
            (deal,) = compare(game, strategy, {"deals": 1}, index)
            for player in PLAYERS:
                for source in deal.scores[player]:
                    seen[source] += 1
    never = {source for source, times in seen.items() if not times}
    assert never <= {"carte_rouge", "deal", "capot", "tricks_on_leads", "last_trick", "carte_blanche"}
