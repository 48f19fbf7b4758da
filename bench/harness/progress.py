"""One line of progress: on a terminal it is rewritten, elsewhere each finished step is a line."""

from __future__ import annotations

import sys
import threading
import time


def duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


class Progress:
    def __init__(self, total: int, quiet: bool = False) -> None:
        self.total, self.done, self.quiet = total, 0, quiet
        self.start = time.monotonic()
        self.step, self.detail = "", ""
        self.step_start = self.start
        self.is_terminal = sys.stderr.isatty() and not quiet
        self._stop = threading.Event()
        if self.is_terminal:
            threading.Thread(target=self._tick, daemon=True).start()

    def begin(self, step: str) -> None:
        self.step, self.detail, self.step_start = step, "", time.monotonic()

    def show(self, detail: str) -> None:
        self.detail = detail

    def end(self, result: str) -> None:
        self.done += 1
        self._line(f"{self._head()} {self.step}: {result}", is_last=True)
        self.step = ""

    def skip(self) -> None:
        self.total -= 1

    def note(self, text: str) -> None:
        self._line(text, is_last=True)

    def close(self) -> None:
        self._stop.set()

    def _head(self) -> str:
        elapsed = time.monotonic() - self.start
        left = f", {duration(elapsed / self.done * (self.total - self.done))} left" if self.done else ""
        return f"[{self.done}/{self.total} {duration(elapsed)}{left}]"

    def _tick(self) -> None:
        while not self._stop.wait(0.5):
            if self.step:
                spent = time.monotonic() - self.step_start
                self._line(f"{self._head()} {self.step}: {self.detail} ({spent:.0f} s)", is_last=False)

    def _line(self, text: str, is_last: bool) -> None:
        if self.quiet:
            return
        if self.is_terminal:
            sys.stderr.write("\r\x1b[K" + text[:160] + ("\n" if is_last else ""))
        elif is_last:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()
