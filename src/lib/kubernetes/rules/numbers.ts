import { type At, child, quote, type ReportAt, textOf, wholeOf } from "../at.ts";
import { isPortName } from "../names.ts";

/** Reports a whole number that is outside its range. */
export function checkRange(
  at: At,
  name: string,
  least: number,
  most: number | undefined,
  report: ReportAt,
): void {
  const value = wholeOf(at);
  if (value === undefined || (value >= least && (most === undefined || value <= most))) return;
  report(
    "range",
    at,
    `${name} must be ${most === undefined ? `at least ${least}` : `${least} to ${most}`}, not ${value}.`,
  );
}

/** Reports the named fields of an object that are less than `least`. */
export function checkLeast(parent: At, fields: readonly string[], least: number, report: ReportAt): void {
  for (const field of fields) checkRange(child(parent, field), field, least, undefined, report);
}

/** Reports a port number outside 1 to 65535. */
export const checkPort = (at: At, name: string, report: ReportAt): void =>
  checkRange(at, name, 1, 65_535, report);

/** Reports a port that is neither a number of one nor its name. */
export function checkPortOrName(at: At, name: string, report: ReportAt): void {
  checkPort(at, name, report);
  const text = textOf(at);
  const fault = text === undefined ? undefined : isPortName(text);
  if (fault === undefined) return;
  const hint = /^\d+$/.test(text ?? "") ? " Remove the quotes of a number." : "";
  report("port", at, `${name} ${quote(text ?? "")} is a name of a port, which ${fault}.${hint}`);
}

/** Reports a share that is neither a number from 0 on nor a percentage. */
export function checkShare(at: At, name: string, report: ReportAt, most?: number): void {
  checkRange(at, name, 0, undefined, report);
  const text = textOf(at);
  if (text === undefined) return;
  if (!/^\d{1,9}%$/.test(text))
    return report(
      "percentage",
      at,
      `${name} must be a whole number or a percentage such as 25%, not ${quote(text)}.`,
    );
  if (most !== undefined && Number(text.slice(0, -1)) > most)
    report("percentage", at, `${name} must be at most ${most}%, not ${text}.`);
}
