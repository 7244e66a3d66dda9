import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { TestProject } from "vitest/node";
import { throwing } from "../config/build/guards.ts";
import { applyPatches } from "../config/patches/apply.ts";
import { installPackages } from "./install-packages.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the code of worker threads (`test/worker-source.ts`). */
    worker: string;
  }
}

const workerFile = new URL("../src/worker.ts", import.meta.url);

/** Runs once, before the first test. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  applyPatches();
  await installPackages().catch((error: unknown) => {
    // Without a network, only the tests that need a package fail.
    process.stderr.write(`${(error as { stderr: string }).stderr}`);
  });
  // Beside an executable, which contains the same.
  if (process.env.TEST_EXECUTABLE === undefined) {
    provide("worker", workerFile.href);
    return () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), "penknife-worker-"));
  const bundle = await rolldown({
    input: fileURLToPath(workerFile),
    platform: "node",
    transform: { define: throwing },
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  provide("worker", pathToFileURL(join(folder, "worker.mjs")).href);
  return () => rmSync(folder, { recursive: true });
}
