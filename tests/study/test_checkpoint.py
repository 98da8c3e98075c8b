from __future__ import annotations

import json
import os
import signal
import stat
import threading
from dataclasses import replace

import numpy as np
import pytest

import simcards
from simcards.errors import UsageError
from simcards.study import checkpoint, files
from simcards.study.accumulate import Bins, Layout, Summing, Tally
from simcards.study.engine import PlayStudy, run
from simcards.study.plan import make_plan

from .conftest import Interrupt


@pytest.fixture
def file(plan, tmp_path):
    path = tmp_path / "study.json"
    run(plan, chunk=500, progress=Interrupt(1000), checkpoint=path)
    return path


def refusal(plan, path, resume=True, **options):
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(UsageError) as caught:
        run(plan, checkpoint=path, resume=resume, **options)
    message = str(caught.value)
    assert repr(str(path)) in message
    assert "\n" not in message
    assert (path.read_bytes() if path.is_file() else None) == before
    return message


def test_it_is_plain_json_that_says_what_it_is(file, plan):
    data = json.loads(file.read_text())
    payload = data["payload"]
    assert data["format"] == "simcards-checkpoint-1"
    assert (payload["version"], payload["deals"]) == (simcards.__version__, 1000)
    assert payload["about"]["strategies"] == list(plan.strategies)
    assert list(file.parent.iterdir()) == [file]


@pytest.fixture
def small(tmp_path):
    """A checkpoint short enough to try all damage."""
    layout = Layout(("a", "b"), (Bins("a", 0, 1, 2),), (("a", "b"),), "b")
    summing = Summing(layout)
    summing.add(np.array([[1, 2], [-5, 2], [7, 3]], np.int32))
    tally = Tally.of(layout, summing.part())
    identity = checkpoint.Identity("0123456789abcdef", {"game": "small", "rules": {"x": 1}}, layout)
    path = tmp_path / "small.json"
    checkpoint.Checkpoint(path, identity).save(3, tally, force=True)
    assert checkpoint.load(path, identity) == (3, tally)
    return path, identity


def test_every_changed_byte_is_noticed(small):
    path, identity = small
    content = path.read_bytes()
    for place, byte in enumerate(content):
        for bit in (0, 4, 7):
            path.write_bytes(content[:place] + bytes([byte ^ 1 << bit]) + content[place + 1 :])
            with pytest.raises(UsageError, match=r"damaged"):
                checkpoint.load(path, identity)


def test_a_file_cut_off_or_grown_is_noticed(small):
    path, identity = small
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(UsageError, match=r"damaged"):
            checkpoint.load(path, identity)
    for more in (b"\n", b" ", b"{}"):
        path.write_bytes(content + more)
        with pytest.raises(UsageError, match=r"damaged or cut off"):
            checkpoint.load(path, identity)


@pytest.mark.parametrize("content", [b"", b"{}", b"[1, 2]", b"\x00" * 100, b"deal,points\n0,5\n", "ы".encode()])
@pytest.mark.parametrize("resume", [True, False])
def test_a_foreign_file_is_kept(plan, tmp_path, content, resume):
    path = tmp_path / "mine.csv"
    path.write_bytes(content)
    assert "is not a checkpoint of simcards" in refusal(plan, path, resume)


def test_a_payload_that_was_sealed_wrongly_is_noticed(file, plan):
    payload = json.loads(file.read_text())["payload"]
    for key, value in (("deals", 999), ("deals", "1000"), ("tally", []), ("tally", None), ("tally", [{}])):
        file.write_bytes(checkpoint._wrap({**payload, key: value}))
        assert "is damaged" in refusal(plan, file)
    for payload in ([], None, 5):
        file.write_bytes(checkpoint._wrap(payload))
        assert "is damaged" in refusal(plan, file)


@pytest.mark.parametrize("resume", [True, False])
def test_another_study_is_refused_and_the_difference_named(file, plan, resume):
    assert "belongs to another study: seed is 9223372036854775813 there and 1 here" in refusal(
        replace(plan, seed=1), file, resume
    )
    assert "strategies is" in refusal(replace(plan, strategies=("random",) * 4), file, resume)
    assert 'trump is "last" there and "none" here' in refusal(replace(plan, changes=(("trump", "none"),)), file, resume)
    assert 'group_by is null there and "trump" here' in refusal(plan, file, resume, group_by="trump")


def test_another_version_is_refused(file, plan, monkeypatch):
    monkeypatch.setattr(simcards, "__version__", "0.0.1")
    message = refusal(plan, file)
    assert "was written by simcards" in message
    assert message.endswith("and this is 0.0.1")


