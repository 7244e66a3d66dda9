import { DocumentFault } from "../fault.ts";

/** Most characters of a result: indentation and repeated keys multiply a small document. */
export const maxResultLength = 64 * 1024 * 1024;

/** @throws DocumentFault if a writer made more than that. */
export function checkLength(length: number, max: number = maxResultLength): void {
  if (length <= max) return;
  throw new DocumentFault(
    `The result is larger than ${max} characters. Nesting multiplies the indentation: use less of it, or a smaller document.`,
    {},
    "result-too-large",
  );
}
