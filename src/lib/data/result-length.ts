import { DocumentFault } from "../fault.ts";

/** As large as a result may get: nesting times indentation and repeated keys make much of little. */
export const maxResultLength = 64 * 1024 * 1024;

/** @throws DocumentFault where a writer has made more than that. */
export function checkLength(length: number): void {
  if (length <= maxResultLength) return;
  throw new DocumentFault(
    `The result is larger than ${maxResultLength} characters. Nesting multiplies the indentation: use less of it, or a smaller document.`,
    {},
    "result-too-large",
  );
}
