import { DocumentFault } from "../fault.ts";
import { readTime, type ReadOptions } from "./read.ts";
import { type timeForms, writeTime } from "./write.ts";

/** Reads a time and writes it in another format. @throws DocumentFault if it is no time, or the format cannot represent it. */
export function convertTime(text: string, options: ReadOptions, to: (typeof timeForms)[number]): string {
  const result = writeTime(readTime(text, options), to, options.timeZone, options.epoch);
  if (result !== undefined) return result;
  throw new DocumentFault(`This time cannot be written as ${to}; choose another format.`, { index: 0 });
}
