import { OptionFault } from "../fault.ts";
import {
  addExact,
  compareExact,
  divideExact,
  type Exact,
  multiplyExact,
  remainderExact,
} from "../number/arithmetic.ts";
import { compareCodePoints } from "../json/code-point-order.ts";
import { countPoints } from "../text/count-points.ts";
import type { Re2 } from "../regex/re2.ts";
import { toIsoDate } from "./dates.ts";
import type { BinaryOperator, Expression } from "./parse.ts";
import { type CellValue, negate, numberOf, subtract, textOf, withNumber } from "./values.ts";

/** Computes the value of an expression for one record. @throws DocumentFault */
export type Compute = (row: readonly CellValue[]) => CellValue;

export interface CompileContext {
  /** The index of a column. @throws OptionFault if there is none */
  column(name: string, at: number): number;
  /** @throws OptionFault */
  pattern(text: string, flags: string): Re2;
}

/** An expression, and whether its value is a text that is compared as one, even if it looks like a number. */
interface Compiled {
  compute: Compute;
  isText: boolean;
}

export const compileExpression = (expression: Expression, context: CompileContext): Compute =>
  compile(expression, context).compute;

/** Recursive: the parser limits the depth. */
function compile(expression: Expression, context: CompileContext): Compiled {
  const value = (compute: Compute): Compiled => ({ compute, isText: false });
  switch (expression.kind) {
    case "text":
      return { compute: () => expression.value, isText: true };
    case "number": {
      const known = numberOf(expression.value);
      if (known === undefined)
        throw new OptionFault(`${expression.value.slice(0, 40)} is too large a number`);
      return value(() => known);
    }
    case "boolean":
      return value(() => expression.value);
    case "column": {
      const index = context.column(expression.name, expression.at);
      return value((row) => row[index] ?? "");
    }
    case "not": {
      const operand = compileExpression(expression.operand, context);
      return value((row) => !isTrue(operand(row)));
    }
    case "negate": {
      const operand = compileExpression(expression.operand, context);
      return value((row) => withNumber(operand(row), negate));
    }
    case "and":
    case "or": {
      const left = compileExpression(expression.left, context);
      const right = compileExpression(expression.right, context);
      return value(
        expression.kind === "and"
          ? (row) => isTrue(left(row)) && isTrue(right(row))
          : (row) => isTrue(left(row)) || isTrue(right(row)),
      );
    }
    case "in": {
      const tested = compile(expression.value, context);
      const items = expression.items.map((item) => compile(item, context));
      return value((row) => {
        const one = tested.compute(row);
        return items.some(({ compute, isText }) => isEqual(one, compute(row), isText || tested.isText));
      });
    }
    case "matches": {
      const tested = compileExpression(expression.value, context);
      const pattern = context.pattern(expression.pattern, "");
      return value((row) => pattern.test(textOf(tested(row))));
    }
    case "call":
      return call(expression, context);
    default:
      return value(binary(expression, context));
  }
}

function binary(
  { operator, ...sides }: Extract<Expression, { kind: "binary" }>,
  context: CompileContext,
): Compute {
  const left = compile(sides.left, context);
  const right = compile(sides.right, context);
  const asText = left.isText || right.isText;
  const compare = comparisons[operator];
  if (compare !== undefined) return (row) => compare(left.compute(row), right.compute(row), asText);
  const arithmetic = operations[operator] as (a: Exact, b: Exact) => Exact | "";
  return (row) => {
    const a = left.compute(row);
    const b = right.compute(row);
    // Nothing is known about the sum of an empty cell and a number.
    return a === "" || b === "" ? "" : withNumber(a, (x) => withNumber(b, (y) => arithmetic(x, y)));
  };
}

const operations: Partial<Record<BinaryOperator, (a: Exact, b: Exact) => Exact | "">> = {
  "+": addExact,
  "-": subtract,
  "*": multiplyExact,
  "/": (a, b) => (b.units === 0n ? "" : divideExact(a, b)),
  "%": (a, b) => (b.units === 0n ? "" : remainderExact(a, b)),
};

type Comparison = (a: CellValue, b: CellValue, asText: boolean) => boolean;

const comparisons: Partial<Record<BinaryOperator, Comparison>> = {
  "=": (a, b, asText) => isEqual(a, b, asText),
  "!=": (a, b, asText) => !isEqual(a, b, asText),
  "<": (a, b, asText) => holds(a, b, asText, (order) => order < 0),
  "<=": (a, b, asText) => holds(a, b, asText, (order) => order <= 0),
  ">": (a, b, asText) => holds(a, b, asText, (order) => order > 0),
  ">=": (a, b, asText) => holds(a, b, asText, (order) => order >= 0),
  contains: (a, b) => textOf(a).includes(textOf(b)),
  startswith: (a, b) => textOf(a).startsWith(textOf(b)),
  endswith: (a, b) => textOf(a).endsWith(textOf(b)),
};

function isEqual(a: CellValue, b: CellValue, asText: boolean): boolean {
  const [x, y] = asText ? [] : [numberOf(a), numberOf(b)];
  return x !== undefined && y !== undefined ? compareExact(x, y) === 0 : textOf(a) === textOf(b);
}

/** An empty cell is neither less nor greater than anything. */
function holds(a: CellValue, b: CellValue, asText: boolean, test: (order: number) => boolean): boolean {
  if (a === "" || b === "") return false;
  const [x, y] = asText ? [] : [numberOf(a), numberOf(b)];
  return test(
    x !== undefined && y !== undefined ? compareExact(x, y) : compareCodePoints(textOf(a), textOf(b)),
  );
}

/** Whether a value counts as true: all but false, 0, no and an empty cell. */
export const isTrue = (value: CellValue): boolean =>
  typeof value === "object"
    ? value.units !== 0n
    : value !== false && !/^(?:|false|0|no)$/i.test(String(value));

function call({ name, args }: Extract<Expression, { kind: "call" }>, context: CompileContext): Compiled {
  const compiled = args.map((argument) => compile(argument, context));
  const [first, second, third] = compiled as [Compiled, Compiled, Compiled];
  const text = (change: (text: string) => CellValue): Compiled => ({
    compute: (row) => change(textOf(first.compute(row))),
    isText: true,
  });
  switch (name) {
    case "if":
      return {
        compute: (row) => (isTrue(first.compute(row)) ? second : third).compute(row),
        isText: second.isText && third.isText,
      };
    case "lower":
      return text((value) => value.toLowerCase());
    case "upper":
      return text((value) => value.toUpperCase());
    case "trim":
      return text((value) => value.trim());
    case "length":
      return { ...text((value) => ({ units: BigInt(countPoints(value)), places: 0 })), isText: false };
    case "number":
      return { compute: (row) => withNumber(first.compute(row), (number) => number), isText: false };
    case "date":
      return text(toIsoDate);
  }
}
