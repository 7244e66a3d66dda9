/** The forms of names that `casing` knows. */
export const casings = ["flat", "camel", "pascal", "kebab", "cobol", "snake", "macro"] as const;
export type Casing = (typeof casings)[number];

export interface CasingOptions {
  type: Casing;
  disallowDigits: boolean;
  /** A character between words of that form, such as `.` in `pets.allNames`. */
  separator: { char: string; allowLeading: boolean } | undefined;
}

const plain: Readonly<Partial<Record<Casing, RegExp>>> = {
  flat: /^[a-z][a-z0-9]*$/,
  kebab: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  cobol: /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*$/,
  snake: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
  macro: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/,
};

/** Reports whether a name has a form. Linear: a name may be as long as a document. */
export function hasCasing(name: string, { type, disallowDigits, separator }: CasingOptions): boolean {
  if (separator === undefined) return isOfForm(name, type, disallowDigits);
  if (separator.allowLeading && name === separator.char) return true;
  const rest = separator.allowLeading && name.startsWith(separator.char) ? name.slice(1) : name;
  return rest.split(separator.char).every((part) => isOfForm(part, type, disallowDigits));
}

function isOfForm(name: string, type: Casing, disallowDigits: boolean): boolean {
  if (disallowDigits && /[0-9]/.test(name)) return false;
  const pattern = plain[type];
  if (pattern !== undefined) return pattern.test(name);
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name) || /^[A-Z]/.test(name) !== (type === "pascal")) return false;
  // Each word has one capital; only the first letter may be followed by one.
  return !/[A-Z]{2}/.test(name.slice(1));
}
