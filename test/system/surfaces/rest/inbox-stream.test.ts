import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { InboxServiceDeps } from "../../../../src/services/inbox/service.ts";
import { StoreError } from "../../../../src/storage/errors.ts";
import { type Harness, type HarnessOptions, openHarness, openRaw } from "../harness.ts";

let app: Harness;
afterEach(() => app.close());

interface Event {
  id: string;
  n: number;
  signature: string;
}

async function begin(inbox: Partial<InboxServiceDeps> = {}, options: HarnessOptions = {}) {
  app = await openHarness({ ...options, inbox: { perMinute: 100_000, ...inbox } });
  const key = await app.key("team");
  const authorization = `Bearer ${key}`;
  const made = await app.post("/api/inboxes", "{}", { authorization });
  const { id } = (await made.json()) as { id: string };
  const path = `/api/inboxes/${id}/messages`;
  const send = async (n: number, type = "t"): Promise<void> => {
    const response = await app.post(`/inbox/${id}`, JSON.stringify({ n, type }));
    expect(response.status).toBe(200);
  };
  /** A reader of the stream, which stays until it is closed. */
  const follow = async (query = "", headers: Record<string, string> = {}) => {
    const leaving = new AbortController();
    const response = await app.get(path + query, {
      headers: { authorization, accept: "text/event-stream", ...headers },
      signal: leaving.signal,
    });
    const events: Event[] = [];
    let text = "";
    let over = false;
    const reading = (async () => {
      try {
        for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
          text += Buffer.from(chunk).toString();
          for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
            const found = /^id: (.*)\nevent: message\ndata: (.*)$/.exec(text.slice(0, end));
            text = text.slice(end + 2);
            if (found === null) continue;
            const item = JSON.parse(found[2] as string) as { id: string; body: string; signature: string };
            expect(item.id).toBe(found[1]);
            events.push({
              ...(JSON.parse(item.body) as { n: number }),
              id: item.id,
              signature: item.signature,
            });
          }
        }
      } catch {
        // Whether the stream was cut off or closed.
      }
      over = true;
    })();
    return {
      response,
      events,
      numbers: () => events.map(({ n }) => n),
      isOver: () => over,
      async leave() {
        leaving.abort();
        await reading;
      },
    };
  };
  return { id, key, authorization, path, send, follow };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test("a stream sends stored messages, then new ones as they arrive", async () => {
  const { send, follow } = await begin();
  await send(0);
  await send(1);
  const reader = await follow();
  expect(reader.response.status).toBe(200);
  expect(reader.response.headers.get("content-type")).toBe("text/event-stream");
  expect(reader.response.headers.get("cache-control")).toBe("no-store");
  expect(reader.response.headers.get("x-accel-buffering")).toBe("no");
  expect(reader.response.headers.has("ratelimit")).toBe(true);
  await expect.poll(reader.numbers).toEqual([0, 1]);
  await send(2);
  await expect.poll(reader.numbers).toEqual([0, 1, 2]);
  await Promise.all(upTo(20).map((n) => send(n + 3)));
  await expect.poll(() => reader.numbers().toSorted((a, b) => a - b)).toEqual(upTo(23));
  expect(reader.events[0]?.signature).toBe("unchecked");
  await reader.leave();
  await expect.poll(() => app.http.inFlight()).toBe(0);
});

test("a stream can start with new messages, and be limited to one type", async () => {
  const { send, follow } = await begin();
  await send(0, "a");
  const fresh = await follow("?after=newest");
  const typed = await follow("?type=b");
  for (let n = 1; n < 7; n++) await send(n, n % 2 ? "a" : "b");
  await expect.poll(fresh.numbers).toEqual([1, 2, 3, 4, 5, 6]);
  await expect.poll(typed.numbers).toEqual([2, 4, 6]);
  await Promise.all([fresh.leave(), typed.leave()]);
});

test("a stream of an empty inbox starts with the first message that arrives", async () => {
  const { send, follow } = await begin();
  const reader = await follow("?after=newest");
  await send(0);
  await expect.poll(reader.numbers).toEqual([0]);
  await reader.leave();
});

