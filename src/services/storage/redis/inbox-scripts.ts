import { createScript, scriptTime } from "./script.ts";

/**
 * What every script begins with. Under the base (KEYS[1]), which has the inbox in it, are
 *
 *     m:MESSAGE   hash: about (JSON), body, event
 *     e:EVENT     the message that has it
 *     log         sorted set: messages in the order in which they were added, by a number that only grows
 *     at          sorted set: the same, by when they came
 *     state       hash: the last of these numbers, duplicates
 *
 * ARGV[1] is the time, epoch milliseconds, in the place of Redis's own in tests; ARGV[2] and ARGV[3] how many messages are
 * kept and for how many milliseconds. Redis forgets all but the counts by itself, a little after that.
 */
const common = `${scriptTime}local log, at, state = base .. 'log', base .. 'at', base .. 'state'
local most, ms = tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = now - ms
local hour, quarter = 3600000, 90 * 86400000

local function is_kept(id)
  local back = redis.call('zrevrank', log, id)
  return back and back < most and tonumber(redis.call('zscore', at, id) or 0) >= oldest
end

local function drop(ids)
  for _, id in ipairs(ids) do
    local event = redis.call('hget', base .. 'm:' .. id, 'event')
    if event and redis.call('get', base .. 'e:' .. event) == id then redis.call('del', base .. 'e:' .. event) end
    redis.call('unlink', base .. 'm:' .. id)
    redis.call('zrem', log, id)
    redis.call('zrem', at, id)
  end
end
`;

/**
 * ARGV: mark of the store, channel, inbox, message, when it came, about, body, `event` where it has one, the event. Returns 1
 * where it is here already.
 */
export const add = createScript(`#!lua
${common}
if ARGV[4] ~= '' and redis.call('exists', ARGV[4]) == 0 then return 'emptied' end
local id, event = ARGV[7], base .. 'e:' .. ARGV[12]
if ARGV[11] ~= '' then
  local first = redis.call('get', event)
  if first and is_kept(first) then
    redis.call('hincrby', state, 'duplicates', 1)
    return 1
  end
end
drop(redis.call('zrangebyscore', at, '-inf', '(' .. string.format('%.0f', oldest), 'limit', 0, 100))
local over = redis.call('zcard', log) + 1 - most
if over > 0 then drop(redis.call('zrange', log, 0, math.min(over, 100) - 1)) end
local seq = math.max(tonumber(redis.call('hget', state, 'seq') or 0) + 1, now * 1000)
redis.call('hset', state, 'seq', string.format('%.0f', seq))
redis.call('hset', base .. 'm:' .. id, 'about', ARGV[9], 'body', ARGV[10])
if ARGV[11] ~= '' then
  redis.call('hset', base .. 'm:' .. id, 'event', ARGV[12])
  redis.call('set', event, id, 'PX', ms + hour)
end
redis.call('pexpire', base .. 'm:' .. id, ms + hour)
redis.call('zadd', log, seq, id)
redis.call('zadd', at, ARGV[8], id)
redis.call('pexpire', log, ms + hour)
redis.call('pexpire', at, ms + hour)
redis.call('pexpire', state, ms + quarter)
redis.pcall('publish', ARGV[5], ARGV[6] .. ' ' .. string.format('%.0f', seq))
return 0
`);

/** ARGV: a message or empty, how many. Returns the ids of what comes after it. */
export const idsAfter = createScript(`#!lua flags=no-writes
${common}
local limit, found = tonumber(ARGV[5]), {}
local from = math.max(0, redis.call('zcard', log) - most)
local rank = ARGV[4] ~= '' and redis.call('zrank', log, ARGV[4])
if rank then from = math.max(from, rank + 1) end
while #found < limit do
  local ids = redis.call('zrange', log, from, from + 99)
  for _, id in ipairs(ids) do
    if #found < limit and tonumber(redis.call('zscore', at, id) or 0) >= oldest then found[#found + 1] = id end
  end
  if #ids < 100 then break end
  from = from + 100
end
return found
`);

/** ARGV: a message. Returns 1 where it is kept. */
export const isKept = createScript(`#!lua flags=no-writes
${common}
return is_kept(ARGV[4]) and 1 or 0
`);

/** Returns how many are kept, how many came again, and the newest. */
export const stats = createScript(`#!lua flags=no-writes
${common}
local count = math.min(most, redis.call('zcount', at, oldest, '+inf'))
return {count, redis.call('hget', state, 'duplicates') or 0, count > 0 and redis.call('zrange', log, -1, -1)[1]}
`);

/** Returns 1 while there is more. */
export const remove = createScript(`#!lua flags=allow-oom
${common}
local ids = redis.call('zrange', log, 0, 99)
drop(ids)
if #ids == 100 then return 1 end
redis.call('del', log, at, state)
return 0
`);
