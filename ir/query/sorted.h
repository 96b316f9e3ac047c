// The sorted form of a dump, as MindSpore writes it with MS_DEV_SAVE_GRAPHS_SORT_MODE=1.
//
// The entry graph comes first, and callers before what they call. Parameters are numbered from the
// start in every subgraph. If a subgraph uses a statement of another one, the statement is repeated
// there, so that each subgraph can be read alone. Dumps of two compilations of one network differ
// less than in the ordinary form, whose order depends on addresses.
//
//   const Result<Module> sorted = SortedForm(*module);
//   const std::string text = PrintIr(*sorted);
#pragma once

#include "sightline/base/status.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

// A new module with the same graph in the sorted form. Order lists, notes and attributes stay as
// they are. For a call of a function value, ordinary dumps have only a number as scope; the call
// gets the scope of the value, or else that of the first statement that takes its result. Lines
// that were not explained are left out.
//
// kUnimplemented for compile errors and actor sets, which have no sorted form; kResourceExhausted
// if statements would be repeated more than 16 times on average. Any thread.
Result<Module> SortedForm(const Module& module);

}  // namespace sightline::ir
