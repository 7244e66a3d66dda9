import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { logger } from "hono/logger";
import { rateLimiter } from "hono-rate-limiter";
import { accountOf } from "./keys.ts";
import { format, hostname, limit, path, port, windowMs } from "./work.ts";

/** hono on Node with its own logger, a key check and hono-rate-limiter. */
interface Env {
  Variables: { account: string };
}

const app = new Hono<Env>();

app.use(logger());

app.use(async (context, next) => {
  const account = accountOf(context.req.header("authorization"));
  if (account === undefined) return context.json({ error: "unknown key" }, 401);
  context.set("account", account);
  return next();
});

app.use(rateLimiter<Env>({ windowMs, limit, keyGenerator: (context) => context.get("account") }));

app.post(path, async (context) => {
  const { data } = await context.req.json<{ data: string }>();
  return context.json({ result: format(data) });
});

serve({ fetch: app.fetch, port, hostname });
