import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { TestProject } from "vitest/node";
import { throwing } from "../../config/build/guards.ts";
import { applyPatches } from "../../config/patches/apply.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the code of worker threads (`test/support/worker-source.ts`). */
    worker: string;
    /** A server of the executable that TEST_EXECUTABLE names, which `test/unit/tools/run-tool.ts` calls; undefined without one. */
    toolServer: { url: string; key: string } | undefined;
  }
}

const workerFile = new URL("../../src/worker.ts", import.meta.url);

/** Runs once, before the first test. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void> | void> {
  applyPatches();
  // Beside an executable, which contains the same.
  if (process.env.TEST_EXECUTABLE === undefined) {
    provide("worker", workerFile.href);
    provide("toolServer", undefined);
    return () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), "penknife-worker-"));
  const bundle = await rolldown({
    tsconfig: false,
    input: fileURLToPath(workerFile),
    platform: "node",
    transform: { define: throwing },
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  provide("worker", pathToFileURL(join(folder, "worker.mjs")).href);
  const server = await serveTools(process.env.TEST_EXECUTABLE);
  provide("toolServer", server.given);
  return async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  };
}

async function serveTools(executable: string) {
  const { emptyFolder, issueKey, serve } = await import("../system/e2e/harness.ts");
  const folder = emptyFolder();
  const env = { PENKNIFE_TOOLS_DEADLINE_MS: "300000", PENKNIFE_LOG_LEVEL: "error" };
  const server = await serve(folder.path, env, [], () => {}, [executable]);
  const key = await issueKey(folder.path, "tests", "team", ["--limit", "100000000"]);
  return {
    given: { url: server.url, key },
    async close() {
      await server.stop();
      folder.remove();
    },
  };
}
