import type { SettingsFile } from "../catalog/tool.ts";
import { OptionFault } from "../lib/fault.ts";
import { parseEditorConfig } from "../lib/editorconfig/parse.ts";
import { type Properties, propertiesOf } from "../lib/editorconfig/properties.ts";
import { refusingOption } from "./refusing.ts";

/** Returns the settings of a document by the text of one `.editorconfig`, whose folder its name is relative to. */
export function settingsOf(name: string, editorconfig: string): Properties {
  const config = parseEditorConfig(editorconfig);
  return refusingOption("editorconfig", () => {
    const [fault] = config.faults;
    if (fault !== undefined && config.sections.length === 0)
      throw new OptionFault(fault.message, { index: fault.index });
    return propertiesOf(toPath(name), [{ folder: "", config }]);
  });
}

/** Returns the options of a check by all files of settings above a document: one section with what holds for it. */
export function toEditorconfigOptions(
  path: string,
  found: readonly SettingsFile[],
): { name: string; editorconfig: string } {
  const configs = found.map(({ folder, text }) => ({ folder, config: parseEditorConfig(text) }));
  const lines = Array.from(propertiesOf(path, configs), ([key, value]) => `${key} = ${value}`);
  return { name: path.slice(-maxName), editorconfig: ["root = true", "[**]", ...lines, ""].join("\n") };
}

/** Characters of the longest path. */
export const maxName = 4096;

const toPath = (name: string): string => name.replace(/^(?:\.?\/)+/, "");
