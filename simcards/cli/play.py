"""``simcards play``."""

from __future__ import annotations

from simcards._input import count, pairs
from simcards.cli import options, output


def play(
    game: options.GameName,
    strategy: options.Strategies = None,
    deals: options.Deals = None,
    seed: options.Seed = 1,
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
    """Play a game many times: every quantity with its error. 100,000 deals if not told otherwise.

    Example: [bold]simcards play rubicon-bezique -s basic -s random -n 1e6 --set rubicon_line=1500[/bold]
    """
    from simcards import api

    output.one_format(as_json, as_csv)
    handle = api.game(game)
    many = None if deals is None else count(deals)
    if out is not None:
        from simcards.report.folder import check_folder

        check_folder(out)
    result = handle.play(
        strategy,
        many,
        seed,
        precision=precision,
        target=target,
        workers=workers,
        rules=pairs(changes or (), "--set", "rule=value"),
        unit=unit,
        fixed=pairs(fix or (), "--fix", "hand=cards"),
        checkpoint=checkpoint,
        resume=resume,
        sections=section or (),
        quantities=quantity or (),
        progress=output.progress(quiet),
    )
    if out is not None and result.outcome.deals:
        result.save(out)
    output.print_result(result, as_json, as_csv, quiet, everything)
