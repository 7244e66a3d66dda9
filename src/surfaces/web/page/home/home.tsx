import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { type Input, isEmpty, noInput } from "../editor/input.ts";
import { openTab, type Tab } from "../tab/tab.ts";
import { Card } from "./card.tsx";
import { addFilter } from "./catalogue.tsx";
import { detect, prepare, runOffer } from "./detect.ts";
import { openTool } from "./open-tool.ts";
import { Paste, type PasteWords } from "./paste.tsx";
import { type Peek, toPeek } from "./peek.ts";
import { arrange, mayBeName, type Offer, type Suggestion, type Suggestions } from "./suggest.ts";
import { openToolList, type ToolList } from "./tool-list.ts";

/** Fills the home page. */
export function show(place: Element, root: URL): void {
  // The box is in the page of the server: it says the same, and may hold what was typed before this script.
  const box = place.querySelector("textarea");
  const words = { label: box?.ariaLabel ?? "", placeholder: box?.placeholder ?? "" };
  render(<Home root={root} words={words} typed={box?.value ?? ""} />, place);
  addFilter(document, root);
}

/** Milliseconds without a key until a text is looked at. */
const restMs = 120;
/** Longest input whose result is shown beside it, in bytes or UTF-16 code units. */
const maxPeeked = 262_144;

const nothing: Suggestions = { description: "", best: undefined, others: [] };

interface HomeProps {
  root: URL;
  words: PasteWords;
  /** The text that the box has so far. */
  typed: string;
}

function Home({ root, words, typed }: HomeProps): JSX.Element {
  const tab = useMemo(() => openTab(root), []);
  const input = useSignal<Input>(typed === "" ? noInput : { kind: "text", text: typed });
  const list = useSignal<ToolList | undefined>(undefined);
  const suggestions = useSignal<Suggestions>(nothing);
  const peek = useSignal<Peek | undefined>(undefined);
  const message = useSignal("");
  /** Whether Enter was pressed before it was known what it opens. */
  const isAwaited = useSignal(false);

  useEffect(() => {
    openToolList(root).then(
      (found) => (list.value = found),
      (error: unknown) => (message.value = (error as Error).message),
    );
  }, []);

  useEffect(() => {
    const given = input.value;
    const abort = new AbortController();
    const timer = setTimeout(() => void look(given, abort.signal), isEmpty(given) ? 0 : restMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [input.value, list.value]);

  /** Finds what fits the input, and then the result of the best tool; what was shown stays until then. */
  async function look(given: Input, signal: AbortSignal): Promise<void> {
    const name = given.kind === "text" && mayBeName(given) ? given.text.trim().toLowerCase() : "";
    const named = name === "" ? [] : (list.value?.find(name) ?? []);
    // A name is known at once; detection starts a worker first.
    if (named.some(({ isName }) => isName)) display(arrange(given, [], named), noPeek);
    try {
      const offers = isEmpty(given) ? [] : await detect(tab, given, signal);
      const found = arrange(given, offers, named);
      const seen = await peekAt(tab, given, found.best?.offer, signal);
      if (!signal.aborted) display(found, seen);
    } catch (error) {
      if (!signal.aborted) message.value = (error as Error).message;
    }
  }

  function display(found: Suggestions, seen: Seen): void {
    suggestions.value = found;
    peek.value = seen.peek;
    message.value = seen.message;
    if (isAwaited.peek() && list.value !== undefined) openBest();
  }

  async function open({ slug, offer }: Suggestion): Promise<void> {
    isAwaited.value = false;
    try {
      const handed =
        offer === undefined ? { input: noInput, options: {} } : await prepare(tab, input.peek(), offer);
      await openTool(root, slug, handed, () => import("../tools/tool.tsx"));
    } catch (error) {
      message.value = (error as Error).message;
    }
  }

  function openBest(): void {
    const { best, others } = suggestions.peek();
    const first = best ?? others[0];
    isAwaited.value = first === undefined && !isEmpty(input.peek());
    if (first !== undefined) void open(first);
  }

  return (
    <div class="hero">
      <Paste words={words} value={input} description={suggestions.value.description} onOpen={openBest} />
      <Card
        input={input.value}
        list={list.value}
        root={root}
        suggestions={suggestions.value}
        peek={peek.value}
        message={message.value}
        onOpen={(one) => void open(one)}
        onTry={(text) => (input.value = { kind: "text", text })}
      />
    </div>
  );
}

/** The first rows of a result, or what stands in their place. */
interface Seen {
  peek: Peek | undefined;
  message: string;
}

const noPeek: Seen = { peek: undefined, message: "" };

/** Runs a tool in this tab for the first rows of its result. A tool of the server is not run unasked. */
async function peekAt(tab: Tab, input: Input, offer: Offer | undefined, signal: AbortSignal): Promise<Seen> {
  const size = input.kind === "text" ? input.text.length : input.file.size;
  if (offer === undefined || offer.field === null || size > maxPeeked) return noPeek;
  if (!(await tab.canRun(offer.tool)))
    return { ...noPeek, message: `${offer.reason} The tool runs on the server.` };
  try {
    const result = await runOffer(tab, input, offer, signal);
    return { ...noPeek, peek: toPeek(result, input.kind === "text" ? input.text : "") };
  } catch (error) {
    signal.throwIfAborted();
    // Some tools need a key, a pattern or another document first.
    return { ...noPeek, message: offer.reason || (error as Error).message };
  }
}
