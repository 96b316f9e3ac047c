# The libraries of a release, built for one machine. tools/release.sh sources this file; its variables are used here.
#
# Each library comes from a package of Debian 12 whose SHA-256 is pinned here: a source package by its .dsc, which names
# the hashes of its other files, or, if the library is nothing but headers, the package of these. Debian's servers keep
# only the newest versions of a package; what was fetched once stays in $cache/sources.
#
# library, Debian's package, version, SHA-256, licence
library_table='
protobuf protobuf           3.21.12-3+deb12u1 22e31f6dfc06d85a9054bf19603a412698c0d2f760a754650cd2385ea303cee0 BSD-3-Clause
zlib     zlib               1:1.2.13.dfsg-1   3fa1e6b2fc525062aa88207dda52fed8e045373c809d362fe8a2bfbf7cf515a8 Zlib
spng     libspng            0.7.3-3           05f324accbf40d02f4d284047b9fb792e03481ede86c1425af01e4656c475028 BSD-2-Clause
isal     libisal            2.30.0-5          f0376ddb24f0126641161054002a251ba48b52c2e28fe29cc7b5106e9f0938a8 BSD-3-Clause
hwy      highway            1.0.3-3+deb12u1   e85a23bede87aaf121fc530d30ccfa30d0d9e5620ea51736578620e5d3245401 Apache-2.0
fmt      fmtlib             9.1.0+ds1-2       1c8982464f1281f5b7d42ca24e058d80d71db7c381b278cc22cbdb40c534f0c5 MIT
openssl  openssl            3.0.20-1~deb12u2  a614474a2773c23b10c0d65f4eccbcf93fdac4749afb7c26d76e1b0340154d3d Apache-2.0
curl     curl               7.88.1-10+deb12u15 2744f12e3aef161c0361743fa1b318296b122e566e47f381e4a63320fbcc23f4 curl
yaml_cpp yaml-cpp           0.7.0+dfsg-8      94bd9098d501f91c2570c8e8cb98d46bc6de7627c30e9f94ebb39dc0cd2d65c2 MIT
re2      re2                20220601+dfsg-1   e0d2eab89a0312e9a0ba4e9a6fb18b081764d6776a28496d389aa3831d970940 BSD-3-Clause
pcre2    pcre2              10.42-1           726dafe7a8d07332d4df61edf23f384ddb158b2b263846273d1103b6b9a7c176 BSD-3-Clause
sqlite   sqlite3            3.40.1-2+deb12u2  ee3459ae9d00939741c7708fc1b8ce1bde12d8c3fb1dfa005bbbc8651d884e23 blessing
eigen    libeigen3-dev      3.4.0-4           1a167bb381acb90c1d8450a8f3e66a09d216dbc64b33ac8a082a0912513ef939 MPL-2.0
json     nlohmann-json3-dev 3.11.2-2          ec57940def6b6186c30be0e0ee81d1e58f86d11a54a145b28686a1e3e4aae801 MIT
expected libexpected-dev    1.0.0~dfsg-3      f6ff083e016e77fc51a359f6afd6947f496dbb55db47857e31de384177a7fbf1 CC0-1.0
cli11    libcli11-dev       2.1.2+ds-1        f1f6ee9ec053e0e0bcec47345e241b6a8ee006321248b4329e9ce88d2b4b64a8 BSD-3-Clause
boost    libboost1.81-dev   1.81.0-5+deb12u1  bfe6d942c9fa4d68c8455e712a16fe3911f85d92959a0753cb22e5c13c2067de BSL-1.0
'
# What only the tests of another machine need (tools/release.sh --tests).
test_library_table='
gtest    googletest         1.12.1-0.2        cc90251040c145be18d5090787d9ec79e48217c6cef3ae78eb20f0e31551404c BSD-3-Clause
'

# The recipes. Each runs in the folder of its source and installs into $prefix.

by_cmake() {
  cmake -S . -B build -G Ninja --log-level=WARNING -Wno-dev -D CMAKE_TOOLCHAIN_FILE="$toolchain" \
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_INSTALL_PREFIX="$prefix" -D CMAKE_INSTALL_LIBDIR=lib -D BUILD_SHARED_LIBS=OFF \
    -D CMAKE_POSITION_INDEPENDENT_CODE=ON "$@" &&
    cmake --build build -j "$(nproc)" && cmake --install build >/dev/null
}

# write_pc <name> <library>: what pkg-config knows, for those whose own build does not write it.
write_pc() {
  mkdir -p "$prefix/lib/pkgconfig"
  printf 'Name: %s\nDescription: built by tools/release.sh\nVersion: %s\nLibs: -L%s -l%s\nCflags: -I%s\n' \
    "$1" "$version" "$prefix/lib" "$2" "$prefix/include" >"$prefix/lib/pkgconfig/$1.pc"
}

