"""Options that the commands of bench/ share."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from harness.launch import ROOT


def words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def make_parser(command: str, description: str | None) -> argparse.ArgumentParser:
    """With what every command has: threads, repeats, and where the results go."""
    parser = argparse.ArgumentParser(
        prog=f"bench/{command}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="for everyone (all cores)")
    parser.add_argument("--repeats", type=int, default=5, help="timed calls, after one to warm up (5)")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / command, metavar="FOLDER")
    return parser


def add_comparison(parser: argparse.ArgumentParser, peers: list[str], limit: float) -> None:
    """What a comparison of solvers on the same data asks for."""
    parser.add_argument(
        "--sets",
        type=words,
        default=[],
        metavar="A,B",
        help="names of the folder's sets, shapes like 200x5000 or 5000x20000@0.005 to simulate, `simulated`, `real`; all by default",
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="a folder of real sets with a load.py")
    parser.add_argument("--peers", type=words, metavar="A,B", help="of: " + ", ".join(peers))
    parser.add_argument(
        "--alpha",
        type=lambda text: [float(word) for word in words(text)],
        default=[0.5],
        metavar="A,B",
        help="shares of the l1 penalty; 1 is the Lasso (0.5)",
    )
    parser.add_argument("--settings", type=int, default=40, help="length of the path (40)")
    parser.add_argument(
        "--min-ratio", type=float, help="smallest lambda as a share of the largest (1e-2 for p > n, else 1e-4)"
    )
    parser.add_argument("--gap", type=float, default=1e-8, help="asked of the peers in the second row (1e-8)")
    parser.add_argument("--limit", type=float, default=limit, help=f"seconds for one call ({limit:g})")
    parser.add_argument("--quiet", action="store_true", help="no progress display")
