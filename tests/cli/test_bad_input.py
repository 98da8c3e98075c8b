"""Whatever is typed wrong: one line that says what and what would be right, exit 2, nothing written."""

from __future__ import annotations

import json
import shlex

import pytest

# What is typed, and what the answer must hold. FILE is a file of somebody else, FULL a folder with one.
WRONG = [
    ("plya bezique", "there is no command 'plya'; did you mean 'play'?"),
    ("--versoin", "did you mean '--version'?"),
    ("play", "GAME is missing"),
    ("rules", "GAME is missing"),
    ("run", "FILE is missing"),
    ("match bezique", "STRATEGY... is missing"),
    ("play bezique extra", "has no use for 'extra'"),
    ("play bezique --sede 1", "there is no option '--sede' of 'simcards play'; did you mean '--seed'?"),
    ("games --jsn", "did you mean '--json'?"),
    ("play bezique -n", "'-n' requires an argument"),
    ("play rubicon-bezik", "there is no game 'rubicon-bezik'; did you mean 'rubicon-bezique'?"),
    ("rules рубикон-безиг", "did you mean 'рубикон-безик'?"),
    ("bench nonsuch-game-at-all", "there is no game"),
    ("play nonsuch-game-at-all", "known: bezique, polish-bezique, rubicon-bezique"),
    ("play bezique -n 0", "the number of deals must be from 1 to 10**15, not 0"),
    ("play bezique -n -5", "the number of deals must be from 1"),
    ("play bezique -n 1e16", "the number of deals must be from 1 to 10**15"),
    ("play bezique -n 1e99", "the number of deals must be from 1 to 10**15"),
    ("play bezique -n 1.5", "the number of deals must be a whole number, not '1.5'"),
    ("play bezique -n many", "such as 5000, 100k or 1e6, not 'many'"),
    ("play bezique -n nan", "not 'nan'"),
    ("play bezique --seed x", "the seed must be a whole number"),
    ("play bezique --seed 1.5", "the seed must be a whole number, not '1.5'"),
    ("play bezique --seed -1", "the seed must be from 0"),
    ("play bezique --seed 18446744073709551616", "the seed must be from 0 to 2**64 - 1"),
    ("sample bezique -n 0", "the number of deals must be from 1 to 10**15, not 0"),
    ("odds --pack 32 --hand 5 'n(\"K\") > 1' --seed -1", "the seed must be from 0 to 2**64 - 1, not -1"),
    ("odds --pack 32 --hand 5 'n(\"K\") > 1' --seed 18446744073709551616", "the seed must be from 0"),
    ("odds --pack 32 --hand 5 'n(\"K\") > 1' --budget 0", "the budget must be from 1"),
    ("odds --pack 32 --hand 5 'n(\"K\") > 1' --plot nodir/x.png", "cannot write 'nodir/x.png': there is no folder"),
    ("play bezique -s basik", "did you mean 'basic'?"),
    ("play bezique -s basic -s basic -s random", "bezique takes one strategy or 2 (pone, dealer), not 3"),
    ("play bezique -s nofile.py:bold", "cannot read the strategies in 'nofile.py'"),
    ("play bezique -s odd.py:bold", "odd.py cannot be run"),
    ("play bezique --set tagret=500", "did you mean 'target'?"),
    ("play bezique --set target", "--set is written rule=value, not 'target'"),
    ("play bezique --set target=", "--set is written rule=value"),
    ("play bezique --set target=lots", "the rule 'target' takes a whole number, not 'lots'"),
    ("play bezique --set target=-1", "takes a number from 0"),
    ("play bezique --set brisques=newer", "takes never, as_won or at_end, not 'newer'; did you mean 'never'?"),
    ("rules rubicon-bezique --set triple_bezique=1e9", "takes a number from 0 to 1000000, not 1000000000"),
    ("play bezique --unit game --set target=0", "with target = 0 a game is a single deal"),
    ("play bezique --set target=500", "with target = 500 a row is more than one deal: choose the unit 'game'"),
    ("rules bezique --set target=500", "choose the unit 'game'"),
    ("play bezique --set target=1 --set target=2", "--set gives 'target' twice"),
    ("rules bezique --set tagret=500", "did you mean 'target'?"),
    ("rules bezique --unit gmae", "did you mean 'game'?"),
    ("play bezique --unit gmae", "did you mean 'game'?"),
    ("play bezique --fix 'pone=QS QS QS'", "QS is given 3 times; the pack has 2"),
    ("play bezique --fix 'pone=QS QS' --fix 'dealer=QS'", "QS is given 3 times"),
    ("play bezique --fix 'pone=1S'", "'1S' is not a card"),
    ("play bezique --fix 'pone=2S'", "there is no 2S in this pack"),
    ("play bezique --fix 'pome=QS'", "did you mean 'pone'?"),
    ("play rubicon-bezique --fix 'south=QS'", "there is no hand 'south' in rubicon-bezique; known: pone, dealer"),
    ("play bezique --fix 'pone=AS KS QS JS TS 9S 8S 7S AH'", "pone takes 8 cards, not 9"),
    ("play bezique --fix QS", "--fix is written hand=cards, not 'QS'"),
    ("play bezique --precision 0", "the precision must be a number above 0"),
    ("play bezique --precision nan", "the precision must be a number above 0"),
    ("play bezique --precision tight", "--precision must be a number"),
    ("play bezique --target points.pone", "a target is given without a precision"),
    ("play bezique --precision 1 --target points", "write points.pone or points.dealer"),
    ("play bezique --precision 1 --target piont.pone", "did you mean 'points.pone'?"),
    ("play bezique --workers 0", "the number of workers must be from 1"),
    ("play bezique --workers two", "--workers must be a whole number"),
    ("play bezique --quantity pionts", "there is no quantity 'pionts' of bezique; did you mean 'points'?"),
    ("play bezique --section reslut", "did you mean 'result'?"),
    ("play bezique --section timing --quantity points", "points is in the section 'result', not in 'timing'"),
    ("play bezique --section melds --all", "choose one of them"),
    ("play bezique --quantity points --all", "choose one of them"),
    ("play bezique --precision 1 --target ''", "the target is given by its name, not by an empty text"),
    ("play bezique --version", "there is no option '--version' of 'simcards play'; 'simcards play --help' lists"),
    ("play bezique --json --csv", "--json and --csv exclude each other"),
    ("play bezique --resume", "name one"),
    ("play bezique --checkpoint nowhere/run.json", "there is no folder"),
    ("play bezique --checkpoint FILE", "'FILE' is not a checkpoint"),
    ("play bezique --checkpoint FILE --resume", "'FILE' is not a checkpoint"),
    ("play bezique --out FILE", "it is a file"),
    ("play bezique --out FULL", "the folder is not empty"),
    ("match bezique basic", "a match needs two strategies"),
    ("match bezique basic rendom", "did you mean 'random'?"),
    ("match bezique basic random --out FULL", "the folder is not empty"),
    ("match bezique basic random --precision 1 --target margin", "no quantity 'margin' with a value for each seat"),
    ("replay bezique --deal -1", "the deal must be from 0"),
    ("replay bezique --deal first", "the deal must be a whole number"),
    ("sample bezique -o rows.txt", "the name must end in .csv, .jsonl or .parquet"),
    ("sample bezique -o nowhere/rows.csv", "there is no folder"),
    ("sample bezique -o FULL", "the name must end in .csv, .jsonl or .parquet"),
    ("sample bezique -o rows.csv --csv", "choose one of them"),
    ("report bezique -o FULL", "the folder is not empty"),
    ("report bezique -o FILE", "it is a file"),
    ("report bezique --match-deals none", "the number of match deals must be a whole number"),
    ("report bezique --against nobody", "there is no strategy 'nobody' for bezique"),
    ("report bezique --against basic", "basic cannot be compared with itself"),
    ("report bezique --match-deals 0 --against random", "against random, but the match has 0 deals"),
    ("report bezique -o .", "it is the folder you are in"),
    ("play bezique -o .", "it is the folder you are in"),
    ("run nofile.toml", "cannot read the experiment 'nofile.toml'"),
    ("run FILE", "FILE is not TOML"),
    ("run unknown.toml", "unknown.toml: there is no key 'dealls'; did you mean 'deals'?"),
    ("run types.toml", "types.toml: deals must be a whole number, not 'lots'"),
]  # fmt: skip


