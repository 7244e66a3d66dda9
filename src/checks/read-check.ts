import type { CatalogTool } from "../catalog/catalog.ts";
import { describeError, ToolError } from "../catalog/errors.ts";
import { fileFields, optionFields, toFieldText } from "../catalog/file-fields.ts";
import { parseInput, unknownField } from "../catalog/input.ts";
import { toOptionValues, toPlain } from "../catalog/yaml-options.ts";
import { type Dictionary, isDictionary, type Value } from "../lib/data/value.ts";
import { toPointer } from "../lib/json/pointer.ts";
import { kindOf, withSubject } from "../lib/must.ts";
import type { Check } from "./check-files.ts";
import type { ChecksFile, ReadChecksDeps, Report } from "./checks-file.ts";

/** Reads the tool of an entry and its options; undefined after a mistake. */
export async function readCheck(
  entry: Dictionary,
  pointer: string,
  report: Report,
  deps: ReadChecksDeps,
  locate: ChecksFile["locate"],
): Promise<Check | undefined> {
  const tool = await readTool(entry.get("tool"), `${pointer}/tool`, report, deps);
  if (tool === undefined) return undefined;
  const at = `${pointer}/with`;
  const given = entry.get("with") ?? new Map<string, Value>();
  if (!isDictionary(given)) {
    report({
      message: `with must be an object with the options of ${tool.slug}, got ${kindOf(toPlain(given))}.`,
      pointer: at,
    });
    return undefined;
  }
  // A tool that compares versions needs no other document: --against has it.
  const isOpen = tool.against !== undefined && !given.has("other") && !given.has("otherFile");
  const options = await readOptions(tool, given, at, report, deps, isOpen);
  return (
    options && {
      tool,
      options,
      ...(isOpen && { needsVersion: true as const }),
      toRefusal: (error) => toRefusal(error, given, at, locate),
    }
  );
}

async function readTool(
  slug: Value | undefined,
  pointer: string,
  report: Report,
  { catalog, disabled }: ReadChecksDeps,
): Promise<CatalogTool | undefined> {
  const refuse = (message: string) => {
    report({ message, pointer });
    return undefined;
  };
  if (typeof slug !== "string") return refuse("tool must be the slug of a tool, such as json-validator.");
  if (disabled.includes(slug)) return refuse(`${slug} is switched off by tools.disabled.`);
  if (!catalog.has(slug)) {
    const [near] = await catalog.suggest(slug);
    const hint = near === undefined ? "Run penknife tools for a list." : `Did you mean ${near}?`;
    return refuse(`Unknown tool ${JSON.stringify(slug.slice(0, 64))}. ${hint}`);
  }
  const tool = await catalog.get(slug);
  if (tool.check === undefined)
    return refuse(`${slug} has no check mode: it neither validates nor formats a document.`);
  return tool;
}

/** Validates the options, and reads the files that some of them name. */
async function readOptions(
  tool: CatalogTool,
  given: Dictionary,
  pointer: string,
  report: Report,
  { readText }: ReadChecksDeps,
  isOpen: boolean,
): Promise<Record<string, unknown> | undefined> {
  const files = new Map(fileFields(tool).map((field) => [`${field.name}File`, field]));
  const names = [...optionFields(tool).map(({ name }) => name), ...files.keys()];
  const refuse = (name: string, message: string, key?: true) => {
    report({ message, pointer: pointer + toPointer([name]), ...(key === true && { key }) });
    return undefined;
  };
  const values: Record<string, unknown> = {};
  const own: Dictionary = new Map();
  for (const [name, value] of given) {
    const field = files.get(name);
    if (name === "data") return refuse(name, "The document is the file; leave data out.", true);
    if (!names.includes(name)) return refuse(name, unknownField(name, names).message, true);
    if (field === undefined) own.set(name, value);
    else if (typeof value !== "string") return refuse(name, `${name} must be the name of a file.`);
    else if (given.has(field.name)) return refuse(name, `Give ${field.name} or ${name}, not both.`, true);
    else {
      try {
        values[field.name] = toFieldText(field, await readText(value));
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        return refuse(name, error.message);
      }
    }
  }
  const options = { ...toOptionValues(tool, own), ...values };
  try {
    // The document is not known yet; its limits are checked with each file.
    parseInput(tool, { ...(isOpen && { other: "" }), ...options, data: "" });
    return options;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const faults = (error.details.errors ?? []).filter(
      (place) => !/^\/data(?:\/|$)/.test(place.pointer ?? ""),
    );
    for (const { message, pointer: place = "" } of faults) {
      const [, name = ""] = place.split("/");
      report({ message: withSubject(name, message), pointer: `${pointer}${place}` });
    }
    return faults.length === 0 ? options : undefined;
  }
}

/** A fault in a second document, such as a schema, is found by the first call of the tool. */
function toRefusal(
  error: ToolError,
  given: Dictionary,
  pointer: string,
  locate: ChecksFile["locate"],
): ToolError {
  const [place] = error.details.errors ?? [];
  const field = place?.field ?? place?.pointer?.split("/")[1] ?? "";
  const name = given.has(`${field}File`) ? `${field}File` : field;
  const text = describeError(
    new ToolError("invalid_document", place?.message ?? error.message, error.details),
  );
  const file = given.get(name);
  const subject = name.endsWith("File") && typeof file === "string" ? `${name} (${file})` : name;
  return new ToolError(
    "invalid_input",
    `${locate([pointer + toPointer([name])]).join("")}: ${withSubject(subject, text)}`,
  );
}
