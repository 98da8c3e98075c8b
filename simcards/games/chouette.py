"""A chouette: a series of games of one player against a line, made from any game for two with a settlement.

The chouette player meets one opponent at a time; the others of the line consult with him and, as a rule, have the same
stake in every game. An opponent who loses gives his place up to the next and goes to the end of the line; one who wins
stays. Before a game the chouette player chooses which seat of it he takes.

The position of the game is a record within that of the series, and what decides in it is handed on: a strategy of the
game plays it as it would by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simcards.games.chouette_rules import MOST_GAMES, MOST_OPPONENTS, RULES, SEATS
from simcards.games.game import Game, Quantity, row_dtype, rules_dtype
from simcards.games.ruleset import RuleSet
from simcards.games.strategy import Parameter, Strategy, monte_carlo, random_play
from simcards.kernel import protocol
from simcards.kernel.compiled import kernel
from simcards.kernel.protocol import DEALER, MISSING, implements, policy

CHOOSING, DEALING, IN_GAME, ENDED = range(4)
LINE_STAKES, CHOICE_GAME, CHOICE_OPPONENT, TIED_LEAVES = 0, 0, 1, 1  # the words of rules
PARTS = 10  # points of the path that are kept

# Everything about the series, all of it known to all; index 0 is the chouette player's side, 1 the line
SERIES = np.dtype(
    [
        ("stage", "i4"),
        ("played", "i4"),
        ("deals", "i4"),
        ("seat", "i4"),
        ("next_seat", "i4"),
        ("opponent", "i4"),
        ("stay", "i4"),
        ("stays", "i4"),
        ("first_stay", "i4"),
        ("longest_stay", "i4"),
        ("bankroll", "i4"),
        ("highest", "i4"),
        ("lowest", "i4"),
        ("fall", "i4", (2,)),
        ("best", "i4", (2,)),
        ("won", "i4", (2,)),
        ("ahead", "i4", (2,)),
        ("led", "i4", (2,)),
        ("after", "i4", (PARTS,)),
        ("earned", "i4", (MOST_OPPONENTS,)),
        ("faced", "i4", (MOST_OPPONENTS,)),
    ],
    align=True,
)

SERIES_DOC = {
    "stage": "0: the seat is chosen, 1: cards are dealt for a new game, 2: within a game, 3: over",
    "played": "games played so far",
    "deals": "deals so far",
    "seat": "the chouette player's seat in the present game, in its order of play; the line has the other",
    "next_seat": "his seat in the next game",
    "opponent": "the opponent at the cards, from 0 in the order of the line",
    "stay": "games in a row that he has played already",
    "stays": "how many times an opponent sat down",
    "first_stay": "games of the first opponent before he gave his place up, all of them while he has not",
    "longest_stay": "the most games in a row of one opponent",
    "bankroll": "what the chouette player's side has won or lost",
    "highest": "the highest bankroll so far, 0 or more",
    "lowest": "the lowest bankroll so far, 0 or less",
    "fall": "the largest fall from a highest point so far, of his side and of the line",
    "best": "the most won in one game by each side",
    "won": "games won by each side",
    "ahead": "games after which each side was ahead",
    "led": "games in which each side played first",
    "after": "the bankroll after each tenth of the games, as far as they are played",
    "earned": "what each of the line has won or lost",
    "faced": "games that each of the line has played at the cards",
}


def _rules_record(game: Game, ruleset: RuleSet) -> np.dtype[Any]:
    """Return the record type of the rules, in which ``of_game`` overlaps those of the game."""
    inner = rules_dtype(game.ruleset.rules)
    names = [rule.name for rule in ruleset.rules]
    return np.dtype(
        {
            "names": [*names, "of_game"],
            "formats": ["i4"] * len(names) + [inner],
            "offsets": [*range(0, 4 * len(names), 4), 0],
            "itemsize": 4 * len(names),
        },
        align=True,
    )


@kernel
def clear(series):
    """Make a series that has not begun."""
    series.stage = CHOOSING
    series.played = 0
    series.deals = 0
    series.seat = 0
    series.next_seat = 0
    series.opponent = 0
    series.stay = 0
    series.stays = 1
    series.first_stay = 0
    series.longest_stay = 0
    series.bankroll = 0
    series.highest = 0
    series.lowest = 0
    series.fall[:] = 0
    series.best[:] = 0
    series.won[:] = 0
    series.ahead[:] = 0
    series.led[:] = 0
    series.after[:] = 0
    series.earned[:] = 0
    series.faced[:] = 0


@kernel
def book(series, rules, value):
    """Enter what a game was worth to the chouette player for one stake, and say who meets next.

    Parameters
    ----------
    series : SERIES
        The series.
    rules : record
        The rules of the chouette.
    value : int
        What one stake won; negative where it was lost.
    """
    opponents = np.int64(rules.opponents)
    everybody = rules.stakes == LINE_STAKES
    total = value * opponents if everybody else value
    series.played += 1
    series.stay += 1
    series.bankroll += total
    series.highest = max(series.highest, series.bankroll)
    series.lowest = min(series.lowest, series.bankroll)
    series.fall[0] = max(series.fall[0], series.highest - series.bankroll)
    series.fall[1] = max(series.fall[1], series.bankroll - series.lowest)
    series.best[0] = max(series.best[0], total)
    series.best[1] = max(series.best[1], -total)
    series.won[0] += value > 0
    series.won[1] += value < 0
    series.ahead[0] += series.bankroll > 0
    series.ahead[1] += series.bankroll < 0
    series.led[series.seat] += 1
    for part in range(PARTS):
        if series.played == (rules.games * (part + 1) + PARTS - 1) // PARTS:
            series.after[part] = series.bankroll
    for place in range(opponents):
        if everybody or place == series.opponent:
            series.earned[place] -= value
    series.faced[series.opponent] += 1
    series.longest_stay = max(series.longest_stay, series.stay)
    if series.stays == 1:
        series.first_stay = series.stay
    if series.played == rules.games:
        series.stage = ENDED
        return
    leaves = value > 0 or (value == 0 and rules.tied == TIED_LEAVES)
    if leaves:
        series.opponent = (series.opponent + 1) % opponents
        series.stay = 0
        series.stays += 1
    if rules.choice == CHOICE_GAME or (rules.choice == CHOICE_OPPONENT and leaves):
        series.stage = CHOOSING
    else:
        series.next_seat = 1 - series.seat
        series.stage = DEALING


# -- the protocol, for the records of any game ---------------------------------------------------------------


@kernel
def _settle(state):
    """Book the game that has just ended."""
    protocol.measure(state.game, state.result)
    book(state.series, state.rules, np.int64(state.result.value[state.series.seat]))


def _begin(state):
    clear(state.series)
    state.game.rules = state.rules.of_game
    protocol.begin(state.game)


def _deal(state, deck):
    series = state.series
    if series.stage == DEALING:
        series.stage = IN_GAME
        series.seat = series.next_seat
        protocol.begin(state.game)
    series.deals += 1
    protocol.deal(state.game, deck)
    if protocol.is_over(state.game):
        _settle(state)


def _is_over(state):
    return state.series.stage == ENDED


def _actor(state):
    series = state.series
    if series.stage == CHOOSING:
        return np.int64(0)
    if series.stage == DEALING:
        return np.int64(DEALER)
    player = np.int64(protocol.actor(state.game))
    return player if player == DEALER else player ^ np.int64(series.seat)


def _phase(state):
    if state.series.stage == CHOOSING:
        return np.int64(0)
    return np.int64(protocol.phase(state.game)) + 1


def _legal(state):
    if state.series.stage == CHOOSING:
        return np.uint64(3)
    return np.uint64(protocol.legal(state.game))


def _observe(state, player, view):
    view.seat = player
    view.part = _part(state)
    view.series = state.series
    view.game.rules = state.game.rules
    protocol.observe(state.game, player ^ np.int64(state.series.seat), view.game)


@kernel
def _part(state):
    return np.int64(0) if state.series.stage != IN_GAME else np.int64(protocol.phase(state.game)) + 1


def _apply(state, action):
    series = state.series
    if series.stage == CHOOSING:
        series.next_seat = action
        series.stage = DEALING
        return
    protocol.apply(state.game, action)
    if protocol.is_over(state.game):
        _settle(state)


def _measure(state, row):
    series = state.series
    rules = state.rules
    opponents = np.int64(rules.opponents)
    bankroll = series.bankroll
    row.value[0] = bankroll
    row.value[1] = -bankroll
    row.each[0] = np.round(bankroll / (1 + rules.partner))
    row.each[1] = np.round(-bankroll / opponents)
    row.won[0] = bankroll > 0
    row.won[1] = bankroll < 0
    row.lowest[0] = series.lowest
    row.lowest[1] = -series.highest
    row.fall[:] = series.fall
    row.best[:] = series.best
    row.ahead[:] = series.ahead
    row.games_won[:] = series.won
    row.led[:] = series.led
    row.every_after[:] = series.after
    for place in range(MOST_OPPONENTS):
        row.every_earned[place] = series.earned[place] if place < opponents else MISSING
        row.every_faced[place] = series.faced[place] if place < opponents else MISSING
    row.games = series.played
    row.tied = series.played - series.won[0] - series.won[1]
    row.stays = series.stays
    row.first_stay = series.first_stay
    row.longest_stay = series.longest_stay
    row.deals = series.deals


def _determinize(view, rng, state):
    state.series = view.series
    state.game.rules = view.rules.of_game
    protocol.determinize(view.game, rng, state.game)


def _basic(view, part, legal, rng, options):
    if part == 0:
        return np.int64(0)
    return np.int64(protocol.basic(view.game, part - 1, legal, rng, options))


def _worth(state, player):
    return protocol.worth(state.game, player ^ np.int64(state.series.seat))


# -- strategies ----------------------------------------------------------------------------------------------


@kernel
def _take_seat(view, legal, rng, options):
    """Take the seat that the player was told."""
    return np.int64(options.value[0])


@kernel
def _play_on(view, legal, rng, options):
    """Play the game by the game's own basic play."""
    return protocol.basic(view.game, view.part - 1, legal, rng, options)


