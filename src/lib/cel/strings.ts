import type * as Cel from "@bufbuild/cel";

interface StringNeeds {
  library: typeof Cel;
  /** Counts a text that a function made, and returns it. */
  text(value: string): string;
  /** Counts the items of a list before it is made. */
  items(count: number): void;
}

/**
 * Returns the functions of the extension `strings` but `format` and `quote` (format.ts), with indexes in code points. Each is linear and counts
 * what it makes; the library's own are neither.
 */
export function createStringFunctions({ library, text, items }: StringNeeds): Cel.CelFunc[] {
  const { celMethod, listType, CelScalar } = library;
  const { INT, STRING, DYN } = CelScalar;
  const texts = listType(DYN);

  /** Returns the UTF-16 index of a code point. */
  const unitOf = (of: string, point: bigint): number => {
    let at = 0;
    let left = Number(point);
    if (left < 0) throw outOfRange(point);
    for (; left > 0 && at < of.length; left--) at += (of.codePointAt(at) as number) > 0xffff ? 2 : 1;
    if (left > 0) throw outOfRange(point);
    return at;
  };
  const pointOf = (of: string, unit: number): bigint => {
    if (unit < 0) return -1n;
    let points = 0n;
    for (let at = 0; at < unit; points++) at += (of.codePointAt(at) as number) > 0xffff ? 2 : 1;
    return points;
  };

  const replace = (of: string, old: string, by: string, most: bigint): string => {
    const limit = most < 0n ? Infinity : Number(most);
    let found = 0;
    // An empty text is before each code point and at the end.
    if (old === "") found = Math.min(limit, of.length + 1);
    else
      for (let at = of.indexOf(old); at >= 0 && found < limit; at = of.indexOf(old, at + old.length)) found++;
    items(found + Math.ceil((of.length + found * by.length) / 4));
    let left = limit;
    if (old !== "") return of.replaceAll(old, () => (left-- > 0 ? by : old));
    return of.replaceAll(/(?:)/gu, () => (left-- > 0 ? by : ""));
  };

  const split = (of: string, by: string, most: bigint): string[] => {
    if (most === 0n) return [];
    items(by === "" ? of.length : 1);
    const all = by === "" ? [...of] : of.split(by);
    items(all.length * 2);
    const limit = Number(most);
    if (most < 0n || all.length <= limit) return all;
    return [...all.slice(0, limit - 1), all.slice(limit - 1).join(by)];
  };

  const join = (of: Cel.CelList, by: string): string => {
    const joined: string[] = [];
    for (const item of of) {
      if (typeof item !== "string") throw new Error("join takes a list of strings");
      text(item);
      text(by);
      joined.push(item);
    }
    return joined.join(by);
  };

  return [
    celMethod("charAt", STRING, [INT], STRING, function (index) {
      const at = unitOf(this, index);
      return at === this.length ? "" : String.fromCodePoint(this.codePointAt(at) as number);
    }),
    celMethod("indexOf", STRING, [STRING], INT, function (part) {
      return pointOf(this, this.indexOf(part));
    }),
    celMethod("indexOf", STRING, [STRING, INT], INT, function (part, from) {
      return pointOf(this, this.indexOf(part, unitOf(this, from)));
    }),
    celMethod("lastIndexOf", STRING, [STRING], INT, function (part) {
      return pointOf(this, this.lastIndexOf(part));
    }),
    celMethod("lastIndexOf", STRING, [STRING, INT], INT, function (part, from) {
      return pointOf(this, this.lastIndexOf(part, unitOf(this, from)));
    }),
    celMethod("lowerAscii", STRING, [], STRING, function () {
      return text(this.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()));
    }),
    celMethod("upperAscii", STRING, [], STRING, function () {
      return text(this.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()));
    }),
    celMethod("replace", STRING, [STRING, STRING], STRING, function (old, by) {
      return replace(this, old, by, -1n);
    }),
    celMethod("replace", STRING, [STRING, STRING, INT], STRING, function (old, by, most) {
      return replace(this, old, by, most);
    }),
    celMethod("split", STRING, [STRING], texts, function (by) {
      return split(this, by, -1n);
    }),
    celMethod("split", STRING, [STRING, INT], texts, function (by, most) {
      return split(this, by, most);
    }),
    celMethod("substring", STRING, [INT], STRING, function (from) {
      return text(this.slice(unitOf(this, from)));
    }),
    celMethod("substring", STRING, [INT, INT], STRING, function (from, to) {
      if (from > to) throw new Error("the end of a substring lies before its beginning");
      return text(this.slice(unitOf(this, from), unitOf(this, to)));
    }),
    celMethod("trim", STRING, [], STRING, function () {
      let from = 0;
      let to = this.length;
      while (from < to && isSpace(this[from])) from++;
      while (to > from && isSpace(this[to - 1])) to--;
      return this.slice(from, to);
    }),
    celMethod("reverse", STRING, [], STRING, function () {
      items(this.length * 2);
      return [...this].toReversed().join("");
    }),
    celMethod("join", texts, [], STRING, function () {
      return join(this, "");
    }),
    celMethod("join", texts, [STRING], STRING, function (by) {
      return join(this, by);
    }),
  ];
}

/** White space of Unicode; `\s` also matches a byte order mark. */
const isSpace = (unit: string | undefined): boolean =>
  unit !== undefined && /[\s\u0085]/.test(unit) && unit !== "\ufeff";

const outOfRange = (index: bigint): Error => new Error(`index ${index} out of range`);
