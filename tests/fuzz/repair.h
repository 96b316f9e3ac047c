// What the fuzz targets share: a mutator that repairs checksums, so that what it changed gets past
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// libFuzzer's own mutator.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace sightline::fuzz {

// Walks `file` as records, makes lengths fit and checksums hold. About one record in eight, chosen
// by `seed`, stays as it is: damage must be met too.
void RepairRecords(std::span<std::uint8_t> file, std::uint32_t seed);

// A custom mutator for inputs of `settings` bytes and then a file of records: libFuzzer's, and then
// RepairRecords.
std::size_t MutateRecords(std::uint8_t* data, std::size_t size, std::size_t max_size,
                          std::uint32_t seed, std::size_t settings);

// Ends the process, as a sanitizer does, when `holds` is false.
void Check(bool holds, const char* what);

}  // namespace sightline::fuzz