test("a client that reconnects with Last-Event-ID receives each message exactly once", async () => {
  const { send, follow } = await begin();
  const total = 200;
  let sent = 0;
  const sending = (async () => {
    while (sent < total) await Promise.all(upTo(4).map(async () => send(sent++)));
  })();
  const seen: Event[] = [];
  let last = "";
  for (let round = 0; seen.length < total; round++) {
    const reader = await follow(
      "?after=newest",
      last === "" ? { "last-event-id": "msg_0" } : { "last-event-id": last },
    );
    if (round === 0) {
      // An invalid id is ignored; the query says where to start.
      await reader.leave();
      last = "msg_00000000-0000-0000-0000-000000000000";
      continue;
    }
    const wanted = Math.min(total - seen.length, 1 + ((round * 7) % 23));
    await expect.poll(() => reader.events.length, { interval: 5 }).toBeGreaterThanOrEqual(wanted);
    // Cut off in the middle, whatever had arrived by then.
    await reader.leave();
    seen.push(...reader.events);
    last = seen.at(-1)?.id ?? "";
  }
  await sending;
  expect(new Set(seen.map(({ id }) => id)).size).toBe(total);
  expect(seen).toHaveLength(total);
  expect(seen.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(upTo(total));
});

test("a stream ends when its key is revoked or its account is disabled", async () => {
  const { authorization, key, id, send, follow } = await begin();
  const account = (await app.store.inboxes.get(id.slice(3)))?.account as string;
  const ends: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ["disabled", () => app.accounts.disable(account), () => app.accounts.enable(account)],
    ["revoked", () => app.keys.revoke(key), async () => {}],
  ];
  for (const [name, stop, undo] of ends) {
    const reader = await follow("?after=newest");
    await send(1);
    await expect.poll(reader.numbers).toEqual([1]);
    await stop();
    await expect.poll(reader.isOver, { message: name }).toBe(true);
    await undo();
  }
  const refused = await follow();
  expect(refused.response.status).toBe(401);
  await refused.leave();
  expect(authorization).toContain(key);
});

test("a stream ends with its inbox", async () => {
  const { authorization, id, follow } = await begin();
  const reader = await follow();
  await app.get(`/api/inboxes/${id}`, { method: "DELETE", headers: { authorization } });
  await expect.poll(reader.isOver).toBe(true);
  await expect.poll(() => app.http.inFlight()).toBe(0);
});

test("a server that shuts down does not wait for streams", async () => {
  const { follow } = await begin();
  const readers = await Promise.all(upTo(5).map(() => follow()));
  const start = performance.now();
  await app.listener.close(600_000);
  expect(performance.now() - start).toBeLessThan(60_000);
  await expect.poll(() => readers.every((one) => one.isOver())).toBe(true);
});

test("an account has at most 32 streams, and one that ends makes room", async () => {
  const { follow } = await begin();
  const readers = await Promise.all(upTo(32).map(() => follow()));
  expect(readers.map(({ response }) => response.status)).toEqual(upTo(32).map(() => 200));
  const refused = await follow();
  expect(refused.response.status).toBe(503);
  expect(refused.response.headers.get("retry-after")).toBe("5");
  await readers[0]?.leave();
  await expect
    .poll(async () => {
      const again = await follow();
      await again.leave();
      return again.response.status;
    })
    .toBe(200);
  await Promise.all(readers.map((one) => one.leave()));
});

