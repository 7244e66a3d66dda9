import { useSignal } from "@preact/signals";
import { render, type JSX } from "preact";
import { useEffect } from "preact/hooks";
import { counted } from "../../../../lib/counted.ts";
import { painted } from "../painted.ts";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { favourites, toggleFavourite } from "./history.ts";
import { openToolList, type ToolList } from "./tool-list.ts";

/** Shows the page of all tools. */
export const show = (_place: Element, root: URL): void => addFilter(document, root);

type Kept = "all" | "tab" | "stars";

const kinds: readonly [kind: Kept, text: string][] = [
  ["all", "All"],
  ["tab", "In this tab"],
  ["stars", "Favourites"],
];

/** Adds to the tools that the server has listed: a filter, a star on each, and the mark of the category in view. */
export function addFilter(page: Document, root: URL): void {
  const place = page.querySelector("[data-part=filter]");
  const tiles = [...page.querySelectorAll<HTMLElement>(".tiles > li")];
  if (place === null) return;
  render(<Filter tiles={tiles} root={root} />, place);
  followScroll(page);
  void painted().then(() => addStars(page, tiles));
}

function addStars(page: Document, tiles: readonly HTMLElement[]): void {
  for (const tile of tiles) {
    const star = page.createElement("span");
    star.className = "star-place";
    tile.append(star);
    render(<Star tile={tile} />, star);
  }
}

function Star({ tile }: { tile: HTMLElement }): JSX.Element {
  const slug = tile.dataset["slug"] ?? "";
  const isOne = favourites.value.includes(slug);
  const name = tile.querySelector("b")?.textContent ?? slug;
  return (
    <button
      type="button"
      class="quiet only small star"
      aria-pressed={isOne}
      aria-label={`Favourite: ${name}`}
      onClick={() => toggleFavourite(slug)}
    >
      <Icon name="star" />
    </button>
  );
}

function Filter({ tiles, root }: { tiles: readonly HTMLElement[]; root: URL }): JSX.Element {
  const words = useSignal("");
  const kept = useSignal<Kept>("all");
  const list = useSignal<ToolList | undefined>(undefined);
  useEffect(() => {
    void openToolList(root).then(
      (found) => (list.value = found),
      // The names on the page are then searched alone.
      () => undefined,
    );
  }, []);

  const asked = words.value.trim().toLowerCase();
  const stars = favourites.value;
  const found = asked === "" ? undefined : rank(list.value, tiles, asked);
  useEffect(() => arrangeTiles(tiles, (slug) => found?.indexOf(slug) ?? 0, kept.value, stars));
  const shown = tiles.filter((tile) => isKept(tile, found, kept.value, stars)).length;

  return (
    <>
      <input
        type="search"
        aria-label="Filter the tools"
        placeholder="Filter: md5sum, jq, diff …"
        value={words.value}
        onInput={({ currentTarget }) => (words.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          const best = found
            ?.map((slug) => tiles.find((tile) => tile.dataset["slug"] === slug))
            .find((tile) => tile?.hidden === false);
          best?.querySelector("a")?.click();
        }}
      />
      <Segmented
        label="Show"
        options={kinds}
        value={kept.value}
        onSelect={(kind) => (kept.value = kind as Kept)}
      />
      <span class="unseen" role="status">
        {asked === "" && kept.value === "all" ? "" : counted(shown, "tool")}
      </span>
    </>
  );
}

/** Returns the slugs of the tools that words find, the best first: by what they are called, and by any part of a name. */
function rank(list: ToolList | undefined, tiles: readonly HTMLElement[], asked: string): string[] {
  const called = (list?.find(asked) ?? []).filter(({ isNear }) => !isNear).map(({ tool }) => tool.slug);
  const partly = tiles
    .filter(({ textContent }) => (textContent ?? "").toLowerCase().includes(asked))
    .map((tile) => tile.dataset["slug"] ?? "");
  return [...new Set([...called, ...partly])];
}

function isKept(
  tile: HTMLElement,
  found: readonly string[] | undefined,
  kept: Kept,
  stars: readonly string[],
): boolean {
  const slug = tile.dataset["slug"] ?? "";
  if (kept === "tab" && tile.dataset["inTab"] === undefined) return false;
  if (kept === "stars" && !stars.includes(slug)) return false;
  return found === undefined || found.includes(slug);
}

/** Hides what the filter does not keep, with the groups that are left empty, and puts the best group first. */
function arrangeTiles(
  tiles: readonly HTMLElement[],
  orderOf: (slug: string) => number,
  kept: Kept,
  stars: readonly string[],
): void {
  const best = new Map<Element, number>();
  for (const tile of tiles) {
    const slug = tile.dataset["slug"] ?? "";
    const order = orderOf(slug);
    tile.hidden = order === -1 || !isKept(tile, undefined, kept, stars);
    const group = tile.closest(".group");
    if (group !== null && !tile.hidden) best.set(group, Math.min(order, best.get(group) ?? Infinity));
  }
  const groups = [...document.querySelectorAll<HTMLElement>(".group")];
  for (const group of groups) group.hidden = !best.has(group);
  const isFiltered = [...best.values()].some((order) => order > 0);
  const sorted = groups
    .map((group) => ({
      group,
      order: isFiltered ? (best.get(group) ?? Infinity) : Number(group.dataset["order"] ?? 0),
    }))
    .toSorted((a, b) => a.order - b.order);
  for (const [index, { group }] of sorted.entries()) group.style.order = String(index);
}

/** Marks the category whose tools are at the top of the window. */
function followScroll(page: Document): void {
  const links = [...page.querySelectorAll<HTMLAnchorElement>(".catalogue > .side a")];
  const groups = [...page.querySelectorAll<HTMLElement>(".group")];
  let isAsked = false;

  function mark(): void {
    isAsked = false;
    const at = groups.findLast((group) => !group.hidden && group.getBoundingClientRect().top < 160);
    const isAtTop = scrollY < 80 || at === undefined || at === groups[0];
    const id = isAtTop && (at === undefined || scrollY < 80) ? "all" : (at?.id ?? "all");
    for (const link of links) {
      if (link.hash === `#${id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  addEventListener(
    "scroll",
    () => {
      if (!isAsked) requestAnimationFrame(mark);
      isAsked = true;
    },
    { passive: true },
  );
}
