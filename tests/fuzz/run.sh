#!/usr/bin/env bash
# Runs the fuzz targets and prints which lines of the readers they reach. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/fuzz/run.sh [--seconds N] [--build DIR] [--keep] [TARGET ...]

Builds the fuzz preset, runs each target (default: all) for N seconds (default: 60) from the inputs in
tests/fuzz/corpus/TARGET_seed_corpus.zip, and prints a table of line coverage. Inputs that it finds stay in
DIR/fuzz/TARGET (DIR: build/fuzz).

  --keep   adds to the zip as few of these inputs as reach the same code

exit code: 0 no finding and at least 90 % of the readers' lines reached, 1 otherwise, 2 wrong usage. The input
that led to a finding is named in the output; run the target with it as argument to see it again.
TEXT
}

seconds=60 build=build/fuzz keep=false targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=${2:?--seconds needs a number}; shift ;;
    --build) build=${2:?--build needs a folder}; shift ;;
    --keep) keep=true ;;
    --help) usage; exit 0 ;;
    -*) printf "fuzz: unknown argument '%s'\n" "$1" >&2; usage >&2; exit 2 ;;
    *) targets+=("$1") ;;
  esac
  shift
done
all_targets=(ascend_database_fuzz chrome_trace_fuzz dot_reader_fuzz event_grammar_fuzz event_reader_fuzz graph_proto_fuzz
  ir_reader_fuzz journal_fuzz keras_model_fuzz landscape_files_fuzz literal_settings_fuzz logged_scalars_fuzz memory_snapshot_fuzz mindspore_checkpoint_fuzz mlflow_files_fuzz npy_fuzz npz_checkpoint_fuzz
  perfetto_trace_fuzz profile_tables_fuzz query_fuzz record_reader_fuzz
  request_fuzz run_index_fuzz safetensors_fuzz summary_config_fuzz translating_reader_fuzz xplane_fuzz)
