import type { Call } from "../../../../src/catalog/execute.ts";
import { openPort } from "../../../../src/worker-port.ts";

// A worker that does what the slug says: things that no tool does.
const port = openPort();
const reply = (body: string): void => port.send({ kind: "answer", answer: { body } });

/** The compiler removes a value that is never read. */
export const kept: unknown[] = [];

const acts: Record<string, (call: Call) => void | Promise<void>> = {
  exit: () => process.exit(7),
  abort: () => process.abort(),
  hang: () => {
    for (;;);
  },
  /** Ends as late as `hang`, and takes no CPU time from the subject of the test. */
  stall: () => new Promise(() => setInterval(() => {}, 60_000)),
  heap: () => {
    for (;;) kept.push({ a: [kept.length] });
  },
  text: () => {
    const text = JSON.stringify("\u0001".repeat(20_000_000));
    while (text.length > 0);
  },
  throw: () => failOutside(new Error("thrown outside of a call")),
  buffer: () => failOutside(new RangeError("Array buffer allocation failed")),
  reject: () => {
    void Promise.reject(new Error("rejected outside of a call"));
    return new Promise(() => {});
  },
  async sleep() {
    await new Promise((resolve) => setTimeout(resolve, 100));
    reply("slept");
  },
  env: () => reply(JSON.stringify(process.env)),
};

port.serve(async (request) => {
  if (request.kind === "call") await acts[request.call.slug]?.(request.call);
});

const failOutside = (error: Error): Promise<void> =>
  new Promise(() =>
    setImmediate(() => {
      throw error;
    }),
  );
