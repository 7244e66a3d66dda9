import { classifyName } from "../../secrets/names.ts";
import { isPlaceholder, isReference } from "../../secrets/values.ts";
import { findSecrets, secretRules } from "../../secrets/find.ts";
import { type Context, shorten, type StageState } from "../context.ts";
import type { Instruction } from "../read.ts";
import { findVariables, type Pair, readPairs } from "../words.ts";

/** ARG and ENV: secrets, and references of a variable to one that the same instruction sets. */
export function checkVariables(
  instruction: Instruction,
  variables: StageState["variables"],
  { file, report }: Context,
): void {
  const { keyword, rest } = instruction;
  const { pairs } = readPairs(rest, file.escape, keyword);
  const here = new Set<string>();
  for (const pair of pairs) {
    const message = secretOf(keyword, pair);
    if (message !== undefined) report("secret-variable", rest.indexAt(pair.at), message);
    if (keyword !== "ENV") continue;
    for (const { name } of findVariables(pair.raw))
      if (here.has(name) && !variables.has(name))
        report(
          "env-self-reference",
          rest.indexAt(pair.at),
          `${shorten(name)} is set by this same ENV, so that the value of ${shorten(pair.name)} does not have it yet; use two ENV.`,
        );
    here.add(pair.name);
  }
}

/** Longest value that is looked at for a token. */
const maxValue = 4096;

function secretOf(keyword: string, { name, value, raw }: Pair): string | undefined {
  const kind = classifyName(name.slice(0, 128));
  const advice =
    "everybody who has the image can read it. Use RUN --mount=type=secret, or give it to the container.";
  const isNamed = kind === "password" || kind === "token" || /^AWS_ACCESS_KEY_ID$/i.test(name);
  const isUsed = value !== undefined && value !== "" && !/^\$\{?\w+\}?$/.test(value) && !isReference(value);
  if (isNamed && (keyword === "ARG" ? value === undefined || value === "" || isUsed : isUsed))
    return `${shorten(name)} has the name of a secret, and ${keyword} puts its value into the image: ${advice}`;
  const text = `${name}=${raw.slice(0, maxValue)}`;
  if (value === undefined || isPlaceholder(value.slice(0, maxValue))) return undefined;
  const [found] = findSecrets(text, secretRules, 1);
  return found === undefined ? undefined : `The value of ${shorten(name)} is ${found.rule.title}; ${advice}`;
}
