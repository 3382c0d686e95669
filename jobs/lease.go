package jobs

// All jobs write the same boards, so there is one lease for all of them.
const leaseName = "leaderboards"
