"""What only a process of its own shows: what is imported, signals, pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

HEAVY = ("pandas", "numba", "matplotlib", "scipy", "joblib", "jinja2", "pyarrow")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["games"], ["games", "--json"], ["play", "--help"]])
def test_what_must_answer_at_once_imports_nothing_heavy(words):
    code = (
        "import sys\n"
        "from simcards.cli import main\n"
        f"status = main({words!r})\n"
        f"print(status, [name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert made.stderr == "0 []\n"
    assert made.stdout


def test_importing_the_package_imports_nothing_at_all():
    code = (
        "import sys, simcards\n"
        f"print([name for name in {(*HEAVY, 'numpy', 'rich', 'typer')!r} if name in sys.modules])\n"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert made.stdout == "[]\n"


def test_the_version_and_the_module(spawn):
    import simcards

    assert spawn("--version").out == f"simcards {simcards.__version__}\n"


def test_without_words_it_helps(spawn):
    answer = spawn()
    assert answer.status == 0
    assert answer.out.startswith("Usage: simcards")
    assert answer.err == ""


def test_json_of_a_process_is_pure(spawn):
    answer = spawn("play", "bezique", "-n", "300", "--json")
    assert (answer.status, answer.err) == (0, "")
    assert json.loads(answer.out)["provenance"]["deals"] == 300


def test_progress_is_not_shown_where_there_is_no_terminal(spawn):
    answer = spawn("play", "bezique", "-s", "random", "-n", "20k")
    assert (answer.status, answer.err) == (0, "")


def test_an_encoding_without_the_letters_breaks_nothing(spawn):
    for words in (("games",), ("play", "bezique", "-n", "100"), ("games", "--json")):
        answer = spawn(*words, PYTHONIOENCODING="ascii")
        assert (answer.status, answer.err) == (0, "")
    assert json.loads(answer.out)["rows"][0]["synonyms"][-1] == "безик"


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_an_interrupt_ends_with_130_and_says_how_far_it_came(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "simcards", "play", "bezique", "-n", "1e12", "--json"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(6.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("simcards: interrupted")
    assert err.count("\n") == 1
    if out:
        data = json.loads(out)
        assert data["provenance"]["interrupted"] is True
        assert f"after {data['provenance']['deals']:,} of" in err


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
@pytest.mark.parametrize(
    "words",
    ["sample bezique -n 20k --csv", "sample bezique -n 5k --json", "play bezique -n 500"],
)
def test_a_reader_that_leaves_is_not_complained_about(tmp_path, words):
    process = subprocess.Popen(
        [sys.executable, "-m", "simcards", *words.split()],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=120) == 141
    process.stderr.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk to write to")
def test_a_full_disk_is_told_in_one_line(tmp_path):
    with open("/dev/full", "w") as full:
        made = subprocess.run(
            [sys.executable, "-m", "simcards", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert made.returncode == 1
    assert made.stderr.startswith("simcards: cannot write the output")
    assert made.stderr.count("\n") == 1
