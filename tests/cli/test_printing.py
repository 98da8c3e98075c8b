"""What a strategy prints is in nobody's way: seen in processes of their own, as a shell sees it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import threading

import pytest

from simcards.study import spoken

LOUD = """
import sys

from simcards import actions, strategy

print("read")
kept = sys.stdout

plain = strategy("bezique", rest="random", number=1)


@plain.phase("declare", compiled=False)
def declare(view, legal):
    print("declared")
    kept.write("kept\\n")
    sys.stdout.flush()
    return actions(legal)[0]


fast = strategy("bezique", rest="random", number=1)


@fast.phase("declare")
def declare_fast(view, legal):
    print("declared", 2 + view.seat * 0, 0.5)
    return actions(legal)[0]


wrong = strategy("bezique", rest="random")


@wrong.phase("declare", compiled=False)
def declare_wrong(view, legal):
    print("declared")
    raise ValueError("no")
"""
SAID = {"plain": "declared\n", "fast": "declared 2 0.5\n"}


@pytest.fixture
def loud(tmp_path):
    (tmp_path / "loud.py").write_text(LOUD)
    (tmp_path / "study.toml").write_text(
        'kind = "match"\ngame = "bezique"\ndeals = 3\nstrategies = ["loud.py:plain", "random"]\n'
    )


COMMANDS = (
    "play bezique -s loud.py:NAME -n 40 --workers 2",
    "match bezique loud.py:NAME random -n 20 --workers 2",
    "sample bezique -s loud.py:NAME -n 5",
    "replay bezique -s loud.py:NAME",
    "sweep bezique loud.py:NAME --over number=1,2 --against random -n 3",
    "advise bezique --deal 1 --decision 20 -s loud.py:NAME --worlds 20",
)


@pytest.mark.parametrize("name", SAID)
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words.partition(" ")[0])
def test_no_document_is_spoilt(spawn, loud, words, name):
    answer = spawn(*words.replace("NAME", name).split(), "--json")
    assert answer.status == 0, answer.err
    document = json.loads(answer.out)
    assert document["rows"]
    assert "read\n" in answer.err
    assert SAID[name] in answer.err
    assert "declared" not in answer.out
    assert "kept" not in answer.out


def test_nor_is_a_page_or_its_numbers(spawn, loud):
    answer = spawn("report", "bezique", "-s", "loud.py:plain", "-n", "3", "--match-deals", "3", "--json", "-o", "page")
    assert json.loads(answer.out)["rows"]
    assert SAID["plain"] in answer.err
    answer = spawn("run", "study.toml", "--trust-strategies", "--csv", "-o", "page")
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert {row["table"] for row in rows} == {"match"}
    assert SAID["plain"] in answer.err


def test_what_is_said_before_a_fault(spawn, loud):
    answer = spawn("play", "bezique", "-s", "loud.py:wrong", "-n", "3", "--json")
    assert (answer.status, answer.out) == (1, "")
    assert "declared\n" in answer.err
    assert "ValueError: no" in answer.err


def test_in_processes_as_workers(tmp_path, loud):
    code = (
        "import joblib, simcards\n"
        "with joblib.parallel_config('loky'):\n"
        "    made = simcards.game('bezique').play('loud.py:plain', deals=30, workers=2)\n"
        "print(made.deals)\n"
    )
    made = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True, timeout=300
    )
    assert made.stdout == "30\n"
    assert SAID["plain"] in made.stderr


def test_other_threads_go_on_as_before(capsys):
    before, inside, done = sys.stdout, threading.Event(), threading.Event()

    def speak():
        with spoken.aside_of_results(), spoken.aside_of_results():
            print("aside")
            inside.set()
            done.wait(10)
        print("after")

    thread = threading.Thread(target=speak)
    thread.start()
    inside.wait(10)
    print("a result")
    done.set()
    thread.join()
    assert sys.stdout is before
    assert capsys.readouterr() == ("a result\nafter\n", "aside\n")


def test_streams_that_are_not_there(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    with spoken.aside_of_results():
        print("into nothing", flush=True)
    with spoken.aside_of_results():
        monkeypatch.setattr(sys, "stderr", sys.stdout)
        print("errors are sent to the output")
    assert capsys.readouterr().out == "errors are sent to the output\n"
