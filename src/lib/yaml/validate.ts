import { DocumentFault } from "../fault.ts";
import { toValue } from "./from-yaml.ts";
import { lintYaml, type YamlRule } from "./lint.ts";
import { parseYaml, type ParsedYaml, type YamlLibrary } from "./parse.ts";

export interface YamlChecks {
  version: "1.1" | "1.2";
  duplicateKeys: "error" | "allow";
  lint: readonly YamlRule[];
}

/** Most faults reported. */
const maxReported = 100;

/** Returns all faults of a YAML stream, and the violations of the enabled rules. */
export function validateYaml(yaml: YamlLibrary, text: string, checks: YamlChecks): DocumentFault[] {
  const faults: DocumentFault[] = [];
  collect(faults, () => {
    const parsed = parseYaml(yaml, text, checks.version);
    for (const fault of parsed.faults) faults.push(fault);
    if (parsed.faults.length > 0) return;
    checkValues(yaml, text, checks, parsed, faults);
    for (const fault of lintYaml(yaml, text, parsed.documents, checks.lint)) faults.push(fault);
  });
  return faults.slice(0, maxReported);
}

function checkValues(
  yaml: YamlLibrary,
  text: string,
  { version, duplicateKeys }: YamlChecks,
  { documents }: ParsedYaml,
  faults: DocumentFault[],
): void {
  const options = {
    schema: version === "1.1" ? "yaml-1.1" : "core",
    merge: true,
    keys: "stringify",
  } as const;
  for (const document of documents) {
    collect(faults, () => {
      toValue(yaml, document, text, options, (fault) => {
        if (duplicateKeys === "error") faults.push(fault);
        if (faults.length > maxReported) throw fault;
      });
    });
  }
}

function collect(faults: DocumentFault[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    faults.push(error);
  }
}
