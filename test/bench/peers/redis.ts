import { hash } from "node:crypto";
import Fastify from "fastify";
import { Redis } from "ioredis";
import { format, hostname, limit, path, port, windowMs } from "./work.ts";

/**
 * fastify with its own log and the usual code for keys and quotas on Redis: GET the key, INCR the counter, EXPIRE it when it is new. Each
 * command waits for the previous one, because it depends on it.
 */
declare module "fastify" {
  interface FastifyRequest {
    account: string;
  }
}

const redis = new Redis(process.env.BENCH_REDIS ?? "");
const seconds = windowMs / 1000;
const scheme = "Bearer ";

const key = (secret: string): string => `peer:key:${hash("sha256", secret, "hex")}`;
await redis.set(key(process.env.BENCH_KEY ?? ""), "bench");

const fastify = Fastify({ logger: true });

fastify.decorateRequest("account", "");
fastify.addHook("onRequest", async (request, reply) => {
  const { authorization = "" } = request.headers;
  const account = authorization.startsWith(scheme)
    ? await redis.get(key(authorization.slice(scheme.length)))
    : null;
  if (account === null) return reply.code(401).send({ error: "unknown key" });
  request.account = account;
  const counter = `peer:count:${account}`;
  const used = await redis.incr(counter);
  if (used === 1) await redis.expire(counter, seconds);
  reply.header("x-ratelimit-limit", limit).header("x-ratelimit-remaining", Math.max(0, limit - used));
  if (used > limit) return reply.code(429).send({ error: "too many requests" });
});

const schema = {
  body: {
    type: "object",
    required: ["data"],
    properties: { data: { type: "string" } },
    additionalProperties: false,
  },
  response: { 200: { type: "object", properties: { result: { type: "string" } } } },
};

fastify.route<{ Body: { data: string } }>({
  method: "POST",
  url: path,
  schema,
  handler: async (request) => ({ result: format(request.body.data) }),
});

await fastify.listen({ port, host: hostname });
