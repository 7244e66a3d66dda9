import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  recommendedRules,
  specifiedRules,
  validate,
  type ValidationRule,
} from "graphql";
import { createLimitRule, type DocumentLimits } from "./limits.ts";
import { measure } from "./measure.ts";
import type { KeptResult } from "./operations.ts";
import { fragmentsOf, type Plan, toPlan } from "./plan.ts";

/** A document that was judged and is right, and what it can be asked to do. */
export interface KnownDocument {
  readonly document: DocumentNode;
  readonly plans: readonly KnownPlan[];
}

export interface KnownPlan extends Plan {
  /** What the operation costs depends on its variables. */
  readonly sized: boolean;
  /** The whole answer, where it is the same for everyone. */
  answer?: KeptResult;
}

export interface Documents {
  /** Those that were right are remembered. @throws Refused for what is not. */
  get(source: string): KnownDocument;
  /** How many are remembered. */
  size(): number;
}

/** Thrown for a document that cannot be executed. */
export class Refused extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super("The document cannot be executed");
    this.errors = errors;
  }
}

export interface DocumentsOptions extends DocumentLimits {
  introspection: boolean;
}

/** Of one document; a document of the catalogue of tools has a few hundred. */
const maxTokens = 5000;
/** Characters of a document whose mistyped names are corrected: one of a megabyte is like no other. */
const suggestedMost = 65_536;
/** A document in memory is a hundred times as large as its text, so that few of the largest are remembered. */
const remembered = { documents: 1000, characters: 524_288, each: 32_768 };

export function createDocuments(schema: GraphQLSchema, options: DocumentsOptions): Documents {
  const known = new Map<string, KnownDocument>();
  const limits = [createLimitRule(options)];
  const rules: readonly ValidationRule[] = [
    ...specifiedRules,
    ...recommendedRules,
    ...(options.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  let characters = 0;

  function judge(source: string): KnownDocument {
    const document = read(source);
    const hideSuggestions = !options.introspection || source.length > suggestedMost;
    // What is too large is not looked at any closer.
    for (const each of [limits, rules]) {
      const errors = validate(schema, document, each, { maxErrors: 5, hideSuggestions });
      if (errors.length > 0) throw new Refused(errors);
    }
    const fragments = fragmentsOf(document);
    const plans = document.definitions.flatMap((node): KnownPlan[] => {
      if (node.kind !== Kind.OPERATION_DEFINITION) return [];
      const { sized } = measure(schema, node, fragments);
      return [{ ...toPlan(node, fragments), sized }];
    });
    return { document, plans };
  }

  function remember(source: string, document: KnownDocument): void {
    if (source.length > remembered.each) return;
    characters += source.length;
    known.set(source, document);
    for (const oldest of known.keys()) {
      if (known.size <= remembered.documents && characters <= remembered.characters) return;
      characters -= oldest.length;
      known.delete(oldest);
    }
  }

  return {
    get(source) {
      const found = known.get(source);
      if (found !== undefined) {
        // The last that was used is the last to be forgotten.
        known.delete(source);
        known.set(source, found);
        return found;
      }
      const document = judge(source);
      remember(source, document);
      return document;
    },
    size: () => known.size,
  };
}

function read(source: string): DocumentNode {
  try {
    return parse(source, { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) throw new Refused([error]);
    // The parser descends once for each level of a value.
    if (error instanceof RangeError)
      throw new Refused([new GraphQLError("Syntax Error: The document is nested too deep.")]);
    throw error;
  }
}
