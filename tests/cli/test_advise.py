"""``simcards advise``: what is printed, for people and for programs, and what is refused."""

from __future__ import annotations

import json

import pytest

HAND = "hand: QS JD AS KH TC 9D 8H 7C"
SHORT = f"{HAND}; trump: H; stock: 20"


def test_the_table_fits_into_80_columns(call):
    answer = call("advise", "bezique", "-p", SHORT, "-n", "200")
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[:4] == [
        "Bezique: pone to play, 200 worlds, seed 1",
        "hand: AS QS KH 8H JD 9D TC 7C",
        "trump: H",
        "stock: 20",
    ]
    assert "points:" not in answer.out  # what was not said is not repeated as if it had been
    table = lines[lines.index("") + 1 :][:9]
    assert table[0].split() == ["Action", "worth", "against", "the", "best", "best", "in", "chosen", "by"]
    assert sorted(line.split()[1] for line in table[1:]) == sorted(HAND.split()[1:])
    assert sum("basic" in line for line in table) == 1
    for words in ("± is one standard error", "plays on by basic", "28 cards played", "no points so far"):
        assert words in " ".join(answer.out.split())
    assert "standard error" not in call("advise", "bezique", "-p", SHORT, "-n", "200", "-q").out


def test_json_and_csv(call):
    answer = call("advise", "bezique", "--position", SHORT, "-n", "100", "--json", "--set", "marriage=30")
    document = json.loads(answer.out)
    assert len(document["rows"]) == 8
    assert document["provenance"]["position"]["hand"] == "AS QS KH 8H JD 9D TC 7C"
    assert document["provenance"]["rules"]["marriage"] == 30
    assert document["provenance"]["worlds"] == 100
    assert {row["n"] for row in document["rows"]} == {100}
    lines = call("advise", "bezique", "--position", SHORT, "-n", "100", "--csv").out.splitlines()
    assert lines[0] == ("rank,action,code,n,estimate,se,ci_low,ci_high,method,difference,difference_se,best,basic")
    assert len(lines) == 9


@pytest.mark.parametrize("game", ["bezique", "rubicon-bezique"])
def test_a_position_is_shown_edited_and_asked_about(call, tmp_path, game):
    where = ("--deal", "7", "--decision", "45")
    shown = call("advise", game, *where, "--show")
    assert shown.status == 0
    (tmp_path / "mine.txt").write_text(f"# from deal 7\n{shown.out}", encoding="utf-8")
    ours = json.loads(call("advise", game, "-p", "@mine.txt", "-n", "100", "--json").out)
    theirs = json.loads(call("advise", game, *where, "-n", "100", "--json").out)
    assert ours["rows"] == theirs["rows"]
    assert call("advise", game, "-p", "@mine.txt", "--show").out == shown.out


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["bezique"], "advice is for a position or for a decision of a deal: name one of them"),
        (["bezique", "-p", "hnd: QS"], "there is no key 'hnd' in a position of bezique; did you mean 'hand'?"),
        (["bezique", "-p", "hand: QS QS QS; trump: H"], "QS is given 3 times; the pack has 2"),
        (["bezique", "-p", "@nowhere.txt"], "cannot read the position in 'nowhere.txt': No such file or directory"),
        (["bezique", "-p", "@"], "cannot read the position in ''"),
        (["bezique", "-p", SHORT, "--deal", "3"], "name one of them"),
        (["bezique", "-p", SHORT, "--fix", "pone=QS"], "strategies and fixed cards are those of a deal"),
        (["bezique", "-p", SHORT, "-n", "1"], "the number of worlds must be from 2"),
        (["bezique", "-p", SHORT, "--precision", "0"], "the precision must be a number above 0"),
        (["bezique", "--deal", "0", "--decision", "999"], "deal 0 has the decisions 1 to"),
        (["bezique", "-p", SHORT, "--json", "--csv"], "--json and --csv exclude each other"),
        (["besiqe", "-p", SHORT], "there is no game 'besiqe'"),
        (["bezique", "-p", SHORT, "--set", "marriag=3"], "did you mean 'marriage'?"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(call, words, wrong):
    answer = call("advise", *words)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.splitlines()) == 1
    assert wrong in answer.err


def test_an_interrupted_run_prints_what_there_is(call, monkeypatch):
    from simcards.study import advise

    class Pressed(advise.Teller):
        def __call__(self, done):
            if done >= 100:
                raise KeyboardInterrupt

    monkeypatch.setattr(advise, "Teller", Pressed)
    answer = call("advise", "bezique", "-p", SHORT, "-n", "100000", "--workers", "1")
    assert answer.status == 130
    assert "interrupted after" in answer.err
    assert "of 100,000 worlds; the figures cover these" in answer.err
    assert "plays QS" in answer.out


def test_a_hand_asks_for_the_whole_decision(call):
    hand = "KS QS JS 8S AH TH 9H AD KD 7D QC 7C"
    words = ("advise", "piquet-rubicon", "--hand", hand, "--seat", "younger", "--top", "3", "-n", "100")
    answer = call(*words)
    assert answer.status == 0
    assert "the most promising of 299 ways, and what basic would do" in answer.out
    rows = json.loads(call(*words, "--json").out)["rows"]
    assert len(rows) in (3, 4)
    assert all(row["action"].startswith("discards ") for row in rows)
    assert call(*words, "--csv").out.splitlines()[0].startswith("rank,action,codes,n,estimate")
    cards, _, rest = SHORT.partition(";")
    shown = call("advise", "bezique", "--hand", cards.removeprefix("hand: "), "-p", rest, "--show").out
    assert shown == call("advise", "bezique", "-p", SHORT, "--show").out  # elsewhere the next action is all there is
    wrong = call("advise", "piquet-rubicon", "--hand", "KS QS")
    assert (wrong.status, wrong.out, len(wrong.err.splitlines())) == (2, "", 1)
