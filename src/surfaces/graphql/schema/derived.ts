import type { Argument, Field } from "../../../operations/field.ts";
import type { Operation } from "../../../operations/operation.ts";
import type { SubjectKind } from "../../../services/audit/act.ts";
import { type Shape, shapeOf } from "../../../operations/shape.ts";
import type { GraphqlContext } from "../context.ts";
import { lookUpOnce } from "../look-up.ts";
import {
  accountOf,
  accountOrAll,
  performAdmin,
  requireOperator,
  requireRecent,
  requireSession,
} from "../scope.ts";
import { findDelivery } from "./deliveries.ts";
import { findEndpoint } from "./endpoints.ts";
import { given } from "./given.ts";
import { findKey } from "./keys.ts";
import { requireSome } from "./own.ts";
import type { Part, Resolver } from "./part.ts";

/**
 * Makes the fields of Query and Mutation of operations, and the types of their inputs.
 * @throws Error for an operation of owners that names nothing by which its owner is known.
 */
export function createDerived(operations: readonly Operation[]): Part {
  const fields = operations.flatMap((operation) =>
    operation.graphql === undefined ? [] : [{ operation, field: operation.graphql, at: rootOf(operation) }],
  );
  const all = fields.map(({ operation, field, at }) => toSdl(operation, field, at));
  const resolvers: Record<"Query" | "Mutation", Record<string, Resolver>> = { Query: {}, Mutation: {} };
  for (const { operation, field, at } of fields) resolvers[at][field.name] = toResolver(operation, field);
  return { typeDefs: all.join("\n"), resolvers };
}

const rootOf = ({ kind }: Operation): "Query" | "Mutation" => (kind === "reads" ? "Query" : "Mutation");

function toSdl(
  operation: Operation,
  { name, text, returns, args = {}, input }: Field<Operation["input"]>,
  root: string,
): string {
  const own = argumentsOf(operation, withSubject(operation, args, input?.fields));
  if (input !== undefined) own.push(`input: ${input.type}${input.optional === true ? "" : "!"}`);
  const list = own.length === 0 ? "" : `(\n${own.join("\n")}\n)`;
  const field = `extend type ${root} {\n${JSON.stringify(text)}\n${name}${list}: ${returns}\n}\n`;
  if (input === undefined) return field;
  const members = argumentsOf(operation, input.fields);
  return `${field}\n${JSON.stringify(input.text)}\ninput ${input.type} {\n${members.join("\n")}\n}\n`;
}

/** Adds the subject of the operation, if an id or a name identifies it. */
function withSubject({ subject }: Operation, args: Arguments, members: Arguments = {}): Arguments {
  if (subject === undefined || subject.field in members || !named.has(subject.kind)) return args;
  return { [subject.field]: "", ...args };
}

type Arguments = Readonly<Record<string, Argument | undefined>>;

const named: ReadonlySet<SubjectKind> = new Set(["account", "key", "session", "endpoint", "delivery"]);

const argumentsOf = (operation: Operation, args: Arguments): string[] =>
  Object.entries(args).map(([field, argument = {}]) => {
    const {
      text = "",
      name = field,
      type,
      initial,
    } = typeof argument === "string" ? { text: argument } : argument;
    const described = text === "" ? "" : `${JSON.stringify(text)}\n`;
    const written = type ?? typeOf(fieldOf(operation, field), namesAccount(operation, field));
    return `${described}${name}: ${written}${initial === undefined ? "" : ` = ${initial}`}`;
  });

const fieldOf = ({ input }: Operation, field: string): Shape =>
  shapeOf(input.shape[field] as Parameters<typeof shapeOf>[0]);

/** Whether a field names an account, which owners leave out: it is theirs. */
const namesAccount = ({ callers, subject }: Operation, field: string): boolean =>
  callers === "owner" && (field === "account" || (subject?.kind === "account" && subject.field === field));

function typeOf({ type, required, graphql, item }: Shape, isOptional = false): string {
  if (type === "boolean" && !required) return "Boolean! = false";
  const name = graphql ?? (type === "array" && item ? `[${typeOf(item)}]` : names[type]);
  return required && !isOptional ? `${name}!` : String(name);
}

const names: Partial<Record<Shape["type"], string>> = { boolean: "Boolean", number: "Long", text: "String" };

/** Each finds an item by its id, if it is the caller's own. */
const finders: Partial<
  Record<SubjectKind, (context: GraphqlContext, id: string) => Promise<{ id: string }>>
> = {
  key: findKey,
  endpoint: findEndpoint,
  delivery: findDelivery,
};

type Given = Record<string, unknown>;

function toResolver(
  operation: Operation,
  { args = {}, session, recent }: Field<Operation["input"]>,
): Resolver<Given> {
  const { kind, subject, callers, input } = operation;
  const accounts = Object.keys(input.shape).filter((field) => namesAccount(operation, field));
  const arrays = Object.keys(input.shape).filter((field) => fieldOf(operation, field).type === "array");
  const renamed = Object.entries(args).flatMap(([field, argument]) =>
    typeof argument === "object" && argument.name !== undefined ? [[field, argument.name] as const] : [],
  );
  const find = subject && finders[subject.kind];
  const item = find && { find, field: subject.field };
  // Otherwise every owner could do it to every account.
  const isOwned =
    item !== undefined || (subject === undefined ? accounts.length > 0 : accounts.includes(subject.field));
  if (callers !== "operator" && (callers === "server" || !isOwned))
    throw new Error(`${operation.name} can be no derived field: nothing says whose it is`);

  /** Requires that the caller may do this, and names what it may do it to. */
  function authorize(context: GraphqlContext, fields: Given): void {
    if (callers !== "owner") return requireOperator(context);
    if (kind !== "reads" || session === true) requireSession(context);
    for (const field of arrays) requireSome(`/${field}`, fields[field] as unknown[] | undefined);
    for (const field of accounts) {
      const name = fields[field] as string | undefined;
      const isOne = fieldOf(operation, field).required;
      const account = isOne ? accountOf(context, name) : accountOrAll(context, name);
      if (account !== undefined) fields[field] = account;
    }
    if (recent === true) requireRecent(context);
  }

  return async (_source, { input: members, ...own }, context) => {
    const fields: Given = given({ ...own, ...(members as object | undefined) });
    for (const [field, name] of renamed) {
      fields[field] = fields[name];
      delete fields[name];
    }
    authorize(context, fields);
    if (item !== undefined && callers === "owner") {
      const found = await item.find(context, String(fields[item.field]));
      if (kind === "reads") return found;
      fields[item.field] = found.id;
    }
    const call = (): Promise<unknown> => performAdmin(context, operation, fields);
    // A page asks for one list several times.
    const answer = await (kind === "reads" && subject === undefined
      ? lookUpOnce(context, [operation.name, fields], call)
      : call());
    return itemsIn(answer) ?? answer;
  };
}

const itemsIn = (answer: unknown): unknown[] | undefined =>
  (answer as { items?: unknown[] } | undefined)?.items;