def test_other_code_is_refused(file, plan, monkeypatch):
    from simcards.kernel import compiled

    monkeypatch.setattr(compiled, "source_hash", lambda package: "0123456789abcdef")
    assert "the code of simcards has changed since" in refusal(plan, file)


OWN = """
from simcards import actions, strategy

first = strategy("toy-whist", rest="random")


@first.phase("play", compiled=False)
def play(view, legal):
    return actions(legal)[0]
"""


def test_a_strategy_that_has_changed_is_named(tmp_path):
    own, path = tmp_path / "own.py", tmp_path / "study.json"
    own.write_text(OWN)
    asked = {"deals": 20, "strategies": [f"{own}:first", "random", "random", "random"]}
    run(make_plan("toy-whist", **asked), checkpoint=path)
    own.write_text(OWN.replace("[0]", "[-1]"))
    changed = make_plan("toy-whist", **asked)
    assert refusal(changed, path).endswith(f"belongs to another study: the code of {own} has changed since")
    payload = json.loads(path.read_text())["payload"]
    del payload["files"]  # as it was written once
    path.write_bytes(checkpoint._wrap(payload))
    assert refusal(changed, path).endswith(f"the code of simcards or of {own} has changed since")


def test_the_same_study_may_start_anew(file, plan):
    outcome = run(plan, checkpoint=file)
    assert outcome.resumed == 0
    assert json.loads(file.read_text())["payload"]["deals"] == plan.deals


def test_resuming_without_a_file_starts_afresh(plan, tmp_path):
    outcome = run(plan, checkpoint=tmp_path / "new.json", resume=True)
    assert (outcome.deals, outcome.resumed) == (plan.deals, 0)
    assert (tmp_path / "new.json").exists()


def test_a_place_that_cannot_be_written_is_refused_before_any_work(plan, tmp_path, monkeypatch):
    monkeypatch.setattr(PlayStudy, "__call__", None)
    plain = tmp_path / "file"
    plain.write_text("")
    assert "there is no folder" in refusal(plan, tmp_path / "nowhere" / "study.json")
    assert "cannot write" in refusal(plan, plain / "study.json")
    assert "it is a folder" in refusal(plan, tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "it is not a file" in refusal(plan, tmp_path / "pipe")


def test_a_disk_that_fails_later_does_not_stop_the_run(plan, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(files.os, "replace", full)
    path = tmp_path / "study.json"
    with pytest.warns(
        UserWarning, match=r"could not be written \(No space left on device\); the run goes on"
    ) as caught:
        outcome = run(plan, chunk=100, checkpoint=path)
    assert len([warning for warning in caught if "checkpoint" in str(warning.message)]) == 1
    assert outcome.deals == plan.deals
    assert list(tmp_path.iterdir()) == []


def test_it_is_written_now_and_then_and_at_the_end(plan, tmp_path, monkeypatch):
    path = tmp_path / "study.json"
    written = []
    original = checkpoint._encode
    monkeypatch.setattr(checkpoint, "_encode", lambda *a: written.append(a[1]) or original(*a))
    run(plan, chunk=100, checkpoint=path)
    assert written == [plan.deals]
    written.clear()
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    run(plan, chunk=1000, checkpoint=path)
    assert written == [1000, 2000, 3000, 3000]


def test_an_interrupt_while_writing_leaves_the_file_before(file, plan, monkeypatch):
    before = file.read_bytes()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt), files.replacing(file) as temporary:
        temporary.write_text("half")
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_links_and_modes_stay(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    with files.replacing(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_numbers_beyond_machine_integers_are_kept(plan, tmp_path):
    study = PlayStudy(make_plan("toy-whist", deals=10, rules={"bias": 2**30 - 1000}))
    layout = study.layout
    tally = Tally.of(layout, study(0, 10))
    for _ in range(64):
        tally = tally.merged(tally)
    path = tmp_path / "study.json"
    checkpoint.Checkpoint(path, study.identity).save(10 * 2**64, tally, force=True)
    deals, again = checkpoint.load(path, study.identity)
    assert deals == 10 * 2**64
    assert again == tally
    assert again.column("points.north").squares > 2**127


def test_an_interrupt_waits_for_the_end_of_what_must_be_whole():
    done = []

    def interrupted():
        with files.uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with files.uninterrupted() as held:
        signal.raise_signal(signal.SIGINT)
        held.clear()
        done.append(2)
    thread = threading.Thread(target=lambda: done.append(files.uninterrupted().__enter__()))
    thread.start()
    thread.join()
    assert done == [1, 2, []]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
