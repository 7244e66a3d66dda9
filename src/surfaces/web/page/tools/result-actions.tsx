import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import type { Handed, Input } from "../editor/input.ts";
import { detect, prepare } from "../home/detect.ts";
import type { Offer } from "../home/suggest.ts";
import { openPipelines, openTool } from "../home/open-tool.ts";
import { openToolList, type ToolList } from "../home/tool-list.ts";
import { openTab } from "../tab/tab.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import type { ViewProps, ViewTab } from "../views/view.ts";
import { download, nameResult } from "./download.ts";
import { takesDocument } from "./fields.ts";
import { toPipelineStart } from "./given.ts";
import type { Runner } from "./runner.ts";
import { addSender } from "./senders.ts";
import type { ToolState } from "./state.ts";

export interface ResultActionsProps {
  state: ToolState;
  runner: Runner;
  root: URL;
  /** Fills the page of a tool. */
  show(place: Element, root: URL, handed?: Handed): void;
  /** The result that is shown; undefined before the first one. */
  props: ViewProps | undefined;
  tab: ViewTab | undefined;
  /** Whether long lines are wrapped. */
  wraps: Signal<boolean>;
  /** Set to what copies the result. */
  copy: { current: (() => void) | undefined };
}

/** The actions on a result: wrap, download, send it to something, make a new one, copy it. */
export function ResultActions(all: ResultActionsProps): JSX.Element {
  const { state, runner, root, show, props, tab, wraps, copy } = all;
  const { definition } = state;
  const bar = useRef<HTMLSpanElement>(null);
  const result = props?.result;
  const text =
    props === undefined
      ? undefined
      : (tab?.text?.(props) ?? (typeof result === "string" ? result : undefined));
  const save = (): void => {
    if (result !== undefined) download(nameResult(definition.slug, result), result);
  };
  const wrap = (): void => {
    wraps.value = !wraps.value;
  };
  useLayoutEffect(() => {
    copy.current = () => bar.current?.querySelector<HTMLElement>(".copy button")?.click();
  });
  const sending = useSending(state, root, show, result);
  useEffect(
    () =>
      addSender({
        slug: definition.slug,
        isReady: () => result !== undefined && bar.current?.isConnected === true,
        send: (slug) => void sending.open(slug),
      }),
    [result],
  );
  return (
    <span class="end pane-actions" ref={bar}>
      {result === undefined ? null : (
        <>
          <span class="roomy">
            <button
              type="button"
              class="quiet only small"
              aria-label="Wrap lines"
              title="Wrap lines"
              aria-pressed={wraps.value}
              onClick={wrap}
            >
              <Icon name="wrap" />
            </button>
            <button
              type="button"
              class="quiet only small"
              aria-label="Download"
              title="Download"
              onClick={save}
            >
              <Icon name="download" />
            </button>
            <Menu label="Send to" items={sending.items} note={sending.note} onOpen={sending.load} isAtEnd>
              Send to <Icon name="down" />
            </Menu>
          </span>
          <span class="tight">
            <Menu
              label="More: wrap, download, send to"
              class="quiet only small"
              items={[
                { icon: "wrap", text: wraps.value ? "Do not wrap lines" : "Wrap lines", act: wrap },
                { icon: "download", text: "Download", act: save },
                undefined,
                ...sending.items,
              ]}
              note={sending.note}
              onOpen={sending.load}
              isIcon
              isAtEnd
            >
              <Icon name="more" />
            </Menu>
          </span>
        </>
      )}
      {takesDocument(definition) || runner.place.value !== "tab" ? null : (
        <button type="button" class="small" onClick={runner.run}>
          <Icon name="again" /> New <kbd>Ctrl ↵</kbd>
        </button>
      )}
      {text === undefined ? null : (
        <span class="copy">
          <CopyButton
            title="Result"
            hasIcon
            class={runner.place.value === "server" ? "small" : "primary small"}
            source={() => bar.current}
            text={text}
          />
        </span>
      )}
    </span>
  );
}

/** Tools to which a result may be sent, and their names, as far as they are known. */
interface Sending {
  items: readonly (MenuItem | undefined)[];
  note: string | undefined;
  /** Finds the tools that fit. */
  load(): void;
  /** Opens a tool with the result. */
  open(slug: string): Promise<void>;
}

const maxOffers = 5;
const maxDetectMs = 5000;

function useSending(
  state: ToolState,
  root: URL,
  show: ResultActionsProps["show"],
  result: string | Uint8Array<ArrayBuffer> | undefined,
): Sending {
  const { definition, input } = state;
  const offers = useSignal<{ of: unknown; found: readonly Offer[] } | undefined>(undefined);
  const list = useSignal<ToolList | undefined>(undefined);
  const note = useSignal<string | undefined>(undefined);
  if (result === undefined)
    return { items: [], note: undefined, load: () => undefined, open: () => Promise.resolve() };
  const document: Input =
    typeof result === "string"
      ? { kind: "text", text: result }
      : { kind: "file", file: new Blob([result]), name: "result" };
  const tab = openTab(root);
  const open = async (slug: string, offer?: Offer): Promise<void> => {
    const handed =
      offer === undefined ? { input: document, options: {} } : await prepare(tab, document, offer);
    await openTool(root, slug, handed, () => ({ show }));
  };
  const find = async (of: unknown): Promise<void> => {
    try {
      const looking = detect(tab, document, AbortSignal.timeout(maxDetectMs)).catch(() => []);
      const [tools, found] = await Promise.all([openToolList(root), looking]);
      // Together: an item that a pointer is on must not move.
      list.value = tools;
      offers.value = { of, found };
    } catch {
      // Without them, the menu has the rest.
    } finally {
      note.value = undefined;
    }
  };
  const found = offers.value?.of === result ? offers.value.found : [];
  const { inverse } = definition;
  const fitting = found
    .filter(({ tool, steps }) => tool !== definition.slug && tool !== inverse && steps.length === 1)
    .slice(0, maxOffers);
  // What converts to a format is followed by what converts from it.
  const [, format] = /-to-(\w+)$/.exec(definition.slug) ?? [];
  const converters = (list.value?.tools ?? [])
    .map(({ slug }) => slug)
    .filter((slug) => format !== undefined && slug.startsWith(`${format}-to-`) && slug !== inverse)
    .filter((slug) => fitting.every(({ tool }) => tool !== slug));
  const toItem = (slug: string, offer?: Offer): MenuItem => ({
    icon: "forward",
    text: list.value?.titleOf(slug) ?? slug,
    ...(offer !== undefined && { hint: offer.reason }),
    act: () => void open(slug, offer),
  });
  return {
    items: [
      takesDocument(definition)
        ? { icon: "back", text: "Use as input", act: () => (input.value = document) }
        : undefined,
      // A pipeline of the operator is no step of another.
      definition.steps === undefined
        ? {
            icon: "pipelines",
            text: "Add to a pipeline",
            act: () => void openPipelines(root, toPipelineStart(state)),
          }
        : undefined,
      ...(inverse === undefined ? [] : [{ ...toItem(inverse), hint: "undoes this" }]),
      ...(fitting.length === 0 ? [] : [undefined]),
      ...fitting.map((offer) => toItem(offer.tool, offer)),
      ...converters.map((slug) => toItem(slug)),
    ].filter((one, index, all) => one !== undefined || (index > 0 && all[index - 1] !== undefined)),
    note: note.value,
    open,
    load() {
      if (offers.value?.of === result) return;
      note.value = "Looking for tools that fit …";
      void find(result);
    },
  };
}
