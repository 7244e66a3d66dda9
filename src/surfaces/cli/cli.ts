import { type ArgsDef, runCommand } from "citty";
import { checkArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import type { Host } from "./host.ts";
import { findCommand } from "./find-command.ts";
import { reportError } from "./report-error.ts";
import { root } from "./root.ts";
import { usageError } from "./usage-error.ts";
import { versionLine } from "./version-line.ts";

/**
 * Runs one command line. Returns the exit status: 0 success, 1 findings or an invalid document, 2 a usage error,
 * 3 a failure of the service or its store. Never throws.
 */
export async function runCli(argv: readonly string[], given: Host): Promise<number> {
  const env = wantsNoColor(argv) ? { ...given.env, NO_COLOR: "1" } : given.env;
  const host: Host = { ...given, env, line: argv };
  try {
    refuseNodeOptions(host);
    return await dispatch(argv, host);
  } catch (error) {
    return await reportError(error, host);
  }
}

async function dispatch(argv: readonly string[], host: Host): Promise<number> {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
    await host.stdout.write(`${versionLine(await host.program.build())}\n`);
    return 0;
  }
  const found = await findCommand(root, argv, host);
  if (found.help) return showHelp(found.command, found.path, host);
  if (found.command.run === undefined) {
    await showHelp(found.command, found.path, host, true);
    return 2;
  }
  const { command, path } = found;
  const words = command.rewrite?.(found.words) ?? found.words;
  const { help, raw } = checkArguments(words, {
    args: command.args as ArgsDef,
    many: command.many === true,
    repeatable: command.repeatable ?? [],
    twins: command.twins ?? [],
    refused: command.refused ?? {},
    path,
  });
  if (help) return showHelp(command, path, host);
  const { result } = await runCommand(command, { rawArgs: raw, data: host });
  return typeof result === "number" ? result : 0;
}

async function showHelp(command: Command, path: string, host: Host, asError = false): Promise<number> {
  const { renderHelp } = await import("./help.ts");
  const output = asError ? host.stderr : host.stdout;
  await output.write(await renderHelp(command, path, output, host));
  return 0;
}

/**
 * NODE_OPTIONS can load code into this process, open a debugger and lift limits. Only worker processes need it, and
 * they are started with their own value.
 */
function refuseNodeOptions({ env }: Host): void {
  if (!env["NODE_OPTIONS"]) return;
  throw usageError(
    "NODE_OPTIONS is set, and penknife does not run with it. Unset the variable, or start penknife with env -u NODE_OPTIONS.",
  );
}

/** Checked before the line is validated, so that its errors have no colours either. */
function wantsNoColor(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv
    .slice(0, end === -1 ? undefined : end)
    .some((word) => /^--(?:no-color|color=false)$/.test(word));
}