test("a reader that stops reading is cut off, and holds one message meanwhile", async () => {
  const { authorization, path, id } = await begin({}, { timeouts: { write: 400, sweep: 50 } });
  const socket = connect(app.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\nX-Request-Id: deaf\r\n\r\n`,
  );
  await expect.poll(() => app.http.inFlight()).toBe(1);
  const received = await app.store.inbox();
  const { read } = received;
  let reads = 0;
  received.read = (inbox, options) => {
    reads += 1;
    return read(inbox, options);
  };
  for (let n = 0; n < 40; n++) {
    const response = await app.post(`/inbox/${id}`, "x".repeat(1_000_000));
    if (response.status !== 200) throw new Error(await response.text());
  }
  await expect
    .poll(() => app.logged().find(({ requestId }) => requestId === "deaf")?.outcome)
    .toBe("cancelled");
  // At most what the kernel buffers took.
  expect(reads).toBeLessThan(35);
  expect(app.http.inFlight()).toBe(0);
  socket.destroy();
});

test("a slow but steady reader receives large messages whole", async () => {
  const { authorization, path, id } = await begin({}, { timeouts: { write: 3000, sweep: 50 } });
  // Six megabytes of JSON each, for which this reader takes longer than the limit for one slice.
  for (let n = 0; n < 2; n++) await app.post(`/inbox/${id}`, Buffer.alloc(1_000_000, 1));
  const socket = connect(app.port, "127.0.0.1");
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  let bytes = 0;
  let over = false;
  socket.on("close", () => (over = true));
  socket.on("data", (chunk) => {
    bytes += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 40);
  });
  await expect.poll(() => bytes > 12_000_000 || over).toBe(true);
  expect(over).toBe(false);
  socket.destroy();
  await expect.poll(() => app.http.inFlight()).toBe(0);
});

test("large messages are sent to at most four readers of an account at a time, and other readers do not wait for them", async () => {
  const { authorization, path, id, follow } = await begin({}, { timeouts: { write: 60_000, ping: 300 } });
  // Six megabytes of JSON: more than the kernel buffers take.
  for (let n = 0; n < 2; n++) await app.post(`/inbox/${id}`, Buffer.alloc(1_000_000, 1));
  const deaf = await Promise.all(
    upTo(4).map(async () => {
      const raw = openRaw(
        app.port,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`,
      );
      await raw.until("event: message");
      raw.socket.pause();
      return raw;
    }),
  );
  const fifth = openRaw(
    app.port,
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  // Keep-alives keep the waiting stream open.
  expect(await fifth.until(": ping")).not.toContain("event: message");
  const small = await follow("?after=newest");
  await app.post(`/inbox/${id}`, '{"n":1}');
  await expect.poll(() => small.numbers()).toEqual([1]);
  deaf[0]?.socket.destroy();
  await fifth.until("event: message");
  await small.leave();
  for (const { socket } of [...deaf, fifth]) socket.destroy();
  await expect.poll(() => app.http.inFlight()).toBe(0);
});

test("a queued large message is dropped as soon as its key is revoked", async () => {
  const { authorization, path, id, key } = await begin({}, { timeouts: { write: 60_000 } });
  for (let n = 0; n < 2; n++) await app.post(`/inbox/${id}`, Buffer.alloc(1_000_000, 1));
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`;
  const readers = upTo(6).map(() => openRaw(app.port, request));
  for (const { socket } of readers) socket.pause();
  await expect.poll(() => app.http.inFlight()).toBe(6);
  await app.keys.revoke(key);
  await expect.poll(() => app.http.inFlight()).toBe(0);
  for (const { socket } of readers) socket.destroy();
});

test("an idle stream sends keep-alives for proxies", async () => {
  const { authorization, path } = await begin({}, { timeouts: { ping: 300 } });
  const raw = openRaw(
    app.port,
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  await raw.until("retry: 1000\n\n");
  expect((await raw.until(": ping\n\n\r\n")).match(/: ping/g)).toHaveLength(1);
  await raw.until(": ping\n\n\r\n8\r\n: ping");
  raw.socket.destroy();
  await expect.poll(() => app.http.inFlight()).toBe(0);
});

test("a stream ends when the store fails, without the reason", async () => {
  const { send, follow } = await begin();
  const reader = await follow();
  await send(0);
  await expect.poll(reader.numbers).toEqual([0]);
  const received = await app.store.inbox();
  const { read } = received;
  received.read = () => Promise.reject(new StoreError("read", "/secret/path"));
  await send(1);
  await expect.poll(reader.isOver).toBe(true);
  expect(app.logged().some(({ outcome }) => outcome === "storage_unavailable")).toBe(true);
  received.read = read;
  const again = await follow("", { "last-event-id": reader.events[0]?.id as string });
  await expect.poll(again.numbers).toEqual([1]);
  await again.leave();
});

test("HEAD of a stream ends at once", async () => {
  const { authorization, path } = await begin();
  const response = await app.get(path, {
    method: "HEAD",
    headers: { authorization, accept: "text/event-stream" },
  });
  expect(response.status).toBe(200);
  expect(app.http.inFlight()).toBe(0);
});
