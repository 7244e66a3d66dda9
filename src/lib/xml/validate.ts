import { DocumentFault } from "../fault.ts";
import { readDocument } from "./document.ts";
import { createNameCheck, createNamespaceCheck } from "./namespaces.ts";

/** Most faults reported; a hostile document has one every few bytes. */
const maxReported = 100;

/**
 * Returns why a document is not well-formed XML 1.0 and, with `namespaces`, what violates Namespaces in XML
 * 1.0: at most 100 faults in order. The last may be one after which nothing can be read.
 */
export function validateXml(text: string, namespaces: boolean): DocumentFault[] {
  const faults: DocumentFault[] = [];
  const onFault = (fault: DocumentFault): void => {
    faults.push(fault);
    if (faults.length >= maxReported) throw fault;
  };
  try {
    readDocument(text, false, {
      onFault,
      ...(namespaces && {
        onToken: createNamespaceCheck(text, onFault),
        onDeclaredName: createNameCheck(onFault),
      }),
    });
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    if (faults.at(-1) !== error) faults.push(error);
  }
  return faults;
}
