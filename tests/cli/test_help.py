"""Help that helps: every command has it, with examples that are right."""

from __future__ import annotations

import re
import shlex

import pytest
import typer

from simcards.cli.app import app

COMMANDS = typer.main.get_command(app).commands


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_within_80_columns(call, name):
    answer = call(name, "--help")
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[0].startswith(f"Usage: simcards {name}")
    assert all(len(line) <= 80 or line.startswith("    simcards ") for line in lines)
    assert "Examples:" in answer.out
    assert f"    simcards {name}" in answer.out
    assert "[default: None]" not in answer.out
    assert not re.search(r"[{}]|<\w+", answer.out)
    assert "]...]" not in answer.out


def examples(name: str) -> list[str]:
    lines = (COMMANDS[name].epilog or "").splitlines()
    return [line.strip() for line in lines if line.strip().startswith("simcards ")]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_can_be_read(name):
    assert examples(name)
    for example in examples(name):
        program, command, *words = shlex.split(example.partition(" | ")[0])
        assert (program, command) == ("simcards", name)
        COMMANDS[name].make_context(name, words)


def test_shared_options_are_the_same_everywhere():
    first: dict[str, tuple] = {}
    for name, command in COMMANDS.items():
        for parameter in command.params:
            if parameter.opts[0] in (
                "--deals",
                "--set",
                "--fix",
                "--workers",
                "--json",
                "--csv",
                "--quiet",
                "--unit",
            ):
                known = first.setdefault(parameter.opts[0], (parameter.opts, parameter.help))
                assert (parameter.opts, parameter.help) == known, name


def test_playing_commands_have_the_shared_options():
    shared = {"--seed", "--deals", "--set", "--unit", "--fix", "--workers", "--json", "--csv", "--quiet"}
    for name in ("play", "match", "sample", "report"):
        there = {option for parameter in COMMANDS[name].params for option in parameter.opts}
        assert shared <= there
    for name in ("play", "match", "report"):
        there = {option for parameter in COMMANDS[name].params for option in parameter.opts}
        assert {"--precision", "--target", "--checkpoint", "--resume"} <= there
