import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endSubscription, gql, type Graph, openGraph } from "../../../../src/surfaces/web/page/graph.ts";

const query = gql("query Who { viewer { operator } }");

/** The WebSocket of a page, as its server drives it. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 1;
  send(): void {}
  close(): void {
    this.dispatchEvent(new Event("close"));
  }
  answer(message: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  }
}

let sockets: FakeSocket[] = [];
let status = 200;
let graph: Graph;

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  status = 200;
  const WebSocket = function (): FakeSocket {
    const made = new FakeSocket();
    sockets.push(made);
    return made;
  };
  vi.stubGlobal("WebSocket", WebSocket);
  vi.stubGlobal("fetch", (_url: URL, { method }: { method: string }) =>
    Promise.resolve(
      method === "GET"
        ? Response.json({ session: {} })
        : Response.json(status === 200 ? { data: {} } : { code: "quota_exceeded" }, { status }),
    ),
  );
  graph = openGraph(new URL("http://127.0.0.1/"));
  graph.subscribe(endSubscription, {}, () => {});
  sockets[0]?.answer({ type: "connection_ack" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a subscription that goes on does not hide that the quota for requests is spent", async () => {
  status = 429;
  await graph.request(query, {}).catch(() => {});
  for (let times = 0; times < 3; times++) {
    sockets[0]?.answer({ type: "next", id: "1", payload: { data: {} } });
    expect(graph.hindrance.value).toBe("quota");
  }
  status = 200;
  await graph.request(query, {});
  expect(graph.hindrance.value).toBe("");
});

test("a page without a new event notices that the server is back", async () => {
  sockets[0]?.close();
  expect(graph.hindrance.value).toBe("away");
  await vi.advanceTimersByTimeAsync(1000);
  expect(sockets).toHaveLength(2);
  sockets[1]?.answer({ type: "connection_ack" });
  expect(graph.hindrance.value).toBe("away");
  await vi.advanceTimersByTimeAsync(1100);
  expect(graph.hindrance.value).toBe("");
});

test("a refused subscription stays refused until one is accepted", async () => {
  sockets[0]?.answer({ type: "error", id: "1", payload: [{ extensions: { code: "quota_exceeded" } }] });
  const seen = new Set<string>();
  const end = graph.hindrance.subscribe((hindrance) => seen.add(hindrance));
  for (let tries = 1; tries < 4; tries++) {
    await vi.advanceTimersByTimeAsync(15_000);
    sockets.at(-1)?.answer({ type: "connection_ack" });
    sockets.at(-1)?.answer({ type: "error", id: "1", payload: [{ extensions: { code: "quota_exceeded" } }] });
    expect(sockets).toHaveLength(tries + 1);
  }
  expect([...seen]).toEqual(["quota"]);
  end();
});

test("says of a lost mutation that it may have happened, and of a lost query only that it is lost", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(graph.request(query, {})).rejects.toThrow(/^The server cannot be reached\.$/);
  await expect(graph.request(gql(" mutation GenerateKey { generateKey { secret } }"), {})).rejects.toThrow(
    /before you try again\.$/,
  );
});
