import { shorten, type Context, type StageState } from "../context.ts";
import type { Instruction } from "../read.ts";
import type { Script } from "../script.ts";
import { readShell } from "../shell.ts";
import type { Command, Shell, ShellWord } from "../shell-words.ts";
import type { Stage } from "../stages.ts";
import { fileOf } from "./files.ts";
import { checkPackages, noRecommends } from "./packages.ts";
import type { Archives } from "./stage.ts";

/** The state that earlier RUN instructions of a stage leave. */
export interface RunHistory {
  /** wget or curl, whichever was used first. */
  downloader: string | undefined;
  /** Whether the RUN before has several commands. */
  isChained: boolean;
}

interface Here {
  stage: Stage;
  state: StageState;
  archives: Archives;
  before: Instruction | undefined;
  history: RunHistory;
}

/** RUN: the commands of its script. */
export function checkRun(instruction: Instruction, here: Here, { report }: Context): void {
  const { state, stage, history, before } = here;
  const { exec } = instruction;
  const script = scriptOf(instruction);
  if (!state.isPosix || (exec === undefined && script === undefined)) {
    history.isChained = true;
    return;
  }
  const shell = exec === undefined ? readShell(script as Script) : toShell(exec);
  const indexAt = exec === undefined ? (script as Script).indexAt : () => instruction.rest.indexAt(0);
  if (noRecommends.test(instruction.rest.text)) state.noRecommends = true;
  const commands = shell.commands.flatMap(unwrap);
  checkPackages({ commands }, { instruction, state, isShipped: stage.isShipped, indexAt, report });
  const [first] = commands;
  if (first?.name === "cd" && commands.length > 1)
    report(
      "cd",
      indexAt(first.at),
      "Switch to the folder by WORKDIR above, which the instructions below see, too.",
    );
  for (const command of commands) checkCommand(command, here, indexAt(command.at), { report });
  checkScript(shell, script, { ...here, indexAt }, { report });
  const isChained = shell.chained || instruction.heredocs.length > 0;
  if (before?.keyword === "RUN" && !isChained && !history.isChained && areSame(before, instruction))
    report(
      "consecutive-runs",
      instruction.index,
      "This RUN and the one above make two layers; join them with && where they belong together.",
    );
  history.isChained = isChained;
}

/** The script of a RUN: its line, or the heredoc where the line has nothing else. */
function scriptOf({ rest, heredocs }: Instruction): Script | undefined {
  const [heredoc] = heredocs;
  if (heredoc === undefined || !/^<<-?\S+\s*$/.test(rest.text)) return rest;
  const [line = ""] = /^[^\n]*/.exec(heredoc.body.text) ?? [];
  const isShell =
    !line.startsWith("#!") || /^#!\s*\/(?:usr\/)?bin\/(?:env\s+)?(?:ba|da|a|z|k)?sh\b/.test(line);
  return isShell ? heredoc.body : undefined;
}

/** The JSON form runs one program without a shell. */
function toShell([name = "", ...args]: readonly string[]): Shell {
  const words = args.map((value): ShellWord => ({ value, at: 0 }));
  const command: Command = { name: fileOf(name), args: words, assigned: [], at: 0 };
  return {
    commands: [command],
    pipes: [],
    pipefail: false,
    chained: false,
    openQuote: undefined,
    strayAmpersands: [],
  };
}

const wrappers = new Set(["sudo", "env", "exec", "command", "nohup", "time", "nice", "xargs", "chroot"]);

/** Returns a command, and the one that it runs if it is such as sudo or env. */
function unwrap(command: Command): Command[] {
  if (!wrappers.has(command.name)) return [command];
  const { args, assigned, at } = command;
  let start = 0;
  while (start < args.length && /^-|^[A-Za-z_]\w*=/.test(args[start]?.value ?? "")) start++;
  const name = args[start];
  if (name === undefined) return [command];
  const given = args.slice(0, start).map(({ value }) => value);
  const inner = {
    name: fileOf(name.value),
    args: args.slice(start + 1),
    assigned: [...assigned, ...given],
    at,
  };
  return [command, inner];
}

const useless = new Set([
  "free",
  "ifconfig",
  "kill",
  "mount",
  "ps",
  "service",
  "shutdown",
  "ssh",
  "top",
  "vim",
]);

