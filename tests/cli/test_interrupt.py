"""An interrupt while deals are played: what was done is printed, and the run can be gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from simcards.study import engine


@pytest.fixture
def interrupting(monkeypatch):
    """Press Ctrl-C once so many deals are done."""
    real = engine.Teller.__call__

    def after(deals: int) -> None:
        def tell(self, done: int) -> None:
            real(self, done)
            if done >= deals:
                raise KeyboardInterrupt

        monkeypatch.setattr(engine.Teller, "__call__", tell)

    def never() -> None:
        monkeypatch.setattr(engine.Teller, "__call__", real)

    after.never = never
    return after


def rows_of(answer):
    return json.loads(answer.out)["rows"]


def test_the_figures_cover_the_deals_done(call, interrupting):
    interrupting(700)
    answer = call("play", "bezique", "-s", "random", "-n", "1e9", "--json")
    assert answer.status == 130
    about = json.loads(answer.out)["provenance"]
    assert about["interrupted"] is True
    assert about["deals"] >= 700
    assert about["deals_wanted"] == 10**9
    assert answer.err == (
        f"simcards: interrupted after {about['deals']:,} of 1,000,000,000 deals; the figures cover these\n"
    )
    interrupting.never()
    shorter = call("play", "bezique", "-s", "random", "-n", str(about["deals"]), "--json")
    assert rows_of(shorter) == rows_of(answer)


def test_the_text_says_so_too(call, interrupting):
    interrupting(700)
    answer = call("play", "bezique", "-s", "random", "-n", "1e9")
    assert answer.status == 130
    assert "(interrupted, 1,000,000,000 were wanted)" in " ".join(answer.out.split())


def test_a_run_that_is_resumed_equals_one_that_never_stopped(call, interrupting):
    words = ("play", "bezique", "-s", "random", "-n", "5000", "--json")
    interrupting(700)
    assert call(*words, "--checkpoint", "run.json").status == 130
    interrupting.never()
    resumed = call(*words, "--checkpoint", "run.json", "--resume")
    assert resumed.status == 0
    assert json.loads(resumed.out)["provenance"]["resumed_from"] >= 700
    assert rows_of(resumed) == rows_of(call(*words))


def test_a_match_is_interrupted_alike(call, interrupting):
    interrupting(50)
    answer = call("match", "bezique", "basic", "random", "-n", "1e9", "--json")
    assert answer.status == 130
    assert json.loads(answer.out)["provenance"]["interrupted"] is True


def test_games_side_by_side_up_to_there(call, interrupting, tmp_path):
    (tmp_path / "study.toml").write_text(
        'kind = "compare"\ngames = ["bezique", "penchant"]\ndeals = 40\n'
        '[[compare]]\nstrategies = "random"\nquantities = "points"\n'
        "[compare.by_game.penchant]\ndeals = 1_000_000_000\n"
    )
    interrupting(50)
    answer = call("run", "study.toml", "--json", "-o", "page")
    assert answer.status == 130
    first, second = json.loads(answer.out)["provenance"]["compare"][0]["games"]
    assert (first["deals"], second["interrupted"]) == (40, True)
    assert answer.err == (
        f"simcards: interrupted after {second['deals']:,} of 1,000,000,000 deals; that was in penchant, and the page "
        "covers all that was played\n"
    )


def test_a_sample_keeps_the_rows_done(call, interrupting, tmp_path):
    interrupting(50)
    answer = call("sample", "bezique", "-n", "1e9", "-o", "rows.csv")
    assert answer.status == 130
    assert "'rows.csv' holds these" in answer.err
    lines = (tmp_path / "rows.csv").read_text().splitlines()
    assert f"interrupted after {len(lines) - 1:,} of" in answer.err


def test_before_the_first_deal_there_is_nothing_to_show(call, monkeypatch):
    def at_once(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(engine.Teller, "begin", at_once)
    answer = call("play", "bezique", "-s", "random", "-n", "1000")
    assert (answer.status, answer.out) == (130, "")
    assert answer.err == "simcards: interrupted after 0 of 1,000 deals; there are no figures\n"


@pytest.mark.parametrize("form", ["--json", "--csv", "-o=rows.csv"])
def test_before_the_first_deal_there_are_no_rows(call, monkeypatch, tmp_path, form):
    def at_once(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(engine.Teller, "begin", at_once)
    answer = call("sample", "bezique", "-s", "random", *form.split("="))
    assert answer.status == 130
    assert answer.err == "simcards: interrupted after 0 of 1,000 deals; there are no figures\n"
    if form == "--json":
        assert rows_of(answer) == []
    else:
        assert answer.out == ""
    assert list(tmp_path.iterdir()) == []


def test_anywhere_else_it_is_one_line(call, monkeypatch):
    from simcards import api

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "game_records", interrupted)
    answer = call("games")
    assert (answer.status, answer.out, answer.err) == (130, "", "simcards: interrupted\n")


SIGNALS = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")


def start(*words, code="import sys; from simcards.cli import main; sys.exit(main())", **settings):
    """Start a command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def pressed(process, seconds=60):
    """Press Ctrl-C and return what is said then."""
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=seconds)
    assert "Traceback" not in said
    return said


