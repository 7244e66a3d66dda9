import { createEditorGlobs } from "./glob.ts";
import type { EditorConfig } from "./parse.ts";

/** The settings of one file. */
export type Properties = ReadonlyMap<string, string>;

/** A file of settings, and the folder that it stands in: with slashes, empty for the top, without a slash at its end. */
export interface PlacedConfig {
  folder: string;
  config: EditorConfig;
}

/** Keys whose values do not distinguish cases. */
export const knownKeys = [
  "charset",
  "end_of_line",
  "indent_size",
  "indent_style",
  "insert_final_newline",
  "max_line_length",
  "tab_width",
  "trim_trailing_whitespace",
];

type Matcher = (path: string) => readonly number[];

const matchers = new WeakMap<EditorConfig, Matcher>();

function matcherOf(config: EditorConfig): Matcher {
  let matcher = matchers.get(config);
  if (matcher === undefined) {
    matcher = createEditorGlobs(config.sections.map(({ glob }) => glob));
    matchers.set(config, matcher);
  }
  return matcher;
}

/**
 * Returns the settings of a file by the files of settings above it, the outermost first: later ones and later sections win.
 * @throws OptionFault if the globs of one are too long together.
 */
export function propertiesOf(path: string, configs: readonly PlacedConfig[]): Properties {
  const found = new Map<string, string>();
  const first = configs.findLastIndex(({ config }) => config.root);
  for (const { folder, config } of configs.slice(Math.max(0, first))) {
    const inside =
      folder === "" ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
    if (inside === undefined) continue;
    for (const index of matcherOf(config)(inside))
      for (const [key, value] of config.sections[index]?.pairs ?? [])
        found.set(key, knownKeys.includes(key) ? value.toLowerCase() : value);
  }
  return complete(found);
}

/** Adds what the settings of indentation say of each other. */
function complete(found: Map<string, string>): Properties {
  if (found.get("indent_style") === "tab" && !found.has("indent_size")) found.set("indent_size", "tab");
  const size = found.get("indent_size");
  if (size !== undefined && size !== "tab" && !found.has("tab_width")) found.set("tab_width", size);
  const width = found.get("tab_width");
  if (size === "tab" && width !== undefined) found.set("indent_size", width);
  for (const [key, value] of found) if (value.toLowerCase() === "unset") found.delete(key);
  return found;
}
