// The sorted form of a dump, as MindSpore writes it with MS_DEV_SAVE_GRAPHS_SORT_MODE=1.
//
// The entry graph comes first and what calls before what is called; parameters are numbered anew in
// every subgraph; a statement of another subgraph that is used is repeated where it is used, so
// that each subgraph can be read alone. Two compilations of one network differ less than in the
// ordinary form, whose order depends on addresses.
//
//   const Result<Module> sorted = SortedForm(*module);
//   const std::string text = PrintIr(*sorted);
#pragma once

#include "sightline/base/status.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

// The same graph as a module of its own, with the lines of the sorted form. Order lists, notes and
// attributes stay as they are. Ordinary dumps give the scope of a call through a function value a
// number only: it gets that of the value, or else of the first statement that takes its result.
// What could not be explained in the file is left out.
//
// kUnimplemented for compile errors and actor sets, which have no sorted form; kResourceExhausted
// where statements would be repeated more than 16 times on average. Any thread.
Result<Module> SortedForm(const Module& module);

}  // namespace sightline::ir
