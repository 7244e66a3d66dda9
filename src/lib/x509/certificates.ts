import { DocumentFault } from "../fault.ts";
import { X509Certificate } from "node:crypto";
import { readDer, notDer } from "./der.ts";
import { decodeBody, readPem } from "./pem.ts";

export interface PlacedCertificate {
  certificate: X509Certificate;
  /** Of its first byte in the document. */
  offset: number;
}

/**
 * The certificates of a document in its order: PEM, where keys and the rest are passed over, or one in DER, as
 * bytes or in base64.
 * @throws DocumentFault where there is none, or one that cannot be read.
 */
export function readCertificates(data: Uint8Array): PlacedCertificate[] {
  const document = Buffer.from(data.buffer, data.byteOffset, data.length);
  const blocks = readPem(document);
  const found = blocks.filter(({ label }) => /^(?:X509 )?CERTIFICATE$/.test(label));
  if (found.length > 0)
    return found.map(({ der, offset }) => ({ certificate: toCertificate(der, offset), offset }));
  if (blocks.length > 0) {
    const message = `There is no CERTIFICATE in the document, only ${blocks[0]?.label}.`;
    throw new DocumentFault(message, { offset: blocks[0]?.offset ?? 0 });
  }
  // A SEQUENCE whose length takes more than a byte; as text that would be no UTF-8.
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
    // What follows the certificate would be passed over in silence.
    if (readDer(der).raw.length !== der.length)
      throw new DocumentFault("Something follows the certificate within its block.", { offset });
    return new X509Certificate(der);
  } catch (error) {
    if (error instanceof DocumentFault && error.rule !== notDer) throw error;
    const cut = error instanceof DocumentFault ? " It may have been cut off." : "";
    throw new DocumentFault(`This is not an X.509 certificate in DER.${cut}`, { offset });
  }
}
