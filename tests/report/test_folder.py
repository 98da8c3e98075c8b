from __future__ import annotations

import json
import os

import pytest

from simcards.errors import UsageError
from simcards.report import folder
from simcards.report.folder import FORMAT, PROVENANCE, check_folder, write_folder


def files(text="new", **more):
    made = {"index.html": text, "tables/a.csv": text, **more}
    about = {"format": FORMAT, "files": sorted([*made, PROVENANCE])}
    return {**made, PROVENANCE: json.dumps(about)}


def content(path):
    return {name.relative_to(path).as_posix(): name.read_text() for name in path.rglob("*") if name.is_file()}


def alone(path):
    """Whether nothing was left beside a folder."""
    return [name.name for name in path.parent.iterdir()] == [path.name]


def test_new_folder_with_parents(tmp_path):
    target = tmp_path / "a" / "b"
    check_folder(target)
    assert list(tmp_path.iterdir()) == []
    write_folder(target, files())
    assert content(target) == files()
    assert alone(target)
    assert target.stat().st_mode & 0o777 == 0o777 & ~_umask()


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_report_is_replaced_whole(tmp_path):
    target = tmp_path / "r"
    write_folder(target, files("old", **{"figures/gone.svg": "x"}))
    write_folder(target, files("new"))
    assert content(target) == files("new")
    assert alone(target)


def test_an_empty_folder_is_used(tmp_path):
    (tmp_path / "r").mkdir()
    write_folder(tmp_path / "r", files())
    assert content(tmp_path / "r") == files()


def test_a_link_stays_one(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_folder(tmp_path / "link", files())
    assert (tmp_path / "link").is_symlink()
    assert content(tmp_path / "real") == files()


@pytest.mark.parametrize("write", [check_folder, lambda path: write_folder(path, files())])
class TestRefusals:
    def refused(self, write, target, words, before):
        with pytest.raises(UsageError, match=words) as caught:
            write(target)
        assert "\n" not in str(caught.value)
        assert before is None or content(target) == before
        assert alone(target)

    def test_foreign_folder(self, write, tmp_path):
        target = tmp_path / "home"
        target.mkdir()
        (target / "thesis.txt").write_text("mine")
        self.refused(write, target, "not made by simcards", {"thesis.txt": "mine"})

    @pytest.mark.parametrize("text", ["{}", "[1]", "no json", '{"format": 1}', "[" * 100_000])
    def test_foreign_provenance(self, write, tmp_path, text):
        target = tmp_path / "home"
        target.mkdir()
        (target / PROVENANCE).write_text(text)
        self.refused(write, target, "not made by simcards", {PROVENANCE: text})

    def test_foreign_file_in_a_report(self, write, tmp_path):
        target = tmp_path / "r"
        write_folder(target, files("old"))
        (target / "notes.md").write_text("mine")
        self.refused(write, target, "'notes.md'", {**files("old"), "notes.md": "mine"})

    def test_foreign_folder_in_a_report(self, write, tmp_path):
        target = tmp_path / "r"
        write_folder(target, files("old"))
        (target / "mine").mkdir()
        self.refused(write, target, "'mine'", files("old"))
        (target / "mine").rmdir()
        (target / "link").symlink_to(tmp_path)
        self.refused(write, target, "'link'", None)
        assert (target / "link").is_symlink()

    @pytest.mark.parametrize("place", ["r", "r/tables"])
    def test_the_folder_one_is_in(self, write, tmp_path, monkeypatch, place):
        target = tmp_path / "r"
        write_folder(target, files("old"))
        monkeypatch.chdir(tmp_path / place)
        self.refused(write, target, "the folder you are in", files("old"))

    def test_file(self, write, tmp_path):
        (tmp_path / "r").write_text("mine")
        self.refused(write, tmp_path / "r", "it is a file", None)
        assert (tmp_path / "r").read_text() == "mine"

    def test_within_a_file(self, write, tmp_path):
        (tmp_path / "f").write_text("mine")
        with pytest.raises(UsageError, match="cannot write to"):
            write(tmp_path / "f" / "r")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_unwritable(self, write, tmp_path):
        tmp_path.chmod(0o500)
        try:
            with pytest.raises(UsageError, match="Permission denied"):
                write(tmp_path / "r")
        finally:
            tmp_path.chmod(0o700)

    def test_impossible_name(self, write, tmp_path):
        with pytest.raises(UsageError, match="cannot write to"):
            write(tmp_path / "a\0b")


def test_what_file_managers_leave_is_no_obstacle(tmp_path):
    write_folder(tmp_path / "r", files("old"))
    (tmp_path / "r" / ".DS_Store").write_text("x")
    (tmp_path / "r" / "tables" / "desktop.ini").write_text("y")
    write_folder(tmp_path / "r", files("new"))
    assert content(tmp_path / "r") == {**files("new"), ".DS_Store": "x", "tables/desktop.ini": "y"}


def test_who_may_read_a_folder_does_not_change(tmp_path):
    (tmp_path / "r").mkdir(mode=0o700)
    write_folder(tmp_path / "r", files())
    assert (tmp_path / "r").stat().st_mode & 0o777 == 0o700


def test_a_failure_leaves_the_old_report(tmp_path, monkeypatch):
    target = tmp_path / "r"
    write_folder(target, files("old"))
    real, calls = os.rename, []

    def rename(a, b):
        calls.append(b)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(a, b)

    monkeypatch.setattr(folder.os, "rename", rename)
    with pytest.raises(UsageError, match="No space left"):
        write_folder(target, files("new"))
    assert content(target) == files("old")
    assert alone(target)


def test_an_interrupt_while_writing_leaves_the_old_report(tmp_path, monkeypatch):
    target = tmp_path / "r"
    write_folder(target, files("old"))

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(folder, "_swap", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_folder(target, files("new"))
    assert content(target) == files("old")
    assert alone(target)
