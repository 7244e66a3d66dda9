import { unlessFault } from "../lib/fault.ts";
import { formatXml, type XmlFormatOptions } from "../lib/xml/format.ts";
import { advising, refusing } from "./refusing.ts";

/** Formats the field `data`. @throws ToolError invalid_document; it says whether the text is a fragment */
export function formatXmlText(data: string, options: XmlFormatOptions): string {
  const advise = (): string | undefined =>
    !options.fragment && isFragment(data, options) ? "To accept it, set fragment to true." : undefined;
  return refusing(data, () => advising(() => formatXml(data, options), advise));
}

const isFragment = (data: string, options: XmlFormatOptions): boolean =>
  unlessFault(() => formatXml(data, { ...options, fragment: true })) !== undefined;
