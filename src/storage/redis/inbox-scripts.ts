import { createScript, scriptTime } from "./script.ts";

/**
 * The beginning of every script. The names below the base (KEYS[1]), which contains the inbox, are
 *
 *     m:MESSAGE   hash: about (JSON), body, event
 *     e:EVENT     the message of the event
 *     log         sorted set: messages in the order in which they were added, by a growing number
 *     at          sorted set: messages by the time they were received
 *     size        hash: bytes of each message
 *     state       hash: the last number of `log`, duplicates
 *
 * ARGV[1] replaces the time of Redis in tests (epoch milliseconds); ARGV[2] to ARGV[4] are the most messages, the most
 * milliseconds and the most bytes kept. ARGV[5] is a hash that all inboxes share: `i:INBOX` holds the bytes and the account
 * of an inbox, `a:ACCOUNT` the bytes of an account, `total` those of all. ARGV[6] is the inbox. Redis expires everything
 * but the counts a little after the retention.
 */
const common = `${scriptTime}local log, at, state = base .. 'log', base .. 'at', base .. 'state'
local size, sizes, inbox = base .. 'size', ARGV[5], ARGV[6]
local most, ms, most_bytes = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local oldest = now - ms
local hour, quarter = 3600000, 90 * 86400000

local function size_of(id)
  local known = redis.call('hget', size, id)
  if known then return tonumber(known) end
  -- A message that was added before sizes were kept.
  local name = base .. 'm:' .. id
  return redis.call('hstrlen', name, 'about') + math.ceil(redis.call('hstrlen', name, 'body') / 3) * 4 + 64
end

local function held()
  local bytes, account = string.match(redis.call('hget', sizes, 'i:' .. inbox) or '', '^(%d+) (.*)$')
  return tonumber(bytes), account
end

-- The rank of the oldest message that is kept.
local function first_rank()
  local count = redis.call('zcard', log)
  local from = math.max(0, count - most)
  if (held() or 0) <= most_bytes then return from end
  local ids, sum = redis.call('zrange', log, from, -1), 0
  for n = #ids, 1, -1 do
    sum = sum + size_of(ids[n])
    if sum > most_bytes and n < #ids then return from + n end
  end
  return from
end

local function is_kept(id)
  local rank = redis.call('zrank', log, id)
  return rank and rank >= first_rank() and tonumber(redis.call('zscore', at, id) or 0) >= oldest
end
`;

const writing = `${common}
local function add_to(field, bytes)
  if bytes ~= 0 and redis.call('hincrby', sizes, field, string.format('%.0f', bytes)) <= 0 then
    redis.call('hdel', sizes, field)
  end
end

-- What the inbox holds from now on.
local function hold(bytes, account)
  local old, owner = held()
  account = account or owner or ''
  if old then
    add_to('a:' .. owner, -old)
    add_to('total', -old)
    redis.call('hdel', sizes, 'i:' .. inbox)
  end
  if bytes <= 0 then return end
  redis.call('hset', sizes, 'i:' .. inbox, string.format('%.0f', bytes) .. ' ' .. account)
  add_to('a:' .. account, bytes)
  add_to('total', bytes)
end

-- What it holds by its messages: of one that was begun before sizes were kept, or of which all ended by themselves.
local function bytes_of_log()
  local known = held()
  if redis.call('zcard', log) == 0 then return 0 end
  if known then return known end
  local sum = 0
  for _, id in ipairs(redis.call('zrange', log, 0, -1)) do
    local bytes = size_of(id)
    redis.call('hset', size, id, bytes)
    sum = sum + bytes
  end
  return sum
end

local function drop(ids)
  local freed = 0
  for _, id in ipairs(ids) do
    freed = freed + size_of(id)
    local event = redis.call('hget', base .. 'm:' .. id, 'event')
    if event and redis.call('get', base .. 'e:' .. event) == id then redis.call('del', base .. 'e:' .. event) end
    redis.call('unlink', base .. 'm:' .. id)
    redis.call('zrem', log, id)
    redis.call('zrem', at, id)
    redis.call('hdel', size, id)
  end
  return freed
end

local function drop_old()
  return drop(redis.call('zrangebyscore', at, '-inf', '(' .. string.format('%.0f', oldest), 'limit', 0, 100))
end
`;

/**
 * ARGV: mark of the store, channel, message, its time, about, body, `event` if it has one, the event, its size, the
 * account, and the most bytes of the account and of the store (0: unlimited). Returns 1 for a duplicate.
 */
