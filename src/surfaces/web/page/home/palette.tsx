import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { findSender, type Sender } from "../tools/senders.ts";
import { Icon } from "../ui/icon.tsx";
import { iconOf } from "./card.tsx";
import { favourites, recent } from "./history.ts";
import { type Place, placesOf } from "./places.ts";
import { describeFound, openToolList, type ToolList } from "./tool-list.ts";

/** A row of the finder. */
interface Row extends Omit<Place, "group"> {
  group: Place["group"] | "Tools" | typeof here;
}

/** The group of what is done with the result that the page shows. */
const here = "With what is in this page";

const maxTools = 7;
const maxOthers = 6;
/** Letters of words that may be a part of a longer name: md5 of md5sum. */
const minPart = 3;

/** Opens the finder, unless a dialog is open. @param root URL of the home page. */
export function showPalette(root: URL): void {
  if (document.querySelector("dialog[open]") !== null) return;
  const place = document.createElement("div");
  document.body.append(place);
  const before = document.activeElement;
  const close = (): void => {
    render(null, place);
    place.remove();
    if (before instanceof HTMLElement) before.focus();
  };
  render(<Palette root={root} onClose={close} />, place);
}

/** A box with what fits the words in it, in groups (ARIA Authoring Practices, combobox with list autocomplete). */
function Palette({ root, onClose }: { root: URL; onClose(): void }): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useSignal<ToolList | undefined>(undefined);
  const message = useSignal("");
  const words = useSignal("");
  const chosen = useSignal(0);
  /** Whether Enter was pressed before the tools were there. */
  const isAwaited = useSignal(false);
  const places = useMemo(() => placesOf(document, root), []);
  const sender = useMemo(findSender, []);
  const rows = useMemo(
    () => find({ list: list.value, places, sender, root }, words.value),
    [list.value, words.value],
  );
  const at = Math.min(chosen.value, rows.length - 1);

  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    openToolList(root).then(
      (found) => (list.value = found),
      (error: unknown) => (message.value = (error as Error).message),
    );
  }, []);
  useLayoutEffect(() => {
    if (isAwaited.value && list.value !== undefined) choose(rows[0]);
  }, [list.value]);
  useLayoutEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  function choose(row: Row | undefined): void {
    if (list.value === undefined && words.value !== "" && message.value === "") isAwaited.value = true;
    else if (row !== undefined) {
      onClose();
      row.open();
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = event.altKey ? undefined : steps[event.key];
    if (step !== undefined && rows.length > 0) chosen.value = (at + step + rows.length) % rows.length;
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
      choose(rows.find(({ group }) => group === here));
    else if (event.key === "Enter" && !event.isComposing) choose(rows[at]);
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find a tool or a page"
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        // Its backdrop is the dialog itself.
        if (target === currentTarget) onClose();
      }}
    >
      <div class="palette-head">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Tool, page or action"
          aria-expanded={rows.length > 0}
          aria-autocomplete="list"
          {...(rows.length > 0 && {
            "aria-controls": `${id}-list`,
            "aria-activedescendant": `${id}-${at}`,
          })}
          placeholder="Find a tool, a page or an action"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
            chosen.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="quiet small" onClick={onClose}>
          <kbd aria-hidden="true">Esc</kbd>
          <span class="unseen">Close</span>
        </button>
      </div>
      {rows.length === 0 ? null : (
        <div id={`${id}-list`} class="palette-list" role="listbox" aria-label="Tools, pages and actions">
          {[...Map.groupBy(rows, ({ group }) => group)].map(([group, members]) => (
            <div role="group" aria-label={group} key={group}>
              <div class="palette-group" aria-hidden="true">
                {group}
              </div>
              {members.map((row) => {
                const index = rows.indexOf(row);
                return (
                  // The keyboard stays in the box: it has the keys.
                  <div
                    id={`${id}-${index}`}
                    role="option"
                    aria-selected={index === at}
                    key={row.title}
                    onPointerDown={(event) => event.preventDefault()}
                    onClick={() => choose(row)}
                  >
                    <Icon name={row.icon} />
                    <span class="cut">
                      <b>
                        <Marked text={row.title} words={words.value} />
                      </b>{" "}
                      <span class="muted">
                        <Marked text={row.summary} words={words.value} />
                      </span>
                    </span>
                    {group === here ? (
                      <kbd aria-hidden="true">Ctrl ↵</kbd>
                    ) : index === at ? (
                      <kbd aria-hidden="true">↵</kbd>
                    ) : null}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      )}
      <p class="hint palette-foot" role="status">
        {message.value ||
          `${describeFound(list.value, words.value)}${rows.length} found. Arrow keys choose, Enter opens, Escape closes.`}
      </p>
    </dialog>
  );
}

/** A text with the first place of the words in it marked. */
function Marked({ text, words }: { text: string; words: string }): JSX.Element {
  const asked = words.trim().toLowerCase();
  const at = asked === "" ? -1 : text.toLowerCase().indexOf(asked);
  if (at === -1) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + asked.length)}</mark>
      {text.slice(at + asked.length)}
    </>
  );
}

interface Searched {
  list: ToolList | undefined;
  places: readonly Place[];
  /** The result that the page shows. */
  sender: Sender | undefined;
  root: URL;
}

function find({ list, places, sender, root }: Searched, words: string): readonly Row[] {
  const asked = words.trim().toLowerCase();
  const tools = list?.tools ?? [];
  const toRow = (tool: ToolList["tools"][number]): Row => ({
    group: "Tools",
    title: tool.title,
    summary: aliasIn(tool.aliases, asked) ?? tool.summary,
    icon: iconOf(tool),
    open: () => location.assign(new URL(`tools/${tool.slug}`, root)),
  });
  if (asked === "") {
    const known = [...new Set([...favourites.peek(), ...recent.peek()])];
    const remembered = known.flatMap((slug) => tools.find((tool) => tool.slug === slug) ?? []);
    return [...remembered.slice(0, maxTools).map(toRow), ...places];
  }
  const found = list?.find(asked) ?? [];
  // A page whose name is typed comes before tools that are only near.
  const isSure = found.some(({ isNear }) => !isNear);
  const named = found.map(({ tool }) => tool);
  const partly = tools.filter((tool) => isSure && !named.includes(tool) && isPartOf(tool.aliases, asked));
  const target = named.find(({ accepts, slug }) => accepts !== undefined && slug !== sender?.slug);
  const sending: Row[] =
    sender === undefined || target === undefined || !isSure
      ? []
      : [
          {
            group: here,
            title: `Send the result to ${target.title}`,
            summary: "",
            icon: "forward",
            open: () => sender.send(target.slug),
          },
        ];
  const called = places.filter(({ title, summary }) => `${title} ${summary}`.toLowerCase().includes(asked));
  const toolRows = [...named, ...partly].slice(0, maxTools).map(toRow);
  const rows = [...toolRows, ...sending, ...called.slice(0, maxOthers)];
  return isSure ? rows : rows.toSorted((a, b) => Number(a.group === "Tools") - Number(b.group === "Tools"));
}

const isPartOf = (aliases: string | undefined, asked: string): boolean =>
  asked.length >= minPart && aliasIn(aliases, asked) !== undefined;

/** Says by which other name a tool was found, if its title does not. */
function aliasIn(aliases: string | undefined, asked: string): string | undefined {
  const alias =
    asked === "" ? undefined : aliases?.split(", ").find((one) => one.toLowerCase().includes(asked));
  return alias === undefined ? undefined : `also found as ${alias}`;
}
