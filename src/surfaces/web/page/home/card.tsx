import type { ComponentChildren, JSX } from "preact";
import type { ListedTool } from "../../../../catalog/description.ts";
import { type Input, isEmpty } from "../editor/input.ts";
import { Text } from "../ui/text.tsx";
import { Icon } from "../ui/icon.tsx";
import { Picture } from "../views/picture.tsx";
import { favourites, forgetRecent, recent } from "./history.ts";
import type { Peek } from "./peek.ts";
import { isVague, type Suggestion, type Suggestions } from "./suggest.ts";
import type { ToolList } from "./tool-list.ts";

export interface CardProps {
  input: Input;
  list: ToolList | undefined;
  root: URL;
  suggestions: Suggestions;
  /** The result of the best tool; undefined as long as there is none. */
  peek: Peek | undefined;
  /** The text that replaces a result. */
  message: string;
  onOpen(suggestion: Suggestion): void;
  onTry(text: string): void;
}

/** Offers the next step: the tools that fit the input, or those that this browser remembers, or things to try. */
export function Card(props: CardProps): JSX.Element {
  return (
    <section class="card next" aria-label="Tools that fit" onKeyDown={moveBetweenHits}>
      {isEmpty(props.input) ? <Idle {...props} /> : <Fitting {...props} />}
    </section>
  );
}

