import { xml } from "../../../../lib/escape/xml.ts";
import { visible } from "../../visible.ts";

/**
 * Escapes text for an XML attribute or element, whatever it contains: characters that XML 1.0 cannot represent (§2.2), and
 * those that would rewrite a log, are replaced by visible ones.
 */
export const toXmlText = (text: string): string =>
  // Characters that Unicode will never assign are no controls, but XML forbids two of them.
  xml.escape(visible(text).replaceAll(/[\ufffe\uffff]/g, "\ufffd"), { quotes: false, ascii: false });

/** Writes attributes, each after a space; undefined ones are left out. */
export const toAttributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? "" : ` ${name}="${toXmlText(String(value))}"`))
    .join("");
