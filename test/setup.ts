import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import type { TestProject } from "vitest/node";
import { applyPatches } from "../config/patches/apply.ts";
import { installPackage } from "./install-package.ts";

const folders = [
  "ci/",
  "config/operating/",
  "e2e/browser/",
  "openapi/",
  "reports/",
  "sarif/",
  "services/access/oidc/",
  "services/webhooks/verifiers/",
  "surfaces/graphql/clients/",
  "surfaces/mcp/clients/",
];

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
  await installPackages();
  // Beside an executable, which contains the same.
  if (process.env.TEST_EXECUTABLE === undefined) {
    provide("worker", workerFile.href);
    return () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), "penknife-worker-"));
  const bundle = await rolldown({ input: fileURLToPath(workerFile), platform: "node" });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  provide("worker", pathToFileURL(join(folder, "worker.mjs")).href);
  return () => rmSync(folder, { recursive: true });
}

/** Installs the packages of all tests, before any of them: two test files that need the same package run at the same time. */
async function installPackages(): Promise<void> {
  await Promise.all(
    folders.map((folder) =>
      installPackage(fileURLToPath(new URL(folder, import.meta.url))).catch((error: unknown) => {
        // Without a network, only the tests that need the package fail.
        process.stderr.write(`test/${folder} was not installed: ${(error as Error).message}\n`);
      }),
    ),
  );
}

// `make test` does it beside the build, which applies the patches itself.
if (import.meta.main) await installPackages();