function Fitting({ list, suggestions, peek, message, onOpen }: CardProps): JSX.Element {
  const { best, others } = suggestions;
  return (
    <>
      {best === undefined ? (
        <header>
          <h2>{headingOf(others)}</h2>
        </header>
      ) : (
        <div class="best">
          <p class="best-head">
            <b>{nameOf(list, best)}</b> <span class="muted">best fit</span>
            {peek?.badge === undefined ? null : (
              <span class={`tag end ${peek.badge.kind}`}>{peek.badge.text}</span>
            )}
          </p>
          {peek?.picture === undefined ? null : (
            <div class="peek-picture">
              <Picture {...peek.picture} label="The result as an image" />
            </div>
          )}
          {peek === undefined || peek.rows.length === 0 ? (
            peek?.picture === undefined ? (
              <p class="muted">{message || best.reason}</p>
            ) : null
          ) : (
            <dl class="peek">
              {peek.rows.map(({ label, text }, index) => (
                <div key={index}>
                  <dt class={label === "" ? "unseen" : "cut"}>{label || `Line ${index + 1}`}</dt>
                  <dd class="cut">
                    <code>
                      <Text>{text}</Text>
                    </code>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <p class="actions">
            <button type="button" class="primary" onClick={() => onOpen(best)}>
              Open {nameOf(list, best)} <Icon name="forward" />
            </button>
            <kbd>Ctrl ↵</kbd>
          </p>
        </div>
      )}
      <Hits>
        {others.map((one, index) => (
          <Hit
            key={`${one.slug} ${one.offer?.steps.length ?? 0}`}
            tool={list?.tools.find(({ slug }) => slug === one.slug)}
            name={nameOf(list, one)}
            reason={reasonOf(list, one, best)}
            number={index + (best === undefined ? 1 : 2)}
            onClick={() => onOpen(one)}
          />
        ))}
      </Hits>
      {best === undefined && message !== "" ? <p class="in muted">{message}</p> : null}
    </>
  );
}

function headingOf(others: readonly Suggestion[]): string {
  if (others.length === 0) return "Looking for what fits";
  return others.some(({ offer }) => offer === undefined) ? "Tools of that name" : "For any text";
}

function Idle({ list, root, onTry }: CardProps): JSX.Element {
  const known = (slugs: readonly string[]): ListedTool[] =>
    slugs.flatMap((slug) => list?.tools.find((tool) => tool.slug === slug) ?? []);
  const stars = known(favourites.value);
  const used = known(recent.value).filter(({ slug }) => !favourites.value.includes(slug));
  if (stars.length === 0 && used.length === 0)
    return (
      <>
        <header>
          <h2>Try it</h2>
        </header>
        <Hits>
          {samples.map(({ icon, name, hint, text }) => (
            <li key={name}>
              <button type="button" onClick={() => onTry(text)}>
                <Icon name={icon} />
                <span class="cut">
                  <b>{name}</b> <span class="muted">{hint}</span>
                </span>
                <Icon name="forward" />
              </button>
            </li>
          ))}
        </Hits>
        <p class="in muted small">
          Star a tool to find it here. Tools that you used are kept in this browser, documents never.
        </p>
      </>
    );
  const href = ({ slug }: ListedTool): string => new URL(`tools/${slug}`, root).href;
  return (
    <>
      {stars.length === 0 ? null : (
        <>
          <header>
            <h2>Favourites</h2>
            <span class="end muted small wide-only">
              <kbd>Tab</kbd> then <kbd>1</kbd> … <kbd>9</kbd>
            </span>
          </header>
          <Hits>
            {stars.map((tool, index) => (
              <Hit
                key={tool.slug}
                tool={tool}
                name={tool.title}
                reason=""
                number={index + 1}
                href={href(tool)}
              />
            ))}
          </Hits>
        </>
      )}
      {used.length === 0 ? null : (
        <>
          <header>
            <h2>Recent</h2>
            <button type="button" class="quiet small end" onClick={forgetRecent}>
              Forget
            </button>
          </header>
          <nav aria-label="Recent" class="in chips">
            {used.map((tool) => (
              <a class="button" href={href(tool)} key={tool.slug}>
                {tool.title}
              </a>
            ))}
          </nav>
        </>
      )}
    </>
  );
}

const Hits = ({ children }: { children: ComponentChildren }): JSX.Element => <ul class="hits">{children}</ul>;

interface HitProps {
  tool: ListedTool | undefined;
  name: string;
  reason: string;
  number: number;
  href?: string;
  onClick?(): void;
}

function Hit({ tool, name, reason, number, href, onClick }: HitProps): JSX.Element {
  const content = (
    <>
      <Icon name={iconOf(tool)} />
      <span class="cut">
        <b>{name}</b> <span class="muted">{reason}</span>
      </span>
      {number > 9 ? null : <kbd aria-hidden="true">{number}</kbd>}
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <button type="button" data-number={number} onClick={onClick}>
          {content}
        </button>
      ) : (
        <a href={href} data-number={number}>
          {content}
        </a>
      )}
    </li>
  );
}

/** Says why a tool fits, unless the best one fits for the same reason or every text would: then, what it does. */
function reasonOf(list: ToolList | undefined, one: Suggestion, best: Suggestion | undefined): string {
  const isSaid = one.reason === best?.reason || isVague(one);
  return (isSaid ? list?.tools.find(({ slug }) => slug === one.slug)?.summary : undefined) ?? one.reason;
}

/** The icon of a category; one that an operator added has none of its own. */
export const iconOf = (tool: ListedTool | undefined): string =>
  tool !== undefined && document.getElementById(`i-${tool.category}`) !== null ? tool.category : "tool";

function nameOf(list: ToolList | undefined, { slug, offer }: Suggestion): string {
  const titleOf = (one: string): string => list?.titleOf(one) ?? one;
  return offer === undefined ? titleOf(slug) : offer.steps.map(({ tool }) => titleOf(tool)).join(", then ");
}

/** Arrows move between the hits, and a digit opens the one of that number. */
function moveBetweenHits(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const card = event.currentTarget as HTMLElement;
  const hits = [...card.querySelectorAll<HTMLElement>(".primary, .hits :is(a, button)")];
  const at = hits.indexOf(document.activeElement as HTMLElement);
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step !== undefined) hits[(at + step + hits.length) % hits.length]?.focus();
  else if (/^[1-9]$/.test(event.key))
    (
      card.querySelector<HTMLElement>(`[data-number="${event.key}"]`) ??
      (event.key === "1" ? hits[0] : undefined)
    )?.click();
  else return;
  event.preventDefault();
}

const samples = [
  {
    icon: "jwt",
    name: "A JSON Web Token",
    hint: "its claims, and whether it has expired",
    text: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkphbmUgRG9lIiwiYWRtaW4iOnRydWUsImV4cCI6MTczNTY4OTYwMH0.Nq2zR1gWbP0pC3pQq7mYbq4r3a3s0xkJm1nX0l8S2hE",
  },
  { icon: "time", name: "A cron line", hint: "in words, with its next runs", text: "*/15 9-17 * * 1-5" },
  {
    icon: "json",
    name: "Some JSON",
    hint: "indented, without a changed digit",
    text: '{"id":12345678901234567890,"name":"penknife","tags":["json","cli"],"price":1.50}',
  },
  { icon: "network", name: "A network", hint: "its range, mask and hosts", text: "192.168.10.0/26" },
] as const;
