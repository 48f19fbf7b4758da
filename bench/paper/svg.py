"""Charts as SVG, written by hand: a page that needs nothing else, in light and dark."""

from __future__ import annotations

import math
import re
import textwrap
from dataclasses import dataclass, field
from html import escape

MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 58, 12, 40, 44
SHAPES = ["circle", "square", "triangle", "diamond", "cross", "plus", "down"]


def number(value: float) -> str:
    """Short, as on an axis."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if 1e-3 <= abs(value) < 1e5:
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa}e{int(exponent)}"


@dataclass(frozen=True)
class Axis:
    label: str
    low: float
    high: float
    is_log: bool = False

    def place(self, value: float) -> float:
        """0 at the low end, 1 at the high end."""
        if self.is_log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        if self.is_log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            step = max(1, math.ceil((last - first + 1) / 6))
            powers = [10.0**k for k in range(first, last + 1, step)]
            if len(powers) >= 2:
                return powers
            steps = [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5)]
            return [tick for tick in steps if self.low <= tick <= self.high]
        raw = (self.high - self.low) / 5
        unit = 10 ** math.floor(math.log10(raw))
        step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= raw)
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def log_axis(label: str, values: list[float]) -> Axis:
    """Around the values, with a little room."""
    low, high = min(values), max(values)
    room = max((high / low) ** 0.05, 1.3)
    return Axis(label, low / room, high * room, True)


def linear_axis(label: str, values: list[float]) -> Axis:
    low, high = min(values), max(values)
    room = 0.04 * (high - low or 1)
    return Axis(label, low - room, high + room)


def mark(shape: str, x: float, y: float, colour: str, tip: str, is_hollow: bool = False) -> str:
    paint = f'fill="none" stroke="{colour}" stroke-width="1.2"' if is_hollow else f'fill="{colour}" fill-opacity="0.75"'
    line = f'stroke="{colour}" stroke-width="1.5" fill="none"'
    s = 3.2
    forms = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{s}" {paint}',
        "square": f'<rect x="{x - s:.1f}" y="{y - s:.1f}" width="{2 * s}" height="{2 * s}" {paint}',
        "triangle": f'<path d="M{x:.1f} {y - s - 0.8:.1f}l{s + 0.6} {2 * s + 0.6}h-{2 * s + 1.2}z" {paint}',
        "down": f'<path d="M{x:.1f} {y + s + 0.8:.1f}l{s + 0.6} -{2 * s + 0.6}h-{2 * s + 1.2}z" {paint}',
        "diamond": f'<path d="M{x:.1f} {y - s - 1:.1f}l{s + 1} {s + 1}l-{s + 1} {s + 1}l-{s + 1} -{s + 1}z" {paint}',
        "cross": f'<path d="M{x - s:.1f} {y - s:.1f}l{2 * s} {2 * s}m0 -{2 * s}l-{2 * s} {2 * s}" {line}',
        "plus": f'<path d="M{x - s:.1f} {y:.1f}h{2 * s}m-{s} -{s}v{2 * s}" {line}',
    }
    return f"{forms[shape]}><title>{escape(tip)}</title></{forms[shape][1:].split()[0]}>"


@dataclass
class Chart:
    title: str
    subtitle: str
    x: Axis
    y: Axis
    width: int = 330
    height: int = 300
    right: int = MARGIN_RIGHT  # room for labels at the end of lines
    parts: list[str] = field(default_factory=list)

    def at(self, x: float, y: float) -> tuple[float, float]:
        inner_width = self.width - MARGIN_LEFT - self.right
        inner_height = self.height - MARGIN_TOP - MARGIN_BOTTOM
        return MARGIN_LEFT + self.x.place(x) * inner_width, MARGIN_TOP + (1 - self.y.place(y)) * inner_height

    def point(self, x: float, y: float, colour: str, tip: str, shape: str = "circle", is_hollow: bool = False) -> None:
        self.parts.append(mark(shape, *self.at(x, y), colour, tip, is_hollow))

    def line(self, points: list[tuple[float, float]], colour: str, tip: str = "", dash: str = "") -> None:
        corners = " ".join(f"{px:.1f},{py:.1f}" for px, py in (self.at(*point) for point in points))
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        title = f"<title>{escape(tip)}</title>" if tip else ""
        self.parts.append(
            f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="1.4"{dashes}>{title}</polyline>'
        )

    def text(self, x: float, y: float, words: str, colour: str = "currentColor", dx: float = 4, dy: float = 3) -> None:
        px, py = self.at(x, y)
        self.parts.append(
            f'<text x="{px + dx:.1f}" y="{py + dy:.1f}" font-size="10" fill="{colour}">{escape(words)}</text>'
        )

    def _frame(self) -> list[str]:
        left, top = self.at(self.x.low, self.y.high)
        right, bottom = self.at(self.x.high, self.y.low)
        grey = 'stroke="currentColor" stroke-opacity="0.15"'
        out = []
        for tick in self.x.ticks():
            px = self.at(tick, self.y.low)[0]
            out.append(f'<path d="M{px:.1f} {top:.1f}V{bottom:.1f}" {grey}/>')
            out.append(
                f'<text x="{px:.1f}" y="{bottom + 14:.1f}" text-anchor="middle" font-size="10">{number(tick)}</text>'
            )
        for tick in self.y.ticks():
            py = self.at(self.x.low, tick)[1]
            out.append(f'<path d="M{left:.1f} {py:.1f}H{right:.1f}" {grey}/>')
            out.append(
                f'<text x="{left - 5:.1f}" y="{py + 3:.1f}" text-anchor="end" font-size="10">{number(tick)}</text>'
            )
        out.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" fill="none" '
            f'stroke="currentColor" stroke-opacity="0.5"/>'
        )
        middle, height = (left + right) / 2, (top + bottom) / 2
        out.append(
            f'<text x="{middle:.1f}" y="{bottom + 32:.1f}" text-anchor="middle" '
            f'font-size="11">{escape(self.x.label)}</text>'
        )
        out.append(
            f'<text x="14" y="{height:.1f}" text-anchor="middle" font-size="11" '
            f'transform="rotate(-90 14 {height:.1f})">{escape(self.y.label)}</text>'
        )
        out.append(f'<text x="{left:.1f}" y="15" font-size="13" font-weight="600">{escape(self.title)}</text>')
        out.append(f'<text x="{left:.1f}" y="31" font-size="9.5" fill-opacity="0.75">{escape(self.subtitle)}</text>')
        return out

    def svg(self, place: tuple[float, float] | None = None) -> str:
        """`place`: inside another one."""
        where = f' x="{place[0]:g}" y="{place[1]:g}"' if place else ' xmlns="http://www.w3.org/2000/svg"'
        label = escape(f"{self.title}: {self.subtitle}", quote=True)
        return (
            f'<svg{where} viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}" '
            f'role="img" aria-label="{label}" fill="currentColor" font-family="system-ui, sans-serif">'
            + "".join(self._frame() + self.parts)
            + "</svg>"
        )


def legend(entries: list[tuple[str, str, str]]) -> str:
    """HTML: a mark and a name each; shape, colour, name."""
    marks = (
        f'<li><svg width="14" height="14" aria-hidden="true">{mark(shape, 7, 7, colour, name)}</svg>{escape(name)}</li>'
        for shape, colour, name in entries
    )
    return f'<ul class="legend">{"".join(marks)}</ul>'


def sheet(charts: list[Chart], entries: list[tuple[str, str, str]], footer: str = "", columns: int = 3) -> str:
    """Charts side by side with a legend and a line below, as a file of its own on white."""
    columns = min(columns, len(charts))
    width, height = max(chart.width for chart in charts), max(chart.height for chart in charts)
    rows = math.ceil(len(charts) / columns)
    column = 24 + 6 * max((len(name) for _, _, name in entries), default=15)
    across = max(1, columns * width // column)
    below = 22 * math.ceil(len(entries) / across)
    lines = textwrap.wrap(footer, int(columns * width / 5.2))
    total_width, total_height = columns * width, rows * height + below + 14 * len(lines) + 10
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total_width} {total_height}" width="{total_width}" '
        f'height="{total_height}" font-family="system-ui, sans-serif" color="#222" fill="#222">'
        f'<rect width="{total_width}" height="{total_height}" fill="#fff"/>'
    ]
    # A picture in a text has no tips.
    drawn = (chart.svg((k % columns * width, k // columns * height)) for k, chart in enumerate(charts))
    out += [re.sub("<title>.*?</title>", "", text) for text in drawn]
    for k, (shape, colour, name) in enumerate(entries):
        x, y = 14 + k % across * column, rows * height + 16 + k // across * 22
        out.append(
            f'{mark(shape, x, y, colour, name)}<text x="{x + 10}" y="{y + 4}" font-size="11">{escape(name)}</text>'
        )
    for k, line in enumerate(lines):
        y = rows * height + below + 14 * (k + 1)
        out.append(f'<text x="14" y="{y}" font-size="9.5" fill-opacity="0.7">{escape(line)}</text>')
    return "".join(out) + "</svg>\n"
