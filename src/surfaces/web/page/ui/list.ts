import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { DataOf, Document, Graph, OperationName, VariablesOf } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import type { Asked } from "./ask.tsx";
import { type Filters, firstValuesOf, type Selection } from "./filters.tsx";
import type { PageProps } from "./frame.tsx";
import type { Cursors, PageInfo } from "./pager.tsx";
import type { Column } from "./table.tsx";

/**
 * A list that the server has, with what can be done to its rows. TypeScript infers `Name`, `V` and `Row` from the members in this
 * order.
 */
export interface ListDeclaration<Name extends OperationName, V extends Selection, Row> {
  /** Names the region of the table. */
  label: string;
  /** Names the table; `label` by default. */
  caption?: string;
  document: Document<Name>;
  /** Fields above the list. */
  filters?: Filters<V>;
  /** Returns the variables of the document. Without it a change of the filters calls `rows` only, and asks the server nothing. */
  variables?(values: ChosenOf<V>, after: string | undefined): VariablesOf<Name>;
  /** Returns the rows of an answer. */
  rows(data: DataOf<Name>, values: V): readonly Row[];
  idOf(row: Row): string | number;
  columns: readonly Column<Row>[];
  /** The actions on a row: at most one button, and a menu. Without it there is no column for them. */
  actions?(row: Row): readonly (Action | false)[];
  /** Names a row in the label of its menu. */
  nameOf?(row: Row): string;
  /** Shows a row elsewhere on the page, when its name is pressed. */
  open?(row: Row, state: ListState<Name, V, Row>): void;
  /** The effect of pressing the name of a row, for screen readers. */
  openLabel?(row: Row): string;
  /** Whether a row is shown elsewhere on the page. */
  isOpen?(row: Row): boolean;
  /** Whether the rows are low. */
  isDense?: boolean;
  /** The content that replaces an empty list, below its status; not shown where a filter selects nothing. */
  empty?: { icon: string; text: string };
  /** Says how many rows there are, or why there are none; a list without it shows its table even if it is empty. */
  status?(shown: Shown<Name, V, Row>): string | undefined;
  pageInfo?(data: DataOf<Name>): PageInfo | undefined;
  /** The texts of the buttons of the pager. */
  pagerNames?: readonly [before: string, after: string];
  /** Returns the account of the session; if it is null, the page says that the session has none of `what`. */
  account?(data: DataOf<Name>): object | null;
  /** Names what an account has, such as "keys". */
  what?: string;
  /** The button above the list; `onClick` gets the open list. */
  main?: { text: string; icon?: string; onClick(state: ListState<Name, V, Row>): void };
  /** Stands before the filters, where the list is not the first of its page. */
  title?: JSX.Element;
  /** Returns what takes the place of the button. */
  head?(state: ListState<Name, V, Row>, shown: Shown<Name, V, Row>): JSX.Element | null;
  /** Returns what is beside the filters; false where there are none. */
  beside?(state: ListState<Name, V, Row>, shown: Shown<Name, V, Row>): ComponentChildren | false;
  /** Returns what is above the filters. */
  notice?(state: ListState<Name, V, Row>, data: DataOf<Name>): JSX.Element | null;
  /** Returns what is below the pager. */
  foot?(state: ListState<Name, V, Row>, shown: Shown<Name, V, Row>): JSX.Element | null;
  /** Subscribes to what changes the list, until the user leaves the page. */
  live?(state: ListState<Name, V, Row>): void;
  /** Whether the list is read again only after a failure or an act. */
  isOnce?: boolean;
}

/** The values of the filters that select something. */
export type ChosenOf<V extends Selection> = {
  readonly [Name in keyof V]?: Exclude<V[Name], ""> | undefined;
};

export interface Shown<Name extends OperationName, V extends Selection, Row> {
  /** Undefined before the first answer. */
  data: DataOf<Name> | undefined;
  rows: readonly Row[];
  values: V;
}

/** An item of the menu of a row. */
export interface Action {
  text: string;
  /** The name of the action, and of the row that it changes. */
  label: string;
  /** Whether it is a button of its own; at most one is. */
  isPlain?: boolean;
  icon?: string;
  isDanger?: boolean;
  /** Opens a dialog. */
  ask?(): Asked;
  /** Acts at once. */
  act?(graph: Graph): Promise<unknown>;
  /** Says that `act` is done. */
  done?: string;
  /** Shows something else on the page. */
  open?(): void;
}

/** A list that is open. */
export interface ListState<Name extends OperationName, V extends Selection, Row> {
  readonly declaration: ListDeclaration<Name, V, Row>;
  readonly page: PageProps;
  readonly resource: Resource<DataOf<Name>>;
  readonly values: Signal<V>;
  readonly cursors: Signal<Cursors>;
  readonly asked: Signal<Asked | undefined>;
  /** Selects other rows, and goes to their first page. */
  select(changes: Partial<V>): void;
  go(cursors: Cursors): void;
  ask(asked: Asked): void;
}

/** Declares a list. */
export const defineList = <Name extends OperationName, Row, V extends Selection = Record<never, never>>(
  declaration: ListDeclaration<Name, V, Row>,
): ListDeclaration<Name, V, Row> => declaration;

/** Opens a list as long as the component is shown; another `key` opens it anew. */
export function useList<Name extends OperationName, V extends Selection, Row>(
  page: PageProps,
  declare: () => ListDeclaration<Name, V, Row>,
): ListState<Name, V, Row> {
  const list = useMemo(() => openList(page, declare()), []);
  useEffect(() => list.resource.close, [list]);
  return list;
}

function openList<Name extends OperationName, V extends Selection, Row>(
  page: PageProps,
  declaration: ListDeclaration<Name, V, Row>,
): ListState<Name, V, Row> {
  const { document, filters, variables, isOnce = false, live } = declaration;
  const values = signal(firstValuesOf(filters ?? ({} as Filters<V>)));
  const cursors = signal<Cursors>([]);
  const asked = signal<Asked | undefined>(undefined);
  const resource = openResource(
    page.graph,
    () => {
      const chosen = Object.entries(values.value).filter(([, value]) => value !== "");
      const given = variables?.(Object.fromEntries(chosen) as ChosenOf<V>, cursors.value.at(-1));
      return page.graph.request(document, given ?? ({} as VariablesOf<Name>));
    },
    { isOnce },
  );
  const list: ListState<Name, V, Row> = {
    declaration,
    page,
    resource,
    values,
    cursors,
    asked,
    select(changes) {
      values.value = { ...values.value, ...changes };
      if (variables !== undefined) list.go([]);
    },
    go(next) {
      cursors.value = next;
      void resource.reload();
    },
    ask(next) {
      asked.value = next;
    },
  };
  live?.(list);
  return list;
}

/**
 * Returns where the page of a list without a connection ends. The list asks for `size` rows and one more, which shows whether
 * there is another page.
 */
export const pageOf = <Row>(
  found: readonly Row[],
  size: number,
  cursorOf: (row: Row) => string,
): PageInfo => {
  const last = found[Math.min(size, found.length) - 1];
  return {
    hasNextPage: found.length > size,
    endCursor: last === undefined ? null : cursorOf(last),
  };
};
