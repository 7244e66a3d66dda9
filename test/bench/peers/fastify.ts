import rateLimit from "@fastify/rate-limit";
import Fastify from "fastify";
import { accountOf } from "./keys.ts";
import { format, hostname, limit, path, port, windowMs } from "./work.ts";

/** fastify with its own log, a key check, @fastify/rate-limit and the schemas that its documentation recommends. */
declare module "fastify" {
  interface FastifyRequest {
    account: string;
  }
}

const fastify = Fastify({ logger: true });

fastify.decorateRequest("account", "");
fastify.addHook("onRequest", async (request, reply) => {
  const account = accountOf(request.headers.authorization);
  if (account === undefined) return reply.code(401).send({ error: "unknown key" });
  request.account = account;
});

await fastify.register(rateLimit, {
  max: limit,
  timeWindow: windowMs,
  keyGenerator: (request) => request.account,
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
