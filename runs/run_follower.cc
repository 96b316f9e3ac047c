#include "sightline/runs/run_follower.h"

#include <utility>

#include "sightline/runs/followed_run.h"

namespace sightline {

RunFollower::RunFollower(const std::string& directory, const RunOptions& options)
    : followed_(std::make_unique<FollowedRun>(directory, options)) {}
RunFollower::RunFollower(std::shared_ptr<const Run> run, const RunOptions& options)
    : followed_(std::make_unique<FollowedRun>(std::move(run), options)) {}
RunFollower::~RunFollower() = default;
RunFollower::RunFollower(RunFollower&& other) noexcept = default;
RunFollower& RunFollower::operator=(RunFollower&& other) noexcept = default;

Result<std::shared_ptr<const Run>> RunFollower::Refresh() { return followed_->Refresh(); }

}  // namespace sightline
