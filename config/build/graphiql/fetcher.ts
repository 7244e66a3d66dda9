// Sends the requests of GraphiQL. Runs in a browser.

export interface Operation {
  query: string;
  operationName?: string | null;
  variables?: unknown;
}

export interface FetcherOptions {
  /** The headers of the headers editor. */
  headers?: Record<string, string>;
}

export type Result = Record<string, unknown>;
export type Fetcher = (
  operation: Operation,
  options?: FetcherOptions,
) => Promise<Result | AsyncIterableIterator<Result>>;

/**
 * Queries and mutations get one answer, subscriptions an event stream on the same address. The server says which it is:
 * what GraphiQL knows of the document here may be the document before the last key.
 */
export function createFetcher(url: string, fetch: typeof globalThis.fetch): Fetcher {
  return async (operation, { headers } = {}) => {
    const abort = new AbortController();
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: accepted, ...headers },
        body: JSON.stringify(operation),
        // Only the headers editor provides credentials.
        credentials: "omit",
        cache: "no-store",
        signal: abort.signal,
      });
      const type = response.headers.get("content-type") ?? "";
      if (response.body !== null && type.startsWith("text/event-stream"))
        return subscription(readEvents(response.body), abort);
      const text = await response.text();
      // A body that is not JSON comes from a proxy.
      return type.includes("json") ? parse(text) : failed(`HTTP ${response.status}: ${text.slice(0, 500)}`);
    } catch (error) {
      return failed((error as Error).message);
    }
  };
}

const accepted = "application/json, text/event-stream";

/** An iterator of its own and no generator: `return` of a generator that waits for an event would wait as well. */
function subscription(
  results: AsyncGenerator<Result, void>,
  abort: AbortController,
): AsyncIterableIterator<Result> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        return await results.next();
      } catch (error) {
        if (abort.signal.aborted) return { done: true, value: undefined };
        return { done: false, value: failed((error as Error).message) };
      }
    },
    return() {
      abort.abort();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

/** The distinct-connections mode of GraphQL over SSE: `next` with a result each, then `complete`. */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Result, void> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${text}`.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const { event, data } = parseEvent(block);
      if (event === "complete") return;
      if (event === "next") yield parse(data);
    }
  }
  yield failed("The connection ended before the subscription did. Run it again.");
}

/** HTML Standard §9.2.6, for what the protocol above uses of it. */
function parseEvent(block: string): { event: string; data: string } {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^(event|data):? ?(.*)$/s.exec(line) ?? [];
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return { event, data: data.join("\n") };
}

/** Keeps the digits of numbers that a double cannot hold, where the browser can write them again. */
function parse(text: string): Result {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  if (rawJSON === undefined) return JSON.parse(text) as Result;
  const keep = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined && context.source !== String(value)
      ? rawJSON(context.source)
      : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown) as Result;
}

const failed = (message: string): Result => ({ errors: [{ message }] });
