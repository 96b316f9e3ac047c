// The hand-overs between threads and processes that use no mutex, as models: what each side loads
// and stores, and in which order it asks for. Every order that the processor may choose is tried.
// docs/durability.md names the code of each hand-over. A change there is a change here.
//
// The processor is one like ARMv8: it does the operations of a thread in any order that the rules
// of Ordered allow, and a store is seen by all others at once ("multi-copy atomic"). x86-64 allows
// fewer orders, so a mistake shows here that no test run on it can show.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace sightline {
namespace {

enum class Order { kRelaxed, kAcquire, kRelease, kSeqCst };

constexpr std::size_t kPlaces = 8;
using Values = std::array<int, kPlaces>;

// One operation of a thread. Registers belong to all threads together; each is loaded once.
struct Operation {
  enum class Kind { kLoad, kStore, kFence } kind;
  Order order;
  std::size_t place = 0;
  int value = 0;                            // Of a store.
  std::size_t into = 0;                     // The register of a load.
  std::optional<std::size_t> only_if = {};  // A store: done only if this register is 1.
};

Operation Load(std::size_t place, std::size_t into, Order order = Order::kRelaxed) {
  return {Operation::Kind::kLoad, order, place, 0, into};
}
Operation Store(std::size_t place, int value, Order order = Order::kRelaxed) {
  return {Operation::Kind::kStore, order, place, value};
}
Operation StoreIf(std::size_t only_if, std::size_t place, int value,
                  Order order = Order::kRelaxed) {
  return {Operation::Kind::kStore, order, place, value, 0, only_if};
}
Operation Fence(Order order) { return {Operation::Kind::kFence, order}; }

// Whether `second` is never done before `first`, which is earlier in the same thread.
bool Ordered(const Operation& first, const Operation& second) {
  using Kind = Operation::Kind;
  if (second.kind == Kind::kFence)
    return first.kind != Kind::kStore || second.order != Order::kAcquire;
  if (first.kind == Kind::kFence)
    return second.kind == Kind::kStore || first.order != Order::kRelease;
  if (first.place == second.place) return true;
  if (first.order == Order::kSeqCst && second.order == Order::kSeqCst) return true;
  if (first.kind == Kind::kLoad &&
      (first.order == Order::kAcquire || first.order == Order::kSeqCst))
    return true;
  if (second.kind == Kind::kStore &&
      (second.order == Order::kRelease || second.order == Order::kSeqCst))
    return true;
  return first.kind == Kind::kLoad && second.only_if == first.into;
}

using Thread = std::vector<Operation>;

// Does the operations in every order that is allowed, and counts the ends that `holds`, which gets
// the registers, refuses.
class Explorer {
 public:
  Explorer(Values places, std::vector<Thread> threads, std::function<bool(const Values&)> holds)
      : places_(places), threads_(std::move(threads)), holds_(std::move(holds)) {
    for (const Thread& thread : threads_) {
      done_.emplace_back(thread.size(), false);
      left_ += thread.size();
    }
  }

  int Refused() {
    Step();
    EXPECT_GT(ends_, 0);
    return refused_;
  }

 private:
  bool IsReady(std::size_t thread, std::size_t at) const {
    for (std::size_t before = 0; before < at; ++before) {
      if (!done_[thread][before] && Ordered(threads_[thread][before], threads_[thread][at]))
        return false;
    }
    return !done_[thread][at];
  }

  void Do(const Operation& operation) {
    if (operation.kind == Operation::Kind::kLoad)
      registers_.at(operation.into) = places_.at(operation.place);
    if (operation.kind == Operation::Kind::kStore &&
        (!operation.only_if || registers_.at(*operation.only_if) == 1))
      places_.at(operation.place) = operation.value;
  }

  void Step() {
    if (left_ == 0) {
      ++ends_;
      refused_ += holds_(registers_) ? 0 : 1;
      return;
    }
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      for (std::size_t at = 0; at < threads_[thread].size(); ++at) {
        if (!IsReady(thread, at)) continue;
        const Values places = places_;
        const Values registers = registers_;
        done_[thread][at] = true;
        --left_;
        Do(threads_[thread][at]);
        Step();
        ++left_;
        done_[thread][at] = false;
        places_ = places;
        registers_ = registers;
      }
    }
  }

  Values places_;
  Values registers_ = {};
  std::vector<Thread> threads_;
  std::function<bool(const Values&)> holds_;
  std::vector<std::vector<bool>> done_;
  std::size_t left_ = 0;
  int ends_ = 0;
  int refused_ = 0;
};

// Journal::Reserve and Commit; Journal::PeekAt. The bytes of an earlier lap look like a commit.
int EntriesThatAreNotWhole(Order head, Order commit) {
  enum : std::size_t { kHead, kSize, kCommit, kBody };
  return Explorer({0, 0, 1, 0},
                  {{Store(kCommit, 0), Store(kSize, 1), Store(kHead, 1, head), Store(kBody, 1),
                    Store(kCommit, 1, commit)},
                   {Load(kHead, 0, Order::kAcquire), Load(kSize, 1),
                    Load(kCommit, 2, Order::kAcquire), Load(kBody, 3)}},
                  [](const Values& seen) {
                    if (seen[0] == 0) return true;
                    return seen[1] == 1 && (seen[2] == 0 || seen[3] == 1);
                  })
      .Refused();
}

TEST(MemoryOrder, AnEntryThatIsSeenIsWhole) {
  EXPECT_EQ(EntriesThatAreNotWhole(Order::kRelease, Order::kRelease), 0);
  EXPECT_GT(EntriesThatAreNotWhole(Order::kRelaxed, Order::kRelease), 0);
  EXPECT_GT(EntriesThatAreNotWhole(Order::kRelease, Order::kRelaxed), 0);
}

