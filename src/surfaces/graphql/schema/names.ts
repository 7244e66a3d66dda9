/** Converts a text to a GraphQL name; invalid characters become `_`. */
export function toName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z\d_]/g, "_");
  // A prefix of two underscores is reserved for introspection.
  return /^(?:\d|$)/.test(name) ? `_${name}` : name.replace(/^__+/, "_");
}

/** Name of an enum value: SHA_256 for "sha-256", KEY_ISSUED for "key.issued". */
export const toEnumName = (value: string): string => toName(value).toUpperCase();

/** Field name of a slug: jsonFormatter for `json-formatter`. */
export const toFieldName = (slug: string): string =>
  toName(slug.replaceAll(/-+(.)/g, (_, first: string) => first.toUpperCase()));

/** Type name of a slug: JsonFormatter. */
export function toTypeName(slug: string): string {
  const name = toFieldName(slug);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Reserves and returns the first free name, or the last one with underscores appended. */
export function takeName(taken: Set<string>, ...names: [string, ...string[]]): string {
  let name = names.find((each) => !taken.has(each)) ?? (names.at(-1) as string);
  while (taken.has(name)) name += "_";
  taken.add(name);
  return name;
}
