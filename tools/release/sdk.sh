# The C interface of a release, for one machine. tools/release.sh sources this file; its variables are used here.

# build_sdk: an archive of one folder, to be unpacked anywhere: headers, libsightline.so.1, the schemas of messages, and what
# pkg-config and CMake read. Its bytes depend on nothing but what is in it.
build_sdk() {
  local name=sightline-sdk-$version-linux-$machine stage=$build/stage
  cmake --build "$build" -j "$(nproc)" --target sightline_c
  rm -rf "$stage"
  cmake --install "$build" --component sdk --prefix "$stage/$name" >/dev/null
  check_needs "$stage/$name/lib/libsightline.so.1"
  tar --create --directory "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s \
    --mtime="@$(git log -1 --format=%ct)" "$name" | gzip -9 --no-name >"$dist/$name.tar.gz"
}