build_protobuf() { by_cmake -Dprotobuf_BUILD_{TESTS,PROTOC_BINARIES,LIBPROTOC}=OFF -D protobuf_WITH_ZLIB=OFF; }
build_fmt() { by_cmake -DFMT_{DOC,TEST}=OFF; }
build_yaml_cpp() { by_cmake -DYAML_CPP_BUILD_{TESTS,TOOLS}=OFF -D YAML_BUILD_SHARED_LIBS=OFF; }
build_hwy() { by_cmake -D BUILD_TESTING=OFF -DHWY_ENABLE_{CONTRIB,EXAMPLES}=OFF; }
build_gtest() { by_cmake; }
build_pcre2() { by_cmake -DPCRE2_BUILD_{PCRE2GREP,TESTS}=OFF -D PCRE2_SUPPORT_JIT=OFF; }

build_zlib() {
  CHOST=$triple CC="$compilers/clang" AR="$compilers/ar" RANLIB="$compilers/ranlib" \
    CFLAGS="-O3 -fPIC -fvisibility=hidden -D_LARGEFILE64_SOURCE=1" ./configure --static --prefix="$prefix" &&
    make -s -j "$(nproc)" install
}

build_spng() { # Its own build makes the shared one too.
  "$compilers/clang" -c -O3 -fPIC -fvisibility=hidden -DSPNG_STATIC -I "${folders[zlib]}/include" spng/spng.c -o spng.o &&
    mkdir -p "$prefix"/{lib,include} && "$compilers/ar" rcs "$prefix/lib/libspng.a" spng.o &&
    cp spng/spng.h "$prefix/include" && write_pc spng spng
}

