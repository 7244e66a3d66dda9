import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { makeFolder } from "./host.ts";

/** Creates a self-signed certificate for localhost in a folder of its own. */
export function makeCertificate(): { folder: string; key: string; cert: string } {
  const folder = makeFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")] as const;
  const line = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${cert}`;
  execFileSync("openssl", line.split(" "), { stdio: "ignore" });
  return { folder, key, cert };
}
