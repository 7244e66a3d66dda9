import { totalmem } from "node:os";
import { resolve } from "node:path";
import { ToolError } from "../../catalog/errors.ts";
import { counted } from "../../lib/counted.ts";
import { error, type Finding, type Level, ok } from "../../services/doctor/finding.ts";
import { defineLeaf, jsonArg } from "./command.ts";
import type { LoadedSettings } from "../../config.ts";
import type { Host } from "./host.ts";
import { writeJson } from "./json.ts";
import { listenArgs, loadOperatorSettings, type SettingsArgs } from "./load-settings.ts";
import { createStyle, type Style } from "./style.ts";
import { columnsOf, renderTable, wrap } from "./table.ts";
import { visible } from "./visible.ts";

const marks: Record<Level, string> = { ok: "✓", note: "·", warning: "!", error: "✗" };

export const doctorCommand = defineLeaf({
  description:
    "Check the store, the configuration and the machine, and advise. Changes nothing; exit status 1 if there is an error.",
  args: { ...jsonArg, ...listenArgs },
  examples: [
    "penknife doctor",
    "penknife doctor --json | jq -r '.items[] | select(.level != \"ok\") | .message'",
  ],
  async run(args, host) {
    const findings = await examineWith(args, host);
    if (args.json === true) await writeJson(host, { items: findings });
    else await host.stdout.write(render(findings, host));
    return findings.some(({ level }) => level === "error") ? 1 : 0;
  },
});

/** If the configuration cannot be loaded, that is the only finding. */
async function examineWith(args: SettingsArgs, host: Host): Promise<Finding[]> {
  try {
    return await examineAll(await loadOperatorSettings(args, host), host);
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    return [
      error("configuration", cause.message, "Correct it and run this again: nothing else was checked."),
    ];
  }
}

/** Checks the store, the machine and these settings. */
export async function examineAll(
  { config, file, origins }: Pick<LoadedSettings, "config" | "file" | "origins">,
  host: Host,
): Promise<Finding[]> {
  const { examine } = await import("../../services/doctor/doctor.ts");
  const set = [...origins.values()].filter((origin) => origin !== "default").length;
  const from = file === undefined ? "without a file" : `from ${file}`;
  const path = resolve(host.files.cwd, config.storage.path);
  const found = await examine(
    { ...config, storage: { ...config.storage, path } },
    {
      runtime: host.runtime,
      processors: host.processors,
      totalMemory: totalmem(),
      ...(host.uid !== undefined && { uid: host.uid }),
      readSystem(name) {
        try {
          return host.files.readText(name);
        } catch {
          return undefined;
        }
      },
    },
  );
  return [
    ok("configuration", `The configuration is loaded ${from}, with ${set} of ${origins.size} options set.`),
    ...found,
  ];
}

function render(findings: readonly Finding[], { stdout, env }: Host): string {
  if (!stdout.isTTY)
    return renderTable(
      [],
      findings.map(({ level, check, message, action }) => [level, check, message, action]),
      stdout,
    );
  const style = createStyle(stdout, env);
  const width = Math.max(...findings.map(({ check }) => check.length));
  const room = Math.max(40, columnsOf(stdout) - width - 4);
  const indent = " ".repeat(width + 4);
  const lines = findings.flatMap(({ level, check, message, action }) => [
    ...wrap(visible(message), room).map((line, index) =>
      index === 0 ? `${paint(style, level)(marks[level])} ${check.padEnd(width)}  ${line}` : indent + line,
    ),
    ...(action === "" ? [] : wrap(visible(`→ ${action}`), room).map((line) => indent + style.bold(line))),
  ]);
  return `${[...lines, "", summary(findings)].join("\n")}\n`;
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return `${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}, ${counted(count("note"), "note")}.`;
}

const paint = (style: Style, level: Level) =>
  level === "error"
    ? style.red
    : level === "warning"
      ? style.yellow
      : level === "note"
        ? style.dim
        : (text: string) => text;