# -- what is measured ----------------------------------------------------------------------------------------

AFTER = tuple(f"after_{part}" for part in range(1, PARTS + 1))
EARNED = tuple(f"earned_{place}" for place in range(1, MOST_OPPONENTS + 1))
FACED = tuple(f"faced_{place}" for place in range(1, MOST_OPPONENTS + 1))
TENTHS = ("a tenth", *(f"{part} tenths" for part in range(2, PARTS)), "all")
TABLE_WIDE = (*AFTER, *EARNED, *FACED, "games", "tied", "stays", "first_stay", "longest_stay", "deals")
_MONEY: dict[str, Any] = {"bin_width": 2_000, "bin_low": -80_000, "bins": 80}
_FALL: dict[str, Any] = {"bin_width": 1_000, "bins": 80}

QUANTITIES = (
    Quantity("value", "the bankroll: what the side has won or lost in the end", "points", "result", **_MONEY),
    Quantity("each", "what each of the side has won or lost, on average and to the nearest point", "points", "result"),
    Quantity("won", "is ahead in the end", "flag", "result"),
    Quantity("fall", "the largest fall of the bankroll from a highest point", "points", "result", **_FALL),
    Quantity("lowest", "the lowest point of the bankroll, 0 or less", "points", "result"),
    Quantity("best", "the most won in one game", "points", "result"),
    *(
        Quantity(name, f"bankroll of the chouette player after {tenths} of the games", "points", "path")
        for name, tenths in zip(AFTER, TENTHS, strict=True)
    ),
    *(
        Quantity(name, f"what opponent {place} of the line has won or lost", "points", "line")
        for place, name in enumerate(EARNED, 1)
    ),
    *(
        Quantity(name, f"games that opponent {place} of the line has played at the cards", "count", "line")
        for place, name in enumerate(FACED, 1)
    ),
    Quantity("stays", "times an opponent sat down", "count", "line"),
    Quantity("first_stay", "games in a row of the first opponent", "count", "line", bins=20),
    Quantity("longest_stay", "most games in a row of one opponent", "count", "line", bins=20),
    Quantity("games_won", "games won", "count", "play"),
    Quantity("ahead", "games after which the side was ahead", "count", "play"),
    Quantity("led", "games in which the side played first", "count", "play"),
    Quantity("tied", "games tied", "count", "play"),
    Quantity("games", "games played", "count", "play"),
    Quantity("deals", "deals played", "deals", "play"),
)


