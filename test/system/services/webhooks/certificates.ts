import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A certificate with its key, both in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

export interface Certificates {
  /** Signed by the trusted authority. */
  ca: string;
  /** For `name`. */
  right: Certificate;
  otherName: Certificate;
  expired: Certificate;
  selfSigned: Certificate;
  /** Signed by an unknown authority. */
  otherAuthority: Certificate;
}

/** An authority and certificates, valid and invalid, for this host name. */
export function createCertificates(name: string): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "penknife-certificates-"));
  const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");

  function issue(ca: string, host: string, days: string): Certificate {
    const names = ["-keyout", "leaf.key", "-out", "leaf.csr"];
    openssl("req", ...newKey, "-subj", `/CN=${host}`, ...names);
    writeFileSync(join(folder, "names"), `subjectAltName=DNS:${host}`);
    const by = ["-CA", `${ca}.pem`, "-CAkey", `${ca}.key`, "-CAcreateserial"];
    openssl("x509", "-req", "-in", "leaf.csr", ...by, "-days", days, "-extfile", "names", "-out", "leaf.pem");
    return { key: read("leaf.key"), cert: read("leaf.pem") };
  }

  try {
    for (const ca of ["ca", "other"]) {
      const names = ["-keyout", `${ca}.key`, "-out", `${ca}.pem`];
      openssl("req", "-x509", ...newKey, "-subj", `/CN=Test ${ca}`, "-days", "2", ...names);
    }
    const selfSigned = ["-addext", `subjectAltName=DNS:${name}`, "-keyout", "self.key", "-out", "self.pem"];
    openssl("req", "-x509", ...newKey, "-subj", `/CN=${name}`, "-days", "2", ...selfSigned);
    return {
      ca: read("ca.pem"),
      right: issue("ca", name, "2"),
      otherName: issue("ca", "other.example", "2"),
      expired: issue("ca", name, "-1"),
      selfSigned: { key: read("self.key"), cert: read("self.pem") },
      otherAuthority: issue("other", name, "2"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
