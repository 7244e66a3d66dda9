import { OptionFault } from "../fault.ts";
import { addExact, compareExact, divideExact, type Exact } from "../number/arithmetic.ts";
import { type CellValue, compareCells, textOf, withNumber } from "./values.ts";

/** `name=kind:column`; `count` needs no column. */
export interface Aggregate {
  readonly name: string;
  readonly kind: string;
  readonly column: string | undefined;
}

/** Collects the values of one group. */
interface Collector {
  add(value: CellValue): void;
  result(): CellValue;
}

const kinds = ["count", "sum", "mean", "min", "max", "distinct", "first", "last"] as const;

/** @throws OptionFault */
export function parseAggregate(text: string): Aggregate {
  const [, given, kind = "", column] =
    /^(?:([^=:]+)=)?([a-z]+\d*(?:\.\d+)?)(?::(.+))?$/s.exec(text.trim()) ?? [];
  const isPercentile = /^p(?:100|\d{1,2}(?:\.\d+)?)$/.test(kind);
  if (!isPercentile && !kinds.some((one) => one === kind))
    throw new OptionFault(
      `${JSON.stringify(text.slice(0, 64))} is not an aggregate: write one of ${kinds.join(", ")} or p50 and a column, such as sum:price or total=sum:price`,
    );
  if (column === undefined && kind !== "count")
    throw new OptionFault(`${kind} needs a column, such as ${kind}:price`);
  return { name: given ?? (column === undefined ? kind : `${kind}_${column}`), kind, column };
}

/** Empty cells count for `count` without a column, `first` and `last` alone. */
export function createCollector({ kind, column }: Aggregate): Collector {
  switch (kind) {
    case "count":
      return counting(column === undefined);
    case "sum":
    case "mean":
      return summing(kind);
    case "min":
    case "max":
      return extreme(kind === "min" ? 1 : -1);
    case "distinct": {
      const seen = new Set<string>();
      return {
        add: (value) => void (value !== "" && seen.add(textOf(value))),
        result: () => ({ units: BigInt(seen.size), places: 0 }),
      };
    }
    case "first":
    case "last": {
      let kept: CellValue | undefined;
      return {
        add: (value) => void (kept = kind === "first" ? (kept ?? value) : value),
        result: () => kept ?? "",
      };
    }
    default:
      return percentile(Number(kind.slice(1)));
  }
}

function counting(all: boolean): Collector {
  let count = 0n;
  return {
    add: (value) => void ((all || value !== "") && count++),
    result: () => ({ units: count, places: 0 }),
  };
}

function summing(kind: "sum" | "mean"): Collector {
  let sum: Exact = { units: 0n, places: 0 };
  let count = 0n;
  return {
    add(value) {
      withNumber(value, (number) => {
        sum = addExact(sum, number);
        count++;
        return "";
      });
    },
    result: () => (kind === "sum" ? sum : count === 0n ? "" : divideExact(sum, { units: count, places: 0 })),
  };
}

/** The least or the greatest of the values; numbers come before texts. */
function extreme(direction: 1 | -1): Collector {
  let kept: CellValue = "";
  return {
    add(value) {
      if (value !== "" && (kept === "" || compareCells(value, kept) * direction < 0)) kept = value;
    },
    result: () => kept,
  };
}

/** The nearest rank: the least number that so many per cent of all are not greater than. */
function percentile(percent: number): Collector {
  const numbers: Exact[] = [];
  return {
    add(value) {
      withNumber(value, (number) => {
        numbers.push(number);
        return "";
      });
    },
    result() {
      numbers.sort(compareExact);
      // Rounded first: 7 % of 100 is a little more than 7 as a double.
      const rank = Math.max(1, Math.ceil(Number(((percent * numbers.length) / 100).toFixed(9))));
      return numbers[rank - 1] ?? "";
    },
  };
}

/** The key of a group: numbers that are written differently are different values. */
export const groupKey = (values: readonly CellValue[]): string =>
  JSON.stringify(values.map((value) => (typeof value === "string" ? value : textOf(value))));
