"""Rules that contradict each other are refused in one line."""

from __future__ import annotations

import pytest

from simcards.errors import UsageError
from simcards.games.registry import ruleset, rulesets


@pytest.mark.parametrize(
    ("game", "changes", "said"),
    [
        ("bezique-four-handed", {"regroup_last_eight": "yes"}, "there are no partners"),
        ("bezique-four-handed", {"partner_seven": "yes"}, "there are no partners"),
        ("binocle", {"looking": "yes", "claims": "no"}, "nobody is asked for a claim"),
        ("binocle-64", {"looking": "yes", "claims": "no"}, "looking=yes with claims=no makes no sense in binocle-64"),
        (
            "piquet-rubicon",
            {"elder_least": 5, "elder_most": 2},
            "'elder_least' cannot be more than 'elder_most': 5 and 2",
        ),
        ("piquet-carte-rouge", {"elder_least": 5, "elder_most": 2}, "cannot be more"),
    ],
)
def test_contradictions(game: str, changes: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        ruleset(game).values(changes)
    assert "\n" not in str(refused.value)


def test_what_does_not_contradict_itself() -> None:
    assert ruleset("bezique-four-handed").values({"regroup_last_eight": "yes", "partnership": "opposite"})
    assert ruleset("piquet-rubicon").values({"elder_least": 2, "elder_most": 2})
    for game in rulesets().values():
        assert game.values()
