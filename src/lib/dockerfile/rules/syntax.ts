import { joinWords } from "../../join-words.ts";
import { nearest } from "../../nearest.ts";
import { type Context, hasVariable, shorten } from "../context.ts";
import type { Instruction } from "../read.ts";
import { readPairs, splitWords } from "../words.ts";
import { checkFlags } from "./flags.ts";

const keywords = [
  "ADD",
  "ARG",
  "CMD",
  "COPY",
  "ENTRYPOINT",
  "ENV",
  "EXPOSE",
  "FROM",
  "HEALTHCHECK",
  "LABEL",
  "MAINTAINER",
  "ONBUILD",
  "RUN",
  "SHELL",
  "STOPSIGNAL",
  "USER",
  "VOLUME",
  "WORKDIR",
];

const known = new Set(keywords);

const error = { severity: "error" } as const;

/** Reports instructions that a build refuses: those that do not exist, stand in a wrong place, or have wrong arguments. */
export function checkSyntax(context: Context): void {
  const { file, parts, report } = context;
  for (const instruction of file.instructions) checkInstruction(instruction, context);
  if (parts.stages.length === 0)
    report("missing-from", 0, "A Dockerfile must have FROM, which names the image to begin with.", error);
  else
    for (const { keyword, index } of parts.global)
      if (keyword !== "ARG" && known.has(keyword))
        report(
          "instruction-order",
          index,
          `${keyword} must stand after FROM; only ARG may stand before it.`,
          error,
        );
}

function checkInstruction(instruction: Instruction, context: Context): void {
  const { keyword, index, trigger, rest } = instruction;
  if (!known.has(keyword)) return reportUnknown(keyword, index, context);
  checkFlags(instruction, context.report);
  if (rest.text === "" && keyword !== "CMD" && keyword !== "ENTRYPOINT")
    return context.report("arguments", index, `${keyword} must have ${argumentsOf(keyword)}.`, error);
  checkArguments(instruction, context);
  checkJson(instruction, context);
  if (trigger === undefined) return;
  if (trigger.keyword === "ONBUILD" || trigger.keyword === "FROM" || trigger.keyword === "MAINTAINER")
    return context.report(
      "onbuild-trigger",
      trigger.index,
      `${trigger.keyword} must not stand after ONBUILD.`,
      error,
    );
  checkInstruction(trigger, context);
}

function reportUnknown(keyword: string, index: number, { report }: Context): void {
  const near = nearest(keyword, keywords);
  const advice =
    near !== undefined
      ? ` Did you mean ${near}?`
      : " If it belongs to the instruction above, end the line above with the character that continues it.";
  report("unknown-instruction", index, `${shorten(keyword)} is not an instruction.${advice}`, error);
}

const argumentsOf = (keyword: string): string =>
  ({
    ADD: "a source and a destination",
    COPY: "a source and a destination",
    ENV: "a name and a value, NAME=value",
    LABEL: "a name and a value, name=value",
    ARG: "a name",
    EXPOSE: "a port",
    FROM: "an image",
    HEALTHCHECK: "NONE, or CMD and a command",
    MAINTAINER: "a name",
    ONBUILD: "an instruction",
    RUN: "a command",
    SHELL: 'a JSON array, such as ["/bin/bash", "-c"]',
    STOPSIGNAL: "a signal",
    USER: "a user",
    VOLUME: "a path",
    WORKDIR: "a path",
  })[keyword] ?? "an argument";

function checkArguments(instruction: Instruction, { file, report }: Context): void {
  const { keyword, index, rest, exec, heredocs } = instruction;
  const fail = (message: string, at = index): void => report("arguments", at, message, error);
  const words = splitWords(rest.text, file.escape);
  switch (keyword) {
    case "FROM":
      if (words.length !== 1 && (words.length !== 3 || words[1]?.value.toUpperCase() !== "AS"))
        fail("FROM must have one image, and optionally AS and the name of the stage.");
      else if (words.length === 3 && !/^[a-z][a-z0-9\-_.]*$/i.test(words[2]?.value ?? ""))
        fail(
          `${shorten(words[2]?.value ?? "")} is no name of a stage; it must begin with a letter and have letters, digits, -, _ and . only.`,
          rest.indexAt(words[2]?.at ?? 0),
        );
      break;
    case "ADD":
    case "COPY":
      if ((exec?.length ?? words.length) < 2 && heredocs.length === 0)
        fail(`${keyword} must have a source and a destination.`);
      break;
    case "ENV":
    case "LABEL":
    case "ARG":
      checkPairs(instruction, fail, { file, report });
      break;
    case "HEALTHCHECK": {
      const kind = words[0]?.value.toUpperCase();
      if (kind === "NONE" ? words.length > 1 : kind !== "CMD" || words.length < 2)
        fail("HEALTHCHECK must have NONE, or CMD and a command.");
      break;
    }
    case "SHELL":
      if (exec === undefined || exec.length === 0)
        fail('SHELL must have a JSON array, such as ["/bin/bash", "-c"].');
      break;
  }
}

function checkPairs(
  { keyword, rest }: Instruction,
  fail: (message: string, at?: number) => void,
  { file, report }: Pick<Context, "file" | "report">,
): void {
  const { pairs, legacy } = readPairs(rest, file.escape, keyword);
  for (const { name, value, at, open } of pairs) {
    const place = rest.indexAt(at);
    if (name === "")
      fail(`${keyword} must have a name before =; write it without white space around =.`, place);
    else if (value === undefined && keyword !== "ARG")
      fail(`${shorten(name)} has no value; write ${keyword} ${shorten(name)}=value.`, place);
    else if (open && !hasVariable(name))
      fail(`The value of ${shorten(name)} has a quote that is not closed.`, place);
  }
  const [first] = pairs;
  if (legacy && first !== undefined)
    report(
      "legacy-pair",
      rest.indexAt(first.at),
      `Write ${keyword} ${shorten(first.name)}=…; the form without = is kept for old files only, and takes the rest of the line as the value.`,
    );
}

const withJson = new Set(["RUN", "CMD", "ENTRYPOINT", "VOLUME", "COPY", "ADD"]);

/** Reports arguments that look like the JSON form and are no JSON: they are a command for the shell, which begins with a bracket. */
function checkJson({ keyword, rest, exec }: Instruction, { report }: Context): void {
  if (!withJson.has(keyword) || exec !== undefined || !/^\[\s*["'\w/-]/.test(rest.text)) return;
  // In RUN, [ -f x ] is a test of the shell.
  if (!rest.text.trimEnd().endsWith("]") || (keyword === "RUN" && !/^\[\s*["']/.test(rest.text))) return;
  const hint = rest.text.includes("'") ? " Its strings must be in double quotes." : "";
  const wanted = joinWords(["strings in double quotes", "commas between them"], "and");
  report(
    "json-form",
    rest.indexAt(0),
    `This is no JSON array, so ${keyword} takes it as ${keyword === "RUN" || keyword === "CMD" || keyword === "ENTRYPOINT" ? "a command of the shell" : "paths"}; an array has ${wanted}.${hint}`,
  );
}
