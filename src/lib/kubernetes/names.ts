/** Returns what is wrong with a name, undefined if nothing is. */
export type NameRule = (name: string) => string | undefined;

const rule =
  (max: number, pattern: RegExp, form: string): NameRule =>
  (name) => {
    if (name.length > max) return `must have at most ${max} characters, not ${name.length}`;
    return pattern.test(name) ? undefined : `must consist of ${form}`;
  };

// The patterns must not backtrack: a name may be of any length, so its length is checked first.
/** RFC 1123, a label of a host name. */
export const isLabel = rule(
  63,
  /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/,
  "lower-case letters, digits and -, and begin and end with a letter or digit (DNS-1123 label)",
);

/** RFC 1123, a host name. */
export const isSubdomain = rule(
  253,
  /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/,
  "lower-case letters, digits, - and ., and begin and end with a letter or digit (DNS-1123 subdomain)",
);

/** RFC 1035, a label that begins with a letter. */
export const isOldLabel = rule(
  63,
  /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/,
  "lower-case letters, digits and -, begin with a letter and end with a letter or digit (DNS-1035 label)",
);

/** A host of an Ingress, whose first label may be `*`. */
export const isWildcardHost: NameRule = (name) =>
  isSubdomain(name.startsWith("*.") ? name.slice(2) : name)?.replace(
    "consist of",
    "be * and a domain, or consist of",
  );

/** Names of roles and bindings, which are a segment of a path. */
export const isPathSegment: NameRule = (name) =>
  name === "." || name === ".." || /[/%]/.test(name) ? "must not be . or .., or contain / or %" : undefined;

/** RFC 6335 §5.1, the name of a port. */
export const isPortName: NameRule = (name) => {
  if (name.length > 15) return `must have at most 15 characters, not ${name.length}`;
  if (!/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(name) || name.includes("--"))
    return "must consist of lower-case letters, digits and single -, and begin and end with a letter or digit";
  return /[a-z]/.test(name) ? undefined : "must contain a letter";
};

const isKeyText = rule(253, /^[-._a-zA-Z0-9]+$/, "letters, digits, -, _ and .");

/** A key of a ConfigMap or Secret. */
export const isConfigKey: NameRule = (name) => {
  if (name === "." || name === ".." || name.startsWith("..")) return "must not be . or begin with ..";
  return isKeyText(name);
};

const isQualified = rule(
  63,
  /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/,
  "letters, digits, -, _ and ., and begin and end with a letter or digit",
);

/** A key of a label or annotation: a name, after a domain and `/` if it has one. */
export const isQualifiedName: NameRule = (key) => {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  if (name.includes("/")) return "must have at most one /";
  if (slash >= 0) {
    const domain = slash === 0 ? "must not be empty" : isSubdomain(key.slice(0, slash).toLowerCase());
    if (domain !== undefined) return `has a prefix that ${domain}`;
  }
  return name === "" ? "must have a name after the prefix" : isQualified(name);
};

export const isLabelValue: NameRule = (value) => (value === "" ? undefined : isQualified(value));

/** The rule for the names of a kind; other kinds have subdomains. */
const rules: Record<string, NameRule> = {
  " Namespace": isLabel,
  " Service": isLabel,
  " Endpoints": isSubdomain,
  "rbac.authorization.k8s.io Role": isPathSegment,
  "rbac.authorization.k8s.io RoleBinding": isPathSegment,
  "rbac.authorization.k8s.io ClusterRole": isPathSegment,
  "rbac.authorization.k8s.io ClusterRoleBinding": isPathSegment,
  "networking.k8s.io IPAddress": () => undefined,
  "certificates.k8s.io ClusterTrustBundle": () => undefined,
  "internal.apiserver.k8s.io StorageVersion": () => undefined,
};

/** Longest names where the controller appends to them, or makes a label of them. */
const lengths: Record<string, number> = { "batch CronJob": 52, "batch Job": 63, "apps StatefulSet": 63 };

/** Returns what is wrong with the name of an object; of `prefix`, with the beginning of names that the API server completes. */
export function checkName(group: string, kind: string, name: string, prefix = false): string | undefined {
  const id = `${group} ${kind}`;
  const found = (rules[id] ?? isSubdomain)(prefix ? name.replace(/[-.]$/, "") : name);
  const max = lengths[id];
  if (found === undefined && max !== undefined && name.length > max)
    return `must have at most ${max} characters, not ${name.length}`;
  return found;
}
