import type { Config } from "./config.ts";
import type { Program } from "./surfaces/cli/host.ts";

/** What of the process the commands do not hand on themselves. */
export interface ProgramDeps {
  /** Takes the log of a server, whole lines at a time; a promise asks for patience. */
  writeLog(lines: string): void | Promise<unknown>;
  /** Whether the log goes to a person's terminal. */
  logIsTTY: boolean;
}

/**
 * Puts the house behind the command line. Each part is evaluated when a command first asks for it: what serves HTTP
 * costs nothing to `penknife run`, and the other way round.
 */
export function createProgram({ writeLog, logIsTTY }: ProgramDeps): Program {
  return {
    loadConfig: async (sources) => (await import("./config.ts")).loadConfig(sources),
    secretOptions: async () => (await import("./config.ts")).secretOptions,
    async catalog(disabled) {
      const { createCatalog } = await import("./catalog/catalog.ts");
      const { tools } = await import("./tools/index.ts");
      return createCatalog(tools, disabled);
    },
    async createPool({ workers, ...options }) {
      const { createPool } = await import("./services/workers/pool.ts");
      const { workerSource } = await import("./lib/load.ts");
      return createPool({ source: workerSource(), size: workers, ...options });
    },
    async createApp(settings, { now, monotonic, random, pid, uid, processors }) {
      const { createApp } = await import("./app.ts");
      return createApp(settings.config as Config, {
        now,
        monotonic,
        random,
        pid,
        processors,
        ...(uid !== undefined && { uid }),
        writeLog,
        logIsTTY,
      });
    },
    build: () => import("./build-info.ts"),
    async licenses() {
      const { executable, readAsset } = await import("./lib/asset.ts");
      return executable ? readAsset("licenses.txt") : undefined;
    },
  };
}