@SIGNALS
@pytest.mark.parametrize("seconds", [3.0, 6.0])
def test_an_interrupt_while_code_is_compiled_does_not_wait_for_it(tmp_path, seconds):
    process = start("play", "bezique", "-s", "random", "-n", "1e9", SIMCARDS_CACHE_DIR=str(tmp_path))
    time.sleep(seconds)
    assert process.poll() is None
    began = time.perf_counter()
    said = pressed(process)
    assert time.perf_counter() - began < 10.0
    assert process.returncode == 130
    assert said in (
        "simcards: interrupted\n",
        "simcards: interrupted after 0 of 1,000,000,000 deals; there are no figures\n",
    )


@SIGNALS
@pytest.mark.parametrize("milliseconds", [0, 2, 5, 10, 20, 30, 45, 60, 80, 100, 150])
def test_an_interrupt_while_the_command_is_only_being_loaded(milliseconds):
    code = """
import os, signal, sys, threading
from simcards.cli import main


class Start:
    # The clock starts with the first import that the command itself makes
    def find_spec(self, name, *_):
        if name == "simcards.cli.command":
            sys.meta_path.remove(self)
            timer.start()


timer = threading.Timer(int(sys.argv.pop()) / 1000, os.kill, (os.getpid(), signal.SIGINT))
sys.meta_path.insert(0, Start())
main()
"""
    process = start("sample", "bezique", "-n", "1e9", str(milliseconds), code=code)
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out, said) == (130, "", "simcards: interrupted\n")


@SIGNALS
@pytest.mark.parametrize("seconds", [1.0, 2.5, 5.0, 9.0])
def test_an_interrupt_of_the_measurements(seconds):
    process = start("bench", "bezique")
    time.sleep(seconds)
    assert process.poll() is None
    assert pressed(process) == "simcards: interrupted\n"
    assert process.returncode == 130


ENDLESS = """
from simcards import strategy

endless = strategy("bezique")


@endless.phase("play")
def play(view, legal, rng, options):
    n = 1 if rng.words[0] % 4096 == 0 else 0
    while n > 0:
        n = (n + 1) & 1023 | 1
    while legal >> n & 1 == 0:
        n += 1
    return n
"""
STUCK = """
import os, signal, threading, time
from simcards.cli import main
from simcards.study.engine import Teller

tell = Teller.__call__
spent = []


def telling(self, done):
    spent.append(time.process_time())
    tell(self, done)


def watch():
    while not spent or time.process_time() < spent[-1] + 3.0:  # so much work, and nothing has come of it
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)


threading.Thread(target=watch, daemon=True).start()
Teller.__call__ = telling
main()
"""


@SIGNALS
@pytest.mark.parametrize(
    "words",
    [
        ("play", "bezique", "-s", "own.py:endless", "-n", "1e9", "--json"),
        ("match", "bezique", "own.py:endless", "random", "-n", "1e9", "--json"),
        ("sample", "bezique", "-s", "own.py:endless", "-n", "1e9", "--json"),
    ],
)
def test_a_strategy_that_does_not_end_is_given_up(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(ENDLESS)
    process = start(*words, code=STUCK)
    out, said = process.communicate(timeout=300)
    assert process.returncode == 130
    first, second = said.splitlines()
    assert first.startswith("simcards: interrupted after ")
    assert second == "simcards: what was still being played was given up"
    about = json.loads(out)["provenance"]
    assert about["interrupted"] is True
    assert about["deals_wanted"] == 10**9
    assert f"after {about['deals']:,} of 1,000,000,000 deals" in first


@SIGNALS
def test_nothing_more_is_written_after_an_interrupt(tmp_path):
    process = start("sample", "bezique", "-s", "random", "-n", "5000", "--json")
    assert process.stdout.read(11) == '{"rows": [\n'
    time.sleep(0.5)  # now it waits for the rest to be read
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    rest, said = process.communicate()
    assert said == "simcards: interrupted\n"
    assert "provenance" not in rest