// Journal::Release; the load of tail_ in Journal::Reserve. Also EventRing::tail.
int EntriesThatAreOverwritten(Order tail) {
  enum : std::size_t { kTail, kBody };
  return Explorer({0, 1},
                  {{Load(kBody, 0), Store(kTail, 1, tail)},
                   {Load(kTail, 1, Order::kAcquire), StoreIf(1, kBody, 2)}},
                  [](const Values& seen) { return seen[0] == 1; })
      .Refused();
}

TEST(MemoryOrder, AnEntryIsReadBeforeItsRoomIsGivenAway) {
  EXPECT_EQ(EntriesThatAreOverwritten(Order::kRelease), 0);
  EXPECT_GT(EntriesThatAreOverwritten(Order::kRelaxed), 0);
}

// Recorder::Impl::WaitForRoom; Journal::Release and the drain's on_release.
int WakeUpsThatAreMissed(Order store, Order load) {
  enum : std::size_t { kWaiters, kTail };
  return Explorer({0, 0},
                  {{Store(kWaiters, 1, store), Load(kTail, 0, load)},
                   {Store(kTail, 1, store), Load(kWaiters, 1, load)}},
                  [](const Values& seen) { return seen[0] == 1 || seen[1] == 1; })
      .Refused();
}

TEST(MemoryOrder, ACallerThatWaitsForRoomIsWoken) {
  EXPECT_EQ(WakeUpsThatAreMissed(Order::kSeqCst, Order::kSeqCst), 0);
  EXPECT_GT(WakeUpsThatAreMissed(Order::kRelease, Order::kAcquire), 0);
}

// Journal::StoreProgress, twice; ReadProgress of journal_reader.cc, in another process. Half n & 1
// holds n, as the generation does that makes it valid.
int SlotsThatAreTorn(bool writer_fences, bool reader_fences) {
  enum : std::size_t { kGeneration, kEven, kOdd };
  const Order nothing = Order::kRelaxed;
  const Order writer = writer_fences ? Order::kRelease : nothing;
  const Order reader = reader_fences ? Order::kAcquire : nothing;
  Thread stores;
  if (writer_fences) stores.push_back(Fence(writer));
  stores.insert(stores.end(), {Store(kOdd, 1), Store(kGeneration, 1, Order::kRelease)});
  if (writer_fences) stores.push_back(Fence(writer));
  stores.insert(stores.end(), {Store(kEven, 2), Store(kGeneration, 2, Order::kRelease)});
  Thread loads = {Load(kGeneration, 0)};
  if (reader_fences) loads.push_back(Fence(reader));
  loads.insert(loads.end(), {Load(kEven, 1), Load(kOdd, 2)});
  if (reader_fences) loads.push_back(Fence(reader));
  loads.push_back(Load(kGeneration, 3));
  return Explorer({0, 0, 0}, {stores, loads},
                  [](const Values& seen) {
                    const int half = seen[0] % 2 == 0 ? seen[1] : seen[2];
                    return seen[0] != seen[3] || half == seen[0];
                  })
      .Refused();
}

TEST(MemoryOrder, TheSlotOfALiveJournalIsReadWhole) {
  EXPECT_EQ(SlotsThatAreTorn(true, true), 0);
  EXPECT_GT(SlotsThatAreTorn(false, true), 0);
  EXPECT_GT(SlotsThatAreTorn(true, false), 0);
}

// CopyRing of journal_reader.cc, and ReadProgress after it; the writer and a caller meanwhile.
int CopiesThatAreTakenForWhole(bool fence) {
  enum : std::size_t { kRing, kPlaceOfSink, kTail };
  Thread reader = {Load(kRing, 0)};
  if (fence) reader.push_back(Fence(Order::kAcquire));
  reader.push_back(Load(kPlaceOfSink, 1));
  return Explorer({0, 0, 0},
                  {{Store(kPlaceOfSink, 1, Order::kRelease), Store(kTail, 1, Order::kSeqCst)},
                   {Load(kTail, 2, Order::kSeqCst), StoreIf(2, kRing, 2)},
                   reader},
                  [](const Values& seen) { return seen[0] != 2 || seen[1] == 1; })
      .Refused();
}

TEST(MemoryOrder, WhatIsOverwrittenWhileItIsCopiedIsBeforeThePlaceOfItsSink) {
  EXPECT_EQ(CopiesThatAreTakenForWhole(true), 0);
  EXPECT_GT(CopiesThatAreTakenForWhole(false), 0);
}

// NameSite of the profiler: one thread keeps a name, another records an event with it, and the
// writer, which sees the event, asks for its text.
int NamesThatAreMissing(Order site) {
  enum : std::size_t { kNames, kSite, kHead };
  return Explorer({0, 0, 0},
                  {{Store(kNames, 1), Store(kSite, 1, site)},
                   {Load(kSite, 0), StoreIf(0, kHead, 1, Order::kRelease)},
                   {Load(kHead, 1, Order::kAcquire), Load(kNames, 2)}},
                  [](const Values& seen) { return seen[1] == 0 || seen[2] == 1; })
      .Refused();
}

TEST(MemoryOrder, TheNameOfAnEventThatIsSeenIsKnown) {
  EXPECT_EQ(NamesThatAreMissing(Order::kRelease), 0);
  EXPECT_GT(NamesThatAreMissing(Order::kRelaxed), 0);
}

}  // namespace
}  // namespace sightline
