import type { Options } from "css-select";
import type { HtmlElement, HtmlNode, HtmlParent } from "./read.ts";

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>["adapter"]>;

export type Compile = (selector: string) => (node: HtmlNode) => boolean;

/** An element and what is in the parentheses. */
export type Nth = (element: HtmlElement, formula?: string | null) => boolean;

interface Counted {
  readonly matches: (position: number) => boolean;
  readonly selects: (element: HtmlElement) => boolean;
  /** From 1, of the elements of the parents in `parents`. */
  readonly positions: WeakMap<HtmlElement, number>;
  readonly parents: WeakSet<HtmlParent>;
}

/**
 * Returns `:nth-child()` or one of its kin (Selectors Level 4, §13.3 and §13.4), with `of S` for those without `ofType`. It counts
 * the children of an element once; the library would count them again for each child.
 */
export function createNth(
  adapter: Adapter,
  compile: Compile,
  { last = false, ofType = false }: { last?: boolean; ofType?: boolean },
): Nth {
  const formulas = new Map<string, Counted>();

  function read(formula: string): Counted {
    const of = ofType ? null : /^(.+?)\s+of\s+(.+)$/is.exec(formula);
    return {
      matches: readFormula(of?.[1] ?? formula),
      selects: of?.[2] === undefined ? () => true : compile(of[2]),
      positions: new WeakMap(),
      parents: new WeakSet(),
    };
  }

  function count(parent: HtmlParent, { selects, positions, parents }: Counted): void {
    parents.add(parent);
    const counts = new Map<string, number>();
    for (const node of last ? parent.childNodes.toReversed() : parent.childNodes) {
      if (!adapter.isTag(node) || !selects(node)) continue;
      const kind = ofType ? adapter.getName(node) : "";
      const position = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, position);
      positions.set(node, position);
    }
  }

  return (element, given) => {
    const formula = given ?? "";
    const counted = formulas.get(formula) ?? read(formula);
    formulas.set(formula, counted);
    const parent = element.parentNode;
    if (parent === null) return false;
    if (!counted.parents.has(parent)) count(parent, counted);
    const position = counted.positions.get(element);
    return position !== undefined && counted.matches(position);
  };
}

/** Reads An+B (CSS Syntax Level 3, §6), which the library has checked. */
function readFormula(text: string): (position: number) => boolean {
  const plain = text.trim().toLowerCase();
  const [step, offset] = plain === "even" ? [2, 0] : plain === "odd" ? [2, 1] : readParts(plain);
  if (step === 0) return (position) => position === offset;
  return (position) => (position - offset) % step === 0 && (position - offset) / step >= 0;
}

function readParts(text: string): [step: number, offset: number] {
  const [before, behind] = text.replaceAll(/\s/g, "").split("n");
  if (behind === undefined) return [0, Number(before)];
  const step = before === "" || before === "+" ? 1 : before === "-" ? -1 : Number(before);
  return [step, Number(behind)];
}
