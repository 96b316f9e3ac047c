#!/bin/bash
# What a C++ trainer does with the C interface of a release, in the system that it runs in: tests/install/release.sh copies this
# there, with what is beside it. usage: release_sdk.sh ARCHIVE PROGRAM PAGE, the page being docs/sdk.md. Runs in an empty folder,
# prints one line for each thing that worked, and ends with 1 at the first that did not.
set -euo pipefail

source "$(dirname "$0")/release_steps.sh"
program=$2
page=$3

# The first block of a language on the page.
block() { awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } inside && /^```/ { exit } inside' "$page"; }

begin "the archive is unpacked"
mkdir sdk
tar -xzf "$1" -C sdk --strip-components 1
export PKG_CONFIG_PATH=$PWD/sdk/lib/pkgconfig
libraries=$(pkg-config --variable=libdir sightline)
worked

begin "the page's C++ trainer is compiled by $(c++ --version | head -n 1), and records"
block cpp >trainer.cc
c++ -std=c++17 -Wall -Wextra -Werror trainer.cc $(pkg-config --cflags --libs sightline) "-Wl,-rpath,$libraries" -o trainer
./trainer >/dev/null
"$program" verify sdk_run >/dev/null
"$program" info sdk_run | has loss
worked

begin "so is the one in C"
block c >trainer.c
cc -std=c99 -Wall -Wextra -Werror -pedantic trainer.c $(pkg-config --cflags --libs sightline) "-Wl,-rpath,$libraries" -o trainer_c
./trainer_c >/dev/null
"$program" verify sdk_c_run >/dev/null
"$program" tail sdk_c_run | has loss
worked

if command -v go >/dev/null; then
  begin "so is the one in Go, by $(go version)"
  mkdir in_go # cgo compiles every source in the folder; ~/go is GOPATH.
  block go >in_go/trainer.go
  printf 'module trainer\n\ngo 1.19\n' >in_go/go.mod
  (cd in_go && CGO_ENABLED=1 go build -ldflags "-r $libraries" -o ../trainer_go .)
  ./trainer_go >/dev/null
  "$program" verify sdk_go_run >/dev/null
  "$program" tail sdk_go_run | has loss
  worked
fi

if command -v rustc >/dev/null; then
  begin "and the one in Rust, by $(rustc --version)"
  block rust >trainer.rs
  rustc -D warnings trainer.rs -L native="$libraries" -C link-arg="-Wl,-rpath,$libraries" -o trainer_rust
  ./trainer_rust >/dev/null
  "$program" verify sdk_rust_run >/dev/null
  "$program" tail sdk_rust_run | has loss
  worked
fi
