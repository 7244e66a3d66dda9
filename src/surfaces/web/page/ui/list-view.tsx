import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { OperationName } from "../graph.ts";
import { useAct } from "./act.ts";
import { AskDialog } from "./ask.tsx";
import { FilterForm, type Selection } from "./filters.tsx";
import type { Action, ListState, Shown } from "./list.ts";
import { Pager } from "./pager.tsx";
import { Table } from "./table.tsx";

export interface ListViewProps<Name extends OperationName, V extends Selection, Row> {
  of: ListState<Name, V, Row>;
  /** What is below the list. */
  children?: ComponentChildren;
}

/** A list: its button, filters, status, table, pager and dialogs. */
export function ListView<Name extends OperationName, V extends Selection, Row>({
  of: list,
  children,
}: ListViewProps<Name, V, Row>): JSX.Element {
  const { declaration, page, resource, asked } = list;
  const { main } = declaration;
  const data = resource.value.value;
  const account = data && declaration.account?.(data);
  const isOpen = declaration.account === undefined || Boolean(account);
  // A secret stays when another account signs in elsewhere in this browser.
  const question = isOpen || (asked.value && "secret" in asked.value) ? asked.value : undefined;
  const values = list.values.value;
  const shown = { data, values, rows: data === undefined ? [] : declaration.rows(data, values) };
  return (
    <>
      {account === null ? (
        <p class="lead">
          The session of the operator belongs to no account, so it has no {declaration.what}.
        </p>
      ) : (
        (declaration.head?.(list, shown) ??
        (main && (
          <p class="actions">
            <button
              class="primary"
              aria-disabled={declaration.account && !isOpen}
              onClick={() => {
                if (isOpen) main.onClick(list);
              }}
            >
              {main.text}
            </button>
          </p>
        )))
      )}
      {isOpen ? <Rows of={list} shown={shown} /> : null}
      {isOpen ? children : null}
      <p role="alert">{resource.message.value}</p>
      {question === undefined ? null : (
        <AskDialog
          asked={question}
          page={page}
          onAsk={(next) => {
            asked.value = next;
            void resource.reload();
          }}
        />
      )}
    </>
  );
}

interface RowsProps<Name extends OperationName, V extends Selection, Row> {
  of: ListState<Name, V, Row>;
  shown: Shown<Name, V, Row>;
}

/** The list without its head: filters, status, table and pager. */
function Rows<Name extends OperationName, V extends Selection, Row>({
  of: list,
  shown,
}: RowsProps<Name, V, Row>): JSX.Element {
  const { filters, status, notice, pageInfo, pagerNames, foot } = list.declaration;
  const { data, rows, values } = shown;
  const beside = list.declaration.beside?.(list, shown);
  const text = status?.(shown);
  const page = data && pageInfo?.(data);
  return (
    <>
      {filters === undefined || beside === false ? null : (
        <FilterForm filters={filters} values={values} onSelect={list.select}>
          {beside}
        </FilterForm>
      )}
      {text === undefined ? null : <p role="status">{text}</p>}
      {data === undefined ? null : notice?.(data)}
      {rows.length === 0 && status !== undefined ? null : <RowTable of={list} shown={shown} />}
      {page === undefined ? null : (
        <Pager cursors={list.cursors.value} pageInfo={page} names={pagerNames} onGo={list.go} />
      )}
      {foot?.(list, shown)}
    </>
  );
}

/** The table with the buttons of its rows, and the outcome of the last one that acted at once. */
function RowTable<Name extends OperationName, V extends Selection, Row>({
  of: list,
  shown: { rows },
}: RowsProps<Name, V, Row>): JSX.Element {
  const { label, caption, columns, idOf, actions } = list.declaration;
  const { run, isBusy, message } = useAct();
  const done = useSignal("");
  const actionsOf = new Map(rows.map((row) => [row, actions?.(row) ?? []]));
  const acting = [...actionsOf.values()].flat().filter((one) => one && one.act !== undefined);

  async function start({ act, done: text = "" }: Action): Promise<void> {
    done.value = "";
    if (await run(async () => act?.(list.page.graph))) done.value = text;
    void list.resource.reload();
  }

  const onClick = (action: Action): void => {
    if (action.ask) list.ask(action.ask());
    else if (action.open) action.open();
    else void start(action);
  };
  const buttons = {
    title: "Actions",
    cell: (row: Row) => toButtons(actionsOf.get(row) ?? [], isBusy.value, onClick),
  };
  return (
    <>
      <Table
        label={label}
        caption={caption}
        rows={rows}
        idOf={idOf}
        columns={actions === undefined ? columns : [...columns, buttons]}
      />
      {acting.some((one) => one && one.done !== undefined) ? <p role="status">{done.value}</p> : null}
      {acting.length > 0 ? <p role="alert">{message.value}</p> : null}
    </>
  );
}

/** @param isBusy Whether an act of a button runs: another would be ignored. */
function toButtons(
  actions: readonly (Action | false)[],
  isBusy: boolean,
  onClick: (action: Action) => void,
): JSX.Element | null {
  // Each button keeps its place, so that one that becomes another, such as Pause and Resume, keeps the focus.
  const buttons = actions.map((action) =>
    action === false ? null : (
      <button
        class={action.isDanger ? "danger" : undefined}
        aria-disabled={action.act && isBusy}
        aria-label={action.label}
        aria-pressed={action.isPressed}
        onClick={() => onClick(action)}
      >
        {action.text}
      </button>
    ),
  );
  if (buttons.length === 1) return buttons[0] ?? null;
  return actions.some(Boolean) ? <span class="buttons">{buttons}</span> : null;
}
