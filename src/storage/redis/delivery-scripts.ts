import { adding, always } from "./delivery-lua.ts";

/**
 * KEYS[17] is the mark of the store, if it lies on the same server. ARGV: event, type, account, body, name of `once`, milliseconds of `once`,
 * 1 if urgent, then delivery and endpoint alternating.
 */
export const add = adding(`
if KEYS[17] and redis.call('exists', KEYS[17]) == 0 then return 'emptied' end
local event, account = ARGV[6], ARGV[8]
if redis.call('hget', events, event) then return 0 end
if ARGV[10] ~= '' then
  if tonumber(redis.call('zscore', once, ARGV[10]) or 0) > now then return 0 end
  local left = tonumber(ARGV[11])
  if left > 0 then redis.call('zadd', once, now + left, ARGV[10]) end
end
if #ARGV < 13 then return 0 end
local ids = {}
for i = 13, #ARGV, 2 do
  local id, endpoint, order = ARGV[i], ARGV[i + 1], stamp()
  ids[#ids + 1] = id
  local d = {event = event, type = ARGV[7], account = account, endpoint = endpoint, state = 'waiting', attempts = 0,
    createdAt = now, since = now, nextAt = now, fence = 0, order = time_text(order)}
  for _, list in ipairs({'*', endpoint, '@' .. account}) do
    redis.call('zadd', log, 0, list .. '/' .. d.order .. '/' .. id)
  end
  redis.call('zadd', wait, order, id)
  line_up(id, d, order)
  put(id, d)
  place(endpoint)
  if ARGV[12] == '1' then redis.call('zadd', urgent, order, id) end
end
redis.call('hset', bodies, event, ARGV[9])
redis.call('hset', events, event, #ids .. ' ' .. table.concat(ids, ' '))
wake()
return now
`);

/**
 * ARGV: most claims, milliseconds of the lease; then, if accounts share, the most per account, and accounts with their
 * deliveries in progress, alternating. Returns for each claim the id, the fence, the body and the delivery.
 */
export const claim = always(`
reclaim()
for _, endpoint in ipairs(redis.call('zrangebyscore', later, '-inf', now, 'limit', 0, 200)) do place(endpoint) end
local count, found, most, has, passed = tonumber(ARGV[6]), {}, tonumber(ARGV[8] or math.huge), {}, {}
for i = 9, #ARGV, 2 do has[ARGV[i]] = tonumber(ARGV[i + 1]) end
local function take(id, d, is_urgent)
  local body = redis.call('hget', bodies, d.event)
  if not body then
    finish(id, d, 'failed', 'Its event is not in the store any more.')
    return true
  end
  if not is_urgent and (has[d.account] or 0) >= most then return false end
  has[d.account] = (has[d.account] or 0) + 1
  local shown = cjson.encode(d)
  step_out(id, d)
  redis.call('zadd', lease, now + ARGV[7], id)
  redis.call('zadd', run, 0, d.endpoint .. '/' .. id)
  d.fence = d.fence + 1
  put(id, d)
  found[#found + 1] = {id, d.fence, body, shown}
  return true
end
while #found < count do
  local id = redis.call('zrange', urgent, 0, 0)[1]
  if not id then break end
  redis.call('zrem', urgent, id)
  local d = get(id)
  if d and d.at then
    take(id, d, true)
    place(d.endpoint)
  end
end
for _ = 1, count * 2 + 100 do
  local endpoint = #found < count and redis.call('zrange', turn, 0, 0)[1]
  if not endpoint then break end
  redis.call('zrem', turn, endpoint)
  local first, taken = firsts(due, endpoint, 1)[1], true
  if first and time_of(first) < now + 1 then
    local id = id_of(first)
    local d = get(id)
    if d then taken = take(id, d) else redis.call('zrem', due, first) end
  end
  place(endpoint)
  if not taken then
    if passed[endpoint] then break end
    passed[endpoint] = true
  end
end
return found
`);

/**
 * ARGV: delivery, fence, state, milliseconds until it is due again, reason, attempt as JSON or empty, its outcome, its
 * time, a name for this settlement. A repetition under the same name changes nothing: a caller without an answer
 * repeats it. Returns the failures of the endpoint and since when.
 */
export const settle = always(`
local id, fence, result, outcome, name = ARGV[6], ARGV[7], ARGV[8], ARGV[12], ARGV[14]
local d = get(id)
if not d or (d.fence ~= tonumber(fence) and d.settled ~= name) then return false end
local h = health(d.endpoint)
if d.settled ~= name then
  if d.state ~= 'waiting' then return false end
  if ARGV[11] ~= '' then
    local before = redis.call('hget', attempts, id)
    redis.call('hset', attempts, id, before and before .. '\\n' .. ARGV[11] or ARGV[11])
    d.attempts = d.attempts + 1
    if outcome == 'ok' then
      h.failures, h.failingSince, h.failedAt = nil, nil, nil
    else
      h.failures, h.failingSince, h.failedAt = (h.failures or 0) + 1, h.failingSince or tonumber(ARGV[13]), now
    end
    note(d.endpoint, h)
  end
  d.settled = name
  if result == 'waiting' then
    leave(id, d)
    step_out(id, d)
    d.nextAt, d.fence = now + ARGV[9], d.fence + 1
    line_up(id, d, d.nextAt)
    put(id, d)
  else
    finish(id, d, result, ARGV[10])
  end
  place(d.endpoint)
  if ARGV[11] == '' then wake() end
end
return {h.failures or 0, h.failingSince}
`);