def _row() -> np.dtype[Any]:
    """Return the record type of a row, in which the numbers of the path and of the line can be written at once."""
    plain = row_dtype(QUANTITIES, TABLE_WIDE)
    fields = {name: (made, offset) for name, (made, offset, *_) in (plain.fields or {}).items()}
    for group, members in (("every_after", AFTER), ("every_earned", EARNED), ("every_faced", FACED)):
        fields[group] = (np.dtype(("i4", (len(members),))), fields[members[0]][1])
    return np.dtype(
        {
            "names": list(fields),
            "formats": [made for made, _ in fields.values()],
            "offsets": [offset for _, offset in fields.values()],
            "itemsize": plain.itemsize,
        },
        align=True,
    )


ROW = _row()


def chouette(game: Game, ruleset: RuleSet) -> Game:
    """Return the chouette in which a game is played.

    Parameters
    ----------
    game : Game
        A game for two, whose payoff is the settlement of a game and called ``value``.
    ruleset : RuleSet
        What `simcards.games.chouette_rules.chouette_rules` made of the game's rule set.

    Returns
    -------
    Game

    Raises
    ------
    ValueError
        When the game is none that can be played so.
    """
    base = game.ruleset
    if base.players != 2 or game.payoff != "value" or ruleset.rules != (*base.rules, *RULES):
        raise ValueError(f"{base.id} is no game for two with a settlement, or {ruleset.id} is not made from it")
    name = "chouette_" + base.id.replace("-", "_")
    rules = _rules_record(game, ruleset)
    state_type = protocol.record(
        name, [("rules", rules), ("series", SERIES), ("game", game.state), ("result", game.row)]
    )
    view_type = protocol.record(
        f"{name}_view", [("rules", rules), ("seat", "i8"), ("part", "i8"), ("series", SERIES), ("game", game.view)]
    )
    of_states: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
        (protocol.begin, _begin),
        (protocol.deal, _deal),
        (protocol.is_over, _is_over),
        (protocol.actor, _actor),
        (protocol.phase, _phase),
        (protocol.legal, _legal),
        (protocol.observe, _observe),
        (protocol.apply, _apply),
        (protocol.measure, _measure),
        (protocol.worth, _worth),
    )
    for generic, function in of_states:
        implements(generic, state_type)(function)
    implements(protocol.determinize, view_type)(_determinize)
    implements(protocol.basic, view_type)(_basic)
    pack = base.pack.counts().astype(np.int64)

    @implements(protocol.census, state_type)
    def _census(state, counts):
        if state.series.stage == CHOOSING and state.series.deals == 0:  # the pack lies there
            for card in range(pack.shape[0]):
                counts[card] += pack[card]
        else:
            protocol.census(state.game, counts)

    @implements(protocol.space, view_type)
    def _space(view):
        return np.empty(3, state_type), np.empty(2, view_type)

    phases = ("choose", *game.phases)
    play_on = policy(view_type)(_play_on)
    usual = game.strategies["basic"]
    known = {
        "random": random_play(view_type, len(phases)),
        "basic": Strategy(
            "basic",
            f"always chooses the same seat; in the game {usual.doc}",
            (policy(view_type)(_take_seat), *(play_on,) * len(game.phases)),
            (Parameter("seat", 0, f"the seat chosen: 0 {base.seats[0]}, 1 {base.seats[1]}", 0, 1),),
        ),
        "mc": monte_carlo(view_type, len(phases)),
    }

    def action_text(state: Any, action: int) -> str:
        if int(state["series"]["stage"]) == CHOOSING:
            return f"chooses to be {base.seats[action]}"
        return game.action_text(state["game"], action)

    def state_text(state: Any) -> str:
        series = state["series"]
        played = int(series["played"])
        bankroll = f"bankroll {int(series['bankroll'])} after {played} game{'' if played == 1 else 's'}"
        if int(series["stage"]) != IN_GAME:
            return bankroll
        who = f"opponent {int(series['opponent']) + 1} of the line"
        return f"{who}, the chouette player is {base.seats[int(series['seat'])]}, {bankroll}\n" + game.state_text(
            state["game"]
        )

    def scores(state: Any) -> tuple[int, int]:
        bankroll = int(state["series"]["bankroll"])
        return bankroll, -bankroll

    return Game(
        ruleset=ruleset,
        state=state_type,
        view=view_type,
        row=ROW,
        phases=phases,
        quantities=QUANTITIES,
        strategies={name: known[name] for name in ruleset.strategies},
        places=game.places,
        action_text=action_text,
        state_text=state_text,
        payoff="value",
        limit=(game.limit + 1) * MOST_GAMES,
        scores=scores,
        inner=base.id if game.positions else "",
        actions={
            "choose": f"the seat that the chouette player takes in the next game: 0 {base.seats[0]}, 1 {base.seats[1]}",
            **game.actions,
        },
        view_doc={
            "rules": "the rules in force, a field each; one whose values are words holds the place of the word, from 0",
            "seat": f"the player: 0 the {SEATS[0]} player, 1 the {SEATS[1]}",
            "part": "the phase: 0 choose, then those of the game",
            "series": "the series so far",
            **{f"series.{path}": doc for path, doc in SERIES_DOC.items()},
            "game": "what the player sees of the present game, or of the last between two",
            **{f"game.{path}": doc for path, doc in game.view_doc.items()},
            **{f"game.rules.{rule.name}": rule.doc for rule in base.rules},
        },
    )
