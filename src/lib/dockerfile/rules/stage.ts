import type { Context, StageState } from "../context.ts";
import { hasVariable, shorten } from "../context.ts";
import { shellOf } from "../ignore.ts";
import type { Instruction } from "../read.ts";
import type { Stage } from "../stages.ts";
import { readPairs, splitWords } from "../words.ts";
import { checkCopy, checkPorts } from "./files.ts";
import { checkRun, type RunHistory } from "./run.ts";
import { checkVariables } from "./variables.ts";

/** The instructions of each stage, in their order. */
export function checkStages(context: Context): void {
  const { parts } = context;
  const last = new Map<Stage, StageState>();
  for (const instruction of parts.global)
    if (instruction.keyword === "ARG") checkVariables(instruction, new Map(), context);
  for (const stage of parts.stages) {
    const state = startOf(stage, stage.parent && last.get(stage.parent), context);
    checkStage(stage, state, context);
    last.set(stage, state);
  }
  checkUser(parts.stages.at(-1), last, context);
}

/** Most variables that a stage takes over from the one that it begins with: many stages with many each take quadratic time. */
const maxInherited = 200;

function startOf({ image }: Stage, parent: StageState | undefined, { file }: Context): StageState {
  if (parent !== undefined)
    return {
      ...parent,
      variables: parent.variables.size > maxInherited ? new Map() : new Map(parent.variables),
    };
  // Only Dockerfiles of Windows change the escape character, and only images of Windows have these names.
  const isWindows = file.escape === "`" || /windows|nanoserver|servercore/i.test(image?.value ?? "");
  return {
    hasWorkdir: false,
    user: undefined,
    isPosix: !isWindows,
    pipefail: false,
    noRecommends: false,
    variables: new Map(),
  };
}

/** Instructions of which a stage has one: only the last counts. */
const single = {
  CMD: { rule: "cmd-repeated" },
  ENTRYPOINT: { rule: "entrypoint-repeated" },
  HEALTHCHECK: { rule: "healthcheck-repeated" },
} as const;

function checkStage(stage: Stage, state: StageState, context: Context): void {
  const { report, file } = context;
  const seen = new Set<string>();
  const archives: Archives = new Map();
  const history: RunHistory = { downloader: undefined, isChained: true };
  let comment = 0;
  let before: Instruction | undefined;
  for (const outer of stage.instructions) {
    const instruction = outer.trigger ?? outer;
    const { keyword, index, rest } = instruction;
    for (; (file.comments[comment]?.index ?? Infinity) < index; comment++)
      applyShell(shellOf(file.comments[comment] as (typeof file.comments)[number]), state);
    if (keyword in single && outer.trigger === undefined) {
      if (seen.has(keyword))
        report(
          single[keyword as keyof typeof single].rule,
          index,
          `The ${keyword} above in this stage has no effect, because only the last one counts; remove one of the two.`,
        );
      seen.add(keyword);
    }
    if (rest.text !== "" || keyword === "RUN")
      checkOne(instruction, { stage, state, archives, before, history }, context);
    before = outer;
  }
}

/** Archives that COPY has put into a stage, by the name of the file. */
export type Archives = Map<string, { index: number }>;

interface Here {
  stage: Stage;
  state: StageState;
  archives: Archives;
  /** The instruction before this one, in the same stage. */
  before: Instruction | undefined;
  history: RunHistory;
}

function checkOne(instruction: Instruction, here: Here, context: Context): void {
  const { keyword, index, rest, exec } = instruction;
  const { state } = here;
  const { report, file } = context;
  const warnOfShell = (): void =>
    report(
      "shell-form",
      index,
      `Write the command of ${keyword} as a JSON array; a shell in between does not pass signals on to it.`,
    );
  switch (keyword) {
    case "WORKDIR": {
      const path = splitWords(rest.text, file.escape)[0]?.value ?? "";
      if (!/^(?:\/|[A-Za-z]:|\\|\$|%)/.test(path) && !state.hasWorkdir)
        report(
          "workdir-relative",
          rest.indexAt(0),
          "A relative WORKDIR depends on the image; write an absolute path.",
        );
      state.hasWorkdir = true;
      break;
    }
    case "USER": {
      const name = splitWords(rest.text, file.escape)[0]?.value ?? "";
      state.user = { name, index };
      break;
    }
    case "MAINTAINER":
      report(
        "maintainer",
        index,
        'MAINTAINER is deprecated; write LABEL org.opencontainers.image.authors="…".',
      );
      break;
    case "CMD":
    case "ENTRYPOINT":
      if (exec === undefined && !rest.text.startsWith("[")) warnOfShell();
      break;
    case "SHELL":
      setShell(exec ?? [], state);
      break;
    case "EXPOSE":
      checkPorts(instruction, context);
      break;
    case "ADD":
    case "COPY":
      checkCopy(instruction, here, context);
      break;
    case "ARG":
    case "ENV":
      checkVariables(instruction, state.variables, context);
      for (const { name, value } of readPairs(rest, file.escape, keyword).pairs)
        state.variables.set(name, value);
      break;
    case "RUN":
      checkRun(instruction, here, context);
      break;
  }
}

const posix = /^(?:ba|z|k|da|a|mk)?sh(?:\.exe)?$/;

function setShell([program = "", ...args]: readonly string[], state: StageState): void {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).toLowerCase();
  state.isPosix = posix.test(name);
  // Of the option that is not in POSIX, sh may know nothing.
  state.pipefail = name !== "sh" && args.includes("pipefail");
}

function applyShell(shell: string | undefined, state: StageState): void {
  if (shell !== undefined) setShell([shell], state);
}

/** The user of the last stage, as it or a stage that it begins with sets it. */
function checkUser(
  stage: Stage | undefined,
  last: ReadonlyMap<Stage, StageState>,
  { report }: Context,
): void {
  const user = stage && last.get(stage)?.user;
  if (user === undefined || hasVariable(user.name) || !/^(?:root|0)(?::|$)/.test(user.name)) return;
  report(
    "last-user-root",
    user.index,
    `The container runs as ${shorten(user.name)}; end with USER and another user, where the program needs no root.`,
  );
}
