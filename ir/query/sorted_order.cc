#include "sightline/ir/query/sorted_order.h"

#include <algorithm>
#include <string>

namespace sightline::ir {
namespace {

constexpr std::size_t kMaxRepeats = 16;

class OrderBuilder {
 public:
  OrderBuilder(const Module& module, const Dataflow& flow)
      : module_(module),
        flow_(flow),
        needed_(module.nodes.size(), false),
        seen_in_(module.nodes.size(), kNoIndex),
        queued_(module.subgraphs.size(), false) {}

  Result<SortedOrder> Build();

 private:
  struct Visit {
    std::uint32_t node;
    std::uint32_t next_input;  // 0: what it calls; then its operands.
  };

  // Calls `leave` for each node that `root` needs and `enter` admits, after what it needs itself.
  void Walk(std::uint32_t root, auto enter, auto leave);
  // Marks what the Returns need.
  void MarkNeeded();
  void AddSubgraph(std::uint32_t subgraph);
  void QueueFunctions(std::uint32_t node);
  void Queue(const Source& source);
  Status AddQueued();

  const Module& module_;
  const Dataflow& flow_;
  std::vector<bool> needed_;            // By some Return.
  std::vector<std::uint32_t> seen_in_;  // The last subgraph that holds each node.
  std::vector<bool> queued_;            // Subgraphs.
  std::vector<std::uint32_t> queue_;    // Subgraphs, in their order.
  std::size_t next_ = 0;                // Of queue_.
  std::vector<Visit> path_;
  SortedOrder order_;
};

void OrderBuilder::Walk(std::uint32_t root, auto enter, auto leave) {
  if (!enter(root)) return;
  path_.push_back({root, 0});
  while (!path_.empty()) {
    Visit& visit = path_.back();
    const Range operands = module_.nodes[visit.node].operands;
    if (visit.next_input > operands.size) {
      leave(visit.node);
      path_.pop_back();
      continue;
    }
    const std::uint32_t input = visit.next_input++;
    const Source source =
        input == 0 ? flow_.callee(visit.node) : flow_.source(operands.begin + input - 1);
    if (source.kind == SourceKind::kNode && enter(source.index)) path_.push_back({source.index, 0});
  }
}

void OrderBuilder::MarkNeeded() {
  const auto enter = [this](std::uint32_t node) {
    if (needed_[node]) return false;
    needed_[node] = true;
    return true;
  };
  for (std::uint32_t i = 0; i < module_.nodes.size(); ++i)
    if (module_.nodes[i].kind == CalleeKind::kReturn) Walk(i, enter, [](std::uint32_t) {});
}

void OrderBuilder::Queue(const Source& source) {
  if (source.kind != SourceKind::kSubgraph || queued_[source.index]) return;
  queued_[source.index] = true;
  queue_.push_back(source.index);
}

void OrderBuilder::QueueFunctions(std::uint32_t node) {
  Queue(flow_.callee(node));
  const Range operands = module_.nodes[node].operands;
  for (std::uint32_t i = operands.begin; i < operands.end(); ++i) Queue(flow_.source(i));
}

void OrderBuilder::AddSubgraph(std::uint32_t subgraph) {
  const auto begin = static_cast<std::uint32_t>(order_.nodes.size());
  const auto enter = [&](std::uint32_t node) {
    if (seen_in_[node] == subgraph) return false;
    seen_in_[node] = subgraph;
    return true;
  };
  const auto leave = [this](std::uint32_t node) { order_.nodes.push_back(node); };
  const Range nodes = module_.subgraphs[subgraph].nodes;
  for (std::uint32_t i = nodes.begin; i < nodes.end(); ++i)
    if (!needed_[i]) Walk(i, enter, leave);
  for (std::uint32_t i = nodes.begin; i < nodes.end(); ++i)
    if (module_.nodes[i].kind == CalleeKind::kReturn) Walk(i, enter, leave);
  const auto end = static_cast<std::uint32_t>(order_.nodes.size());
  order_.parts.push_back({subgraph, {begin, end - begin}});
  for (std::uint32_t i = begin; i < end; ++i) QueueFunctions(order_.nodes[i]);
}

Status OrderBuilder::AddQueued() {
  for (; next_ < queue_.size(); ++next_) {
    AddSubgraph(queue_[next_]);
    if (order_.nodes.size() > module_.nodes.size() * kMaxRepeats) {
      return {StatusCode::kResourceExhausted, "the sorted form would repeat statements more than " +
                                                  std::to_string(kMaxRepeats) +
                                                  " times on average"};
    }
  }
  return {};
}

Result<SortedOrder> OrderBuilder::Build() {
  MarkNeeded();
  if (flow_.entry() != kNoIndex) Queue({SourceKind::kSubgraph, false, flow_.entry()});
  SIGHTLINE_RETURN_IF_ERROR(AddQueued());
  for (std::uint32_t i = 0; i < module_.subgraphs.size(); ++i) {
    Queue({SourceKind::kSubgraph, false, i});
    SIGHTLINE_RETURN_IF_ERROR(AddQueued());
  }
  return std::move(order_);
}

}  // namespace

Result<SortedOrder> SortedOrderOf(const Module& module, const Dataflow& flow) {
  return OrderBuilder(module, flow).Build();
}

}  // namespace sightline::ir
