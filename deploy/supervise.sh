#!/usr/bin/env bash
# Runs the three services, and the front end for browsers if WEB_PORT is not empty, and keeps them running. It is started
# by run-all.sh, which holds the lock on descriptor 9: supervise.sh BIN RUN DATA DETACHES WEB_PORT CATALOG...
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

bin=$1 run=$2 data=$3 detaches=$4 web_port=$5
shift 5
catalogs=("$@")
if [ -n "$web_port" ]; then services+=(web); fi
export TRIPTYCH_RUN=$run TRIPTYCH_DATA=$data

start_seconds=300         # until all are healthy: a large catalog may have to be checked
stop_seconds=15           # a service gives itself 10 s to answer what is in flight
restart_seconds_max=${TRIPTYCH_RESTART_SECONDS_MAX:-30}
alive_seconds=60          # who lived that long is restarted without delay again
log_bytes_max=10485760    # a larger log is put aside at the start

declare -A process=()      # by service: its process id while it lives
declare -A started=()      # by service: when, in seconds of this script
declare -A delay=()        # by service: seconds until the next restart
declare -A due=()          # by service that is to be restarted: when
importer=                  # the process id of a running import
is_asked_to_stop=false
samples_due=$data/samples-due

# MARK: Services

# The command line of a service, in `words`.
command_of() {
    words=("$bin/$1-service" --socket "$run/$1.sock")
    case $1 in
        catalog) words+=(--data "$data") ;;
        selection) words+=(--data "$data" --catalog-socket "$run/catalog.sock") ;;
        gateway)
            words=("$bin/gateway" --socket "$run/gateway.sock")
            words+=(--catalog-socket "$run/catalog.sock" --selection-socket "$run/selection.sock")
            ;;
        web) words=("$bin/triptych-web" --port "$web_port" --gateway-socket "$run/gateway.sock") ;;
    esac
}

# Starts a service in a session of its own, so that Ctrl-C reaches only this script; should this script be
# killed, the system stops the service with SIGTERM.
start() {
    local words output=$run/$1.log
    command_of "$1"
    if [ "$1" = web ]; then
        output=$run/web.url # where it says its address, when it serves
        : >"$output"
    fi
    setsid setpriv --pdeathsig TERM -- "${words[@]}" </dev/null >>"$output" 2>>"$run/$1.log" 9>&- &
    process[$1]=$!
    started[$1]=$SECONDS
    unset "due[$1]"
}

lives() { kill -0 "$1" 2>/dev/null; }

# Waits without a process.
pause() { read -rt "$1" -u "$never" || true; }

# Not done by the trap itself: while that runs, bash does not learn which children have ended.
stop_if_asked() { if $is_asked_to_stop; then stop 0; fi; }

# Called when a service has ended.
plan_restart() {
    local seconds=${delay[$1]:-1} status=0
    wait "${process[$1]}" || status=$?
    unset "process[$1]"
    if [ $((SECONDS - started[$1])) -ge $alive_seconds ]; then seconds=1; fi
    delay[$1]=$((seconds * 2 < restart_seconds_max ? seconds * 2 : restart_seconds_max))
    due[$1]=$((SECONDS + seconds))
    say "$(date -Is) the $1 service ended with status $status and is restarted in $seconds s; see $run/$1.log"
}

# Restarts what dies, until a signal comes.
watch() {
    local service
    while true; do
        for service in "${services[@]}"; do
            if [ -n "${due[$service]:-}" ]; then
                if [ "$SECONDS" -ge "${due[$service]}" ]; then start "$service"; fi
            elif ! lives "${process[$service]}"; then
                plan_restart "$service"
            fi
        done
        pause 0.25
        stop_if_asked
    done
}

# MARK: Stopping

