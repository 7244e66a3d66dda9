import { announcing, createScript, nowFrom, type Script } from "./script.ts";

/** The last parts of the names of a shard, in the order in which scripts receive them. */
export const shardParts = [
  "deliveries",
  "attempts",
  "events",
  "bodies",
  "due",
  "run",
  "lease",
  "endpoints",
  "later",
  "turn",
  "urgent",
  "wait",
  "ended",
  "log",
  "once",
  "state",
] as const;

/**
 * The beginning of every script. Deliveries lie in shards, whose names are few, so that each script can declare all of them:
 *
 *     deliveries   hash: the delivery as JSON. `fence` grows with each claim and each end of one, `settled` names the last settlement,
 *                  `order` is its place in the logs, `at` that in `due`
 *     attempts     hash: the attempts of a delivery, lines of JSON
 *     events       hash: of an event the number of deliveries left, and their ids
 *     bodies       hash: the body of an event
 *     due          deliveries that wait unclaimed, `ENDPOINT/TIME/ID`
 *     run          claimed deliveries, `ENDPOINT/ID`
 *     lease        sorted set: claimed deliveries, by the end of the lease
 *     endpoints    hash: failures, failingSince, failedAt (of the last) and hold, as JSON
 *     later, turn  sorted sets of endpoints: by the time of their next possible claim; and the line of those that have
 *                  one now. An endpoint without a possible claim is in neither and costs nothing
 *     urgent       sorted set: deliveries that the next claim takes first, whatever the health of their endpoint
 *     wait, ended  sorted sets: waiting deliveries, by the start of the wait; ended ones, by their end
 *     log          all deliveries, by the time they were added: `LIST/TIME/ID`, where the list is an endpoint, `@ACCOUNT`, or `*` for all
 *     once         sorted set: names of events that are not added again, by the end of that
 *     state        hash: the last time in the log, the last number in the line, and in `ears` the servers that listen, the next to be woken first
 *
 * `due`, `run` and `log` are sorted sets whose members all have the score 0, so that Redis orders them by their bytes; their times have leading
 * zeros. Times are epoch milliseconds by the clock of Redis, because the nodes' clocks differ. ARGV[1] replaces it in tests. ARGV[2] to ARGV[4]
 * are the most deliveries of an endpoint at once and its circuit, ARGV[5] begins the channel that wakes a
 * server, whose id follows. One is woken, which did not hear of the last; one that does not hear is forgotten.
 */
const common = `${announcing}${nowFrom}local deliveries, attempts, events, bodies, due, run, lease, endpoints, later, turn, urgent, wait, ended, log, once, state = unpack(KEYS)
local each, after, every = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local function get(id)
  local text = redis.call('hget', deliveries, id)
  return text and cjson.decode(text)
end

local function put(id, d) redis.call('hset', deliveries, id, cjson.encode(d)) end

local function time_text(at) return string.format('%026.12f', at) end

local function time_of(member) return tonumber(string.match(member, '/([%d.]+)/')) end

local function id_of(member) return string.match(member, '([^/]+)$') end

local function firsts(set, list, count)
  return redis.call('zrange', set, '[' .. list .. '/', '(' .. list .. '0', 'bylex', 'limit', 0, count)
end

local function stamp()
  local last = tonumber(redis.call('hget', state, 'last') or 0)
  local at = (last >= now and last < now + 0.999) and last + 1 / 4096 or now
  redis.call('hset', state, 'last', string.format('%.17g', at))
  return at
end

local function health(endpoint)
  local text = redis.call('hget', endpoints, endpoint)
  return text and cjson.decode(text) or {}
end

local function note(endpoint, h)
  if next(h) == nil then redis.call('hdel', endpoints, endpoint)
  else redis.call('hset', endpoints, endpoint, cjson.encode(h)) end
end

local function gate(endpoint, at)
  local h = health(endpoint)
  if h.hold == 'ever' then return nil, each end
  if h.hold then at = math.max(at, h.hold) end
  if (h.failures or 0) < after then return at, each end
  return math.max(at, h.failedAt + every), 1
end

local function place(endpoint)
  local first, at = firsts(due, endpoint, 1)[1]
  if first then
    local most
    at, most = gate(endpoint, math.floor(time_of(first)))
    if #firsts(run, endpoint, most) >= most then at = nil end
  end
  if at and at <= now then
    redis.call('zrem', later, endpoint)
    if not redis.call('zscore', turn, endpoint) then
      redis.call('zadd', turn, redis.call('hincrby', state, 'turns', 1), endpoint)
    end
  else
    redis.call('zrem', turn, endpoint)
    if at then redis.call('zadd', later, at, endpoint) else redis.call('zrem', later, endpoint) end
  end
end

local function wake()
  local ears, nodes = redis.call('hget', state, 'ears') or '', {}
  for node in string.gmatch(ears, '%S+') do nodes[#nodes + 1] = node end
  while nodes[1] do
    local node = table.remove(nodes, 1)
    local heard = announce(ARGV[5] .. node, '')
    if type(heard) ~= 'number' then return end
    if heard > 0 then
      nodes[#nodes + 1] = node
      break
    end
  end
  local left = table.concat(nodes, ' ')
  if left ~= ears then redis.call('hset', state, 'ears', left) end
end

local function line_up(id, d, at)
  d.at = time_text(at)
  redis.call('zadd', due, 0, d.endpoint .. '/' .. d.at .. '/' .. id)
end

local function step_out(id, d)
  if d.at then redis.call('zrem', due, d.endpoint .. '/' .. d.at .. '/' .. id) end
  d.at = nil
end

local function leave(id, d)
  redis.call('zrem', lease, id)
  redis.call('zrem', run, d.endpoint .. '/' .. id)
end

local function finish(id, d, result, reason)
  leave(id, d)
  step_out(id, d)
  redis.call('zrem', wait, id)
  redis.call('zadd', ended, now, id)
  d.state, d.endedAt, d.fence = result, now, d.fence + 1
  d.nextAt, d.reason = nil, reason ~= '' and reason or nil
  put(id, d)
end

local function reclaim()
  for _, id in ipairs(redis.call('zrangebyscore', lease, '-inf', now, 'limit', 0, 200)) do
    local d = get(id)
    if d then
      leave(id, d)
      line_up(id, d, d.nextAt or now)
      put(id, d)
      place(d.endpoint)
    else
      redis.call('zrem', lease, id)
    end
  end
end
`;

/** A full Redis refuses such a script before it begins, so that it runs as a whole or not at all. */
export const adding = (text: string): Script => createScript(`#!lua\n${common}${text}`);

/** Runs even if Redis is full: the script frees room, or records what has happened. */
export const always = (text: string): Script => createScript(`#!lua flags=allow-oom\n${common}${text}`);

export const reading = (text: string): Script => createScript(`#!lua flags=no-writes\n${common}${text}`);
