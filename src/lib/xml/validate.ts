import { DocumentFault } from "../fault.ts";
import { readDocument } from "./document.ts";
import { createNameCheck, createNamespaceCheck } from "./namespaces.ts";

/** More of them help nobody, and a hostile document has one for every few bytes. */
const maxReported = 100;

/**
 * Returns what keeps a document from being well-formed XML 1.0, and with `namespaces` what Namespaces in XML 1.0 adds:
 * at most 100 faults, in their order, the last of which can be one behind which nothing can be read.
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
