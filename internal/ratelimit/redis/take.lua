-- Decides about several charges of one caller at once: all are charged or none (GCRA).
--
-- KEYS     one counter for each charge: the time at which it is full again, in microseconds
-- ARGV[1]  the time, in microseconds; empty for the clock of Redis, which all instances share
-- ARGV[2]  1 to charge
-- then for each charge, in microseconds: price, window, and what the counter owes as far as the instance knows
--
-- Returns what each counter owed before: the time until it was full.
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
      -- A full counter is the same as none, so it expires, some seconds later.
      redis.call('SET', key, string.format('%.0f', now + left), 'PX', math.ceil(left / 1000) + 10000)
    end
  end
end
return owed
