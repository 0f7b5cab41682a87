#!/usr/bin/env bash
# A front end for Triptych: draws the screen with jq, asks what to do, and sends back what the screen offers.
set -euo pipefail

socket=${TRIPTYCH_RUN:-run}/gateway.sock
width=$((${COLUMNS:-80} * 8)) # 8 points a character

# call METHOD PARAMS: the view that the gateway answers with.
call() {
    jq -cn --arg method "$1" --argjson params "$2" '{jsonrpc: "2.0", id: 1, $method, $params}' \
        | socat -t 30 - "UNIX-CONNECT:$socket" \
        | jq -ce 'if .error then "\(.error.message)\n" | halt_error else .result.view end'
}

# Everything on the screen, a line each: the text, a tab, and the event that it offers, if any.
# shellcheck disable=SC2016 # the variables are those of jq
drawing='
    def line($text; $event): "\($text | gsub("[[:cntrl:]]"; " "))\t\($event // "" | tojson)";
    def row: line((if .selected then "* " else "  " end) + "  " * (.depth // 0) + .title; .event);
    def block:
        if .kind == "text" then .text | split("\n")[] | line(.; null)
        elif .kind == "fields" then .fields[] | line("\(.label): \(.value)"; null)
        elif .kind == "links" then .links[] | line("see \(.title)"; .event)
        else line("[\(.label)]"; null) end;
    . as $view | .layout |
    (.back | select(.) | line("back to \(.title // "where you were")"; .event)),
    (.sidebarToggle | select(.) | line("show or hide the sidebar"; .event)),
    (.dismiss | select(.) | line("close the overlay"; .event)),
    (.columns[] | select(.visible) | $view[.column] |
        line("== \(.title // "")"; null),
        ((.sections // [])[].rows[], (.folders // [])[], (.rows // [])[] | row),
        ((.blocks // [])[] | block),
        (.placeholder | select(.) | line(.title; null), line(.hint // ""; null)))'

# draw VIEW: prints it, and keeps the events in `events`, from 1.
draw() {
    local text event
    events=('')
    while IFS=$'\t' read -r text event; do
        if [ "$event" = '""' ]; then
            printf '     %s\n' "$text"
        else
            printf '%3d  %s\n' ${#events[@]} "$text"
            events+=("$event")
        fi
    done < <(jq -r "$drawing" <<<"$1")
}

view=$(call view.get "{\"width\":$width}")
while true; do
    draw "$view"
    read -rp 'a number chooses, /text searches, q quits: ' typed || exit 0
    case $typed in
        q) exit ;;
        /*) event=$(jq -c --arg text "${typed#/}" '(.content // .sidebar).search.event + {$text}' <<<"$view") ;;
        '' | *[!0-9]*) event= ;;
        *) event=${events[$typed]:-} ;;
    esac
    if [ -n "$event" ]; then
        if new=$(call view.send "{\"width\":$width,\"event\":$event}"); then view=$new; fi
    fi
done