const quiet =
  /^(?:-[a-zA-Z]*q[a-zA-Z]*|--quiet|-nv|--no-verbose|--progress(?:=.*)?|-o.*|--output-file(?:=.*)?|-a.*|--append-output(?:=.*)?)$/;

function checkCommand(
  { name, args }: Command,
  { archives, history }: Here,
  index: number,
  { report }: Pick<Context, "report">,
): void {
  const has = (pattern: RegExp): boolean => args.some(({ value }) => pattern.test(value));
  if (name === "sudo")
    report("sudo", index, "RUN has the rights of the last USER; switch by USER root, and leave sudo out.");
  else if (name === "apt")
    report(
      "apt",
      index,
      "apt is for people, and its output and options may change; use apt-get, or apt-cache to search.",
    );
  else if (useless.has(name))
    report(
      "useless-command",
      index,
      `${name} has no use in a build: nothing of what it does or shows is in the image.`,
    );
  else if (name === "wget" && !has(quiet))
    report("wget-progress", index, "wget fills the log with its progress; add --progress=dot:giga or -nv.");
  else if (name === "ln" && args.at(-1)?.value === "/bin/sh" && args.length > 1)
    report("shell-link", index, "Choose the shell by SHELL; programs of the image expect their own /bin/sh.");
  else if (name === "useradd" && hasLargeId(args) && !has(/^(?:-[a-zA-Z]*l[a-zA-Z]*|--no-log-init)$/))
    report(
      "useradd-log",
      index,
      "useradd makes a log as large as the number of the user is high; add --no-log-init.",
    );
  else if (name === "tar" && has(/^(?:-{0,2}[a-zA-Z]*x[a-zA-Z]*|--extract|--get)$/))
    checkArchive(args, archives, { report });
  if (name !== "wget" && name !== "curl") return;
  if (history.downloader !== undefined && history.downloader !== name)
    report(
      "wget-and-curl",
      index,
      `This stage also uses ${history.downloader}; one of wget and curl is enough.`,
    );
  history.downloader ??= name;
}

function hasLargeId(args: readonly ShellWord[]): boolean {
  const at = args.findIndex(({ value }) => /^(?:-[a-zA-Z]*u|--uid)$/.test(value));
  const inline = args
    .map(({ value }) => /^(?:--uid=|-u)(\d+)$/.exec(value)?.[1])
    .find((id) => id !== undefined);
  const id = inline ?? (at < 0 ? undefined : args[at + 1]?.value);
  return id !== undefined && /^\d{6,}$/.test(id);
}

function checkArchive(
  args: readonly ShellWord[],
  archives: Archives,
  { report }: Pick<Context, "report">,
): void {
  for (const { value } of args) {
    const copied = archives.get(fileOf(value));
    if (copied === undefined) continue;
    archives.delete(fileOf(value));
    report(
      "add-archive",
      copied.index,
      `ADD extracts ${shorten(fileOf(value))} without leaving the archive in a layer of its own.`,
    );
  }
}

function checkScript(
  { pipes, pipefail, openQuote, strayAmpersands }: Shell,
  script: Script | undefined,
  { state, indexAt }: { state: StageState; indexAt(at: number): number },
  { report }: Pick<Context, "report">,
): void {
  const error = { severity: "error" } as const;
  const [pipe] = pipes;
  if (pipe !== undefined && !pipefail && !state.pipefail)
    report(
      "pipefail",
      indexAt(pipe),
      'The build goes on if a command before the pipe fails; write SHELL ["/bin/bash", "-o", "pipefail", "-c"] above, or set -o pipefail first.',
    );
  for (const at of strayAmpersands)
    report("stray-ampersand", indexAt(at), "& already ends a command; remove the semicolon after it.", error);
  const text = script?.text ?? "";
  // Quotes within ${…} have rules of their own, and a heredoc within a script may hold anything.
  if (openQuote !== undefined && !text.includes("${") && !text.includes("<<"))
    report(
      "open-quote",
      indexAt(openQuote),
      "This quote is not closed, so that the shell refuses the script.",
      error,
    );
  const space = text.indexOf("\u00a0");
  if (space >= 0)
    report(
      "no-break-space",
      indexAt(space),
      "This is a no-break space, which is no white space for the shell; type a space.",
    );
}

const areSame = ({ flags: first }: Instruction, { flags: second }: Instruction): boolean =>
  first.length === second.length &&
  first.every(({ name, value }, at) => second[at]?.name === name && second[at]?.value === value);
