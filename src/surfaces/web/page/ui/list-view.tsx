import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { defined } from "../../../../lib/defined.ts";
import type { OperationName } from "../graph.ts";
import { painted } from "../painted.ts";
import { useAct } from "./act.ts";
import { AskDialog } from "./ask.tsx";
import { Empty } from "./empty.tsx";
import { FilterForm, type Selection } from "./filters.tsx";
import { Icon } from "./icon.tsx";
import type { Action, ListState, Shown } from "./list.ts";
import { Menu } from "./menu.tsx";
import { Pager } from "./pager.tsx";
import { type Column, Table } from "./table.tsx";

export interface ListViewProps<Name extends OperationName, V extends Selection, Row> {
  of: ListState<Name, V, Row>;
  /** Stands below the list. */
  children?: ComponentChildren;
}

/** A list: its button, filters, status, table, pager and dialogs. */
export function ListView<Name extends OperationName, V extends Selection, Row>({
  of: list,
  children,
}: ListViewProps<Name, V, Row>): JSX.Element {
  const { declaration, resource } = list;
  const data = resource.value.value;
  const account = data && declaration.account?.(data);
  const isOpen = declaration.account === undefined || Boolean(account);
  const values = list.values.value;
  const shown = { data, values, rows: data === undefined ? [] : declaration.rows(data, values) };
  const isEmpty = isOpen && hasNothing(list, shown);
  return (
    <>
      {account === null ? (
        <p class="lead">
          The session of the operator belongs to no account, so it has no {declaration.what}.
        </p>
      ) : (
        // The empty state has the button.
        (declaration.head?.(list, shown) ??
        (isEmpty || declaration.main === undefined ? null : (
          <p class="page-action">
            <MainButton of={list} isOff={declaration.account !== undefined && !isOpen} />
          </p>
        )))
      )}
      {isEmpty ? <NothingYet of={list} shown={shown} /> : isOpen ? <Rows of={list} shown={shown} /> : null}
      {isOpen ? children : null}
      <p role="alert">{resource.message.value}</p>
      <Questions of={list} isOpen={isOpen} />
    </>
  );
}

/** The dialog. It is drawn by itself: the rows behind it stay as they are. */
function Questions<Name extends OperationName, V extends Selection, Row>({
  of: { asked, page, resource },
  isOpen,
}: {
  of: ListState<Name, V, Row>;
  isOpen: boolean;
}): JSX.Element | null {
  const question = asked.value;
  // A secret stays when another account signs in elsewhere in this browser.
  if (question === undefined || !(isOpen || "secret" in question)) return null;
  return (
    <AskDialog
      asked={question}
      page={page}
      onAsk={(next) => {
        asked.value = next;
        // The dialog shows its result before the list is read.
        void painted().then(() => resource.reload());
      }}
    />
  );
}

interface RowsProps<Name extends OperationName, V extends Selection, Row> {
  of: ListState<Name, V, Row>;
  shown: Shown<Name, V, Row>;
}

/** Whether there is nothing that a filter or another page would show. */
const hasNothing = <Name extends OperationName, V extends Selection, Row>(
  { declaration: { empty, filters }, cursors }: ListState<Name, V, Row>,
  { data, rows, values }: Shown<Name, V, Row>,
): boolean =>
  empty !== undefined &&
  data !== undefined &&
  rows.length === 0 &&
  cursors.value.length === 0 &&
  Object.entries(filters ?? {}).every(([name, { first }]) => values[name] === first);

function MainButton<Name extends OperationName, V extends Selection, Row>({
  of: list,
  isOff = false,
}: {
  of: ListState<Name, V, Row>;
  isOff?: boolean;
}): JSX.Element | null {
  const { main } = list.declaration;
  if (main === undefined) return null;
  return (
    <button
      class="primary"
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) main.onClick(list);
      }}
    >
      <Icon name={main.icon ?? "plus"} />
      {main.text}
    </button>
  );
}

/** The place of an empty list: what it is for, and its button. */
function NothingYet<Name extends OperationName, V extends Selection, Row>({
  of: list,
  shown,
}: RowsProps<Name, V, Row>): JSX.Element {
  const { empty, status, head } = list.declaration;
  return (
    <Empty icon={empty?.icon ?? "info"} title={status?.(shown) ?? ""}>
      <p>{empty?.text}</p>
      {head?.(list, shown) ? null : <MainButton of={list} />}
    </Empty>
  );
}

