# Shared by ./demo, ./install and ./check: what they say, and how they install what is missing.

say() { printf '\n== %s\n' "$*"; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# path_line <folder>: the line that puts a folder on the PATH of a shell.
path_line() { printf 'export PATH="%s:$PATH"' "$1"; }

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# missing_packages <purpose>...: the packages for these purposes that are not installed, one a line.
missing_packages() {
    local names purpose reason name wanted
    while read -r names purpose reason; do
        case " $* " in *" $purpose "*) ;; *) continue ;; esac
        wanted=${names%%|*}
        for name in ${names//|/ }; do
            if is_installed "$name"; then wanted=; fi
        done
        if [ -n "$wanted" ]; then printf '%s\n' "$wanted"; fi
    done < <(grep -Ev '^[[:space:]]*(#|$)' scripts/packages.txt)
}

# install_missing <purpose>...: asks nothing, touches apt only when something is missing.
install_missing() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        fail "This needs Debian or Ubuntu (apt); elsewhere install what scripts/packages.txt lists, then use CMake."
    fi
    local missing as_root=()
    mapfile -t missing < <(missing_packages "$@")
    if [ ${#missing[@]} -eq 0 ]; then return; fi
    if [ "$(id -u)" -ne 0 ]; then
        # sudo that would ask for a password counts only where someone can type it.
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=(sudo)
        else
            fail "Not root, and these packages are missing: ${missing[*]}"
        fi
    fi
    say "Installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install: ${missing[*]}"
    fi
    rm -f "$log"
}

# build <preset> <tests: ON or OFF> [<target>...]: configures, then builds what changed.
build() {
    local preset=$1 tests=$2
    shift 2
    cmake --preset "$preset" -DSVEN_TESTS="$tests" ${more_options:-} --log-level=WARNING >/dev/null &&
        cmake --build --preset "$preset" ${1:+--target "$@"}
}
