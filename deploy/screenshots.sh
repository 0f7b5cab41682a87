#!/usr/bin/env bash
# usage: deploy/screenshots.sh
#
# Makes docs/images/browse-*.svg anew: the terminal front end with the sample catalogs, at several sizes.
#
#   --help  prints this
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

case ${1:-} in
    "") ;;
    --help | -h) show_help && exit 0 ;;
    *) fail "there is no option $1; see --help" 64 ;;
esac
command -v python3 >/dev/null || fail "this needs python3: apt-get install python3" 69
need_release_build
need_packages test
images=$root/docs/images
work=$(mktemp -d)
terminal() { env -u TMUX LC_ALL=C.UTF-8 tmux -S "$work/tmux" -f /dev/null "$@"; }
finish() {
    terminal kill-server 2>/dev/null || true
    "$deploy/stop-all.sh" --run "$work/run" >/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
"$deploy/run-all.sh" --data "$work/data" --run "$work/run" --detach >/dev/null

# sees TEXT: waits until the screen has it.
sees() {
    local tries=0
    until terminal capture-pane -p | grep -qF -- "$1"; do
        tries=$((tries + 1))
        [ $tries -lt 200 ] || fail "never seen: $1"
        read -rt 0.05 <> <(:) || true
    done
}

# open COLUMNS ROWS SESSION CATALOG
open() {
    terminal kill-server 2>/dev/null || true
    terminal new-session -d -x "$1" -y "$2" \
        "env TERM=tmux-256color '$bin/triptych-browse' --run '$work/run' --session '$3' --catalog '$4'"
    terminal set -g status off
    terminal set -g window-size manual
    terminal resize-window -x "$1" -y "$2"
}

press() { terminal send-keys "$@"; }

# save NAME COLUMNS ROWS
save() {
    terminal capture-pane -p -e | "$deploy/terminal-svg.py" "$2" "$3" >"$images/browse-$1.svg"
    say "docs/images/browse-$1.svg"
}

mkdir -p "$images"
open 120 26 desk recipes
sees "No Category Selected"
press Enter
sees Shakshuka
press Right
press Enter
sees "Olive oil"
press Down
save columns 120 26
terminal resize-window -x 76 -y 22
sees "sidebar"
press t
sees "put away"
save overlay 76 22
open 44 20 desk recipes
sees "Olive oil"
save stack 44 20
