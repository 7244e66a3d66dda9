import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const file = new URL("../../../../src/services/workers/process-link.ts", import.meta.url).href;

test("a process that waits for the end of a worker stays alive until its pipes are closed", async () => {
  // The child of the worker keeps the pipes open for a while after the worker was killed.
  const script = `
    import { toProcessLinks } from ${JSON.stringify(file)};
    const { promise, resolve } = Promise.withResolvers();
    const open = toProcessLinks({
      command: "sh",
      args: ["-c", "sleep 0.3 & exec sleep 100"],
      env: { PATH: process.env.PATH },
      memoryMb: 64,
    });
    const link = open({ onMessage() {}, onFailed() {}, onGone: resolve });
    setTimeout(() => link.kill(), 100);
    promise.then(() => console.log("gone"));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module-typescript",
    "-e",
    script,
  ]);
  expect(stdout).toBe("gone\n");
});
