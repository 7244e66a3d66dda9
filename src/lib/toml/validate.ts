import { DocumentFault } from "../fault.ts";
import type { TomlVersion } from "./cursor.ts";
import { fromToml } from "./from-toml.ts";

/** Most faults reported; a hostile document has one every few bytes. */
const maxReported = 100;

/** Returns all repeated keys and nonexistent days, and one other fault, the last, which ended the reading. */
export function validateToml(text: string, version: TomlVersion): DocumentFault[] {
  const faults: DocumentFault[] = [];
  const onFault = (fault: DocumentFault): void => {
    faults.push(fault);
    if (faults.length >= maxReported) throw new DocumentFault("", {}, "enough");
  };
  try {
    fromToml(text, { version, onFault });
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    if (error.rule !== "enough") faults.push(error);
  }
  return faults;
}
