import { H3, readBody, serve } from "h3";
import { pino } from "pino";
import { format, hostname, path, port } from "./work.ts";

/** A plain h3 server with pino as its request log: no key, no limit. */
const log = pino();

const app = new H3({
  onRequest: (event) => {
    event.context.start = performance.now();
  },
  onResponse: (response, event) => {
    log.info(
      {
        method: event.req.method,
        path: event.url.pathname,
        status: response.status,
        ms: performance.now() - (event.context.start as number),
      },
      "request completed",
    );
  },
});

app.post(path, async (event) => {
  const { data } = (await readBody<{ data: string }>(event)) ?? { data: "" };
  return { result: format(data) };
});

serve(app, { port, hostname, silent: true });
