import { type ReadonlySignal, useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Editor } from "../editor/editor.tsx";
import { type Input, isEmpty, noInput } from "../editor/input.ts";
import { openTab, type Tab } from "../tab/tab.ts";
import { detect, type Offer, prepare } from "./detect.ts";
import { favourites, recent } from "./history.ts";
import { openTool } from "./open-tool.ts";
import { openToolList, type ToolList } from "./tool-list.ts";

/** Fills the home page. */
export function show(place: Element, root: URL): void {
  render(<Home root={root} />, place);
}

/** A tool that the page offers, and why. */
interface Suggestion {
  slug: string;
  reason: string;
  offer?: Offer;
}

const maxSuggestions = 6;
/** Longest text that may be words for a search. */
const maxSearch = 60;

function Home({ root }: { root: URL }): JSX.Element {
  const tab = useMemo(() => openTab(root), []);
  const input = useSignal<Input>(noInput);
  const list = useSignal<ToolList | undefined>(undefined);
  const suggestions = useSignal<readonly Suggestion[]>([]);
  const message = useSignal("");

  useEffect(() => {
    openToolList(root).then(
      (found) => (list.value = found),
      (error: unknown) => (message.value = (error as Error).message),
    );
  }, []);

  useEffect(() => {
    const given = input.value;
    const abort = new AbortController();
    if (isEmpty(given)) suggestions.value = [];
    else {
      suggest(given, tab, list.value, abort.signal).then(
        (found) => (suggestions.value = found),
        (error: unknown) => {
          if (!abort.signal.aborted) message.value = (error as Error).message;
        },
      );
    }
    return () => abort.abort();
  }, [input.value, list.value]);

  async function open({ slug, offer }: Suggestion): Promise<void> {
    try {
      const handed =
        offer === undefined ? { input: noInput, options: {} } : await prepare(tab, input.peek(), offer);
      await openTool(root, slug, handed, () => import("../tools/tool.tsx"));
    } catch (error) {
      message.value = (error as Error).message;
    }
  }

  return (
    <div class="tool">
      <Editor label="Paste, drop or type anything, or the name of a tool" value={input} rows={6} />
      <p class="hint" role="status">
        {suggestions.value.length === 0
          ? "What you give stays in this tab. The tools that fit appear here. On every page, Ctrl+K or ⌘K finds a tool."
          : `${suggestions.value.length} tools fit.`}
      </p>
      <Links title="Favourites" slugs={favourites} list={list.value} root={root} />
      <Links title="Recent" slugs={recent} list={list.value} root={root} />
      <ul class="offers" aria-label="Tools that fit">
        {suggestions.value.map((one) => (
          <li key={`${one.slug} ${one.offer?.steps.length ?? 0}`}>
            <button type="button" onClick={() => void open(one)}>
              {one.offer === undefined ? titleOf(list.value, one.slug) : stepsOf(list.value, one.offer)}
            </button>{" "}
            <span class="hint">{one.reason}</span>
          </li>
        ))}
      </ul>
      <p role="alert">{message.value}</p>
    </div>
  );
}

const titleOf = (list: ToolList | undefined, slug: string): string => list?.titleOf(slug) ?? slug;

const stepsOf = (list: ToolList | undefined, { steps }: Offer): string =>
  steps.map(({ tool }) => titleOf(list, tool)).join(", then ");

async function suggest(
  input: Input,
  tab: Tab,
  list: ToolList | undefined,
  signal: AbortSignal,
): Promise<readonly Suggestion[]> {
  const words = input.kind === "text" ? input.text.trim() : "";
  const isName = words !== "" && words.length <= maxSearch && !words.includes("\n");
  const named = isName ? (list?.find(words) ?? []) : [];
  const exact = named.filter(({ isName: isWhole }) => isWhole);
  const offers = await detect(tab, input, signal);
  const fitting = offers.map((offer) => ({ slug: offer.tool, reason: offer.reason, offer }));
  const called = (found: typeof named): Suggestion[] =>
    found.map(({ tool: { slug, summary }, isNear }) => ({
      slug,
      reason: isNear ? `No tool is called so; this is one of the nearest. ${summary}` : summary,
    }));
  // Words are text, too: what is said of every text comes after the tools of that name.
  const sure = fitting.filter(({ offer }) => offer.description !== "text" || !isName);
  const all = [
    ...called(exact),
    ...(named.some(({ isNear }) => !isNear) ? [] : sure),
    ...called(named),
    ...sure,
    ...fitting,
  ];
  return all
    .filter((one, index) => all.findIndex(({ slug }) => slug === one.slug) === index)
    .slice(0, maxSuggestions);
}

interface LinksProps {
  title: string;
  slugs: ReadonlySignal<readonly string[]>;
  list: ToolList | undefined;
  root: URL;
}

/** A line of tools. It is always there, because what appears later moves the rest of the page. */
function Links({ title, slugs, list, root }: LinksProps): JSX.Element {
  const known = slugs.value.filter((slug) => list?.tools.some((tool) => tool.slug === slug));
  return (
    <nav aria-label={title} class="line">
      <span>{title}:</span>
      {known.length === 0 ? <span class="hint">none yet</span> : null}
      {known.map((slug) => (
        <a href={new URL(`tools/${slug}`, root).href} key={slug}>
          {titleOf(list, slug)}
        </a>
      ))}
    </nav>
  );
}
