import { CertificateError } from "../lib/x509/fault.ts";
import { DerError } from "../lib/x509/der.ts";
import { refuseAt } from "./refusal.ts";

/** Runs work that reads certificates; what it finds wrong with the document is the caller's to mend. */
export function refusingCertificates<T>(data: Uint8Array, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CertificateError) throw refuseAt(data, error.offset, error.message);
    if (error instanceof DerError)
      throw refuseAt(data, 0, "The inside of a certificate is not as X.509 has it.");
    throw error;
  }
}
