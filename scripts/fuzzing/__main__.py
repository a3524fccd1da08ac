"""Test the package with random inputs, on all processors, until the time is up (scripts/fuzz)."""

import argparse
import os
import secrets
import signal
import sys
from collections import Counter
from pathlib import Path

from dlx_numba.runtime.display import ProgressDisplay
from dlx_numba.runtime.text import plural

from ..tables import text_table
from .campaigns import CAMPAIGNS
from .runner import Finding, Run

DEFAULT_SECONDS = 3600.0
MAX_SHOWN_LINES = 30  # of the report on a finding; its file has all of them


def main() -> None:
    options = arguments()
    # Workers are killed at the end, and the process that tracks their semaphores warns of that.
    os.environ["PYTHONWARNINGS"] = "ignore::UserWarning:multiprocessing.resource_tracker"
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    campaigns = [CAMPAIGNS[name] for name in options.only or CAMPAIGNS]
    seconds = options.seconds
    if seconds is None and options.cases is None:
        seconds = DEFAULT_SECONDS
    run = Run(
        campaigns,
        seed=secrets.randbelow(10**9) if options.seed is None else options.seed,
        seconds=seconds,
        n_cases=options.cases,
        jobs=options.jobs,
        findings=options.output,
    )
    workers = plural(run.jobs, "worker")
    print(f"Seed {run.seed}, {plural(len(campaigns), 'campaign')}, {workers}.", flush=True)
    sys.exit(1 if report_run(run) else 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    add = parser.add_argument
    add("--seconds", type=float, help="time limit; default: an hour, or none with --cases")
    add("--seed", type=int, help="seed of the first case of each campaign; default: random")
    add("--jobs", "-j", type=int, default=os.cpu_count(), help="processes; default: all processors")
    add("--only", nargs="+", metavar="NAME", choices=CAMPAIGNS, help="run only these campaigns")
    add("--cases", type=int, metavar="N", help="number of cases of each campaign")
    add("--output", "-o", type=Path, default=Path("failures"), metavar="DIRECTORY",
        help="directory for the files of findings; default: failures")  # fmt: skip
    add("--list", action="store_true", help="print the campaigns, and exit")
    options = parser.parse_args()
    if options.list:
        for campaign in CAMPAIGNS.values():
            print(f"{campaign.name:20} {(campaign.run.__doc__ or '').splitlines()[0]}")
        sys.exit()
    for name in ("jobs", "cases"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1")
    return options


def report_run(run: Run) -> int:
    """Print the findings as they come, and a table at the end. Return the number of findings."""
    signatures: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    elapsed = "interrupted: "
    try:
        with ProgressDisplay(run.seconds) as display:
            for finding in run:
                if finding is not None:
                    findings[finding.campaign] += 1
                    signatures[finding.signature] += 1
                    if signatures[finding.signature] == 1:
                        display.clear_for_stdout()
                        report_finding(finding, run.findings)
                display.update(
                    f"{sum(run.n_ended()):,} cases, {plural(findings.total(), 'finding')}",
                    None if run.seconds is None else run.elapsed,
                )
        elapsed = ""
    except KeyboardInterrupt:
        pass
    rows = [["campaign", "cases", "per second", "findings"]]
    for campaign, n, seconds in zip(run.campaigns, run.n_ended(), run.seconds_used(), strict=True):
        rate = f"{n / seconds:,.1f}" if seconds else ""
        rows.append([campaign.name, f"{n:,}", rate, f"{findings[campaign.name]:,}"])
    print(f"\n{text_table(rows)}")
    total = f"{sum(run.n_ended()):,} cases in {run.elapsed:,.0f} s"
    different = f", {len(signatures):,} different" if findings else ""
    print(f"{elapsed}{total}, {plural(findings.total(), 'finding')}{different}")
    return findings.total()


def report_finding(finding: Finding, directory: Path) -> None:
    lines = finding.report.rstrip().splitlines()
    print(f"\nFINDING in {finding.campaign}, seed {finding.seed}:")
    print("\n".join(f"    {line}" for line in lines[-MAX_SHOWN_LINES:]))
    print(f"reproduce with: {finding.command}")
    print(f"files in: {directory / f'{finding.campaign}-{finding.seed}'}", flush=True)


if __name__ == "__main__":
    main()
