"""The commands of the README, of docs/program.md and of docs/tutorial.md, run as printed: what they print is what it says."""
import os
import re
import shutil
import subprocess

import pytest

from world.paths import PROGRAM, ROOT


COMMANDS = {"README.md": ["cv", "predict", "fit"], "docs/program.md": ["awk", "awk", "cv", "assess", "cv", "cv"],
            "docs/tutorial.md": ["awk", "cut", "cv", "cv", "fit", "predict", "head", "cv", "cv", "predict"]}


def blocks(name):
    """Each command with what is printed below it: lines of an indented block."""
    found = []
    for line in (ROOT / name).read_text().splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif found and line.startswith("    ") and found[-1][1] is not None:
            found[-1][1].append(line[4:])
        elif line.strip() and found:
            if found[-1][1] and found[-1][1][-1] is not None:
                found[-1][1].append(None)  # the block has ended
        elif found and found[-1][1] and found[-1][1][-1] is not None:
            found[-1][1].append("")
    return [(command, trimmed(lines)) for command, lines in found]


def trimmed(lines):
    kept = lines[:lines.index(None)] if None in lines else lines
    while kept and not kept[-1]:
        kept = kept[:-1]
    return kept


def pattern(lines):
    """Times differ from run to run, rounding between processors; "..." stands for any lines."""
    text = re.escape("\n".join(lines) + "\n")
    text = re.sub(r"[\d.\\]+e\\-\d\d", r"[\\d.]+e-\\d\\d", text)
    text = re.sub(r"[\d.\\]+\\ m?s\b", r"[\\d.]+ m?s", text)
    return re.sub(r"(?m)^\\\.\\\.\\\.\\\n", "(?:.*\n)*", text)


@pytest.fixture(scope="module", name="folder")
def make_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "data", folder / "data")
    (folder / "bin").mkdir()
    (folder / "bin/sven").symlink_to(PROGRAM)
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command(folder, name):
    commands = blocks(name)
    words = [command.split() for command, _ in commands]
    assert [word[1] if word[0] == "sven" else word[0] for word in words] == COMMANDS[name]
    for command, lines in commands:
        result = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False,
                                env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
        # a sentence of the program about a mistake is printed alone
        is_refused = lines[:1] != [] and lines[0].startswith("sven: ")
        assert result.returncode == int(is_refused), f"{command}\n{result.stderr}"
        assert (result.stdout if is_refused else result.stderr) == "", command
        printed = result.stderr if is_refused else result.stdout
        expected = pattern(lines) if lines else ""
        assert re.fullmatch(expected + "(?s:.*)" if lines[-1:] == ["..."] else expected, printed), f"{command}\n{printed}"


def test_from_a_clone_to_a_report_on_a_table_of_ones_own(folder):
    text = (ROOT / "README.md").read_text()
    command = re.search(r"^    (sven cv mine\.csv .*)$", text, re.MULTILINE).group(1)
    (folder / "mine.csv").write_text("id,site,size,price\n" + "".join(
        f"{k},{['north', 'south', ''][k % 3]},{'' if k == 5 else k % 7},{'' if k == 8 else 3 * (k % 7) + k % 3}\n"
        for k in range(60)).replace("id,", "", 1))
    result = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False,
                            env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
    assert result.returncode == 0, result.stderr
    assert "1 row was left out for lack of a value" in result.stdout and "site=(missing)" in result.stdout
    assert (folder / "report.html").stat().st_size > 10_000
