export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the fields that were given as undefined: "not given" has one form behind this line. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
