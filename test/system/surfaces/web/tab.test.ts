import { afterAll, expect, test, vi } from "vitest";

interface Tab {
  run(call: { slug: string }, signal?: AbortSignal): Promise<{ body: string }>;
}

/** Loads a module whose types need those of browsers, which this project does not have. */
const load = async (path: string): Promise<unknown> => import(/* @vite-ignore */ path);

interface Started extends EventTarget {
  kinds: string[];
  isEnded: boolean;
}
const started: Started[] = [];

/** A worker that is ready at once; what it answers is up to the test. */
function createWorker(): Started {
  const worker = Object.assign(new EventTarget(), {
    kinds: [] as string[],
    isEnded: false,
    postMessage({ kind }: { kind: string }) {
      worker.kinds.push(kind);
      if (kind === "start") say(worker, { kind: "ready" });
    },
    terminate() {
      worker.isEnded = true;
    },
  });
  started.push(worker);
  return worker;
}

const say = (worker: Started, data: object): boolean =>
  worker.dispatchEvent(new MessageEvent("message", { data }));
const called = (at: number): Promise<void> =>
  vi.waitFor(() => expect(started[at]?.kinds).toContain("call"), { interval: 1 });

const origin = "http://penknife.test";
vi.stubGlobal("location", { origin, href: `${origin}/` });
vi.stubGlobal("document", { documentElement: { dataset: { tab: "tab.json" } } });
vi.stubGlobal(
  "Worker",
  // Called with new, which an arrow function does not allow.
  function Worker() {
    return createWorker();
  },
);
vi.stubGlobal("fetch", async (url: URL) =>
  url.pathname.endsWith("tab.json")
    ? Response.json({
        loader: "tab-loader-x.js",
        entry: "entry",
        requirements: { entry: [], one: [] },
        tools: { "json-formatter": { script: "one" } },
      })
    : new Response(""),
);
afterAll(() => vi.unstubAllGlobals());

test("what a stopped worker still says is not taken for what its successor says", async () => {
  const { openTab } = (await load("../../../../src/surfaces/web/page/tab/tab.ts")) as {
    openTab(root: URL): Tab;
  };
  const tab = openTab(new URL(`${origin}/`));
  const stop = new AbortController();
  const first = tab.run({ slug: "json-formatter" }, stop.signal);
  await called(0);
  const second = tab.run({ slug: "json-formatter" });
  stop.abort();
  await expect(first).rejects.toThrow("Stopped");
  expect(started[0]?.isEnded).toBe(true);
  const [stopped] = started;
  if (stopped === undefined) throw new Error("no worker was started");
  // A browser reports that a script could not be loaded because its worker is being terminated.
  const failure = Object.assign(new Event("error"), { message: "NetworkError" });
  await vi.waitFor(() => expect(started).toHaveLength(2), { interval: 1 });
  stopped.dispatchEvent(failure);
  await called(1);
  stopped.dispatchEvent(failure);
  say(stopped, { kind: "answer", answer: { body: "late" } });
  const [, running] = started;
  if (running === undefined) throw new Error("no second worker was started");
  expect(running.isEnded).toBe(false);
  say(running, { kind: "answer", answer: { body: "right" } });
  expect(await second).toEqual({ body: "right" });
  expect(started).toHaveLength(2);

  const third = tab.run({ slug: "json-formatter" });
  await vi.waitFor(() => expect(running.kinds.filter((kind) => kind === "call")).toHaveLength(2), {
    interval: 1,
  });
  running.dispatchEvent(failure);
  await expect(third).rejects.toThrow("The tool failed in this tab: NetworkError");
  expect(running.isEnded).toBe(true);
});
