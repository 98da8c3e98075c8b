"""One game of every rule set, decision by decision, in a file that a person can read.

A change of a game shows here as a change of text, to be read before it is accepted:
``python -m tests.contract.test_playthroughs`` writes the files anew.
"""

from pathlib import Path

from simcards.games.registry import rulesets
from simcards.study.plan import make_plan
from simcards.study.replay import replay

FOLDER = Path(__file__).parent.parent / "playthroughs"


def playthrough(game_id):
    known = rulesets()[game_id]
    strategy = "basic" if "basic" in known.strategies else "random"
    rules = {"games": 2} if "session" in known.units else {}  # enough to see what comes between two
    plan = make_plan(game_id, deals=1, strategies=strategy, rules=rules, seed=1)
    return f"{replay(plan, 0)}\n"


def test_playthrough_is_unchanged(game_id):
    assert playthrough(game_id) == (FOLDER / f"{game_id}.txt").read_text(encoding="utf-8")


def test_every_file_belongs_to_a_game():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(rulesets())


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game_id in rulesets():
        (FOLDER / f"{game_id}.txt").write_text(playthrough(game_id), encoding="utf-8")
        print(f"wrote {FOLDER / game_id}.txt")
