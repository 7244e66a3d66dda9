// https://spec.editorconfig.org, version 0.17.2

export interface EditorConfig {
  /** Whether files in the folders above do not count. */
  root: boolean;
  sections: Section[];
  /** The faults of lines of the file, which readers ignore. */
  faults: ConfigFault[];
}

export interface Section {
  glob: string;
  /** In lower case. */
  pairs: [key: string, value: string][];
}

export interface ConfigFault {
  message: string;
  severity: "error" | "warning";
  /** In UTF-16 code units. */
  index: number;
}

/** Characters of the longest name of a section, key and value that readers have to accept. */
const maxGlob = 4096;
const maxKey = 1024;
const maxValue = 4096;

/** Reads the text of a `.editorconfig`. */
export function parseEditorConfig(text: string): EditorConfig {
  const config: EditorConfig = { root: false, sections: [], faults: [] };
  for (const { 0: line, index } of text.replace(/^\ufeff/, " ").matchAll(/[^\r\n]+/g)) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith(";")) continue;
    const at = index + line.indexOf(trimmed);
    if (trimmed.startsWith("[") && trimmed.endsWith("]")) readHeader(trimmed.slice(1, -1), at, config);
    else readPair(trimmed, at, config);
  }
  return config;
}

function readHeader(glob: string, index: number, { sections, faults }: EditorConfig): void {
  if (glob.length > maxGlob) {
    const message = `The name of a section has more than ${maxGlob} characters, so that it matches nothing.`;
    faults.push({ message, severity: "error", index });
  }
  sections.push({ glob: glob.length > maxGlob ? "" : glob, pairs: [] });
}

function readPair(line: string, index: number, config: EditorConfig): void {
  const equals = line.indexOf("=");
  if (equals < 1) {
    const message =
      "A line must be a section in brackets, KEY = VALUE, or a comment that begins with # or ;.";
    config.faults.push({ message, severity: "error", index });
    return;
  }
  const key = line.slice(0, equals).trim().toLowerCase();
  const value = line.slice(equals + 1).trim();
  if (key.length > maxKey || value.length > maxValue) return;
  const section = config.sections.at(-1);
  if (section !== undefined) section.pairs.push([key, value]);
  else if (key === "root") config.root = value.toLowerCase() === "true";
}