@pytest.fixture
def strangers(tmp_path):
    """Files that are there already; returns what must still be there afterwards."""
    (tmp_path / "FILE").write_text("mine, and no format known\n")
    (tmp_path / "odd.py").write_text("mine, and no program\n")
    (tmp_path / "FULL").mkdir()
    (tmp_path / "FULL" / "letter.txt").write_text("mine\n")
    (tmp_path / "unknown.toml").write_text('game = "bezique"\ndeals = 1000\ndealls = 5\n')
    (tmp_path / "types.toml").write_text('game = "bezique"\ndeals = "lots"\n')
    return lambda: {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in sorted(tmp_path.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(("typed", "said"), WRONG, ids=[typed for typed, _ in WRONG])
def test_one_line_says_what_is_wrong_and_nothing_is_written(call, strangers, typed, said):
    before = strangers()
    answer = call(*shlex.split(typed))
    assert answer.status == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert answer.err.startswith("simcards: ")
    assert said in answer.err
    assert strangers() == before


def test_a_checkpoint_of_another_study_is_refused(call, tmp_path):
    assert call("play", "bezique", "-n", "100", "--checkpoint", "run.json", "--json").status == 0
    held = (tmp_path / "run.json").read_bytes()
    answer = call("play", "bezique", "-n", "200", "--seed", "2", "--checkpoint", "run.json", "--resume")
    assert answer.status == 2
    assert answer.err.startswith("simcards: the checkpoint 'run.json' belongs to another study: seed is 1")
    assert answer.err.count("\n") == 1
    assert (tmp_path / "run.json").read_bytes() == held


def test_a_broken_checkpoint_is_refused(call, tmp_path):
    assert call("play", "bezique", "-n", "100", "--checkpoint", "run.json", "--json").status == 0
    held = (tmp_path / "run.json").read_bytes()
    (tmp_path / "run.json").write_bytes(held[: len(held) // 2])
    answer = call("play", "bezique", "-n", "200", "--checkpoint", "run.json", "--resume")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "damaged or cut off" in answer.err


def test_a_checkpoint_with_more_deals_is_refused(call):
    assert call("play", "bezique", "-n", "300", "--checkpoint", "run.json", "--json").status == 0
    answer = call("play", "bezique", "-n", "200", "--checkpoint", "run.json", "--resume")
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "holds 300 deals already, more than 200" in answer.err


def test_a_folder_is_refused_before_anything_is_played(call, strangers, monkeypatch):
    from simcards.study import engine

    def never(*_, **__):
        raise AssertionError("played")

    monkeypatch.setattr(engine, "run", never)
    strangers()
    for typed in ("play bezique --out FULL", "report bezique -o FULL"):
        assert call(*typed.split()).status == 2


def test_a_strategy_that_breaks_the_rules_is_named_in_one_line(call, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from simcards import strategy\n"
        "cheat = strategy('bezique')\n"
        "@cheat.phase('play')\n"
        "def wrong(view, legal):\n"
        "    return 63\n"
    )
    answer = call("play", "bezique", "-s", "mine.py:cheat", "-n", "10")
    assert (answer.status, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert "bezique, seed 1, deal 0: strategy 'mine.py:cheat'" in answer.err
    assert "not legal" in answer.err


@pytest.mark.parametrize("typed", ["plya", "play bezik -n 0", "play bezique --sede 1", "run nofile.toml"])
def test_a_process_of_its_own_says_the_same(spawn, typed):
    answer = spawn(*typed.split())
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith("simcards: ")


def test_wrong_input_leaves_standard_output_empty_also_with_json(call):
    answer = call("play", "bezique", "--json", "--set", "nothing=1")
    assert answer.status == 2
    with pytest.raises(json.JSONDecodeError):
        json.loads(answer.out)
