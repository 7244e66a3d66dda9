import { createScript, type Script, scriptTime } from "./script.ts";

/**
 * What every script begins with. Under the base (KEYS[1]) are
 *
 *     e:EVENT        hash: body, the ids of its deliveries, how many of these are left
 *     d:DELIVERY     hash: the delivery; `fence` grows with each claim and each end of one, `settled` names the last settlement
 *     a:DELIVERY     list: its attempts, JSON
 *     due:ENDPOINT   sorted set: what waits for it and is not claimed, by when it is due
 *     run:ENDPOINT   set: what is claimed
 *     ep:ENDPOINT    hash: failures, failingSince, failedAt (of the last), hold
 *     lease          sorted set: what is claimed, by when the lease is over
 *     later, turn    sorted sets of endpoints: when something may be claimed of each, and the line of those of which
 *                    something may be claimed now; an endpoint that may get nothing is in neither, and costs nothing
 *     urgent         sorted set: deliveries that the next claim takes first, whatever their endpoint failed before
 *     wait, ended    sorted sets: deliveries that wait, by since when; those that have ended, by when
 *     log, log:ENDPOINT  sorted sets: all deliveries, by when they were added
 *     once:NAME      until when it is not to happen again
 *
 * Times are epoch milliseconds by the clock of Redis, because the nodes' own differ. ARGV[1] is another one's, in tests.
 */
const common = `${scriptTime}local each, after, every = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local function stamp()
  local last = tonumber(redis.call('get', base .. 'last') or 0)
  local at = (last >= now and last < now + 0.999) and last + 1 / 4096 or now
  redis.call('set', base .. 'last', string.format('%.17g', at))
  return at
end

local function gate(endpoint, at)
  local e = redis.call('hmget', base .. 'ep:' .. endpoint, 'failures', 'failedAt', 'hold')
  if e[3] == 'ever' then return nil, each end
  if e[3] then at = math.max(at, tonumber(e[3])) end
  if tonumber(e[1] or 0) < after then return at, each end
  return math.max(at, e[2] + every), 1
end

local function place(endpoint)
  local at = tonumber(redis.call('zrange', base .. 'due:' .. endpoint, 0, 0, 'withscores')[2])
  if at then
    local most
    at, most = gate(endpoint, math.floor(at))
    if redis.call('scard', base .. 'run:' .. endpoint) >= most then at = nil end
  end
  if at and at <= now then
    redis.call('zrem', base .. 'later', endpoint)
    if not redis.call('zscore', base .. 'turn', endpoint) then
      redis.call('zadd', base .. 'turn', redis.call('incr', base .. 'turns'), endpoint)
    end
  else
    redis.call('zrem', base .. 'turn', endpoint)
    if at then redis.call('zadd', base .. 'later', at, endpoint) else redis.call('zrem', base .. 'later', endpoint) end
  end
end

local function wake() redis.pcall('publish', base .. 'wake', '') end

local function leave(endpoint, id)
  redis.call('zrem', base .. 'lease', id)
  redis.call('srem', base .. 'run:' .. endpoint, id)
end

local function finish(endpoint, id, state, reason)
  leave(endpoint, id)
  redis.call('zrem', base .. 'due:' .. endpoint, id)
  redis.call('zrem', base .. 'wait', id)
  redis.call('zadd', base .. 'ended', now, id)
  redis.call('hset', base .. 'd:' .. id, 'state', state, 'endedAt', now)
  redis.call('hincrby', base .. 'd:' .. id, 'fence', 1)
  redis.call('hdel', base .. 'd:' .. id, 'nextAt', 'reason')
  if reason ~= '' then redis.call('hset', base .. 'd:' .. id, 'reason', reason) end
end

local function reclaim()
  for _, id in ipairs(redis.call('zrangebyscore', base .. 'lease', '-inf', now, 'limit', 0, 200)) do
    local d = redis.call('hmget', base .. 'd:' .. id, 'endpoint', 'nextAt')
    if d[1] then
      leave(d[1], id)
      redis.call('zadd', base .. 'due:' .. d[1], d[2] or now, id)
      place(d[1])
    else
      redis.call('zrem', base .. 'lease', id)
    end
  end
end
`;

/** A full Redis refuses it before it has begun: it is done as a whole or not at all. */
export const adding = (text: string): Script => createScript(`#!lua\n${common}${text}`);

/** Also where Redis is full: it makes room, or what has happened must be known. */
export const always = (text: string): Script => createScript(`#!lua flags=allow-oom\n${common}${text}`);

export const reading = (text: string): Script => createScript(`#!lua flags=no-writes\n${common}${text}`);
