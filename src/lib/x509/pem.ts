import { DocumentFault } from "../fault.ts";

/** One block of PEM (RFC 7468). */
export interface PemBlock {
  label: string;
  der: Buffer;
  /** The block as it stands, boundaries included. */
  text: string;
  /** Of its first byte in the document. */
  offset: number;
}

const maxBlocks = 200;

/**
 * All blocks of a document; the text between them, which tools like to write there, is passed over.
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
      throw new DocumentFault('A "-----BEGIN …-----" line is not whole.', { offset });
    const footer = `-----END ${label}-----`;
    const end = document.indexOf(footer, labelEnd);
    if (end < 0) throw new DocumentFault(`The line ${footer} is missing: the block was cut off.`, { offset });
    if (blocks.length === maxBlocks)
      throw new DocumentFault(`There may be ${maxBlocks} PEM blocks at most.`, { offset });
    const der = decodeBody(document.toString("latin1", labelEnd + 5, end));
    if (der === undefined)
      throw new DocumentFault(`What is between the BEGIN and END of this ${label} is not base64.`, {
        offset,
      });
    from = end + footer.length;
    blocks.push({ label, der, text: document.toString("latin1", offset, from), offset });
  }
}

/** The bytes of base64 with line ends and spaces in it; undefined where it is none. */
export function decodeBody(body: string): Buffer | undefined {
  // Encrypted keys of old have headers, ended by an empty line (RFC 1421 §4.4).
  const blank = body.search(/\n\r?\n/);
  const headed = blank > 0 && body.slice(0, blank).includes(": ");
  const text = body.slice(headed ? blank : 0).replace(/\s+/g, "");
  if (text === "" || text.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, "base64");
}