/** The list without its head: filters, status, table and pager. */
function Rows<Name extends OperationName, V extends Selection, Row>({
  of: list,
  shown,
}: RowsProps<Name, V, Row>): JSX.Element {
  const { filters, status, notice, pageInfo, pagerNames, foot, title } = list.declaration;
  const { data, rows, values } = shown;
  const beside = list.declaration.beside?.(list, shown);
  const text = status?.(shown);
  const count = text === undefined ? null : <p role="status">{text}</p>;
  const page = data && pageInfo?.(data);
  return (
    <>
      {data === undefined ? null : notice?.(list, data)}
      {filters === undefined || beside === false ? (
        count
      ) : (
        <FilterForm filters={filters} values={values} onSelect={list.select} title={title}>
          {count}
          {beside}
        </FilterForm>
      )}
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
  const { label, caption, columns, idOf, actions, isDense, isOpen } = list.declaration;
  const { run, isBusy, message } = useAct();
  const done = useSignal("");
  const actionsOf = new Map(rows.map((row) => [row, (actions?.(row) ?? []).filter((one) => one !== false)]));
  const acting = [...actionsOf.values()].flat().filter((one) => one.act !== undefined);

  async function start({ act, done: text = "" }: Action): Promise<void> {
    done.value = "";
    if (await run(async () => act?.(list.page.graph))) done.value = text;
    void list.resource.reload();
  }

  const onClick = (action: Action): void => {
    if (action.ask) list.ask(action.ask());
    else if (action.open) action.open();
    else if (!isBusy.value) void start(action);
  };
  const buttons: Column<Row> = {
    title: "Actions",
    isActions: true,
    cell: (row) => (
      <Actions of={actionsOf.get(row) ?? []} name={list.declaration.nameOf?.(row)} onClick={onClick} />
    ),
  };
  const [first, ...others] = columns;
  const shown = first === undefined ? columns : [withOpener(first, list), ...others];
  return (
    <>
      <Table
        label={label}
        caption={caption}
        rows={rows}
        idOf={idOf}
        columns={actions === undefined ? shown : [...shown, buttons]}
        isDense={isDense}
        {...(isOpen && { isCurrent: isOpen })}
      />
      {acting.some((one) => one.done !== undefined) ? <p role="status">{done.value}</p> : null}
      {acting.length > 0 ? <p role="alert">{message.value}</p> : null}
    </>
  );
}

/** The column that names the rows; its cells are buttons if rows can be opened. */
function withOpener<Name extends OperationName, V extends Selection, Row>(
  column: Column<Row>,
  list: ListState<Name, V, Row>,
): Column<Row> {
  const { open, openLabel, isOpen } = list.declaration;
  if (open === undefined) return column;
  return {
    ...column,
    cell: (row) => (
      <button
        type="button"
        class="opener"
        aria-label={openLabel?.(row)}
        aria-pressed={isOpen?.(row)}
        onClick={() => open(row, list)}
      >
        {column.cell(row)}
      </button>
    ),
  };
}

interface ActionsProps {
  of: readonly Action[];
  /** Names the row. */
  name: string | undefined;
  onClick(action: Action): void;
}

/** At most one button, and a menu with everything that can be done to the row. */
function Actions({ of: actions, name, onClick }: ActionsProps): JSX.Element | null {
  const [first, ...others] = actions;
  if (first === undefined) return null;
  const plain = actions.find(({ isPlain }) => isPlain);
  const toButton = (action: Action, kind = ""): JSX.Element => (
    <button
      class={`quiet small${action.isDanger ? " danger" : ""}${kind}`}
      aria-label={action.label}
      onClick={() => onClick(action)}
    >
      {action.text}
    </button>
  );
  if (others.length === 0) return toButton(first);
  return (
    <span class="buttons">
      {plain === undefined ? null : toButton(plain, " wide-only")}
      <Menu
        label={`More for ${name ?? "this row"}`}
        class="quiet only small"
        isIcon
        isAtEnd
        items={actions.map(({ text, label, icon, isDanger, ...action }) => ({
          text,
          label,
          ...defined({ icon, isDanger }),
          act: () => onClick({ text, label, ...action }),
        }))}
      >
        <Icon name="more" />
      </Menu>
    </span>
  );
}
