"""The page: one file that needs nothing else."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from paper import figures, tables
from paper.claims import Claim, all_claims, machine_name
from paper.sets import TALL, WIDE
from paper.svg import Chart, legend

Results = dict[str, Any]

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --soft: #666; --rule: #ddd;
  --good: #1a7f37; --bad: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181c; --soft: #a0a0a0; --rule: #3a3d44; --good: #58c274; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1120px; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper) }
h1 { font-size: 1.6rem; line-height: 1.25 } h2 { font-size: 1.25rem; margin-top: 2.5rem }
h3 { font-size: 1rem; margin: 1.5rem 0 .3rem }
figure { margin: 1rem 0 } figcaption { color: var(--soft); font-size: .88rem; max-width: 62rem }
.panels { display: flex; flex-wrap: wrap; gap: .5rem 1rem } svg { max-width: 100%; height: auto }
.scroll { overflow-x: auto } table { border-collapse: collapse; font-size: .86rem }
th, td { border-bottom: 1px solid var(--rule); padding: .3rem .6rem; text-align: left; vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .4rem 0; padding: 0;
  font-size: .85rem }
.legend svg { vertical-align: -2px; margin-right: .3rem } .soft { color: var(--soft) }
.holds { color: var(--good) } .fails { color: var(--bad) } code { font-size: .9em; overflow-wrap: anywhere }
ul.parts { margin: 0; padding-left: 1.1rem }
"""


def table(head: list[str], body: list[list[str]], numeric: int) -> str:
    """HTML cells; columns from `numeric` on are numbers."""

    def line(cells: list[str], tag: str) -> str:
        marks = ["" if k < numeric else ' class="n"' for k in range(len(cells))]
        return "<tr>" + "".join(f"<{tag}{mark}>{cell}</{tag}>" for mark, cell in zip(marks, cells)) + "</tr>"

    rows = "".join(line(cells, "td") for cells in body)
    return f'<div class="scroll"><table><thead>{line(head, "th")}</thead><tbody>{rows}</tbody></table></div>'


UNUSED = ("glum", "scikit-learn-intelex")  # of bench/compare alone


def describe_machine(results: Results) -> str:
    machine = results["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items() if name not in UNUSED)
    gpu = f", GPU {machine['gpu']}" if machine.get("gpu") else ", no GPU"
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['threads']} threads for everyone{gpu}; "
        f"sven {machine['commit']}, Python {machine['python']}, {versions}; {machine['date'][:10]}"
    )


