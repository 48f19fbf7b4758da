"""The program without memory at any of its allocations: one sentence, exit code 1, the old files, no temporary one."""
import itertools

import pytest

from faults.injected import commands, expect_all_or_nothing, needs_shim, reference, reset, run

SENTENCE = "sven: there is not enough memory for this\n"
COMMANDS = commands() if needs_shim.args[0] is False else {}


def check(folder, command, new, fault, **environment):
    """Whether the fault happened at all."""
    reset(folder, command)
    outcome = run(folder, command, fault, **environment)
    assert outcome.code in (0, 1), (fault, outcome)
    assert outcome.err == ("" if outcome.code == 0 else SENTENCE), (fault, outcome)
    expect_all_or_nothing(folder, command, new, is_new=outcome.code == 0)
    return outcome.has_happened


def sweep(folder, command, numbers, **environment):
    """Allocations that were refused."""
    new = reference(folder, command)
    count = 0
    for number in numbers:
        happened = [check(folder, command, new, f"new:{number}{later}:12", **environment) for later in ("", "+")]
        if not any(happened):
            return count
        count += sum(happened)
    return count


def allocations(folder, command):
    """How many the command makes, by bisection."""
    reference(folder, command)
    low, high = 1, 1 << 20
    while low < high:
        middle = (low + high + 1) // 2
        reset(folder, command)
        low, high = (middle, high) if run(folder, command, f"new:{middle}:12").has_happened else (low, middle - 1)
    return low


@needs_shim
def test_before_main(tmp_path):
    """Objects of other libraries are made there."""
    assert sweep(tmp_path, COMMANDS["fit"], range(1, 80, 7), SVEN_FAULT_EARLY="1") > 10


@needs_shim
@pytest.mark.parametrize("name", COMMANDS)
def test_some_allocations(tmp_path, name):
    """The words of the command line take most of them, and the same in every command."""
    total = allocations(tmp_path, COMMANDS[name])
    words = range(1, 5200, 700) if name == "fit" else []
    rest = range(5200, total + 1, max(1, (total - 5200) // 12))
    assert sweep(tmp_path, COMMANDS[name], itertools.chain(words, rest)) > 10


@needs_shim
@pytest.mark.parametrize("name", COMMANDS)
def test_other_libraries(tmp_path, name):
    """zlib tells us, and other libraries may end the program. Either way no file is lost."""
    command = COMMANDS[name]
    new = reference(tmp_path, command)
    for number in itertools.count(1):
        reset(tmp_path, command)
        outcome = run(tmp_path, command, f"malloc:{number}:12")
        if not outcome.has_happened:
            break
        assert outcome.code in (0, 1), outcome
        assert outcome.code == 0 or outcome.err.strip().count("\n") == 0, outcome
        expect_all_or_nothing(tmp_path, command, new, is_new=outcome.code == 0)
    assert number > 1


@needs_shim
@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_every_allocation(tmp_path, name, record_property):
    count = sweep(tmp_path, COMMANDS[name], itertools.count(1 if name == "fit" else 5200))
    record_property("refused", count)
    print(f"{name}: {count} allocations refused")
    assert count > 100
