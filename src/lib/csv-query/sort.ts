import { compareNatural } from "../text/line-order.ts";
import { compareCodePoints } from "../json/code-point-order.ts";
import type { Compute } from "./compile.ts";
import { toIsoDate } from "./dates.ts";
import { type CellValue, compareCells, textOf, withNumber } from "./values.ts";

/** An order of rows: their keys are computed once. */
export interface RowOrder {
  keysOf(cells: readonly CellValue[]): CellValue[];
  compare(a: readonly CellValue[], b: readonly CellValue[]): number;
}

const kinds = ["text", "numeric", "natural", "date"] as const;
type Kind = (typeof kinds)[number] | "auto";

/**
 * Makes an order of keys such as `price`, `-price` and `name:natural`. Empty cells are last in either direction.
 * @param known The names of columns: one that begins with - or ends with :date is meant itself.
 * @throws OptionFault as `find` does
 */
export function createOrder(
  keys: readonly string[],
  find: (name: string) => Compute,
  known: readonly string[],
): RowOrder {
  const parts = keys.map((key) => {
    const { name, descending, kind } = parseKey(key.trim(), known);
    return { compute: find(name), sign: descending ? -1 : 1, kind };
  });
  return {
    keysOf: (cells) => parts.map(({ compute, kind }) => toKey(compute(cells), kind)),
    compare(a, b) {
      for (const [at, { sign, kind }] of parts.entries()) {
        const [x, y] = [a[at] as CellValue, b[at] as CellValue];
        if ((x === "" || y === "") && x !== y) return x === "" ? 1 : -1;
        const order = sign * compareBy(x, y, kind);
        if (order !== 0) return order;
      }
      return 0;
    },
  };
}

function parseKey(key: string, known: readonly string[]): { name: string; descending: boolean; kind: Kind } {
  if (known.includes(key)) return { name: key, descending: false, kind: "auto" };
  const descending = key.startsWith("-");
  const rest = descending ? key.slice(1) : key;
  const kind = known.includes(rest) ? undefined : kinds.find((one) => rest.endsWith(`:${one}`));
  const name = kind === undefined ? rest : rest.slice(0, -kind.length - 1);
  return { name, descending, kind: kind ?? "auto" };
}

const toKey = (value: CellValue, kind: Kind): CellValue =>
  kind === "numeric"
    ? withNumber(value, (number) => number)
    : kind === "date"
      ? toIsoDate(textOf(value))
      : value;

function compareBy(a: CellValue, b: CellValue, kind: Kind): number {
  if (kind === "natural") return compareNatural(textOf(a), textOf(b));
  if (kind === "text" || kind === "date") return compareCodePoints(textOf(a), textOf(b));
  return compareCells(a, b);
}
