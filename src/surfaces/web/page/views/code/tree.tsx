import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { CopyButton } from "../../copy-button.tsx";
import { Glyphs } from "../glyphs.tsx";
import { hintOf } from "../hint.ts";
import { type Json, toLine } from "../json.ts";
import type { Path } from "./path.ts";
import { PathBar } from "./path-bar.tsx";

/** Items of one value that are shown at once. */
const maxShown = 200;
/** Characters of a string that are shown. */
const maxString = 500;

/** A JSON value as a tree (ARIA tree view): arrows walk, open and close. */
export function Tree({ value }: { value: Json }): JSX.Element {
  const place = useRef<HTMLUListElement>(null);
  const selected = useSignal<Path>([]);
  const open = useSignal<ReadonlySet<string>>(new Set());
  useMemo(() => {
    open.value = new Set(openAtFirst(value));
    selected.value = [];
  }, [value]);

  function setOpen(path: Path, isOpen: boolean): void {
    const next = new Set(open.value);
    if (isOpen) next.add(keyOf(path));
    else next.delete(keyOf(path));
    open.value = next;
  }

  function select(path: Path): void {
    selected.value = path;
    // After the tree has been drawn with it.
    setTimeout(() => place.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  }

  function onKeyDown(event: KeyboardEvent): void {
    const rows = [...(place.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    const at = rows.findIndex((row) => row.dataset["path"] === keyOf(selected.value));
    const move = (to: number): void => {
      const path = rows[Math.min(Math.max(to, 0), rows.length - 1)]?.dataset["path"];
      if (path !== undefined) select(JSON.parse(path) as Path);
    };
    const isOpen = rows[at]?.getAttribute("aria-expanded");
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ArrowRight: () => (isOpen === "false" ? setOpen(selected.value, true) : move(at + 1)),
      ArrowLeft: () =>
        isOpen === "true"
          ? setOpen(selected.value, false)
          : select(selected.value.slice(0, Math.max(selected.value.length - 1, 0))),
    };
    const act = acts[event.key];
    if (act === undefined || (event.target as HTMLElement).closest("button") !== null) return;
    event.preventDefault();
    act();
  }

  return (
    <div class="v-code">
      <ul class="v-tree" role="tree" aria-label="Tree of the result" ref={place} onKeyDown={onKeyDown}>
        <Node
          name="$"
          value={value}
          path={[]}
          tree={{ open: open.value, selected: keyOf(selected.value), setOpen, select }}
        />
      </ul>
      <PathBar path={selected.value} onStep={(steps) => select(selected.value.slice(0, steps))} />
    </div>
  );
}

interface TreeState {
  open: ReadonlySet<string>;
  selected: string;
  setOpen(path: Path, isOpen: boolean): void;
  select(path: Path): void;
}

const keyOf = (path: Path): string => JSON.stringify(path);

/** Returns the keys of what is open at first: the levels whose values fit on a screen. */
function openAtFirst(value: Json): string[] {
  const keys: string[] = [];
  let level: (readonly [Path, Json])[] = [[[], value]];
  for (let rows = 0; level.length > 0;) {
    const next = level.flatMap(([path, one]) =>
      childrenOf(one)
        .slice(0, maxShown)
        .map(([step, child]) => [[...path, step], child] as const),
    );
    rows += next.length;
    if (keys.length > 0 && rows > 60) break;
    for (const [path, one] of level) if (!("text" in one)) keys.push(keyOf(path));
    level = next;
  }
  return keys;
}

function childrenOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (value.kind === "object") return value.members;
  return value.kind === "array" ? value.items.map((item, index) => [index, item] as const) : [];
}

interface NodeProps {
  name: string;
  value: Json;
  path: Path;
  tree: TreeState;
}

function Node({ name, value, path, tree }: NodeProps): JSX.Element {
  const key = keyOf(path);
  const isScalar = "text" in value;
  const isOpen = !isScalar && tree.open.has(key);
  const isSelected = tree.selected === key;
  const shown = useSignal(maxShown);
  const children = isOpen ? childrenOf(value) : [];
  return (
    <li
      role="treeitem"
      aria-level={path.length + 1}
      aria-selected={isSelected}
      data-path={key}
      tabIndex={isSelected ? 0 : -1}
      {...(!isScalar && { "aria-expanded": isOpen })}
    >
      <div
        class="v-node"
        onClick={() => {
          if (!isScalar) tree.setOpen(path, !isOpen);
          tree.select(path);
        }}
      >
        <span class="v-twist" aria-hidden="true">
          {isScalar ? "" : isOpen ? "⌄" : "›"}
        </span>
        <span class="v-key">
          <Glyphs>{name}</Glyphs>:
        </span>
        <Value value={value} name={name} />
        {isSelected ? <CopyValue value={value} name={name} /> : null}
      </div>
      {isOpen ? (
        <ul role="group">
          {children.slice(0, shown.value).map(([step, child], index) => (
            <Node name={String(step)} value={child} path={[...path, step]} tree={tree} key={index} />
          ))}
          {children.length > shown.value ? (
            <li role="none">
              <button type="button" onClick={() => (shown.value += 1000)}>
                Show more of {children.length.toLocaleString()}
              </button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </li>
  );
}

function Value({ value, name }: { value: Json; name: string }): JSX.Element {
  if (value.kind === "object") return <span class="muted">{`{${value.members.length}}`}</span>;
  if (value.kind === "array") return <span class="muted">{`[${value.items.length}]`}</span>;
  const hint = hintOf(name, value);
  const text = value.kind === "string" ? JSON.stringify(value.text) : value.text;
  return (
    <>
      <span class={`v-value v-${value.kind}`}>
        <Glyphs>{text.length > maxString ? `${text.slice(0, maxString)}…` : text}</Glyphs>
      </span>
      {hint === undefined ? null : <span class="tag">{hint}</span>}
    </>
  );
}

function CopyValue({ value, name }: { value: Json; name: string }): JSX.Element {
  const place = useRef<HTMLSpanElement>(null);
  return (
    <span ref={place} class="v-copy">
      <CopyButton
        isIcon
        title={`Value of ${name}`}
        source={() => place.current}
        text={() => ("text" in value ? value.text : toLine(value))}
      />
    </span>
  );
}
