import { adding, always, reading } from "./delivery-lua.ts";

/** ARGV: delivery. Leaves a claimed delivery to its holder. */
export const redeliver = adding(`
local id, key = ARGV[5], base .. 'd:' .. ARGV[5]
local d = redis.call('hmget', key, 'endpoint', 'state')
local endpoint = d[1]
if not endpoint then return false end
local order = stamp()
if d[2] ~= 'waiting' then
  redis.call('hset', key, 'state', 'waiting', 'attempts', 0, 'since', now)
  redis.call('hdel', key, 'endedAt', 'reason')
  redis.call('zrem', base .. 'ended', id)
  redis.call('zadd', base .. 'wait', order, id)
end
if not redis.call('zscore', base .. 'lease', id) then
  redis.call('hset', key, 'nextAt', now)
  redis.call('zadd', base .. 'due:' .. endpoint, order, id)
  place(endpoint)
  wake()
end
return redis.call('hgetall', key)
`);

/** ARGV: endpoint, and the milliseconds of the hold, `ever` or 0. */
export const hold = always(`
local ep, left = base .. 'ep:' .. ARGV[5], tonumber(ARGV[6])
if not left then redis.call('hset', ep, 'hold', 'ever')
elseif left > 0 then redis.call('hset', ep, 'hold', now + left)
else redis.call('hdel', ep, 'hold') end
place(ARGV[5])
wake()
`);

/** ARGV: endpoint. */
export const resetHealth = always(`
redis.call('hdel', base .. 'ep:' .. ARGV[5], 'failures', 'failingSince', 'failedAt')
place(ARGV[5])
wake()
`);

/** ARGV: endpoint, reason, most deliveries. Returns the number of deliveries failed. */
export const fail = always(`
local endpoint, count = ARGV[5], 0
local due = redis.call('zrange', base .. 'due:' .. endpoint, 0, ARGV[7] - 1)
for _, ids in ipairs({redis.call('smembers', base .. 'run:' .. endpoint), due}) do
  for _, id in ipairs(ids) do
    finish(endpoint, id, 'failed', ARGV[6])
    count = count + 1
  end
end
place(endpoint)
return count
`);

/**
 * ARGV: lifetime, retention of ended deliveries, reason, most deliveries. A claimed delivery ends by its attempt,
 * perhaps successfully. Returns 1 if there may be more.
 */
export const prune = always(`
reclaim()
local most, ended = tonumber(ARGV[8]), 0
local old = redis.call('zrangebyscore', base .. 'wait', '-inf', now - ARGV[5], 'limit', 0, most)
for _, id in ipairs(old) do
  local endpoint = redis.call('hget', base .. 'd:' .. id, 'endpoint')
  if endpoint and not redis.call('zscore', base .. 'lease', id) then
    finish(endpoint, id, 'failed', ARGV[7])
    place(endpoint)
    ended = ended + 1
  end
end
local over = redis.call('zrangebyscore', base .. 'ended', '-inf', now - ARGV[6], 'limit', 0, most)
for _, id in ipairs(over) do
  local d = redis.call('hmget', base .. 'd:' .. id, 'endpoint', 'event', 'account')
  redis.call('del', base .. 'd:' .. id, base .. 'a:' .. id)
  redis.call('zrem', base .. 'ended', id)
  redis.call('zrem', base .. 'log', id)
  if d[1] then
    redis.call('zrem', base .. 'log:' .. d[1], id)
    redis.call('zrem', base .. 'log:@' .. (d[3] or ''), id)
    local event = base .. 'e:' .. d[2]
    if redis.call('hincrby', event, 'left', -1) <= 0 then redis.call('del', event) end
  end
end
return (ended == most or #over == most) and 1 or 0
`);

/** ARGV: delivery. Returns the delivery, its attempts and its body. */
export const get = reading(`
local d = redis.call('hgetall', base .. 'd:' .. ARGV[5])
if #d == 0 then return false end
local event = redis.call('hget', base .. 'd:' .. ARGV[5], 'event')
return {d, redis.call('lrange', base .. 'a:' .. ARGV[5], 0, -1), redis.call('hget', base .. 'e:' .. event, 'body')}
`);

/** Returns milliseconds until the next claim is possible; negative if it already is. */
export const next = reading(`
local at = tonumber(redis.call('zrange', base .. 'later', 0, 0, 'withscores')[2])
if redis.call('exists', base .. 'urgent') == 1 then return 0 end
local first = redis.call('zrange', base .. 'turn', 0, 0)[1]
if first then
  local due = tonumber(redis.call('zrange', base .. 'due:' .. first, 0, 0, 'withscores')[2])
  due = math.min(now, due and gate(first, math.floor(due)) or now)
  if not at or due < at then at = due end
end
local leases = redis.call('zrange', base .. 'lease', 0, 99, 'withscores')
for i = 1, #leases, 2 do
  local endpoint = redis.call('hget', base .. 'd:' .. leases[i], 'endpoint')
  local over = endpoint and gate(endpoint, tonumber(leases[i + 1]))
  if over and (not at or over < at) then at = over end
end
return at and at - now
`);
