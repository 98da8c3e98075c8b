from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from simcards.cli import main


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


Call = Callable[..., Answer]


@pytest.fixture
def call(capsys, monkeypatch, tmp_path) -> Call:
    """Carry out a command in this process, in an empty folder and 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def carry_out(*words: str) -> Answer:
        capsys.readouterr()
        status = main(words)
        return Answer(status, *capsys.readouterr())

    return carry_out


@pytest.fixture
def spawn(tmp_path) -> Call:
    """Carry out a command in a process of its own, in an empty folder."""

    def carry_out(*words: str, **settings: str) -> Answer:
        made = subprocess.run(
            [sys.executable, "-m", "simcards", *words],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "80", **settings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )
        return Answer(made.returncode, made.stdout, made.stderr)

    return carry_out
