import { DocumentFault } from "../fault.ts";
import { replaceCharacters } from "../text/replace-characters.ts";

/** One block of PEM (RFC 7468). */
export interface PemBlock {
  label: string;
  der: Buffer;
  /** The block as written, including boundaries. */
  text: string;
  /** Offset of its first byte in the document. */
  offset: number;
}

const maxBlocks = 200;

/**
 * Returns all blocks of a document; ignores the text between them, which many tools write.
 * @throws DocumentFault
 */
export function readPem(document: Buffer): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let from = 0; ;) {
    const offset = document.indexOf("-----BEGIN ", from);
    if (offset < 0) return blocks;
    const labelEnd = document.indexOf("-----", offset + 11);
    const label = labelEnd < 0 ? "" : document.toString("latin1", offset + 11, labelEnd);
    if (!/^[A-Z\d][A-Z\d #-]{0,63}$/.test(label))
      throw new DocumentFault('A "-----BEGIN …-----" line is incomplete.', { offset });
    const footer = `-----END ${label}-----`;
    const end = document.indexOf(footer, labelEnd);
    if (end < 0)
      throw new DocumentFault(`The line ${footer} is missing; the block may have been cut off.`, { offset });
    if (blocks.length === maxBlocks)
      throw new DocumentFault(`A document can have at most ${maxBlocks} PEM blocks.`, { offset });
    const der = decodeBody(document.toString("latin1", labelEnd + 5, end));
    if (der === undefined)
      throw new DocumentFault(`The text between BEGIN and END of this ${label} is not base64.`, {
        offset,
      });
    from = end + footer.length;
    blocks.push({ label, der, text: document.toString("latin1", offset, from), offset });
  }
}

/** Decodes base64 with line ends and spaces in it; undefined if it is not base64. */
export function decodeBody(body: string): Buffer | undefined {
  // Old encrypted keys have headers, ended by an empty line (RFC 1421 §4.4).
  const blank = body.search(/\n\r?\n/);
  const headed = blank > 0 && body.slice(0, blank).includes(": ");
  const text = replaceCharacters(body.slice(headed ? blank : 0), /\s/g, () => "");
  return isPaddedBase64(text) ? Buffer.from(text, "base64") : undefined;
}

/** Searches for what does not belong: a repetition takes stack for each digit in a process that has compiled many patterns. */
export function isPaddedBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, "");
  return digits !== "" && text.length % 4 === 0 && !/[^A-Za-z\d+/]/.test(digits);
}
