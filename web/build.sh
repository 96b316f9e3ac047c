#!/usr/bin/env bash
# Builds the dashboard's page into web/dist. See --help.
set -euo pipefail
web=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  cat <<'TEXT'
usage: web/build.sh [--check | --format]

Builds the page from its sources into web/dist, the charts of exported HTML into web/dist_export, and from
dashboard/openapi.yaml the types in web/src/core/openapi.ts and the tables in docs/http_api.md. All are committed, so
building Sightline needs no Node. The same sources give the same bytes. tools/setup.sh --web puts Node and the packages of package-lock.json into
${XDG_CACHE_HOME:-~/.cache}/sightline.

  --check   write nothing: check format, rules (biome.jsonc) and types, run the tests, build, and compare the result
            with what is committed
  --format  format the sources and apply the fixes that change no behaviour; build nothing
  --help    this text

exit code: 0 built, or all is as it should be; 1 it is not; 2 wrong usage
TEXT
}

check=false format=false
case ${1-} in
  "") ;;
  --check) check=true ;;
  --format) format=true ;;
  --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

# Two lines: the folder with node's program, and the folder that holds node_modules.
paths=$("$web/../tools/setup.sh" --web)
PATH=$(sed -n 1p <<<"$paths"):$PATH
modules=$(sed -n 2p <<<"$paths")/node_modules

if $format; then
  cd "$web"
  exec node "$modules/@biomejs/biome/bin/biome" check --write --error-on-warnings
fi

# Node looks for packages next to the importing file, so the sources are copied next to a link to the packages.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$web"/{src,test,http_api_tables.mjs,index.html,package.json,biome.jsonc,tsconfig.json,vite.config.ts,vite.export.config.ts,vitest.config.ts} "$work/"
ln -s "$modules" "$work/node_modules"
cd "$work"
# Without the lines that only say that a part is absent.
node node_modules/openapi-typescript/bin/cli.js "$web/../dashboard/openapi.yaml" 2>/dev/null |
  sed '/?: never;$/d' >src/core/openapi.ts
mkdir docs
node http_api_tables.mjs "$web/../dashboard/openapi.yaml" "$web/../docs/http_api.md" >docs/http_api.md

if $check; then
  node node_modules/@biomejs/biome/bin/biome ci --error-on-warnings
  node node_modules/typescript/bin/tsc --noEmit
  node node_modules/vitest/vitest.mjs run
fi
node node_modules/vite/bin/vite.js build --logLevel warn
node node_modules/vite/bin/vite.js build --logLevel warn --config vite.export.config.ts
if grep -qi '</\(script\|style\)' dist_export/*; then
  printf 'web: dist_export ends a script or style element, so it cannot be embedded in a page\n' >&2
  exit 1
fi

# The first load, without the pages that are loaded when they are opened: at most 150 KB of script and style.
first=$(grep -o 'assets/[A-Za-z0-9_-]*\.\(js\|css\)' dist/index.html | sort -u | sed 's|^|dist/|' | xargs cat | gzip -9 | wc -c)
printf 'web: script and style of the first load: %d bytes with gzip\n' "$first"
if [ "$first" -gt 150000 ]; then
  printf 'web: the limit is 150000 bytes\n' >&2
  exit 1
fi

if $check; then
  for built in web/dist web/dist_export web/src/core/openapi.ts docs/http_api.md; do
    if ! diff -r "${built#web/}" "$web/../$built" >/dev/null; then
      printf 'web: %s is not up to date; run web/build.sh and commit it\n' "$built" >&2
      exit 1
    fi
  done
  printf 'web: all built files are up to date\n'
else
  rm -rf "$web/dist" "$web/dist_export"
  cp -r dist dist_export "$web/"
  cp src/core/openapi.ts "$web/src/core/"
  cp docs/http_api.md "$web/../docs/"
fi
