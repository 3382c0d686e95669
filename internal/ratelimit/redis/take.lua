-- Decides about several charges of one caller at once: all are spent or none (GCRA).
--
-- KEYS     one counter for each charge: the moment it is full again, in microseconds
-- ARGV[1]  the moment, in microseconds; empty for the clock of Redis, which all instances share
-- ARGV[2]  1 to spend
-- then for each charge, in microseconds: price, window, and what the instance knows to be owed
--
-- Returns how much each counter owed before: the time until it was full.
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local passes, owed = true, {}
for i, key in ipairs(KEYS) do
  local price, window, known = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2])
  local full = tonumber(redis.call('GET', key) or 0)
  owed[i] = math.min(math.max(full - now, known, 0), window)
  passes = passes and owed[i] + price <= window
end
if passes and ARGV[2] == '1' then
  for i, key in ipairs(KEYS) do
    local left = owed[i] + tonumber(ARGV[3 * i])
    if left > 0 then
      -- A counter that is full is the same as none, so it may go; not before, and not in a hurry.
      redis.call('SET', key, string.format('%.0f', now + left), 'PX', math.ceil(left / 1000) + 10000)
    end
  end
end
return owed