build_isal() { # Its checksums and its deflate; most of it is assembler.
  local assembler=nasm cpu_arch=
  if [ "$machine" = aarch64 ]; then
    assembler="$compilers/clang -D__ASSEMBLY__ -fPIC" cpu_arch=aarch64
    # GNU's assembler takes a register by the name of its other width, Clang's does not.
    # A table of 32 bytes is in a section whose parts of 16 bytes a linker may put in any order, and LLVM's does.
    sed -i 's/\.rodata\.cst16,"aM",@progbits,16/.rodata/' igzip/aarch64/igzip_isal_adler32_neon.S &&
      sed -i 's/x_dist, uxtw$/w_dist, uxtw/' igzip/aarch64/gen_icf_map.S &&
      sed -i 's/uxtw\tread_in_length,/uxtw\tx_read_in_length,w_/' igzip/aarch64/igzip_decode_huffman_code_block_aarch64.S ||
      return
  fi
  make -s -j "$(nproc)" -f Makefile.unx lib units="crc igzip" host_cpu="$machine" arch=$cpu_arch \
    CC="$compilers/clang -fPIC -fvisibility=hidden" AS="$assembler" AR="$compilers/ar" STRIP_clang=: &&
    mkdir -p "$prefix"/{lib,include/isa-l} && cp bin/isa-l.a "$prefix/lib/libisal.a" &&
    cp include/*.h "$prefix/include/isa-l" && write_pc libisal isal
}

build_re2() { # Its tables are made from Debian's Unicode data.
  make -s -j "$(nproc)" REBUILD_TABLES=1 CXX="$compilers/clang++" AR="$compilers/ar" prefix="$prefix" \
    CXXFLAGS="-O3 -fPIC -fvisibility=hidden" static-install
}

build_sqlite() { # As Debian configures it.
  local options
  options=$(tr '\n\\' '  ' <debian/rules | grep -o 'export CFLAGS += [^#]*' | grep -o -e '-DSQLITE[A-Z0-9_]*\(=[0-9]*\)\?')
  ./configure --disable-readline --disable-tcl --disable-shared >/dev/null && make -s sqlite3.c &&
    "$compilers/clang" -c -O2 -fPIC -fvisibility=hidden -fno-strict-aliasing $options sqlite3.c -o sqlite3.o &&
    mkdir -p "$prefix"/{lib,include} && "$compilers/ar" rcs "$prefix/lib/libsqlite3.a" sqlite3.o &&
    cp sqlite3.h "$prefix/include" && write_pc sqlite3 sqlite3
}

build_openssl() { # TLS 1.2 and 1.3, and digests. The names of its folders get into the program.
  ./Configure "linux-$machine" --prefix=/usr --libdir=lib --openssldir=/etc/ssl no-shared no-module no-dso no-engine \
    no-tests no-comp no-legacy no-srp no-dtls no-ssl3 no-psk no-ocsp no-ts no-cms no-ct no-gost no-idea no-seed no-camellia \
    no-aria no-bf no-cast no-des no-rc2 no-rc4 no-md4 no-mdc2 no-rmd160 no-whirlpool no-sm2 no-sm3 no-sm4 no-siphash \
    CC="$compilers/clang" AR="$compilers/ar" RANLIB="$compilers/ranlib" CFLAGS="-O2 -fPIC -fvisibility=hidden" &&
    make -s -j "$(nproc)" build_libs && make -s install_dev DESTDIR="$prefix"
}

build_curl() { # HTTP and SMTP by that OpenSSL. Which certificates are trusted, watch/notify/http_client.cc says.
  ./configure --quiet --host="$triple" --prefix="$prefix" --disable-shared --with-openssl --with-zlib="${folders[zlib]}" \
    --without-{brotli,zstd,libpsl,libidn2,nghttp2,librtmp,libssh2,libgsasl,ca-bundle} --with-ca-path=/etc/ssl/certs \
    --disable-{ldap,ldaps,rtsp,dict,telnet,tftp,pop3,imap,smb,gopher,mqtt,ftp,file,manual,ntlm,ntlm-wb,tls-srp} \
    --disable-{alt-svc,hsts,libcurl-option,unix-sockets} PKG_CONFIG=false CC="$compilers/clang" AR="$compilers/ar" \
    RANLIB="$compilers/ranlib" CFLAGS="-O2 -fPIC -fvisibility=hidden" CPPFLAGS="-I${folders[openssl]}/usr/include" \
    LDFLAGS="-L${folders[openssl]}/usr/lib" &&
    make -s -j "$(nproc)" -C lib install && make -s -C include install
}

# From here on: fetching and building them.

# apt_sources <command ...>: apt-get that sees Debian 12's packages and sources, whatever release this system is.
apt_sources() {
  local apt=$cache/apt mirror
  if [ ! -e "$apt/parts/debian.list" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/$' | head -n 1)
    [ -n "$mirror" ] || { say "apt-get knows no server of Debian"; return 1; }
    mkdir -p "$apt"/{lists/partial,cache/archives/partial,parts}
    printf '%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s bookworm main\n' \
      deb "$mirror" deb-src "$mirror" >"$apt/parts/debian.list"
  fi
  apt-get -qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" -o "Dir::State::Lists=$apt/lists" \
    -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root "$@"
}

# The file that a row of the table names.
file_of() {
  local package=$1 version=${2#*:}
  case $package in
    *boost*) printf '%s_%s_amd64.deb' "$package" "$version" ;; # Its headers are the same on every machine.
    *-dev) printf '%s_%s_all.deb' "$package" "$version" ;;
    *) printf '%s_%s.dsc' "$package" "$version" ;;
  esac
}

# fetch <package> <version> <SHA-256>: into $cache/sources, if it is not there.
fetch() {
  local package=$1 version=$2 hash=$3 file
  file=$(file_of "$package" "$version")
  cd "$cache/sources"
  if [ ! -e "$file" ]; then
    say "fetching $package $version"
    [ -e "$cache/apt/updated" ] || { apt_sources update && touch "$cache/apt/updated"; }
    case $file in
      *.dsc) apt_sources source --download-only "$package=$version" ;;
      *) apt_sources download "$package=$version" ;;
    esac || { say "Debian's servers do not have $package $version (any more?). Put its files into $cache/sources"; exit 1; }
  fi
  printf '%s  %s\n' "$hash" "$file" | sha256sum --check --quiet || { say "$cache/sources/$file is not what was pinned"; exit 1; }
}

# build_libraries <rows of a table>: each into the folder $cache/$machine/<library>, unless it was built there in this way. Sets
# folders[<library>].
declare -A folders
build_libraries() {
  local library package version hash licence key prefix
  mkdir -p "$cache"/{sources,"$machine",build}
  while read -r library package version hash licence; do
    [ -n "$library" ] || continue
    key=$({ printf '%s\n' "$package $version $hash"; declare -f "build_$library" by_cmake write_pc; cat "$toolchain"
      sed "s|$cache|CACHE|g" "$compilers/clang"; } 2>/dev/null | sha256sum | cut -c 1-12)
    prefix=$cache/$machine/$library
    folders[$library]=$prefix
    [ "$(cat "$prefix/complete" 2>/dev/null)" = "$key" ] && continue
    (fetch "$package" "$version" "$hash") || exit 1
    say "building $library $version for $machine (after $SECONDS s)"
    local source=$cache/build/$machine-$library file
    file=$cache/sources/$(file_of "$package" "$version")
    rm -rf "$source" "$prefix"
    mkdir -p "$prefix"
    if [[ $file = *.deb ]]; then
      dpkg-deb -x "$file" "$prefix" && cp "$(ls "$prefix"/usr/share/doc/*/copyright | head -n 1)" "$prefix/copyright"
    else
      dpkg-source -x "$file" "$source" >"$source.log" 2>&1 && cd "$source" &&
        cp debian/copyright "$prefix/" && "build_$library" >>"$source.log" 2>&1 ||
        { tail -n 40 "$source.log" >&2; say "$library could not be built; all it said is in $source.log"; exit 1; }
      cd "$root"
      rm -rf "$source" "$source.log"
    fi
    printf '%s\n' "$key" >"$prefix/complete"
  done <<<"$1"
}
