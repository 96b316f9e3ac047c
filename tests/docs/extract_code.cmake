# Writes the first code block of a language in a Markdown page to a file:
#   cmake -D PAGE=docs/quickstart.md -D LANGUAGE=cpp -D OUTPUT=quickstart.cc -P extract_code.cmake
# Of several blocks of a language on a page, LANGUAGE is what stands behind the fence: "cpp record.cc".
file(READ "${PAGE}" text)
string(FIND "${text}" "\n```${LANGUAGE}\n" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "${PAGE} has no code block of ${LANGUAGE}")
endif()
string(LENGTH "\n```${LANGUAGE}\n" fence)
math(EXPR begin "${begin} + ${fence}")
string(SUBSTRING "${text}" ${begin} -1 text)
string(FIND "${text}" "\n```" end)
math(EXPR end "${end} + 1")
string(SUBSTRING "${text}" 0 ${end} text)
file(WRITE "${OUTPUT}" "${text}")
