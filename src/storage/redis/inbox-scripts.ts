import { announcing, createScript, evenFull, nowFrom } from "./script.ts";

/** Lua: `hold`, which notes in `sizes` what an inbox holds from now on. */
const holding = `local function held()
  local bytes, account = string.match(redis.call('hget', sizes, 'i:' .. inbox) or '', '^(%d+) (.*)$')
  return tonumber(bytes), account
end

local function add_to(field, bytes)
  if bytes ~= 0 and redis.call('hincrby', sizes, field, string.format('%.0f', bytes)) <= 0 then
    redis.call('hdel', sizes, field)
  end
end

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
`;

/**
 * The beginning of every script. KEYS begin with
 *
 *     log     sorted set: messages in the order in which they were added, by a growing number
 *     at      sorted set: messages by the time they were received
 *     size    hash: bytes of each message
 *     state   hash: the last number of `log`, duplicates
 *     sizes   hash: `i:INBOX` holds the bytes and the account of an inbox, `a:ACCOUNT` the bytes of an account, `total` those of all. On one
 *             server all inboxes share it, in a cluster each has its own
 *
 * Beside them are a hash for each message (about as JSON, body, event), and the message of each event. The scripts do not know their names in
 * advance; they return the messages that they drop, for `forget`.
 *
 * ARGV[1] replaces the time of Redis in tests (epoch milliseconds); ARGV[2] to ARGV[4] are the most messages, the most
 * milliseconds and the most bytes kept. ARGV[5] is the inbox. Redis expires everything but the counts a little after the retention.
 */
const common = `${nowFrom}local log, at, size, state, sizes = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local inbox = ARGV[5]
local most, ms, most_bytes = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local oldest = now - ms
local hour, quarter = 3600000, 90 * 86400000

-- Messages that were added before sizes were kept: see \`resize\`.
if redis.call('hlen', size) < redis.call('zcard', log) then return 'unsized' end

local function size_of(id)
  return tonumber(redis.call('hget', size, id) or 0)
end

${holding}
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
-- What it holds by its messages: its count may be missing, or all may have ended by themselves.
local function bytes_of_log()
  local known = held()
  if redis.call('zcard', log) == 0 then return 0 end
  if known then return known end
  local sum = 0
  for _, id in ipairs(redis.call('zrange', log, 0, -1)) do sum = sum + size_of(id) end
  return sum
end

local function drop(ids)
  local freed = 0
  for _, id in ipairs(ids) do
    freed = freed + size_of(id)
    redis.call('zrem', log, id)
    redis.call('zrem', at, id)
    redis.call('hdel', size, id)
  end
  return freed
end

local function old_ones()
  return redis.call('zrangebyscore', at, '-inf', '(' .. string.format('%.0f', oldest), 'limit', 0, 100)
end
`;

/**
 * KEYS also are the message, its event and the mark of the store; the message again for those that are missing. ARGV: channel, message, its time, about,
 * body, the event, its size, the account, and the most bytes of the account and of the store (0: unlimited). Returns 1 for a duplicate and 0 for a
 * message that was added, then by how many bytes the inbox grew and the messages that were dropped; one that was not added may also drop some.
 */
export const add = createScript(`#!lua
${announcing}${writing}
local name, event, mark = KEYS[6], KEYS[7], KEYS[8]
if mark ~= name and redis.call('exists', mark) == 0 then return 'emptied' end
local id, account = ARGV[7], ARGV[13]
if event ~= name then
  local first = redis.call('get', event)
  if first and is_kept(first) then
    redis.call('hincrby', state, 'duplicates', 1)
    return {1, 0, {}}
  end
end
local before, own, bytes, dropped = held() or 0, tonumber(ARGV[12]), bytes_of_log(), old_ones()
bytes = math.max(0, bytes - drop(dropped))
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
for field, limit in pairs({['a:' .. account] = tonumber(ARGV[14]), total = tonumber(ARGV[15])}) do
  if growth > 0 and limit > 0 and (tonumber(redis.call('hget', sizes, field) or 0) + growth) > limit then
    return {field == 'total' and 'store' or 'account', bytes - before, dropped}
  end
end
drop(over)
for _, one in ipairs(over) do dropped[#dropped + 1] = one end
hold(math.max(0, bytes - freed) + own, account)
local seq = math.max(tonumber(redis.call('hget', state, 'seq') or 0) + 1, now * 1000)
redis.call('hset', state, 'seq', string.format('%.0f', seq))
redis.call('hset', name, 'about', ARGV[9], 'body', ARGV[10])
if event ~= name then
  redis.call('hset', name, 'event', ARGV[11])
  redis.call('set', event, id, 'PX', ms + hour)
end
redis.call('pexpire', name, ms + hour)
redis.call('zadd', log, seq, id)
redis.call('zadd', at, ARGV[8], id)
redis.call('hset', size, id, own)
for _, key in ipairs({log, at, size}) do redis.call('pexpire', key, ms + hour) end
redis.call('pexpire', state, ms + quarter)
redis.call('pexpire', sizes, ms + quarter)
announce(ARGV[6], string.format('%.0f', seq))
return {0, (held() or 0) - before, dropped}
`);

