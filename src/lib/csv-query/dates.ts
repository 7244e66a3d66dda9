import { DocumentFault } from "../fault.ts";

const form =
  /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*$/i;

/**
 * Writes a date, or a date with a time, of ISO 8601 in the one form whose text sorts as time does: UTC, `2024-05-01T10:00:00Z`. A
 * time without an offset is taken for UTC; an empty text stays empty.
 * @throws DocumentFault
 */
export function toIsoDate(text: string): string {
  if (text.trim() === "") return "";
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", offset = "Z"] =
    form.exec(text) ?? [];
  const zone = /^z$/i.test(offset) ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  const known = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(at) || known.getUTCDate() !== Number(day))
    throw new DocumentFault(
      `${JSON.stringify(text.slice(0, 64))} is not a date of ISO 8601, such as 2024-05-01 or 2024-05-01T10:00:00Z.`,
      {},
      "not-a-date",
    );
  const digits = fraction.replace(/0+$/, "");
  return new Date(at).toISOString().replace(".000Z", digits === "" ? "Z" : `.${digits}Z`);
}