# stop_process PROCESS: with SIGTERM, and by force if that takes too long.
stop_process() {
    local patience=$((SECONDS + stop_seconds))
    kill -TERM "$1" 2>/dev/null || return 0
    while lives "$1"; do
        if [ $SECONDS -ge $patience ]; then
            say "process $1 did not stop within $stop_seconds s and is killed"
            kill -KILL "$1" 2>/dev/null || true
        fi
        pause 0.02
    done
}

# Stops what asks before what is asked, the catalog last, so that what is in flight can still be answered; ends the script.
stop() {
    trap '' INT TERM
    local each
    for each in $importer "${process[web]:-}" "${process[gateway]:-}" "${process[selection]:-}" "${process[catalog]:-}"; do
        if [ -n "$each" ]; then stop_process "$each"; fi
    done
    : >"$run/run-all.pid"
    exit "$1"
}

give_up() {
    say "$1" >&2
    stop 1
}

# MARK: Start

put_large_logs_aside() {
    local log
    for log in run-all "${services[@]}"; do
        log=$run/$log.log
        if [ -e "$log" ] && [ "$(stat -c %s -- "$log")" -gt $log_bytes_max ]; then mv -- "$log" "$log.1"; fi
    done
}

is_up() { if [ "$1" = web ]; then [ -s web.url ]; else is_healthy "$1"; fi; }

# A service that ends before everything was healthy once is not restarted: its reason is shown.
await_health() {
    local service each patience=$((SECONDS + start_seconds)) next_note=$((SECONDS + 10))
    for service in "${services[@]}"; do
        until is_up "$service"; do
            for each in "${services[@]}"; do
                lives "${process[$each]}" || give_up "$(tail -n 1 -- "$run/$each.log")"
            done
            if [ $SECONDS -ge $patience ]; then give_up "the $service service is not healthy: see $run/$service.log"; fi
            if [ $SECONDS -ge $next_note ]; then
                say "waiting for the $service service ..."
                next_note=$((SECONDS + 10))
            fi
            pause 0.05
            stop_if_asked
        done
    done
}

# Samples are due when there was no catalog yet, until all of them are in: a start that was cut short is made good.
import_catalogs() {
    local files=()
    if [ -e "$samples_due" ]; then
        files+=("$deploy"/catalogs/{recipes,bands,folders,notes}.json)
    fi
    files+=("${catalogs[@]}")
    [ ${#files[@]} -gt 0 ] || return 0
    "$bin/triptych" import "${files[@]}" 9>&- &
    importer=$!
    if ! wait "$importer"; then
        stop_if_asked
        give_up "the catalogs could not be imported"
    fi
    importer=
    rm -f -- "$samples_due"
}

show_what_to_try() {
    local connect="socat -t 30 - UNIX-CONNECT:$run"
    cat <<END
Triptych runs: sockets and logs are in $run, data is in $data. Try:
  echo '{"jsonrpc":"2.0","id":1,"method":"view.get"}' | $connect/gateway.sock
  echo '{"jsonrpc":"2.0","id":2,"method":"view.send","params":{"event":{"type":"select","column":"sidebar","id":"breakfast"}}}' | $connect/gateway.sock
  echo '{"jsonrpc":"2.0","id":3,"method":"selection.list"}' | $connect/selection.sock
  echo '{"jsonrpc":"2.0","id":4,"method":"catalog.list"}' | $connect/catalog.sock
  $bin/triptych --help
END
    if [ -n "$web_port" ]; then say "  a browser: $(<web.url)"; fi
}

trap is_asked_to_stop=true INT TERM
exec {never}<> <(:) # nothing is ever written to it
cd -- "$run"
say $$ >run-all.pid
umask 077
mkdir -p -- "$data"
put_large_logs_aside
[ -e "$data/catalog.sqlite" ] || : >"$samples_due"
for service in "${services[@]}"; do start "$service"; done
await_health
import_catalogs
show_what_to_try
if $detaches; then
    say ready
    exec >>run-all.log 2>&1
else
    say "Ctrl-C stops it."
fi
watch