/** Removes a message that was dropped. KEYS are the message and its event, the message again if it has none; ARGV[1] is the message. */
export const forget =
  createScript(`${evenFull}if KEYS[2] ~= KEYS[1] and redis.call('get', KEYS[2]) == ARGV[1] then
  redis.call('del', KEYS[2])
end
redis.call('unlink', KEYS[1])
`);

/** Notes sizes. KEYS[1] is the hash of sizes of an inbox; ARGV is messages and bytes alternating. */
export const resize =
  createScript(`${evenFull}for i = 1, #ARGV, 2 do redis.call('hset', KEYS[1], ARGV[i], ARGV[i + 1]) end
`);

const booking = `local sizes, inbox, account = KEYS[1], ARGV[1], ARGV[3] ~= '' and ARGV[3] or nil
${holding}`;

/** Notes what an inbox holds. KEYS[1] is the hash that all inboxes of a cluster share; ARGV: inbox, bytes, account. */
export const book = createScript(`${evenFull}${booking}
hold(tonumber(ARGV[2]), account)
`);

/** Adds to what an inbox holds. KEYS and ARGV as of `book`; the bytes may be negative. */
export const adjust = createScript(`${evenFull}${booking}
hold(math.max(0, (held() or 0) + ARGV[2]), account)
`);

/**
 * Adds to what an inbox holds, if the limits allow it. KEYS and ARGV as of `book`, then the most bytes of the account and of the store (0:
 * unlimited). Returns whose limit does not allow it.
 */
export const reserve = createScript(`#!lua
${booking}
for field, limit in pairs({['a:' .. account] = tonumber(ARGV[4]), total = tonumber(ARGV[5])}) do
  if limit > 0 and (tonumber(redis.call('hget', sizes, field) or 0) + ARGV[2]) > limit then
    return field == 'total' and 'store' or 'account'
  end
end
hold((held() or 0) + ARGV[2], account)
return ''
`);

/** ARGV: a message or empty, most ids. Returns the ids of the messages after it. */
export const idsAfter = createScript(`#!lua flags=no-writes
${common}
local limit, found = tonumber(ARGV[7]), {}
local from = first_rank()
local rank = ARGV[6] ~= '' and redis.call('zrank', log, ARGV[6])
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
return is_kept(ARGV[6]) and 1 or 0
`);

/** Returns the number of kept messages, the number of duplicates, and the newest message. */
export const stats = createScript(`#!lua flags=no-writes
${common}
local most_left = redis.call('zcard', log) - first_rank()
local count = math.min(most_left, redis.call('zcount', at, oldest, '+inf'))
return {count, redis.call('hget', state, 'duplicates') or 0, count > 0 and redis.call('zrange', log, -1, -1)[1]}
`);

/** Returns 1 while there is more, and the messages that were dropped. */
export const remove = createScript(`#!lua flags=allow-oom
${writing}
local ids = redis.call('zrange', log, 0, 99)
drop(ids)
if #ids == 100 then return {1, ids} end
redis.call('del', log, at, size, state)
hold(0)
return {0, ids}
`);

/**
 * Removes expired messages from the counts. Returns when the newest message was received, 0 if there is none, then the bytes of the inbox and the
 * messages that were dropped.
 */
export const sweep = createScript(`#!lua flags=allow-oom
${writing}
local dropped = old_ones()
hold(math.max(0, bytes_of_log() - drop(dropped)))
local newest = redis.call('zrevrange', at, 0, 0, 'withscores')
return {newest[2] or '0', held() or 0, dropped}
`);

/** Recomputes the sums of the accounts and the total, which repairs a lost count. KEYS[1] is the hash that all inboxes share. */
export const tally = createScript(`${evenFull}local sizes, sums = KEYS[1], {}
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
