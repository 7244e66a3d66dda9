import type { Planted } from "./planted.ts";

/** Examples of rules for files, headers and URLs: whole texts, which no syntax surrounds. */
export const filesExamples: readonly Planted[] = [
  ["private-key", "-----BEGIN PRIVATE K¦EY-----\n{b64}\n{b64}", "-----BEGIN PRIVATE K¦EY-----\n"],
  [
    "encoded-private-key",
    "key-data: LS0tLS1¦CRUdJTiBQUklWQVRFIEtFWS0tLS0tC{w80}",
    "crt-data: LS0tLS1¦CRUdJTiBDRVJUSUZJQ0FURS0tLS0tC{w80}",
  ],
  [
    "putty-key",
    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n{b48}",
    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none",
  ],
  ["pgpass-password", "db.internal.net:5432:app:ann:{w16}", "src/a.ts:5432:app: {w16}"],
  ["password-hash", "ann:$apr1$RYl{w5}${w22}", "ann:$apr1$RYl{w5}$"],
  ["cisco-password", "enable secret 5 $1$ab{w2}${w22}", "enable secret 5 $1$ab{w2}${w21}"],
  ["oracle-login", "sqlplus -s ann/{w16}@db", "sqlplus -s ann/$PASSWORD@db"],
  ["kubernetes-secret", "kind: Secret\ndata:\n  dsn: {w20}", "kind: ConfigMap\ndata:\n  dsn: {w20}"],
  [
    "url-password",
    "postgres://app:{w16}@db.internal.net/app",
    "postgres://app:$PASSWORD@db.internal.net/app",
  ],
  ["authorization", "Authorization: Bearer {w32}", "Authorization: Bearer ${TOKEN}"],
  ["session-cookie", "Set-Cookie: session={w32}; Path=/", "Set-Cookie: theme={w32}; Path=/"],
  ["jwt", "eyJ{u30}.eyJ{u60}.{u43}", "eyJ{u30}.{u60}.{u43}"],
  [
    "registry-login",
    '{"auths":{"r.io":{"auth":"YW5uOmh1¦bnRlcjIteA=="}}}',
    '{"auths":{"r.io":{"auth":"basic"}}}',
  ],
  ["assigned-password", 'password = "hunter{d2}!x"', 'password = "enter-password"'],
  ["high-entropy", 'password = "{w24}"', 'password = "{a3}Password"'],
];
