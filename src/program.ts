import type { Catalog } from "./catalog/catalog.ts";
import type { PipelineFolder } from "./catalog/pipelines.ts";
import { defined } from "./lib/defined.ts";
import type { Program } from "./surfaces/cli/host.ts";
import { findPipelines } from "./surfaces/cli/pipeline-folder.ts";

/**
 * The calls of a command are all its user's, so none is refused because a busy machine starts a worker slowly. A timer
 * of Node runs for 24.8 days at most.
 */
const maxTimerMs = 2 ** 31 - 1;

/** The parts of the process that the commands do not pass on themselves. */
export interface ProgramDeps {
  /** Writes whole lines of a server's log; a returned promise applies back-pressure. */
  writeLog(lines: string): void | Promise<unknown>;
  /** Returns whether the log goes to a terminal. */
  logIsTTY(): boolean;
  /** Returns the bytes of memory that this process occupies. */
  resident(): number;
}

/**
 * Implements the commands. Each part is loaded on first use, so that `penknife run` does not load the server and
 * `penknife serve` does not load the tools of the command line.
 */
export function createProgram({ writeLog, logIsTTY, resident }: ProgramDeps): Program {
  return {
    async loadConfig(sources) {
      const { loadConfig } = await import("./config.ts");
      return loadConfig({
        ...sources,
        slugs: async () => Object.values((await import("./tools/index.ts")).tools).flatMap(Object.keys),
      });
    },
    findConfigFile: async (sources) => (await import("./config.ts")).findConfigFile(sources),
    isSecret: async (option) => (await import("./options.ts")).isSecret(option),
    catalog,
    schema: async (tools) =>
      (await (await import("./surfaces/graphql/schema/schema.ts")).createSchema(tools)).sdl,
    async createPool({ workers, ...options }) {
      const { createPool } = await import("./services/workers/pool.ts");
      const { workerCommand, workerSource } = await import("./lib/load.ts");
      const command = workerCommand(options.memoryMb);
      return createPool({
        source: workerSource(),
        process: command,
        size: workers,
        maxWaitMs: maxTimerMs,
        ...options,
      });
    },
    async matcher(glob) {
      const { ToolError } = await import("./catalog/errors.ts");
      const { toRuleFinder } = await import("./lib/glob/find-rule.ts");
      const { OptionFault } = await import("./lib/fault.ts");
      try {
        const find = toRuleFinder(glob, "glob", true);
        return (path) => find(path) !== undefined;
      } catch (error) {
        if (!(error instanceof OptionFault)) throw error;
        throw new ToolError("invalid_input", `${glob} is no pattern: ${error.message}`);
      }
    },
    async createApp(settings, host) {
      const { createApp } = await import("./app.ts");
      const { files, runtime, cpu, pid, uid, processors } = host;
      const pipelines = findPipelines(settings.file, files);
      return createApp(settings.config, {
        runtime,
        cpu,
        pid,
        processors,
        ...defined({ uid, pipelines }),
        writeLog,
        logIsTTY: logIsTTY(),
        installation: {
          options: async () => (await import("./surfaces/cli/config.ts")).optionsOf(settings, host),
          examine: async () => (await import("./surfaces/cli/doctor.ts")).examineAll(settings, host),
        },
        async startTrimming() {
          const { openAllocator } = await import("./services/workers/allocator.ts");
          const { startTrimming } = await import("./services/workers/trim.ts");
          const allocator = openAllocator();
          return allocator && startTrimming({ trim: allocator.trim, resident });
        },
      });
    },
    async serveAgent(options, host) {
      const { serveAgent } = await import("./surfaces/mcp/stdio/serve-agent.ts");
      const { createFiles } = await import("./surfaces/cli/files.ts");
      const { version } = await import("./build-info.ts");
      const { env, stdin, stdout, runtime, processors } = host;
      return serveAgent({
        ...options,
        files: createFiles(options.root),
        env,
        width: processors * 2,
        version,
        runtime,
        uniqueName: () => Buffer.from(runtime.random(12)).toString("hex"),
        input: stdin.chunks(),
        write: (lines) => stdout.write(lines),
        sleep: async (ms) => new Promise((resolve) => void setTimeout(resolve, ms).unref()),
      });
    },
    async serveEditor(options, host) {
      const { serveEditor } = await import("./surfaces/lsp/serve-editor.ts");
      const { createFiles } = await import("./surfaces/cli/files.ts");
      const { version } = await import("./build-info.ts");
      const { env, stdin, stdout, runtime } = host;
      return serveEditor({
        ...options,
        openFiles: createFiles,
        env,
        version,
        runtime,
        input: stdin.chunks(),
        write: (bytes) => stdout.write(bytes),
        sleep: async (ms) => new Promise((resolve) => void setTimeout(resolve, ms).unref()),
      });
    },
    build: () => import("./build-info.ts"),
    async licenses() {
      const { executable, readAsset } = await import("./lib/asset.ts");
      return executable ? readAsset("licenses.txt") : undefined;
    },
  };
}

async function catalog(disabled: readonly string[], pipelines?: PipelineFolder): Promise<Catalog> {
  const { openCatalog } = await import("./catalog/open.ts");
  const { tools } = await import("./tools/index.ts");
  return openCatalog(tools, { disabled, pipelines });
}
