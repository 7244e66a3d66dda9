import { createScript, type Script, scriptTime } from "./script.ts";

/**
 * The beginning of every script. The names below the base (KEYS[1]) are
 *
 *     e:EVENT        hash: body, ids of its deliveries, number of those left
 *     d:DELIVERY     hash: the delivery; `fence` grows with each claim and each end of one, `settled` names the last settlement
 *     a:DELIVERY     list: its attempts, JSON
 *     due:ENDPOINT   sorted set: deliveries that wait unclaimed, by due time
 *     run:ENDPOINT   set: claimed deliveries
 *     ep:ENDPOINT    hash: failures, failingSince, failedAt (of the last), hold
 *     lease          sorted set: claimed deliveries, by the end of the lease
 *     later, turn    sorted sets of endpoints: by the time of their next possible claim; and the line of those that have
 *                    one now. An endpoint without a possible claim is in neither and costs nothing
 *     urgent         sorted set: deliveries that the next claim takes first, whatever the health of their endpoint
 *     wait, ended    sorted sets: waiting deliveries, by the start of the wait; ended ones, by their end
 *     log, log:ENDPOINT, log:@ACCOUNT
 *                    sorted sets: all deliveries, by the time they were added
 *     once:NAME      time until which the event is not added again
 *
 * Times are epoch milliseconds by the clock of Redis, because the nodes' clocks differ. ARGV[1] replaces it in tests.
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

/** A full Redis refuses such a script before it begins, so that it runs as a whole or not at all. */
export const adding = (text: string): Script => createScript(`#!lua\n${common}${text}`);

/** Runs even if Redis is full: the script frees room, or records what has happened. */
export const always = (text: string): Script => createScript(`#!lua flags=allow-oom\n${common}${text}`);

export const reading = (text: string): Script => createScript(`#!lua flags=no-writes\n${common}${text}`);
