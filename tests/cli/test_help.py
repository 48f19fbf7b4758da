"""Help, completion, the manual page, words that were mistyped, and what goes to standard output."""
import json
import re
import shutil
import subprocess

import pytest

from cli.command import PROSTATE, files, succeed, sven
from cli.test_tools import complete

COMMANDS = ["fit", "path", "cv", "predict", "report", "convert", "gram", "simulate", "info", "completion"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen_and_is_the_same_either_way(command):
    text = succeed(command, "--help").out
    assert max(map(len, text.splitlines())) <= 100 and "[]" not in text
    assert succeed("help", command).out == text


def test_help_has_the_words_of_the_field():
    for command in ("fit", "path", "cv"):
        text = " ".join(succeed(command, "--help").out.split())
        assert "(binomial: logistic regression)" in text and "(poisson: Poisson regression)" in text


def test_help_of_all():
    assert succeed("help").out == succeed("--help").out == succeed("-h").out
    assert succeed("-V").out == succeed("--version").out
    assert sven("help", "fti").err == 'sven: there is no command "fti"; did you mean fit? (see sven help --help)\n'


@pytest.mark.parametrize("words, sentence", [
    (["fti", "d.csv"], 'there is no command "fti"; did you mean fit?'),
    (["ft", "d.csv"], 'there is no command "ft"; did you mean fit?'),
    (["fit", "d.csv", "--folds", 5], 'there is no option "--folds" of sven fit; sven cv and sven gram have it'),
    (["fit", "d.csv", "--choose=min"], 'there is no option "--choose" of sven fit; sven cv has it'),
    (["cv", "d.csv", "--target=y", "--choos=min"], 'there is no option "--choos"; did you mean --choose?'),
    (["xy"], 'there is no command "xy"'),
    (["xyzzy"], 'there is no command "xyzzy"'),
    (["fit", "d.csv", "--taget", "y"], 'there is no option "--taget"; did you mean --target?'),
    (["cv", "d.csv", "--nlambd", 3], 'there is no option "--nlambd"; did you mean --nlambda?'),
    (["cv", "d.csv", "--frobnicate"], 'there is no option "--frobnicate"'),
])
def test_mistyped_words(words, sentence):
    outcome = sven(*words)
    assert outcome.code == 2 and outcome.err.startswith(f"sven: {sentence} (see sven ")


def test_columns_are_completed(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text('age,"first, name",lpsa\n1,2,3\n')
    assert succeed("completion", "columns", path).out == "age\nfirst, name\nlpsa\n"
    assert succeed("completion", "columns", tmp_path / "none.csv").out == ""
    from world.paths import PROGRAM
    script = succeed("completion", "bash").out
    model = tmp_path / "m.json"
    model.write_text('{"lpsb": 1}\n')
    for words, offered in [(f"fit {path} --target l", ["lpsa"]), (f"fit {path} --drop age,l", ["age,lpsa"]),
                           (f"predict {model} {path} --target l", ["lpsa"]), (f"assess {model} {path} --target ''",
                                                                              ["age", "first,", "name", "lpsa"]),
                           (f"predict {model} --target l", [])]:
        line = f"COMP_WORDS=(sven {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _sven; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        result = subprocess.run(["bash", "-c", f"sven() {{ {PROGRAM} \"$@\"; }}\n{script}\n{line}"], capture_output=True,
                                text=True, check=True)
        assert result.stdout.split() == offered
    assert complete("completion", "''") == ["bash", "zsh", "fish"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_of_all_shells(shell):
    script = succeed("completion", shell).out
    assert "fold-column" in script and "1se" in script
    second = "predict assess; and set place 2" if shell == "fish" else "predict|assess) skipped=1"
    assert second in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
    assert sven("completion", "csh").err.startswith('sven: completion: "csh" is not a shell that is known; bash, zsh and fish')


def test_the_manual_page():
    page = succeed("help", "man").out
    assert page.startswith(".TH SVEN 1")
    for command in COMMANDS:
        assert f".SH SVEN {command}" in page and f"Usage: sven {command} " in page
    assert page.count("Usage: ") == page.count("Usage: sven")
    if shutil.which("man"):
        shown = subprocess.run(["man", "-l", "-"], input=page, text=True, capture_output=True, check=False)
        assert shown.stderr == "" and "--fold-column" in re.sub(".\b", "", shown.stdout)


def test_files_on_standard_output(tmp_path):
    for arguments, form in [(["fit", PROSTATE, "--lambda", 0.1, "-o", "-"], "sven-model/1"),
                            (["cv", PROSTATE, "-o", "-"], "sven-model/1"), (["path", PROSTATE, "-o", "-"], "sven-path/1"),
                            (["cv", PROSTATE, "--save", "-"], "sven-cv/1")]:
        outcome = sven(*arguments, folder=tmp_path)
        assert outcome.code == 0 and json.loads(outcome.out)["format"] == form
        assert "97 rows, 8 features" in outcome.err and " in -" not in outcome.err
    assert sven("path", PROSTATE, "--report", "-", folder=tmp_path).out.startswith("<!DOCTYPE html>")
    assert files(tmp_path) == {}
    outcome = sven("fit", PROSTATE, "--lambda", 0.1, "-o", "-", "--report", "-")
    assert "cannot both be standard output" in outcome.err and outcome.code == 2
    assert "exclude each other" in sven("fit", PROSTATE, "--lambda", 0.1, "-o", "-", "--json").err
    piped = subprocess.run(["bash", "-c", 'set -o pipefail; "$1" fit "$2" --lambda 0.1 -o - 2> /dev/null | '
                            '"$1" predict - "$2" -o p.csv', "_", str(shutil.which("sven") or program()), str(PROSTATE)],
                           cwd=tmp_path, capture_output=True, text=True, check=False)
    assert piped.returncode == 0 and "R^2" in piped.stdout


def program():
    from world.paths import PROGRAM
    return PROGRAM


def test_calls_have_short_numbers():
    out = succeed("fit", PROSTATE, "--lambda", 0.1, "--alpha", 0.7).out
    assert "ElasticNet(alpha=0.1, l1_ratio=0.7," in out


def test_a_path_tells_what_it_explains():
    out = succeed("path", PROSTATE, "--n-lambda", 5).out
    rows = [line.split() for line in out.splitlines() if re.match(r" +\d+ ", line)]
    answer = succeed("path", PROSTATE, "--n-lambda", 5, "--json").json
    assert "%Dev" in out and [row[6] for row in rows] == [str(s["nonzero"]) for s in answer["settings"]]
    shares = [float(row[7]) for row in rows]
    assert shares[0] == 0 and sorted(shares) == shares and 65 < shares[-1] < 67
