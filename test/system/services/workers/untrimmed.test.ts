import { expect, test } from "vitest";
import { createApp } from "../../../../src/app.ts";
import { loadConfig } from "../../../../src/config.ts";
import { testRuntime } from "../../../support/runtime.ts";

test("a server whose allocator cannot be opened logs it, and serves", async () => {
  const env = { PENKNIFE_SERVER_PORT: "0", PENKNIFE_STORAGE_DRIVER: "memory", PENKNIFE_LOG_FORMAT: "json" };
  const { config } = await loadConfig({ env, readText: () => undefined, slugs: async () => [] });
  const lines: string[] = [];
  const app = await createApp(config, {
    runtime: testRuntime({ monotonic: () => performance.now() }),
    pid: process.pid,
    processors: 2,
    cpu: () => 0,
    startTrimming: () => Promise.reject(new Error("no malloc_trim")),
    writeLog: (text) => void lines.push(text),
    logIsTTY: false,
    installation: { options: async () => [], examine: async () => [] },
  });
  const listener = await app.listen();
  try {
    const warning = /"level":"warn".*"free memory is not returned to the system".*no malloc_trim/;
    await expect.poll(() => lines.join("")).toMatch(warning);
    expect((await fetch(`${listener.url}/healthz`)).status).toBe(200);
  } finally {
    await listener.close(1000);
    await app.close();
  }
});