export const add = createScript(`#!lua
${writing}
if ARGV[7] ~= '' and redis.call('exists', ARGV[7]) == 0 then return 'emptied' end
local id, event, account = ARGV[9], base .. 'e:' .. ARGV[14], ARGV[16]
if ARGV[13] ~= '' then
  local first = redis.call('get', event)
  if first and is_kept(first) then
    redis.call('hincrby', state, 'duplicates', 1)
    return 1
  end
end
local own, bytes = tonumber(ARGV[15]), bytes_of_log()
bytes = math.max(0, bytes - drop_old())
local over, freed, from = {}, 0, 0
local count = redis.call('zcard', log)
while from < count and (count - from + 1 > most or bytes - freed + own > most_bytes) do
  local next = redis.call('zrange', log, from, from)[1]
  over[#over + 1] = next
  freed = freed + size_of(next)
  from = from + 1
end
hold(bytes, account)
local growth = own - freed
for field, limit in pairs({['a:' .. account] = tonumber(ARGV[17]), total = tonumber(ARGV[18])}) do
  if growth > 0 and limit > 0 and (tonumber(redis.call('hget', sizes, field) or 0) + growth) > limit then
    return field == 'total' and 'store' or 'account'
  end
end
drop(over)
hold(math.max(0, bytes - freed) + own, account)
local seq = math.max(tonumber(redis.call('hget', state, 'seq') or 0) + 1, now * 1000)
redis.call('hset', state, 'seq', string.format('%.0f', seq))
redis.call('hset', base .. 'm:' .. id, 'about', ARGV[11], 'body', ARGV[12])
if ARGV[13] ~= '' then
  redis.call('hset', base .. 'm:' .. id, 'event', ARGV[14])
  redis.call('set', event, id, 'PX', ms + hour)
end
redis.call('pexpire', base .. 'm:' .. id, ms + hour)
redis.call('zadd', log, seq, id)
redis.call('zadd', at, ARGV[10], id)
redis.call('hset', size, id, own)
for _, name in ipairs({log, at, size}) do redis.call('pexpire', name, ms + hour) end
redis.call('pexpire', state, ms + quarter)
redis.call('pexpire', sizes, ms + quarter)
redis.pcall('publish', ARGV[8], inbox .. ' ' .. string.format('%.0f', seq))
return 0
`);

/** ARGV: a message or empty, most ids. Returns the ids of the messages after it. */
export const idsAfter = createScript(`#!lua flags=no-writes
${common}
local limit, found = tonumber(ARGV[8]), {}
local from = first_rank()
local rank = ARGV[7] ~= '' and redis.call('zrank', log, ARGV[7])
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

/** ARGV: a message. Returns 1 if it is kept. */
export const isKept = createScript(`#!lua flags=no-writes
${common}
return is_kept(ARGV[7]) and 1 or 0
`);

/** Returns the number of kept messages, the number of duplicates, and the newest message. */
export const stats = createScript(`#!lua flags=no-writes
${common}
local most_left = redis.call('zcard', log) - first_rank()
local count = math.min(most_left, redis.call('zcount', at, oldest, '+inf'))
return {count, redis.call('hget', state, 'duplicates') or 0, count > 0 and redis.call('zrange', log, -1, -1)[1]}
`);

/** Returns 1 while there is more. */
export const remove = createScript(`#!lua flags=allow-oom
${writing}
local ids = redis.call('zrange', log, 0, 99)
drop(ids)
if #ids == 100 then return 1 end
redis.call('del', log, at, size, state)
hold(0)
return 0
`);

/** Removes expired messages from the counts. Returns when the newest message was received; 0 if there is none. */
export const sweep = createScript(`#!lua flags=allow-oom
${writing}
hold(math.max(0, bytes_of_log() - drop_old()))
local newest = redis.call('zrevrange', at, 0, 0, 'withscores')
return newest[2] or '0'
`);

/** Recomputes the sums of the accounts and the total, which repairs a lost count. */
export const tally = createScript(`#!lua flags=allow-oom
${scriptTime}local sizes, sums = ARGV[5], {}
local all = redis.call('hgetall', sizes)
for n = 1, #all, 2 do
  if string.sub(all[n], 1, 2) == 'i:' then
    local bytes, account = string.match(all[n + 1], '^(%d+) (.*)$')
    sums['a:' .. account] = (sums['a:' .. account] or 0) + tonumber(bytes)
    sums.total = (sums.total or 0) + tonumber(bytes)
  else
    redis.call('hdel', sizes, all[n])
  end
end
for field, sum in pairs(sums) do redis.call('hset', sizes, field, string.format('%.0f', sum)) end
return 0
`);
