import type { ArgDef, ArgsDef, CommandMeta } from "citty";
import { type Command, globalArgs, type Instead } from "./command.ts";
import { commandsOf } from "./find-command.ts";
import type { Host, Output } from "./host.ts";
import { createStyle } from "./style.ts";
import { wrap } from "./table.ts";
import { visible, visibleLine } from "./visible.ts";

type Row = readonly [left: string, right: string];

/** Everything that can be typed after `path`, aligned, no wider than the terminal. */
export async function renderHelp(
  command: Command,
  path: string,
  output: Output,
  host: Host,
): Promise<string> {
  const style = createStyle(output, host.env);
  const args = (command.args ?? {}) as ArgsDef;
  const commands = await commandsOf(command, host);
  const own = Object.entries(args);
  const positionals = own.filter(([, arg]) => arg.type === "positional");
  const everywhere = new Set<unknown>(Object.values(globalArgs));
  const options = own.filter(([, arg]) => arg.type !== "positional" && !everywhere.has(arg));
  const { instead } = command;
  const sections: [heading: string, rows: Row[]][] = [
    ["Arguments", positionals.map(([name, arg]) => [name.toUpperCase(), describe(arg)])],
    ["Options", options.map(toOptionRow)],
    ["Instead of a tool", instead === undefined ? [] : [await toInsteadRow(instead)]],
  ];
  if (commands !== undefined) {
    const loaded = await Promise.all(
      Object.entries(commands).map(async ([name, load]) => ({ name, command: await load() })),
    );
    const rows = loaded
      .filter(({ command: { meta } }) => (meta as CommandMeta).hidden !== true)
      .map((one): Row => [one.name, descriptionOf(one.command)]);
    sections.push([command.kind === "tool" ? "Tools" : "Commands", rows]);
  }
  sections.push([
    "Everywhere",
    [
      ...Object.entries(globalArgs)
        .filter(([name]) => !Object.hasOwn(command.refused ?? {}, name))
        .map(toOptionRow),
      ["-h, --help", "This page"],
      ...(path === "penknife" ? [["-v, --version", "Version and commit"] as const] : []),
    ],
  ]);

  const left = Math.max(...sections.flatMap(([, rows]) => rows.map(([word]) => word.length)));
  const width = Math.min(output.columns ?? 100, 110);
  const lines = [
    visibleLine(descriptionOf(command)),
    "",
    `${style.bold("Usage:")} ${toUsage(path, command, args)}`,
  ];
  for (const [heading, rows] of sections) {
    if (rows.length === 0) continue;
    lines.push("", style.bold(`${heading}:`));
    for (const [word, text] of rows) {
      const [first = "", ...more] = wrap(visible(text), width - left - 4);
      lines.push(
        `  ${word.padEnd(left)}  ${first}`.trimEnd(),
        ...more.map((line) => " ".repeat(left + 4) + line),
      );
    }
  }
  if (command.examples !== undefined) {
    lines.push("", style.bold("Examples:"), ...command.examples.map((line) => `  ${line}`));
  }
  if (commands !== undefined) {
    lines.push("", `${path} ${command.kind === "tool" ? "TOOL" : "COMMAND"} --help says more.`);
  }
  return `${lines.join("\n")}\n`;
}

export const descriptionOf = (command: Command): string => (command.meta as CommandMeta).description ?? "";

function toUsage(path: string, command: Command, args: ArgsDef): string {
  if (command.subCommands !== undefined) return `${path} ${command.kind === "tool" ? "TOOL" : "COMMAND"} …`;
  const words = Object.entries(args).filter(([, arg]) => arg.type === "positional");
  const required = Object.entries(args).filter(
    ([, arg]) => arg.type !== "positional" && arg.required === true,
  );
  const twins = (command.twins ?? []).filter((pair) => pair.required);
  return [
    path,
    ...required.map(([name, arg]) => `--${name} ${arg.valueHint ?? "VALUE"}`),
    ...twins.map(({ text, file }) => `(--${text} ${args[text]?.valueHint ?? "VALUE"} | --${file} FILE)`),
    "[OPTIONS]",
    ...words.map(([name, arg]) => (arg.required === false ? `[${name.toUpperCase()}]` : name.toUpperCase())),
    ...(command.many === true ? ["…"] : []),
  ].join(" ");
}

async function toInsteadRow({ flag, option, load }: Instead): Promise<Row> {
  const arg = ((await load()).args as ArgsDef)[option];
  return [`${flag}, --${option} ${arg?.valueHint ?? "VALUE"}`, arg?.description ?? ""];
}

function toOptionRow([name, arg]: [string, ArgDef]): Row {
  if (arg.type !== "boolean") return [`--${name} ${arg.valueHint ?? "VALUE"}`, describe(arg)];
  // A switch that is on can only be turned off.
  return arg.default === true
    ? [`--no-${name}`, arg.negativeDescription ?? describe(arg)]
    : [`--${name}`, describe(arg)];
}

function describe(arg: ArgDef): string {
  const notes = [
    arg.type !== "positional" && arg.required === true ? "required" : "",
    arg.type !== "boolean" && arg.default !== undefined && arg.default !== "" ? `default ${arg.default}` : "",
  ].filter((note) => note !== "");
  return `${arg.description ?? ""}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}
