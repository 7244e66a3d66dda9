import { request } from "node:http";
import { createClient } from "graphql-ws";

/** A subscriber with a connection of its own. */
export interface Subscriber {
  /** Resolves when the connection is closed. */
  close(): Promise<void>;
}

export type Way = "WebSocket" | "event stream";

export interface SubscriberOptions {
  origin: string;
  key: string;
  query: string;
  /** The `data` of a result. */
  onData(data: unknown): void;
  /** The reason for which the subscription ended before `close`. */
  onFault(reason: string): void;
}

export const subscribers: Readonly<Record<Way, (options: SubscriberOptions) => Promise<Subscriber>>> = {
  WebSocket: overWebSocket,
  "event stream": overStream,
};

/** The stock client over Node's WebSocket. Resolves when the server has acknowledged the connection. */
async function overWebSocket(options: SubscriberOptions): Promise<Subscriber> {
  const { origin, key, query, onData, onFault } = options;
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let closing = false;
  const client = createClient({
    url: `${origin.replace("http", "ws")}/graphql`,
    connectionParams: { authorization: `Bearer ${key}` },
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: (error) => opened.reject(new Error(describe(error))),
    on: {
      connected: () => opened.resolve(),
      closed: (event) => {
        if (!closing) onFault(`closed ${(event as CloseEvent).code}`);
        closed.resolve();
      },
    },
  });
  await opened.promise;
  client.subscribe(
    { query },
    {
      next: ({ data, errors }) => (errors ? onFault(describe(errors)) : onData(data)),
      error: (error) => !closing && onFault(describe(error)),
      complete: () => !closing && onFault("completed"),
    },
  );
  return {
    async close() {
      closing = true;
      await client.dispose();
      await closed.promise;
    },
  };
}

/** Resolves when the head of the answer has arrived. */
function overStream(options: SubscriberOptions): Promise<Subscriber> {
  const { origin, key, query, onData, onFault } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Subscriber>();
  const closed = Promise.withResolvers<void>();
  let closing = false;
  const outgoing = request(
    `${origin}/graphql`,
    {
      method: "POST",
      agent: false,
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
      },
    },
    (incoming) => {
      if (incoming.statusCode !== 200)
        return reject(new Error(`the stream was refused with status ${incoming.statusCode}`));
      let pending = "";
      incoming.setEncoding("utf8").on("data", (text: string) => {
        const events = (pending + text).split("\n\n");
        pending = events.pop() ?? "";
        for (const event of events) read(event);
      });
      incoming.on("error", () => {});
      incoming.on("close", () => {
        if (!closing) onFault("the stream ended");
        closed.resolve();
      });
      resolve({
        close() {
          closing = true;
          outgoing.destroy();
          return closed.promise;
        },
      });
    },
  );
  outgoing.on("error", reject);
  outgoing.end(JSON.stringify({ query }));

  function read(event: string): void {
    const fields = new Map(
      event.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
    );
    if (fields.get("event")?.trim() !== "next") return;
    const { data, errors } = JSON.parse(fields.get("data") ?? "") as { data: unknown; errors?: unknown };
    if (errors === undefined) onData(data);
    else onFault(describe(errors));
  }

  return promise;
}

const describe = (reason: unknown): string =>
  reason instanceof Error
    ? reason.message
    : reason !== null && typeof reason === "object" && "code" in reason
      ? `closed ${String(reason.code)}`
      : JSON.stringify(reason);
