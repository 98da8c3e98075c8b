"""The rules of a chouette as data: one player against a line of others, in a series of games of any kind for two."""

from __future__ import annotations

from types import MappingProxyType

from simcards.games.ruleset import Rule, RuleSet

SEATS = ("chouette", "line")
MOST_OPPONENTS = 6
MOST_GAMES = 1_000

# Behind the rules of the game that is played
RULES = (
    Rule("games", 10, "games in a session", low=1, high=MOST_GAMES),
    Rule("opponents", 3, "opponents in the line, in the order in which they cut", low=1, high=MOST_OPPONENTS),
    Rule(
        "stakes",
        "line",
        "who plays for a stake in every game: all of the line, or only the opponent at the cards",
        choices=("line", "opponent"),
    ),
    Rule("partner", "no", "whether a partner shares the chouette player's stakes", choices=("no", "yes")),
    Rule(
        "choice",
        "game",
        "when the chouette player chooses deal and seat: before every game, for each new opponent, or once;"
        " otherwise the deal alternates",
        choices=("game", "opponent", "once"),
    ),
    Rule("tied", "stays", "whether the opponent stays after a tied game", choices=("stays", "leaves")),
)


def chouette_rules(base: RuleSet, identifier: str, title: str, summary: str, *synonyms: str, source: str) -> RuleSet:
    """Return the rule set of a chouette.

    Parameters
    ----------
    base : RuleSet
        The game for two that is played; its rules can be changed as those of the chouette.
    identifier, title, summary, source : str
        As in `RuleSet`.
    *synonyms : str
        Other names.

    Returns
    -------
    RuleSet
        A row is a session of ``games`` games; the module is to be set.
    """
    return RuleSet(
        id=identifier,
        title=title,
        family=base.family,
        summary=summary,
        source=source,
        seats=SEATS,
        pack=base.pack,
        rules=(*base.rules, *RULES),
        module="",
        strategies=tuple(name for name in base.strategies if name in ("random", "basic", "mc")),
        synonyms=synonyms,
        units=MappingProxyType({"session": MappingProxyType({})}),
        hand=base.hand,
        features=base.features,
    )
