import { DocumentFault } from "../fault.ts";
import type { TomlVersion } from "./cursor.ts";
import { fromToml } from "./from-toml.ts";

/** More of them help nobody, and a hostile document has one for every few bytes. */
const maxReported = 100;

/** All keys that come twice and days that do not exist; and one other fault, the last, after which nothing is sure. */
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
