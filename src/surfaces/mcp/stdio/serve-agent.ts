import type { Runner } from "../../../catalog/run.ts";
import { lazy } from "../../../lib/lazy.ts";
import { findTool } from "../compact-tools.ts";
import { flatTools } from "../flat-tools.ts";
import { createProtocol, type Method } from "../protocol/protocol.ts";
import { toService } from "../service.ts";
import { type AgentTool, type Caller, toolMethods } from "../tool.ts";
import { type CheckDeps, checkFilesTool } from "./check-tool.ts";
import { runPipelineOnFiles, runToolOnFiles } from "./file-tools.ts";
import { openFolder } from "./folder.ts";
import { serveStdio, type StdioDeps } from "./stdio.ts";

export interface AgentDeps
  extends Omit<CheckDeps, "runner">, Pick<StdioDeps, "input" | "write" | "runtime" | "sleep"> {
  runner: CheckDeps["runner"] & Pick<Runner, "admit">;
  /** Files below this folder, an absolute path, may be read. */
  root: string;
  /** Whether files below it may be written. */
  allowWrite: boolean;
  /** Categories and slugs that become tools of their own; undefined for the tools that stand for all. */
  selection: string | undefined;
  /** A name for a temporary file that no other process uses. */
  uniqueName(): string;
  version: string;
}

/**
 * Serves an agent over standard input and output, until its input ends. Tools are loaded by the first message that needs
 * them: a client waits for the answer to its first one.
 * @throws ToolError invalid_input for a selection of tools that do not exist; the error of the operating system if the root
 * cannot be opened.
 */
export async function serveAgent(deps: AgentDeps): Promise<void> {
  const { catalog, runner, root, uniqueName, selection, version, runtime } = deps;
  const folder = await openFolder({ root, uniqueName });
  const files = { ...deps, folder };

  async function toTools(): Promise<AgentTool[]> {
    const all = await catalog.all();
    const check = checkFilesTool(deps);
    if (selection !== undefined) return [...flatTools(deps, all, selection), check];
    return [runToolOnFiles(files, all), findTool(all), runPipelineOnFiles(files), check];
  }

  const methods = lazy(async () => toolMethods(await toTools(), runtime.now));
  if (selection !== undefined) await methods();
  const lazily =
    (name: string): Method<Caller> =>
    async (request, peer) =>
      ((await methods())[name] as Method<Caller>)(request, peer);
  const protocol = createProtocol({
    ...toService([], { version, isPublic: false, runtime }),
    methods: { "tools/list": lazily("tools/list"), "tools/call": lazily("tools/call") },
  });
  await serveStdio({ ...deps, protocol, admit: async () => runner.admit({ kind: "local" }) });
}
