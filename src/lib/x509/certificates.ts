import { DocumentFault } from "../fault.ts";
import { X509Certificate } from "node:crypto";
import { readDer, notDer } from "./der.ts";
import { decodeBody, readPem } from "./pem.ts";

export interface PlacedCertificate {
  certificate: X509Certificate;
  /** Offset of its first byte in the document. */
  offset: number;
}

/**
 * Returns the certificates of a document in order: from PEM, ignoring keys and other blocks, or one in DER,
 * as bytes or base64.
 * @throws DocumentFault if there is none, or one is invalid.
 */
export function readCertificates(data: Uint8Array): PlacedCertificate[] {
  const document = Buffer.from(data.buffer, data.byteOffset, data.length);
  const blocks = readPem(document);
  const found = blocks.filter(({ label }) => /^(?:X509 )?CERTIFICATE$/.test(label));
  if (found.length > 0)
    return found.map(({ der, offset }) => ({ certificate: toCertificate(der, offset), offset }));
  if (blocks.length > 0) {
    const message = `The document contains no CERTIFICATE, only ${blocks[0]?.label}.`;
    throw new DocumentFault(message, { offset: blocks[0]?.offset ?? 0 });
  }
  // A SEQUENCE whose length takes several bytes, which is never valid UTF-8 text.
  const der =
    document[0] === 0x30 && (document[1] ?? 0) > 0x80 ? document : decodeBody(document.toString("latin1"));
  if (der === undefined)
    throw new DocumentFault("Expected a PEM block, -----BEGIN CERTIFICATE-----, or DER in base64.", {
      offset: 0,
    });
  return [{ certificate: toCertificate(der, 0), offset: 0 }];
}

export function toCertificate(der: Buffer, offset: number): X509Certificate {
  try {
    // Trailing data would otherwise be ignored silently.
    if (readDer(der).raw.length !== der.length)
      throw new DocumentFault("There is data after the certificate within its block.", { offset });
    return new X509Certificate(der);
  } catch (error) {
    if (error instanceof DocumentFault && error.rule !== notDer) throw error;
    const cut = error instanceof DocumentFault ? " It may have been cut off." : "";
    throw new DocumentFault(`This is not an X.509 certificate in DER.${cut}`, { offset });
  }
}
