"""docs/paper.md and its figures from the committed results: no number in it was typed.

python -m paper.document [FOLDER]        # docs; reads FOLDER/paper/*.json, the first by name is the main run
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from harness.launch import ROOT
from harness.report import table
from paper import figures
from paper.claims import all_claims
from paper.page import describe_machine
from paper.sets import TALL, WIDE
from paper.svg import number, sheet

Results = dict[str, Any]

HEAD = """# The paper's experiments, run again

What Q. Zhou, W. Chen, S. Song, J. R. Gardner, K. Q. Weinberger and Y. Chen measured in "A reduction of the elastic net
to support vector machines with an application to GPU computing" (AAAI 2015), measured again with this project. One
command, `bench/paper/run`, repeats all of it and writes a page with every figure and number
([bench/README.md](../bench/README.md)); this text is made from its results, {files}, by
`python -m paper.document` in `bench`.
"""


def figure_files(results: Results, stem: str, folder: Path) -> list[tuple[str, str]]:
    """Writes the figures; name of the file and caption of each."""
    found = []

    def write(name: str, caption: str, charts: list[Any], entries: list[Any]) -> None:
        charts = [chart for chart in charts if chart]
        if charts:
            (folder / f"{stem}-{name}.svg").write_text(sheet(charts, entries), encoding="utf-8")
            found.append((f"{stem}-{name}.svg", caption))

    legend = figures.shown_rivals(results)
    write("figure1", "Figure 1: the prostate data, glmnet's path and SVEN's", [figures.prostate(results)], [])
    for regime in (WIDE, TALL):
        for alpha in results["alphas"]:
            number_ = figures.FIGURE[regime]
            what = "each mark is a setting, above the dashed line SVEN is faster"
            caption = f"Figure {number_}: {regime}, alpha {alpha:g}; {what}"
            write(f"figure{number_}-{alpha:g}", caption, figures.panels(results, regime, alpha), legend)
    write("studies", "Primal and dual; cores", [figures.crossover(results), figures.cores(results)], [])
    return found


def claims_text(results: Results, others: list[Results]) -> list[str]:
    out = ["## Claim by claim", ""]
    for claim in all_claims(results, others):
        note = f" {claim.note}." if claim.note else ""
        out += [f"**{claim.claim}: {claim.verdict}.**{note}", "", *(f"- {part}" for part in claim.measured), ""]
    return out


def sets_text(results: Results) -> list[str]:
    body = [
        [entry["name"], entry["regime"], f"{entry['n']} x {entry['p']}", entry["origin"]]
        for entry in results["sets"]
        if entry["regime"] != "study"
    ]
    return [
        "## The sets",
        "",
        *table(["set", "regime", "n x p", "origin"], body),
        "",
        *(f"- {text}" for text in results["missing"]),
        "",
    ]


def run_text(results: Results, file: str) -> list[str]:
    return [
        f"`{results['command']}`: {describe_machine(results)}. Rivals stop at a relative gap of "
        f"{number(results['gap'])}, recomputed from X, y and their coefficients, SVEN at 1e-10; a rival has "
        f"{results['limit']:g} s on a set. All numbers are in [paper/{file}](paper/{file}).",
        "",
    ]


def write(docs: Path) -> str:
    """The text; figures are written on the way."""
    folder = docs / "paper"
    files = sorted(folder.glob("*.json"))
    runs = [(path, json.loads(path.read_text())) for path in files]
    main, others = runs[0][1], [results for _, results in runs[1:]]
    names = " and ".join(f"[paper/{path.name}](paper/{path.name})" for path in files)
    out = [HEAD.format(files=names), *claims_text(main, others), *sets_text(main)]
    for path, results in runs:
        out += [
            f"## Figures: {results['machine']['gpu'] or results['machine']['cpu']}",
            "",
            *run_text(results, path.name),
        ]
        for file, caption in figure_files(results, path.stem, folder):
            out += [f"![{caption}](paper/{file})", "", f"*{caption}.*", ""]
    return "\n".join(out).rstrip() + "\n"


def main() -> None:
    docs = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    (docs / "paper.md").write_text(write(docs), encoding="utf-8")


if __name__ == "__main__":
    main()
