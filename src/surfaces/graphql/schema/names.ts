/** A name that GraphQL can have, as near to the text as one can be: what a name may not hold becomes `_`. */
export function toName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z\d_]/g, "_");
  // Two underscores at the front are for introspection.
  return /^(?:\d|$)/.test(name) ? `_${name}` : name.replace(/^__+/, "_");
}

/** The name of the value of an enumeration: SHA_256 for "sha-256", KEY_ISSUED for "key.issued". */
export const toEnumName = (value: string): string => toName(value).toUpperCase();

/** `json-formatter` as a field: jsonFormatter. */
export const toFieldName = (slug: string): string =>
  toName(slug.replaceAll(/-+(.)/g, (_, first: string) => first.toUpperCase()));

/** As a type: JsonFormatter. */
export function toTypeName(slug: string): string {
  const name = toFieldName(slug);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The first of the names that is not taken yet, or the last of them with underscores behind it; taken from then on. */
export function takeName(taken: Set<string>, ...names: [string, ...string[]]): string {
  let name = names.find((each) => !taken.has(each)) ?? (names.at(-1) as string);
  while (taken.has(name)) name += "_";
  taken.add(name);
  return name;
}
