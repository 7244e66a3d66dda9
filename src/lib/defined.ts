export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Returns the object without its undefined fields: an absent field then has only one form. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
