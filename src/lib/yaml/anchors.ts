import { DocumentFault } from "../fault.ts";
import { maxDepth, type Value } from "../data/value.ts";

/**
 * Most nodes and characters that aliases may add to a document: a few lines can expand to billions (CWE-776).
 */
const maxRepeated = 8 * 1024 * 1024;

export interface Anchors {
  /** Counts a node with its text. */
  count(depth: number, length: number): void;
  /** Begins the node of an anchor; the returned function ends it. */
  open(name: string, depth: number): (value: Value) => void;
  /** Returns the value of an alias, shared instead of copied. */
  use(name: string, depth: number, index: number): Value;
}

interface Anchor {
  value?: Value;
  weight: number;
  /** Levels below it. */
  height: number;
}

/** Tracks the anchors of one document and the size that each use of one adds. */
export function createAnchors(): Anchors {
  const known = new Map<string, Anchor>();
  let weight = 0;
  let repeated = 0;
  /** The deepest level since the innermost open anchor began. */
  let deepest = 0;

  return {
    count(depth, length) {
      weight += 1 + length;
      if (depth > deepest) deepest = depth;
    },
    open(name, depth) {
      const before = weight;
      const outer = deepest;
      deepest = depth;
      const anchor: Anchor = { weight: 0, height: 0 };
      known.set(name, anchor);
      return (value) => {
        Object.assign(anchor, { value, weight: weight - before, height: deepest - depth });
        deepest = Math.max(outer, deepest);
      };
    },
    use(name, depth, index) {
      const anchor = known.get(name);
      if (anchor === undefined) {
        throw new DocumentFault(
          `There is no anchor &${short(name)} before this alias.`,
          { index },
          "bad-alias",
        );
      }
      if (anchor.value === undefined) {
        throw new DocumentFault(
          `The alias *${short(name)} is inside the node that it repeats.`,
          { index },
          "bad-alias",
        );
      }
      repeated += anchor.weight;
      if (repeated > maxRepeated) {
        throw new DocumentFault(
          `The aliases up to here repeat more than ${maxRepeated} nodes and characters; use fewer of them.`,
          { index },
          "too-many-aliases",
        );
      }
      if (depth + anchor.height > maxDepth) {
        throw new DocumentFault(
          `With its aliases expanded, the document is nested more than ${maxDepth} levels deep.`,
          { index },
          "too-deep",
        );
      }
      weight += anchor.weight;
      deepest = Math.max(deepest, depth + anchor.height);
      return anchor.value;
    },
  };
}

const short = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name);
