"""``simcards play``."""

from __future__ import annotations

from simcards.cli import options, output
from simcards.errors import UsageError


def play(
    game: options.GameName,
    strategy: options.Strategies = None,
    deals: options.Deals = None,
    seed: options.Seed = options.SEED,
    changes: options.Changes = None,
    unit: options.Unit = None,
    fix: options.Fixed = None,
    precision: options.Precision = None,
    target: options.Target = None,
    workers: options.Workers = None,
    checkpoint: options.CheckpointFile = None,
    resume: options.Resume = False,
    everything: options.Everything = False,
    section: options.Sections = None,
    quantity: options.Quantities = None,
    out: options.OutFolder = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Play a game many times and estimate every quantity.

    100,000 deals if not told otherwise. Numbers stand with one standard error; --json and --csv give 95
    % intervals too. Ctrl-C ends the run and shows what was done so far.
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    if everything and (section or quantity):
        raise UsageError("--all shows everything, --section and --quantity only a part; choose one of them")
    handle = api.game(game)
    settings = options.conditions(seed, changes, unit, fix)
    settings |= options.execution(precision, target, workers, checkpoint, resume, quiet)
    output.check_folder(out)
    result = handle.play(strategy, options.many(deals), sections=section or (), quantities=quantity or (), **settings)
    output.save(result, out)
    output.print_result(result, as_json, as_csv, quiet, everything)
