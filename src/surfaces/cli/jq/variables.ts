import { JsonTextError } from "../../../lib/jq/json-parts.ts";
import { parseJson } from "../../../lib/jq/parse-json.ts";
import { openJson } from "../../../lib/jq/read-json.ts";
import type { JqValue } from "../../../lib/jq/value.ts";
import type { Host } from "../host.ts";
import { usageError } from "../usage-error.ts";
import { visible } from "../visible.ts";

/** The variables that options set: `$name` for each, all of them in `$ARGS`. @param raw The validated line. @throws ToolError */
export function variablesOf(raw: readonly string[], { files }: Host): Map<string, JqValue> {
  const named = new Map<string, JqValue>();
  const positional: JqValue[] = [];
  const options = raw.slice(0, raw.indexOf("--"));
  for (const word of options) {
    const [, option = "", text = ""] = /^--([\w-]+)=([^]*)$/.exec(word) ?? [];
    if (option === "args") positional.push(text);
    else if (option === "jsonargs") positional.push(json(text, "--jsonargs"));
    else if (["arg", "argjson", "slurpfile", "rawfile"].includes(option)) {
      const at = text.indexOf("=");
      const [name, value] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
      if (!/^[A-Za-z_]\w*$/.test(name))
        throw usageError(`--${option} needs a name of letters, digits and _, then a value.`);
      named.set(name, toValue(option, value, files));
    }
  }
  const args = new Map<string, JqValue>([
    ["positional", positional],
    ["named", named],
  ]);
  return new Map<string, JqValue>([["ARGS", args], ...named]);
}

function toValue(option: string, value: string, files: Host["files"]): JqValue {
  if (option === "arg") return value;
  if (option === "argjson") return json(value, "--argjson");
  const text = files.readText(value);
  if (text === undefined) throw usageError(`${visible(value)} does not exist; --${option} names a file.`);
  if (option === "rawfile") return text;
  const list: JqValue[] = [];
  const reader = openJson(text);
  for (
    let item = parsing(() => reader.next(), value);
    item !== undefined;
    item = parsing(() => reader.next(), value)
  )
    list.push(item);
  return list;
}

const json = (text: string, option: string): JqValue => parsing(() => parseJson(text), option);

function parsing<T>(work: () => T, where: string): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw usageError(`${visible(where)}: the text is not JSON: ${error.message}.`);
  }
}
