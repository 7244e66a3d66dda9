/** Meanings of the registered members of a token (RFC 7515 §4.1, RFC 7519 §4.1, OpenID Connect Core §2 and §5.1). */
export const meanings: Readonly<Record<string, string>> = {
  typ: "Type",
  cty: "Content type",
  kid: "Key id",
  jku: "URL of the keys",
  jwk: "Public key",
  x5u: "URL of the certificate",
  x5c: "Certificates",
  x5t: "Certificate, SHA-1",
  "x5t#S256": "Certificate, SHA-256",
  crit: "Members that must be understood",
  enc: "Encryption",
  zip: "Compression",
  iss: "Issuer",
  sub: "Subject",
  aud: "Audience",
  jti: "Token id",
  azp: "Authorized party",
  nonce: "Nonce of the request",
  auth_time: "Signed in",
  acr: "Authentication level",
  amr: "Authentication methods",
  scope: "Scope",
  scp: "Scope",
  name: "Full name",
  given_name: "Given name",
  family_name: "Family name",
  preferred_username: "User name",
  email: "Mail address",
  email_verified: "Whether the mail address is verified",
  locale: "Language",
  zoneinfo: "Time zone",
  picture: "Picture",
  sid: "Session id",
  tid: "Tenant id",
  roles: "Roles",
  groups: "Groups",
  client_id: "Client id",
  cnf: "Key of the holder",
};

/** Names of algorithms (RFC 7518 §3.1, RFC 8037, RFC 9864). */
export function describeAlgorithm(name: string): string | undefined {
  if (name === "none") return "Not signed";
  if (/^(?:EdDSA|Ed25519|Ed448)$/.test(name)) return "Edwards curve";
  const [, family, bits] = /^(HS|RS|PS|ES)(256|384|512)$/.exec(name) ?? [];
  const families: Readonly<Record<string, string>> = { HS: "HMAC", RS: "RSA", PS: "RSA-PSS", ES: "ECDSA" };
  return family === undefined ? undefined : `${families[family]} with SHA-${bits}`;
}

/** Claims that are times in seconds, and the words for one that is past and one that is to come. */
export const times: Readonly<Record<string, readonly [past: string, future: string]>> = {
  iat: ["Issued", "Issued, by a clock that is ahead,"],
  exp: ["Expired", "Expires"],
  nbf: ["Valid since", "Not valid before"],
  auth_time: ["Signed in", "Signed in"],
  updated_at: ["Changed", "Changed"],
};
