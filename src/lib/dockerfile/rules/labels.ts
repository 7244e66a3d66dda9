import { type Context, hasVariable, shorten, withTriggers } from "../context.ts";
import type { Instruction } from "../read.ts";
import { type Pair, readPairs } from "../words.ts";

/** The formats of labels, with hadolint's number for a value of another form. */
export const labelFormats: Readonly<
  Record<string, { is(value: string): boolean; words: string; code: string }>
> = {
  text: { is: () => true, words: "a text", code: "DL3051" },
  url: { is: (value) => URL.canParse(value), words: "a URL", code: "DL3052" },
  rfc3339: {
    is: (value) =>
      /^\d{4}-[01]\d-[0-3]\d[Tt ][0-2]\d:[0-5]\d:[0-6]\d(?:\.\d{1,9})?(?:[Zz]|[-+]\d\d:\d\d)$/.test(value) &&
      !Number.isNaN(Date.parse(value)),
    words: "a time of RFC 3339, such as 2026-01-31T12:00:00Z",
    code: "DL3053",
  },
  spdx: {
    is: (value) => /^\(*[\w.+-]+\)*(?: (?:AND|OR|WITH) \(*[\w.+-]+\)*)*$/.test(value),
    words: "a licence expression of SPDX, such as MIT OR Apache-2.0",
    code: "DL3054",
  },
  hash: { is: (value) => /^[\da-f]{7,64}$/.test(value), words: "a hash of Git", code: "DL3055" },
  semver: {
    is: (value) =>
      /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i.test(
        value,
      ),
    words: "a version of Semantic Versioning, such as 1.2.3",
    code: "DL3056",
  },
  email: {
    is: (value) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value),
    words: "an email address",
    code: "DL3058",
  },
};

/** Longest value that is compared with a format. */
const maxValue = 2048;

/** LABEL: keys, and the labels that the image must have. */
export function checkLabels(context: Context): void {
  const { parts, options, file, report } = context;
  const wanted = new Map(
    options.labels.map((label) => {
      const colon = label.lastIndexOf(":");
      return colon < 0 ? [label, "text"] : [label.slice(0, colon), label.slice(colon + 1)];
    }),
  );
  const missing = new Set(wanted.keys());
  for (const { instructions, isShipped } of parts.stages) {
    for (const instruction of withTriggers(instructions)) {
      if (instruction.keyword !== "LABEL") continue;
      for (const pair of readPairs(instruction.rest, file.escape, "LABEL").pairs) {
        checkKey(instruction, pair, context);
        if (!isShipped) continue;
        missing.delete(pair.name);
        checkValue(instruction, pair, wanted.get(pair.name), context);
      }
    }
  }
  const last = parts.stages.at(-1);
  if (last === undefined) return;
  for (const name of missing)
    report("label-missing", last.from.index, `The image must have the label ${shorten(name)}.`, {
      severity: "error",
    });
}

/** Object labels of Docker: lower-case, and its own namespaces are reserved. */
function checkKey({ rest }: Instruction, { name, at }: Pair, { report }: Context): void {
  const index = rest.indexAt(at);
  if (name === "") return;
  if (/^(?:com\.docker|io\.docker|org\.dockerproject)\./.test(name))
    report("label-key", index, `The namespace of ${shorten(name)} is reserved for Docker; use your own.`);
  else if (!/^[a-z](?:[a-z\d]|[.-](?![.-]))*$/.test(name.slice(0, 256)) || /[.-]$/.test(name))
    report(
      "label-key",
      index,
      `${shorten(name)} is no key of a label; it begins with a lower-case letter, and has lower-case letters, digits, and single . and - between them.`,
    );
}

function checkValue(
  { rest }: Instruction,
  { name, value, at }: Pair,
  format: string | undefined,
  { report }: Context,
): void {
  const form = format === undefined ? undefined : labelFormats[format];
  if (form === undefined || value === undefined || hasVariable(value)) return;
  const fail = (message: string, code: string): void =>
    report("label-value", rest.indexAt(at), message, { severity: "error", code });
  if (value === "") fail(`The label ${shorten(name)} is empty.`, "DL3051");
  else if (value.length > maxValue || !form.is(value))
    fail(`The label ${shorten(name)} must be ${form.words}.`, form.code);
}
