import { adding, always } from "./delivery-lua.ts";

/**
 * ARGV: mark of the store, event, type, account, body, name of `once`, milliseconds of `once`, 1 if urgent, then
 * delivery and endpoint alternating.
 */
export const add = adding(`
if ARGV[5] ~= '' and redis.call('exists', ARGV[5]) == 0 then return 'emptied' end
local event = base .. 'e:' .. ARGV[6]
if redis.call('exists', event) == 1 then return 0 end
if ARGV[10] ~= '' then
  local once = base .. 'once:' .. ARGV[10]
  if tonumber(redis.call('get', once) or 0) > now then return 0 end
  local left = tonumber(ARGV[11])
  if left > 0 then redis.call('set', once, now + left, 'PX', left) end
end
if #ARGV < 13 then return 0 end
local ids = {}
for i = 13, #ARGV, 2 do
  local id, endpoint, order = ARGV[i], ARGV[i + 1], stamp()
  ids[#ids + 1] = id
  redis.call('hset', base .. 'd:' .. id, 'event', ARGV[6], 'type', ARGV[7], 'account', ARGV[8], 'endpoint', endpoint,
    'state', 'waiting', 'attempts', 0, 'createdAt', now, 'since', now, 'nextAt', now, 'fence', 0)
  redis.call('zadd', base .. 'log', order, id)
  redis.call('zadd', base .. 'log:' .. endpoint, order, id)
  redis.call('zadd', base .. 'log:@' .. ARGV[8], order, id)
  redis.call('zadd', base .. 'wait', order, id)
  redis.call('zadd', base .. 'due:' .. endpoint, order, id)
  place(endpoint)
  if ARGV[12] == '1' then redis.call('zadd', base .. 'urgent', order, id) end
end
redis.call('hset', event, 'body', ARGV[9], 'ids', table.concat(ids, ' '), 'left', #ids)
wake()
return now
`);

/**
 * ARGV: most claims, milliseconds of the lease; then, if accounts share, the most per account, and accounts with their
 * deliveries in progress, alternating. Returns for each claim the id, the fence, the body and the delivery.
 */
export const claim = always(`
reclaim()
for _, endpoint in ipairs(redis.call('zrangebyscore', base .. 'later', '-inf', now, 'limit', 0, 200)) do place(endpoint) end
local count, found, most, has, passed = tonumber(ARGV[5]), {}, tonumber(ARGV[7] or math.huge), {}, {}
for i = 8, #ARGV, 2 do has[ARGV[i]] = tonumber(ARGV[i + 1]) end
local function take(endpoint, id, urgent)
  local d = redis.call('hgetall', base .. 'd:' .. id)
  local named = redis.call('hmget', base .. 'd:' .. id, 'event', 'account')
  local event, account = named[1], named[2] or ''
  local body = event and redis.call('hget', base .. 'e:' .. event, 'body')
  if not body then
    finish(endpoint, id, 'failed', 'Its event is not in the store any more.')
    return true
  end
  if not urgent and (has[account] or 0) >= most then return false end
  has[account] = (has[account] or 0) + 1
  redis.call('zrem', base .. 'due:' .. endpoint, id)
  redis.call('zadd', base .. 'lease', now + ARGV[6], id)
  redis.call('sadd', base .. 'run:' .. endpoint, id)
  found[#found + 1] = {id, redis.call('hincrby', base .. 'd:' .. id, 'fence', 1), body, d}
  return true
end
while #found < count do
  local id = redis.call('zrange', base .. 'urgent', 0, 0)[1]
  if not id then break end
  redis.call('zrem', base .. 'urgent', id)
  local endpoint = redis.call('hget', base .. 'd:' .. id, 'endpoint')
  if endpoint and redis.call('zscore', base .. 'due:' .. endpoint, id) then
    take(endpoint, id, true)
    place(endpoint)
  end
end
for _ = 1, count * 2 + 100 do
  local endpoint = #found < count and redis.call('zrange', base .. 'turn', 0, 0)[1]
  if not endpoint then break end
  redis.call('zrem', base .. 'turn', endpoint)
  local id = redis.call('zrangebyscore', base .. 'due:' .. endpoint, '-inf', '(' .. string.format('%.0f', now + 1), 'limit', 0, 1)[1]
  local taken = not id or take(endpoint, id)
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
local id, fence, state, outcome, name = ARGV[5], ARGV[6], ARGV[7], ARGV[11], ARGV[13]
local d = redis.call('hmget', base .. 'd:' .. id, 'endpoint', 'fence', 'settled', 'state')
local endpoint = d[1]
if not endpoint or (d[2] ~= fence and d[3] ~= name) then return false end
local ep = base .. 'ep:' .. endpoint
if d[3] ~= name then
  if d[4] ~= 'waiting' then return false end
  if ARGV[10] ~= '' then
    redis.call('rpush', base .. 'a:' .. id, ARGV[10])
    redis.call('hincrby', base .. 'd:' .. id, 'attempts', 1)
    if outcome == 'ok' then
      redis.call('hdel', ep, 'failures', 'failingSince', 'failedAt')
    else
      redis.call('hincrby', ep, 'failures', 1)
      redis.call('hsetnx', ep, 'failingSince', ARGV[12])
      redis.call('hset', ep, 'failedAt', now)
    end
  end
  if state == 'waiting' then
    leave(endpoint, id)
    local at = now + ARGV[8]
    redis.call('hset', base .. 'd:' .. id, 'nextAt', at)
    redis.call('hincrby', base .. 'd:' .. id, 'fence', 1)
    redis.call('zadd', base .. 'due:' .. endpoint, at, id)
  else
    finish(endpoint, id, state, ARGV[9])
  end
  redis.call('hset', base .. 'd:' .. id, 'settled', name)
  place(endpoint)
  if ARGV[10] == '' then wake() end
end
local e = redis.call('hmget', ep, 'failures', 'failingSince')
return {e[1] or 0, e[2]}
`);
