# Compiles for the machine that tools/release.sh names in its environment:
#   SIGHTLINE_RELEASE_MACHINE    x86_64 or aarch64
#   SIGHTLINE_RELEASE_COMPILERS  the folder of clang, clang++, ar and ranlib for it
#   SIGHTLINE_RELEASE_LIBRARIES  the folders of the libraries that were built for it, separated by colons
# Headers and libraries of this machine are not seen, its programs are.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR $ENV{SIGHTLINE_RELEASE_MACHINE})
set(compilers $ENV{SIGHTLINE_RELEASE_COMPILERS})
set(CMAKE_C_COMPILER ${compilers}/clang)
set(CMAKE_CXX_COMPILER ${compilers}/clang++)
set(CMAKE_ASM_COMPILER ${compilers}/clang)
foreach(language IN ITEMS "" C_COMPILER_ CXX_COMPILER_)
  set(CMAKE_${language}AR ${compilers}/ar)
  set(CMAKE_${language}RANLIB ${compilers}/ranlib)
endforeach()

string(REPLACE ":" ";" CMAKE_FIND_ROOT_PATH "$ENV{SIGHTLINE_RELEASE_LIBRARIES}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind IN ITEMS LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
# What another machine runs cannot be tried here.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
