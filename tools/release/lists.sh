# What is in the files of a release, and their checksums. tools/release.sh sources this file; its variables are used here.

# The parts of every file: name, version, licence (SPDX), where it is from.
parts() {
  local library package version hash licence
  while read -r library package version hash licence; do
    [ -n "$library" ] || continue
    printf '%s|%s|%s|%s\n' "$library" "$version" "$licence" "Debian, $(file_of "$package" "$version"), SHA-256 $hash"
  done <<<"$library_table"
  for library in libcxx libcxxabi libunwind; do
    printf '%s|%s|%s|%s\n' "$library" "of Zig $zig_version" 'Apache-2.0 WITH LLVM-exception' 'ziglang, of the Python package index'
  done
  printf '%s|%s|%s|%s\n' compiler_rt "of Zig $zig_version" MIT 'ziglang, of the Python package index'
  version=$(sed -n 's/^nanobind==//p' tools/release/wheel-requirements.txt)
  printf '%s|%s|%s|%s\n' nanobind "$version" BSD-3-Clause 'nanobind, of the Python package index; in the wheels'
  printf '%s|%s|%s|%s\n' robin_map "of nanobind $version" MIT 'nanobind, of the Python package index; in the wheels'
  version=$(sed -n 's/.*"preact": "\([0-9.]*\)".*/\1/p' web/package.json)
  printf '%s|%s|%s|%s\n' preact "$version" MIT 'preact, of the npm registry; in the dashboard'"'"'s page'
  printf '%s|%s|%s|%s\n' optdigits 1998 CC-BY-4.0 'the UCI repository; the data of the demo (tools/demo/data)'
}

# write_spdx <file>: an SPDX 2.3 document, in its tag-value form.
write_spdx() {
  local name part_version licence origin
  {
    printf '%s\n' 'SPDXVersion: SPDX-2.3' 'DataLicense: CC0-1.0' 'SPDXID: SPDXRef-DOCUMENT' "DocumentName: sightline-$version" \
      "DocumentNamespace: https://spdx.org/spdxdocs/sightline-$version-$commit" 'Creator: Tool: tools/release.sh' \
      "Created: $(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)"
    write_package Sightline sightline "$version" Apache-2.0 "commit $commit"
    printf 'Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-Sightline\n'
    parts | while IFS='|' read -r name part_version licence origin; do
      write_package "${name//_/-}" "$name" "$part_version" "$licence" "$origin"
      printf 'Relationship: SPDXRef-Sightline CONTAINS SPDXRef-%s\n' "${name//_/-}"
    done
  } >"$1"
}

# write_package <id> <name> <version> <licence> <origin>
write_package() {
  printf '\nPackageName: %s\nSPDXID: SPDXRef-%s\nPackageVersion: %s\nPackageSourceInfo: <text>%s</text>\n' "$2" "$1" "$3" "$5"
  printf 'PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\nPackageLicenseConcluded: NOASSERTION\n'
  printf 'PackageLicenseDeclared: %s\nPackageCopyrightText: NOASSERTION\n' "$4"
}

write_title() { printf '\n%s\n%s\n\n' "$(printf '=%.0s' {1..78})" "$1"; }

# write_licences <file>: the notices that the libraries' licences want beside copies of them.
write_licences() {
  local library rest
  {
    printf 'Sightline, Apache-2.0:\n\n'
    cat LICENSE
    while read -r library rest; do
      [ -n "$library" ] && [ "$library" != boost ] || continue # Boost's wants none beside machine code.
      write_title "$library, as Debian gives it"
      cat "${folders[$library]}/copyright"
    done <<<"$library_table"
    for library in libcxx libcxxabi libunwind; do
      write_title "$library"
      cat "$zig_folder/lib/$library/LICENSE.TXT"
    done
    write_title "compiler_rt"
    cat "$zig_folder/LICENSE"
    if [ -n "${nanobind-}" ]; then
      write_title "nanobind, in the wheels"
      cat "$nanobind"-*.dist-info/licenses/LICENSE
      write_title "robin_map, in nanobind"
      sed -n '2,/\*\//{/\*\//d; p}' "$nanobind/ext/robin_map/include/tsl/robin_map.h"
    fi
    write_title "the demo's data"
    cat tools/demo/data/README.md
    write_title "Preact, in the dashboard's page"
    cat tools/release/preact-licence.txt
  } >"$1"
}

write_lists() {
  write_spdx "$dist/sightline-$version.spdx"
  write_licences "$dist/sightline-$version-licences.txt"
  (cd "$dist" && sha256sum -- * >"$cache/SHA256SUMS" && mv "$cache/SHA256SUMS" SHA256SUMS)
}
