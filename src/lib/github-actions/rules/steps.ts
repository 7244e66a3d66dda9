import type { ReportAt } from "../finding.ts";
import type { Model, Steps } from "../model.ts";
import { child, isDynamic, type Node, quote, textOf } from "../node.ts";
import { isPrivileged, usesAction } from "./calls.ts";
import { checkEnvironment } from "./events.ts";
import { checkId } from "./inputs.ts";
import type { System } from "./runners.ts";
import { checkUses } from "./uses.ts";

export interface StepsOf {
  model: Model;
  runner: System | undefined;
  pin: "sha" | "tag" | "off";
}

/** Checks the steps of a job or action. */
export function checkSteps({ nodes }: Steps, { model, runner, pin }: StepsOf, report: ReportAt): void {
  const ids = new Set<string>();
  for (const step of nodes) {
    const id = child(step, "id");
    const name = textOf(id)?.toLowerCase();
    if (id !== undefined && name !== undefined) {
      checkId(id, "a step", report);
      if (ids.has(name))
        report("duplicate-id", id, `Another step before it has the id ${quote(textOf(id) ?? "")}.`);
      ids.add(name);
    }
    checkEnvironment(child(step, "env"), report);
    checkShell(child(step, "shell"), runner, report);
    const run = child(step, "run");
    if (run !== undefined) checkScript(run, report);
    const uses = child(step, "uses");
    if (uses !== undefined) checkUses(uses, pin, report);
    checkCheckout(step, model, report);
  }
}

const shells: Readonly<Record<string, readonly System[] | undefined>> = {
  bash: undefined,
  sh: ["linux", "macos"],
  pwsh: undefined,
  python: undefined,
  cmd: ["windows"],
  powershell: ["windows"],
};

/** Checks the name of a shell, and whether its system has it. */
export function checkShell(node: Node | undefined, runner: System | undefined, report: ReportAt): void {
  const shell = textOf(node);
  if (node === undefined || shell === undefined || shell === "" || isDynamic(node) || shell.includes("{0}"))
    return;
  if (!Object.hasOwn(shells, shell)) {
    const known = Object.keys(shells).join(", ");
    report(
      "shell",
      node,
      `${quote(shell)} is no shell of GitHub (${known}); a command of its own needs {0}, the file of the script.`,
    );
    return;
  }
  const systems = shells[shell];
  if (runner === undefined || systems === undefined || systems.includes(runner)) return;
  report("shell", node, `The shell ${shell} does not exist on ${runner}.`);
}

/** Commands that programs once printed, and what is written in their place. */
const commands: Readonly<Record<string, [file: string, works: boolean]>> = {
  "set-output": ["GITHUB_OUTPUT", true],
  "save-state": ["GITHUB_STATE", true],
  "set-env": ["GITHUB_ENV", false],
  "add-path": ["GITHUB_PATH", false],
};

function checkScript(run: Node, report: ReportAt): void {
  const script = textOf(run) ?? "";
  for (const { 1: name = "", index } of script.matchAll(
    /::(set-output|save-state|set-env|add-path)(?=\s|::)/g,
  )) {
    const [file, works] = commands[name] as [string, boolean];
    report(
      "deprecated-command",
      run,
      `The command ${name} ${works ? "is deprecated" : "no longer works"}; write to the file $${file}.`,
      { severity: works ? "warning" : "error", character: index },
    );
  }
}

/** A workflow with the rights of the repository that fetches what a stranger proposes may run it with them. */
function checkCheckout(step: Node, model: Model, report: ReportAt): void {
  if (!isPrivileged({ model }) || !usesAction(step, "actions/checkout")) return;
  const ref = child(step, "with", "ref");
  const text = textOf(ref)?.toLowerCase() ?? "";
  const isForeign =
    /github\.(?:head_ref|event\.(?:pull_request\.head\.(?:sha|ref)|workflow_run\.head_(?:sha|branch|commit)))|refs\/pull\//.test(
      text,
    );
  if (ref === undefined || !isForeign) return;
  report(
    "untrusted-checkout",
    ref,
    "This workflow has the rights of the repository and checks out what a stranger proposes; run nothing of it here, or use pull_request.",
    { severity: "warning" },
  );
}
