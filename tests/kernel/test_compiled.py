"""The cache of compiled code: where it is, what it follows, and that nothing breaks without it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simcards.kernel import compiled

SCRIPT = """
import numpy as np
from simcards.kernel import compiled
from simcards.kernel.rng import bounded, new_stream, seed_stream
stream = new_stream()
seed_stream(stream, np.uint64(1), 0, 0)
print(bounded(stream, 1000), compiled.cache_folder() is not None, sum(bounded.stats.cache_hits.values()))
"""


def run(folder, script=SCRIPT):
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "SIMCARDS_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.split()


def test_second_process_loads_what_the_first_compiled(tmp_path):
    value, writable, hits = run(tmp_path)
    assert writable == "True"
    assert hits == "0"
    assert run(tmp_path) == [value, "True", "1"]
    assert [path.name for path in tmp_path.iterdir()] == [f"games-{compiled.source_hash()}"]


def test_a_cache_that_cannot_be_written_breaks_nothing(tmp_path):
    occupied = tmp_path / "file"
    occupied.write_text("not a folder")
    value, writable, hits = run(occupied)
    assert writable == "False"
    assert hits == "0"
    assert value == run(tmp_path / "good")[0]


def test_a_cache_that_disappears_breaks_nothing(tmp_path):
    script = SCRIPT.replace("stream = new", "import shutil; shutil.rmtree(compiled.cache_folder())\nstream = new")
    assert run(tmp_path, script)[0] == run(tmp_path / "good")[0]


def test_damaged_files_are_compiled_anew(tmp_path):
    value = run(tmp_path)[0]
    for path in [*tmp_path.rglob("*.nbc"), *tmp_path.rglob("*.nbi")]:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert run(tmp_path)[0] == value


def test_a_disk_that_fails_costs_only_time():
    class Failing:
        def save_overload(self, sig, data):
            raise OSError(28, "No space left on device")

        def load_overload(self, sig, target_context):
            raise OSError(5, "Input/output error")

        def flush(self):
            raise OSError(30, "Read-only file system")

    cache = compiled._ForgivingCache(Failing())
    cache.save_overload(None, None)
    assert cache.load_overload(None, None) is None


def test_changed_sources_mean_another_folder(tmp_path, monkeypatch):
    root = tmp_path / "simcards"
    for name in ("kernel", "games", "odds"):
        (root / name).mkdir(parents=True)
        (root / name / "__init__.py").write_text("")
    (root / "cards.py").write_text("")
    monkeypatch.setattr(compiled, "__file__", str(root / "kernel" / "compiled.py"))
    hashes = compiled.source_hash.__wrapped__
    games, odds = hashes("games"), hashes("odds")
    (root / "games" / "new.py").write_text("GAMES = ()")
    assert hashes("games") != games
    assert hashes("odds") == odds, "another package's code stays as it is"
    (root / "kernel" / "__init__.py").write_text("# changed")
    assert hashes("odds") != odds


def test_old_folders_are_removed_and_others_left(tmp_path):
    for age in range(8):
        folder = tmp_path / f"games-{age:016x}"
        folder.mkdir()
        os.utime(folder, (1_000_000 + age, 1_000_000 + age))
    for name in ("odds-0", "games-mine", "games-notes-of-1912"):
        (tmp_path / name).mkdir()
    current = tmp_path / "games-0000000000000000"
    compiled._remove_old(current, "games")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [
        current.name,
        *(f"games-{age:016x}" for age in range(4, 8)),
        "games-mine",
        "games-notes-of-1912",
        "odds-0",
    ]


def test_other_packages_caches_are_left_alone():
    import numba

    before = numba.config.CACHE_DIR
    compiled.kernel(lambda x: x + 1)
    assert before == numba.config.CACHE_DIR


def test_a_function_without_a_file_is_compiled_and_not_kept():
    space = {}
    exec("def double(x):\n    return 2 * x", space)
    space["double"].__module__ = "__main__"
    assert compiled.kernel(space["double"])(21) == 42


def test_two_processes_may_compile_at_once(tmp_path):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "SIMCARDS_CACHE_DIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert outputs[0][0] == outputs[1][0]


def test_a_policy_has_only_the_type_of_its_signature():
    from numba import typeof

    from simcards.games.registry import load

    game = load("bezique")
    types = {typeof(policy) for strategy in game.strategies.values() for policy in strategy.policies}
    assert len(types) == 1


@pytest.mark.parametrize("generic", ["legal", "apply"])
def test_a_game_cannot_take_another_games_record(generic):
    from simcards.games.registry import load
    from simcards.kernel import protocol

    state = load("bezique").state
    with pytest.raises(TypeError, match="already"):
        protocol.implements(getattr(protocol, generic), state)(
            (lambda state: 0) if generic == "legal" else (lambda state, action: 0)
        )


def test_an_implementation_takes_the_parameters_of_its_generic():
    from simcards.games.registry import load
    from simcards.kernel import protocol

    with pytest.raises(TypeError, match="parameters"):
        protocol.implements(protocol.legal, load("bezique").state)(lambda position: 0)


def test_the_folder_of_the_user_is_the_default(monkeypatch):
    monkeypatch.delenv("SIMCARDS_CACHE_DIR", raising=False)
    assert Path(compiled._base_folder()).name.lower() in ("simcards", "cache")
