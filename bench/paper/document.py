"""bench/paper/document: docs/paper.md and its figures from the results of bench/paper/run. No number in it is typed.

bench/paper/document                                  from the results that are committed, docs/paper/*.json
bench/paper/document cpu=build/paper/results.json     after these have been taken in as docs/paper/cpu.json

The first by name is the main run; the others are machines beside it, each drawn apart."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from harness.launch import ROOT
from harness.report import table
from paper import figures, tables
from paper.claims import all_claims, machine_name
from paper.page import SINGLES_NOTE, describe_machine
from paper.sets import TALL, WIDE
from paper.svg import Chart, number, sheet

Results = dict[str, Any]

HEAD = """# The paper's experiments, run again

What Q. Zhou, W. Chen, S. Song, J. R. Gardner, K. Q. Weinberger and Y. Chen measured in "A reduction of the elastic net
to support vector machines with an application to GPU computing" (AAAI 2015), measured again with this project. One
command, `bench/paper/run`, repeats all of it and writes a page with every figure and number
([bench/README.md](../bench/README.md#benchpaper)); this text is made of its results, {files}, by
`bench/paper/document`: every number here is in them, or is computed from them by `bench/paper/claims.py` and
`tables.py`.
"""
DIGITS = {"seconds": 4, "gap": 2, "tolerance": 2, "forming": 4, "training": 4}  # of what is kept of a record


def rounded(record: dict[str, Any]) -> dict[str, Any]:
    def short(field: str, value: Any) -> Any:
        if field not in DIGITS:
            return value
        if isinstance(value, list):
            return [short(field, one) for one in value]
        return float(f"{value:.{DIGITS[field]}g}") if isinstance(value, float) else value

    return {field: short(field, value) for field, value in record.items()}


def compact(results: Results) -> str:
    """A line for each set, record and path; settings, differences and their gaps with all digits."""
    lines = []
    for key, value in results.items():
        if key in ("sets", "records", "paths"):
            items = ",\n".join(json.dumps(rounded(item)) for item in value)
            lines.append(f"{json.dumps(key)}: [\n{items}\n]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def cells(text: str) -> str:
    return text.replace("|", "\\|")


def markdown(found: tables.Table) -> list[str]:
    head, body = found
    return table([cells(name) for name in head], [[cells(cell) for cell in line] for line in body])


class Figures:
    """Writes the figures of one run, and says where each stands."""

    def __init__(self, results: Results, stem: str, folder: Path) -> None:
        self.results, self.stem, self.folder = results, stem, folder
        self.lines: list[str] = []

    def add(self, name: str, caption: str, charts: list[Chart | None], legend: list[tuple[str, str, str]]) -> None:
        drawn = [chart for chart in charts if chart]
        if not drawn:
            return
        file = f"{self.stem}-{name}.svg"
        (self.folder / file).write_text(sheet(drawn, legend, describe_machine(self.results)), encoding="utf-8")
        self.lines += [f"![{caption}](paper/{file})", "", f"*{caption}.*", ""]

    def correctness(self) -> list[str]:
        results = self.results
        self.lines = []
        self.add("figure1", "Figure 1: the prostate data, glmnet's path and SVEN's", [figures.prostate(results)], [])
        caption = "SVEN and glmnet at every setting of every set"
        self.add("differences", caption, figures.difference_charts(results), figures.set_legend(results))
        return self.lines

    def singles(self) -> list[str]:
        self.lines = []
        legend = figures.shown_rivals(self.results)
        for regime in (WIDE, TALL):
            for alpha in self.results["alphas"]:
                place = figures.FIGURE[regime]
                caption = (
                    f"Figure {place}: {regime}, alpha {alpha:g}; a mark is a setting, above the dashed line SVEN is "
                    "faster; hollow where the gap was not reached, or a call was stopped"
                )
                self.add(f"figure{place}-{alpha:g}", caption, figures.panels(self.results, regime, alpha), legend)
        return self.lines

    def studies(self) -> list[str]:
        self.lines = []
        charts = [figures.crossover(self.results), figures.cores(self.results)]
        self.add("studies", "Primal and dual over p/n; the speed-up over cores", charts, [])
        return self.lines


def summary_text(results: Results, others: list[Results]) -> list[str]:
    body = [[claim.claim, f"**{claim.verdict}**", claim.short or claim.note] for claim in all_claims(results, others)]
    return ["## What holds", "", *markdown((["claim", "here it", "of how many sets and alphas"], body))]


def claims_text(results: Results, others: list[Results]) -> list[str]:
    out = ["## Claim by claim", ""]
    for claim in all_claims(results, others):
        note = f" {claim.note}." if claim.note else ""
        out += [f"**{claim.claim}: {claim.verdict}.** {claim.short}{note}".rstrip(), ""]
        out += [*(f"- {line}" for line in claim.lines()), ""]
    return out


def unreached(results: Results) -> str:
    """The sets whose settings the run did not come to."""
    seen = {record["set"] for record in results["records"] if record["study"] == "singles"}
    left = [entry["name"] for entry in results["sets"] if entry["regime"] != "study" and entry["name"] not in seen]
    return f" The run ended before the single settings of {', '.join(left)}." if seen and left else ""


def run_text(results: Results, file: str) -> list[str]:
    return [
        f"`{results['command']}`: {describe_machine(results)}. Rivals stop at a relative gap of "
        f"{number(results['gap'])}, recomputed from X, y and their coefficients, SVEN at 1e-10; a rival has "
        f"{results['limit']:g} s of calls on a set and alpha, one call twice that.{unreached(results)} All numbers are in [paper/{file}](paper/{file}).",
        "",
    ]


def singles_text(results: Results, drawn: Figures) -> list[str]:
    if not tables.singles(results)[1]:
        return []
    return [*drawn.singles(), SINGLES_NOTE, "", *markdown(tables.singles(results))]


def main_text(results: Results, file: str, drawn: Figures) -> list[str]:
    out = ["## The sets", "", *markdown(tables.sets(results)), *(f"- {text}" for text in results["missing"])]
    out += [*([""] if results["missing"] else []), "## The same solutions", "", *drawn.correctness()]
    out += [
        "Settings along glmnet's path with distinct numbers of selected features, t = ‖β‖₁ of its solution; the "
        "largest of each set, the difference at each setting is in the results.",
        "",
        *markdown(tables.correctness(results)),
    ]
    out += ["## Single settings", "", *run_text(results, file), *singles_text(results, drawn)]
    if results["paths"]:
        what = f"Seconds for {results['settings']} settings from one call, and the largest gap."
        out += ["## Whole paths", "", what, "", *markdown(tables.paths(results))]
    if lines := drawn.studies():
        out += ["## Primal, dual, cores", "", *lines]
    return out


def other_text(results: Results, file: str, drawn: Figures) -> list[str]:
    return [
        f"## Another machine: {machine_name(results)}",
        "",
        *run_text(results, file),
        *singles_text(results, drawn),
        *drawn.studies(),
    ]


def refused_text(runs: list[tuple[Path, Results]]) -> list[str]:
    out = []
    for _, results in runs:
        if tables.refusals(results)[1]:
            out += [f"On {machine_name(results)}:", "", *markdown(tables.refusals(results))]
    return ["## Who did not run, or not to the end", "", *out] if out else []


def write(docs: Path) -> str:
    """The text; figures are written on the way."""
    folder = docs / "paper"
    files = sorted(folder.glob("*.json"))
    if not files:
        raise FileNotFoundError(f"{folder} has no results")
    runs = [(path, json.loads(path.read_text())) for path in files]
    main_run, others = runs[0][1], [results for _, results in runs[1:]]
    names = " and ".join(f"[paper/{path.name}](paper/{path.name})" for path in files)
    out = [HEAD.format(files=names), *summary_text(main_run, others)]
    for k, (path, results) in enumerate(runs):
        part = other_text if k else main_text
        out += part(results, path.name, Figures(results, path.stem, folder))
    out += claims_text(main_run, others) + refused_text(runs)
    out += ["## The rivals", "", *markdown(tables.rivals(main_run))]
    return "\n".join(out).rstrip() + "\n"


def take(docs: Path, pairs: list[str]) -> None:
    for pair in pairs:
        name, _, file = pair.partition("=")
        if not file or not name.isalnum():
            raise ValueError(f"{pair} is not NAME=FILE")
        results = json.loads(Path(file).read_text())
        if results.get("format") != "sven-paper/1":
            raise ValueError(f"{file} has no results of bench/paper/run")
        (docs / "paper").mkdir(exist_ok=True)
        (docs / "paper" / f"{name}.json").write_text(compact(results), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench/paper/document", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", nargs="*", metavar="NAME=FILE", help="results to take in as docs/paper/NAME.json")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", metavar="FOLDER", help="where it goes (docs)")
    options = parser.parse_args()
    try:
        take(options.docs, options.results)
        (options.docs / "paper.md").write_text(write(options.docs), encoding="utf-8")
    except (ValueError, OSError) as error:
        sys.exit(f"bench/paper/document: {error}")


if __name__ == "__main__":
    main()
