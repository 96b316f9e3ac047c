#!/bin/bash
# What a user does with the program of a release, in the system that it runs in: tests/install/release.sh copies both there.
# usage: release_program.sh PROGRAM; runs in an empty folder, prints one line for each thing that worked, and ends with 1 at the
# first that did not.
set -euo pipefail

source "$(dirname "$0")/release_steps.sh"
program=$1

# get <port> <path> <header>: the answer of a server on this machine, by bash itself.
get() {
  exec 3<>"/dev/tcp/127.0.0.1/$1"
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n%s\r\nConnection: close\r\n\r\n' "$2" "$1" "$3" >&3
  tr -d '\0' <&3
  exec 3<&-
}

begin "--version --verbose names the commit"
"$program" --version --verbose | has -E '^  commit +[0-9a-f]{40}'
worked

begin "demo trains, records and draws"
"$program" demo --epochs 3 --landscape-size 3 --overhead-pairs 0 --save-graphs 1 --profile --formats mindspore,tensorboard run >/dev/null
worked

begin "ls, info, cat, tail, verify, ir, landscape and profile read what was recorded"
"$program" ls . --json >/dev/null
"$program" info run | has loss
"$program" cat run/*_MS >/dev/null
"$program" tail run --tags "^loss" | has loss  # The last ten may be the machine's.
"$program" verify run >/dev/null
"$program" ir timeline run/graphs >/dev/null
"$program" landscape info run >/dev/null
"$program" profile summary run >/dev/null
worked

for format in csv jsonl tensorboard npz html; do
  begin "export --format $format"
  "$program" export run --format "$format" -o "run.$format" >/dev/null
  [ -s "run.$format" ]
  worked
done

begin "a recording that is killed is completed by recover"
"$program" demo --epochs 1000 killed >/dev/null 2>&1 &
demo=$!
wait_for compgen -G 'killed/*_MS'
sleep 0.5
kill -KILL "$demo"
{ wait "$demo" || true; } 2>/dev/null
"$program" recover killed >/dev/null
"$program" verify killed >/dev/null
worked

begin "serve shows the page and answers with the token only"
"$program" serve --port 0 run >serve.txt 2>&1 &
server=$!
wait_for grep token= serve.txt
port=$(grep -o '127[.]0[.]0[.]1:[0-9]*' serve.txt | head -n 1 | cut -d : -f 2)
token=$(grep -o 'token=[^ ]*' serve.txt | head -n 1 | cut -d = -f 2)
get "$port" / "Accept: */*" | has -i '<title>'
get "$port" /api/v1/runs "Authorization: Bearer $token" | has '"run'
get "$port" /api/v1/runs "Accept: */*" | head -n 1 | has 401
kill -TERM "$server"
wait "$server"
worked

begin "watch sends by https, to a server whose certificate SSL_CERT_FILE names"
here=$(cd "$(dirname "$0")" && pwd)
"$program" serve --port 0 --tls-cert "$here/certificate.pem" --tls-key "$here/key.pem" run >tls.txt 2>&1 &
server=$!
wait_for grep token= tls.txt
port=$(grep -o '127[.]0[.]0[.]1:[0-9]*' tls.txt | head -n 1 | cut -d : -f 2)
printf '{"hook": {"kind": "json", "url": "https://127.0.0.1:%s/hook"}}' "$port" >targets.json
chmod 600 targets.json
"$program" demo --epochs 1000 watched >/dev/null 2>&1 &
demo=$!
wait_for compgen -G 'watched/*_MS'
SSL_CERT_FILE=$here/certificate.pem "$program" watch watched --on 'last_step >= 0' --targets targets.json --notify hook >watch.txt 2>&1 &
watch=$!
# No page of the dashboard takes a message: its answer shows that the certificate was trusted.
wait_for grep 'the answer is HTTP 4' watch.txt
kill -KILL "$demo" "$watch"
kill -TERM "$server"
{ wait "$demo" "$watch" || true; wait "$server"; } 2>/dev/null
worked