[ ${#targets[@]} -gt 0 ] || targets=("${all_targets[@]}")
# The lines that the targets are for.
readers=(
  base/sqlite/*.cc import/mlflow/imported_run.cc import/mlflow/metric_line.cc import/mlflow/run_meta.cc
  recorder/framing/record_reader.cc recorder/reading/event_reader.cc recorder/reading/event_view.cc recorder/reading/event_decode.cc
  recorder/reading/tensor_decode.cc recorder/translation/*.cc export/runs/json_lines.cc export/runs/json_printer.cc recorder/tensor/npy.cc recorder/tensor/npy_header.cc
  dashboard/http/target.cc dashboard/api/tensor_slice.cc dashboard/store/keras_graph.cc collectors/rules/frequency.cc collectors/rules/landscape_options.cc collectors/config/option_reader.cc collectors/config/recorder_config.cc
  collectors/config/summary_config.cc collectors/config/summary_parameters.cc collectors/config/yaml_map.cc
  collectors/config/yaml_value.cc
  landscape/checkpoints/checkpoint.cc landscape/checkpoints/mindspore_checkpoint.cc landscape/checkpoints/npz.cc landscape/directions/parameter_set.cc landscape/checkpoints/safetensors.cc
  landscape/checkpoints/train_metadata.cc landscape/journal/landscape_outline.cc
  runs/compare/logged_scalars.cc runs/reading/literal_settings.cc runs/index/packed_contents.cc runs/index/packed_points.cc runs/index/packed_run.cc runs/index/packed_series.cc runs/query/query.cc runs/query/query_parser.cc
  ir/read/actor_reader.cc ir/model/brackets.cc ir/query/dataflow.cc ir/read/dot_graph.cc ir/read/dot_reader.cc ir/read/graph_reader.cc
  ir/read/header_reader.cc ir/model/location.cc
  ir/model/module_builder.cc ir/query/name_index.cc ir/query/name_resolver.cc ir/read/note_reader.cc ir/read/parameter_reader.cc
  ir/read/proto_reader.cc ir/read/reader.cc
  ir/read/statement_reader.cc ir/read/statement_scanner.cc ir/model/topological_order.cc
  profiler/import/ascend/cluster_output.cc profiler/import/ascend/communication_files.cc
  profiler/import/ascend/counter_csv.cc profiler/import/ascend/iteration_file.cc
  profiler/import/ascend/kernel_details.cc profiler/import/ascend/kernel_list.cc
  profiler/import/ascend/parallel_groups.cc profiler/import/ascend_db/*.cc
  profiler/import/folder/cluster_folder.cc profiler/import/folder/csv_file.cc
  profiler/import/folder/csv_names.cc profiler/import/folder/msprof_folder.cc
  profiler/import/folder/source_folder.cc profiler/import/mindspore/mindspore_operators.cc
  profiler/import/mindspore/step_trace_file.cc profiler/import/profile_search.cc
  profiler/import/snapshot/*.cc profiler/import/source/csv_rows.cc
  profiler/import/source/decimal_time.cc profiler/import/source/device_lanes.cc
  profiler/import/source/read_source.cc)

cmake --preset fuzz -B "$build" --log-level=WARNING
cmake --build "$build" --target "${targets[@]}" -j "$(nproc)"

# libstdc++'s containers are not annotated in the libraries that are linked as they are.
export ASAN_OPTIONS=detect_container_overflow=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}

# fuzz <target>: prints what it found when it ends, since several run at a time.
fuzz() {
  local target=$1 found=$build/fuzz/$1 seeds=$build/fuzz/seeds/$1 program=$build/tests/fuzz/$1 log=$build/fuzz/$1.log
  mkdir -p "$found"
  tests/fuzz/seeds.py unpack tests/fuzz/corpus "$target" "$seeds"
  if ! LLVM_PROFILE_FILE=/dev/null "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -max_len=16384 -artifact_prefix="$found-" -print_final_stats=1 -verbosity=0 "$found" "$seeds" >"$log" 2>&1; then
    printf '\n== %s: a finding\n' "$target"
    cat "$log"
    return 1
  fi
  printf '%-28s %s inputs\n' "$target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  if $keep; then
    LLVM_PROFILE_FILE=/dev/null "$program" -set_cover_merge=1 -use_counters=0 -max_len=4096 -verbosity=0 "$seeds" "$found"
    tests/fuzz/seeds.py pack tests/fuzz/corpus "$target" "$seeds"
  fi
  # Coverage of what is kept: one replay.
  LLVM_PROFILE_FILE=$build/fuzz/$target.profraw "$program" -runs=0 -verbosity=0 "$found" "$seeds" 2>/dev/null
}
export -f fuzz
export build seconds keep

printf '\n== %d targets, %d s each\n' "${#targets[@]}" "$seconds"
mkdir -p "$build/fuzz"
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I TARGET bash -c 'fuzz TARGET'
profiles=("${targets[@]/#/$build/fuzz/}")
profiles=("${profiles[@]/%/.profraw}")
objects=()
for target in "${targets[@]}"; do objects+=(-object "$build/tests/fuzz/$target"); done

printf '\n== line coverage of the readers\n'
llvm-profdata-14 merge -sparse "${profiles[@]}" -o "$build/fuzz/all.profdata"
llvm-cov-14 export -summary-only -instr-profile "$build/fuzz/all.profdata" "${objects[@]:1}" |
  python3 -c '
import json, os, sys
files = json.load(sys.stdin)["data"][0]["files"]
covered = total = 0
for file in sorted(files, key=lambda file: file["filename"]):
    # Not left to llvm-cov: with ccache the paths in the profile are relative, and it finds none of them.
    if os.path.relpath(os.path.realpath(file["filename"])) not in sys.argv[1:]:
        continue
    lines = file["summary"]["lines"]
    covered += lines["covered"]
    total += lines["count"]
    print("%7.1f %%  %s" % (lines["percent"], os.path.relpath(file["filename"])))
percent = 100 * covered / total if total else 0
print("%7.1f %%  together (bar: 90 %%)" % percent)
sys.exit(percent < 90)
' "${readers[@]}"
