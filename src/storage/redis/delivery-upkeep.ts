import { adding, always, reading } from "./delivery-lua.ts";

/** ARGV: delivery. Leaves a claimed delivery to its holder. */
export const redeliver = adding(`
local id = ARGV[6]
local d = get(id)
if not d then return false end
local order = stamp()
if d.state ~= 'waiting' then
  d.state, d.attempts, d.since, d.endedAt, d.reason = 'waiting', 0, now, nil, nil
  redis.call('zrem', ended, id)
  redis.call('zadd', wait, order, id)
end
local free = not redis.call('zscore', lease, id)
if free then
  d.nextAt = now
  step_out(id, d)
  line_up(id, d, order)
end
put(id, d)
if free then
  place(d.endpoint)
  wake()
end
return cjson.encode(d)
`);

/** ARGV: endpoint, and the milliseconds of the hold, `ever` or 0. */
export const hold = always(`
local endpoint, left = ARGV[6], tonumber(ARGV[7])
local h = health(endpoint)
h.hold = not left and 'ever' or left > 0 and now + left or nil
note(endpoint, h)
place(endpoint)
wake()
`);

/** ARGV: endpoint. */
export const resetHealth = always(`
local h = health(ARGV[6])
h.failures, h.failingSince, h.failedAt = nil, nil, nil
note(ARGV[6], h)
place(ARGV[6])
wake()
`);

/** ARGV: endpoint, reason, most deliveries. Returns the number of deliveries failed. */
export const fail = always(`
local endpoint, count = ARGV[6], 0
for _, members in ipairs({firsts(run, endpoint, each), firsts(due, endpoint, ARGV[8])}) do
  for _, member in ipairs(members) do
    local id = id_of(member)
    local d = get(id)
    if d then
      finish(id, d, 'failed', ARGV[7])
      count = count + 1
    end
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
local most, failed = tonumber(ARGV[9]), 0
for _, id in ipairs(redis.call('zrangebyscore', wait, '-inf', now - ARGV[6], 'limit', 0, most)) do
  local d = get(id)
  if d and not redis.call('zscore', lease, id) then
    finish(id, d, 'failed', ARGV[8])
    place(d.endpoint)
    failed = failed + 1
  end
end
local over = redis.call('zrangebyscore', ended, '-inf', now - ARGV[7], 'limit', 0, most)
for _, id in ipairs(over) do
  local d = get(id)
  redis.call('hdel', deliveries, id)
  redis.call('hdel', attempts, id)
  redis.call('zrem', ended, id)
  if d then
    for _, list in ipairs({'*', d.endpoint, '@' .. d.account}) do
      redis.call('zrem', log, list .. '/' .. d.order .. '/' .. id)
    end
    local left, ids = string.match(redis.call('hget', events, d.event) or '', '^(%d+) (.*)$')
    if tonumber(left or 0) > 1 then
      redis.call('hset', events, d.event, (left - 1) .. ' ' .. ids)
    else
      redis.call('hdel', events, d.event)
      redis.call('hdel', bodies, d.event)
    end
  end
end
redis.call('zremrangebyscore', once, '-inf', now)
return (failed == most or #over == most) and 1 or 0
`);

/** Enters a server among those that are woken. ARGV: its id. */
export const hear = always(`
local ears = redis.call('hget', state, 'ears') or ''
for node in string.gmatch(ears, '%S+') do
  if node == ARGV[6] then return 0 end
end
redis.call('hset', state, 'ears', ears .. ' ' .. ARGV[6])
return 1
`);

/** ARGV: delivery. Returns the delivery, its attempts and its body. */
export const get = reading(`
local d = get(ARGV[6])
if not d then return false end
return {cjson.encode(d), redis.call('hget', attempts, ARGV[6]) or '', redis.call('hget', bodies, d.event)}
`);

/** Returns milliseconds until the next claim is possible; negative if it already is. */
export const next = reading(`
local at = tonumber(redis.call('zrange', later, 0, 0, 'withscores')[2])
if redis.call('exists', urgent) == 1 then return 0 end
local first = redis.call('zrange', turn, 0, 0)[1]
if first then
  local member = firsts(due, first, 1)[1]
  local over = math.min(now, member and gate(first, math.floor(time_of(member))) or now)
  if not at or over < at then at = over end
end
local leases = redis.call('zrange', lease, 0, 99, 'withscores')
for i = 1, #leases, 2 do
  local d = get(leases[i])
  local over = d and gate(d.endpoint, tonumber(leases[i + 1]))
  if over and (not at or over < at) then at = over end
end
return at and at - now
`);

/**
 * Takes over a delivery of an older release, unless that was done before. ARGV: delivery, the delivery as JSON with its place in the logs, its attempts, the
 * event, its body, its number of deliveries and their ids, when it is due, the start of its wait and its end (empty if it does not wait, or has not
 * ended), 1 if it is urgent.
 */
export const adopt = always(`
local id, event = ARGV[6], ARGV[9]
if redis.call('hget', deliveries, id) then return 0 end
local d = cjson.decode(ARGV[7])
for _, list in ipairs({'*', d.endpoint, '@' .. d.account}) do
  redis.call('zadd', log, 0, list .. '/' .. d.order .. '/' .. id)
end
if ARGV[8] ~= '' then redis.call('hset', attempts, id, ARGV[8]) end
if ARGV[10] ~= '' then
  redis.call('hset', bodies, event, ARGV[10])
  redis.call('hset', events, event, ARGV[11])
end
if ARGV[12] ~= '' then line_up(id, d, tonumber(ARGV[12])) end
if ARGV[13] ~= '' then redis.call('zadd', wait, ARGV[13], id) end
if ARGV[14] ~= '' then redis.call('zadd', ended, ARGV[14], id) end
if ARGV[15] == '1' then redis.call('zadd', urgent, tonumber(ARGV[13]), id) end
put(id, d)
place(d.endpoint)
return 1
`);

/** Takes over the health of an endpoint (JSON), unless there is one. ARGV: endpoint, health. */
export const adoptHealth = always(`
redis.call('hsetnx', endpoints, ARGV[6], ARGV[7])
place(ARGV[6])
`);