def figure(charts: list[Chart], caption: str, entries: list[tuple[str, str, str]] | None = None) -> str:
    drawn = "".join(chart.svg() for chart in charts)
    return (
        f'<figure><div class="panels">{drawn}</div>{legend(entries) if entries else ""}'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def shown(found: tables.Table, numeric: int) -> str:
    head, body = found
    cells = [[escape(cell) for cell in line] for line in body]
    return table([escape(name) for name in head], cells, numeric) if body else ""


def sets_table(results: Results) -> str:
    missing = "".join(f"<li>{escape(text)}</li>" for text in results["missing"])
    note = f'<p>Left out:</p><ul class="parts">{missing}</ul>' if missing else ""
    return shown(tables.sets(results), 3) + note


def refusals(results: Results) -> str:
    text = shown(tables.refusals(results), 3)
    return f"<h3>Who did not run, or not to the end</h3>{text}" if text else ""


def claims_table(claims: list[Claim]) -> str:
    colours = {"holds": "holds", "does not hold": "fails"}
    body = []
    for claim in claims:
        parts = "".join(f"<li>{escape(line)}</li>" for line in claim.lines())
        note = f'<span class="soft">{escape(claim.note)}.</span>' if claim.note else ""
        head = f"<strong>{escape(claim.short)}</strong> " if claim.short else ""
        listed = f"{head}{note}" + (f'<ul class="parts">{parts}</ul>' if parts else "")
        verdict = f'<strong class="{colours.get(claim.verdict, "soft")}">{escape(claim.verdict)}</strong>'
        body.append([escape(claim.claim), verdict, listed])
    return table(["claim", "here it", "measured"], body, 3)


def scatter_sections(results: Results) -> str:
    machine = describe_machine(results)
    out = []
    for regime in (WIDE, TALL):
        for alpha in results["alphas"]:
            charts = figures.panels(results, regime, alpha)
            if not charts:
                continue
            kind = "Lasso" if alpha == 1 else "elastic net; Lasso solvers on the augmented rows √λ₂ I"
            caption = (
                f"Figure {figures.FIGURE[regime]}, {regime}, α = {alpha:g} ({kind}). Each mark is one setting (t, λ₂): "
                "the time of a rival against SVEN's, both from a cold start, data in memory to coefficients in memory; "
                "above the dashed line SVEN is faster. Hollow marks: the gap was not reached, or a call "
                f"was stopped after {figures.CALL_SHARE * results['limit']:g} s. {machine}."
            )
            out.append(figure(charts, caption, figures.shown_rivals(results)))
    return "".join(out)


SINGLES_NOTE = (
    "The median over the settings of a rival's time over SVEN's, larger than 1 where SVEN is faster; in brackets at "
    "how many settings, where not at all of SVEN's; - where none reached the gap."
)


def singles_section(results: Results, heading: str) -> str:
    return (
        f"<h2>{escape(heading)}</h2>{scatter_sections(results)}<p>{escape(SINGLES_NOTE)}</p>"
        f"{shown(tables.singles(results), 2)}{refusals(results)}"
    )


def studies_section(results: Results, heading: str) -> str:
    charts = [chart for chart in (figures.crossover(results), figures.cores(results)) if chart]
    caption = f"Simulated sets, α = 0.5. {describe_machine(results)}."
    return f"<h2>{escape(heading)}</h2>{figure(charts, caption)}" if charts else ""


def correctness_section(results: Results) -> str:
    machine = describe_machine(results)
    out = ["<h2>The same solutions</h2>"]
    if chart := figures.prostate(results):
        out.append(figure([chart], f"Figure 1: all coefficients of the prostate data along the path. {machine}."))
    if charts := figures.difference_charts(results):
        caption = f"The difference at every setting of every set. {machine}."
        out.append(figure(charts, caption, figures.set_legend(results)))
    out.append(
        "<p>Settings along glmnet's path with distinct numbers of selected features, t = ‖β‖₁ of its solution; gaps "
        f"relative to ‖y‖², recomputed from X, y and the coefficients.</p>{shown(tables.correctness(results), 2)}"
    )
    return "".join(out)


def paths_section(results: Results) -> str:
    if not results["paths"]:
        return ""
    return (
        f"<h2>Whole paths</h2><p>Seconds for {results['settings']} settings from one call, as the packages are "
        f"used today, and in brackets the largest gap. {escape(describe_machine(results))}.</p>"
        f"{shown(tables.paths(results), 3)}"
    )


def render(results: Results, others: list[Results]) -> str:
    out = ["<h1>The experiments of the SVEN paper, run again</h1>"]
    out.append(
        "<p>Q. Zhou, W. Chen, S. Song, J. R. Gardner, K. Q. Weinberger, Y. Chen, <cite>A reduction of the elastic net "
        "to support vector machines with an application to GPU computing</cite>, AAAI 2015.</p>"
        f'<p class="soft">{escape(describe_machine(results))}. <code>{escape(results["command"])}</code></p>'
    )
    out.append("<h2>The claims</h2>" + claims_table(all_claims(results, others)))
    out.append("<h2>The sets</h2>" + sets_table(results))
    out.append(correctness_section(results) + singles_section(results, "Single settings"))
    for other in others:
        out.append(singles_section(other, f"Single settings on another machine: {machine_name(other)}"))
        out.append(studies_section(other, f"Primal, dual, cores on another machine: {machine_name(other)}"))
    out.append(paths_section(results) + studies_section(results, "Primal, dual, cores"))
    out.append("<h2>The rivals</h2>" + shown(tables.rivals(results), 2))
    data = json.dumps(results).replace("</", "<\\/")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>The SVEN paper, run again</title><style>{STYLE}</style></head><body>{''.join(out)}"
        f'<script type="application/json" id="results">{data}</script></body></html>\n'
    )
