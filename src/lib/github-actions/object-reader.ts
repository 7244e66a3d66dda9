import type { Library } from "./library.ts";
import type { Node, ScalarNode } from "./node.ts";

type ObjectReader = Parameters<Library["readTemplate"]>[2];
type Token = NonNullable<ReturnType<Library["readTemplate"]>>;
type Range = NonNullable<Token["range"]>;
type Literal = NonNullable<ReturnType<ObjectReader["allowLiteral"]>>;

/** The nodes behind the ranges of tokens: the library makes tokens of tokens, and passes their ranges on. */
const nodes = new WeakMap<Range, Node>();

/** Returns the node that a token was made of. */
export const nodeOf = (token: Token | undefined): Node | undefined =>
  token?.range === undefined ? undefined : nodes.get(token.range);

/** The end of an open list or map, or a value that is yet to be read. */
type Step = { end: "list" | "map" } | Node;

/** Gives the library the values of a document, one after the other, as its own reader of YAML would. */
export function createObjectReader(library: Library, root: Node): ObjectReader {
  const steps: Step[] = [root];

  function take<Kind extends Node["kind"]>(kind: Kind): Extract<Node, { kind: Kind }> | undefined {
    const step = steps.at(-1);
    if (step === undefined || "end" in step || step.kind !== kind) return undefined;
    steps.pop();
    return step as Extract<Node, { kind: Kind }>;
  }

  function takeEnd(kind: "list" | "map"): boolean {
    const step = steps.at(-1);
    if (step === undefined || !("end" in step) || step.end !== kind) return false;
    steps.pop();
    return true;
  }

  return {
    allowLiteral() {
      const node = take("scalar");
      return node === undefined ? undefined : toLiteral(library, node);
    },
    allowSequenceStart() {
      const node = take("list");
      if (node === undefined) return undefined;
      steps.push({ end: "list" });
      for (let at = node.items.length - 1; at >= 0; at--) steps.push(node.items[at] as Node);
      return new library.SequenceToken(undefined, toRange(node), undefined);
    },
    allowSequenceEnd: () => takeEnd("list"),
    allowMappingStart() {
      const node = take("map");
      if (node === undefined) return undefined;
      steps.push({ end: "map" });
      for (let at = node.entries.length - 1; at >= 0; at--) {
        const entry = node.entries[at] as { key: Node; value: Node };
        steps.push(entry.value, entry.key);
      }
      return new library.MappingToken(undefined, toRange(node), undefined);
    },
    allowMappingEnd: () => takeEnd("map"),
    validateStart() {},
    validateEnd() {},
  };
}

function toLiteral(library: Library, node: ScalarNode): Literal {
  const range = toRange(node);
  const { value } = node;
  if (value === null) return new library.NullToken(undefined, range, undefined);
  if (typeof value === "boolean") return new library.BooleanToken(undefined, range, value, undefined);
  if (typeof value === "number") return new library.NumberToken(undefined, range, value, undefined);
  return new library.StringToken(undefined, range, value, undefined);
}

/** The library computes places from ranges; ours are those of nodes, and a range only leads to its node. */
function toRange(node: Node): Range {
  const range: Range = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
  nodes.set(range, node);
  return range;
}
