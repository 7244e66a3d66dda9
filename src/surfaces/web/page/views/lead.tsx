import type { JSX } from "preact";
import { Glyphs } from "./glyphs.tsx";
import { toAge, toLongAge } from "./hint.ts";
import { type Json, memberOf, textOf } from "./json.ts";
import { Banner, CopyValue } from "./parts.tsx";

/** Shows the most important fact of a value: how long ago a time is, or the parts of a URL. */
export function Lead({ value }: { value: Json | undefined }): JSX.Element | null {
  const time = textOf(memberOf(value, "utc"));
  const at = time === undefined ? undefined : Date.parse(time);
  const age = at === undefined ? undefined : toAge(at);
  const isUrl = memberOf(value, "href") !== undefined && memberOf(value, "protocol") !== undefined;
  if (value === undefined || (age === undefined && !isUrl)) return null;
  return (
    <div class="v-lead">
      {age === undefined || at === undefined ? null : (
        <p class="v-big">
          {age}
          {toLongAge(at) === age ? null : <span class="muted"> {toLongAge(at)}</span>}
        </p>
      )}
      <Url value={value} />
    </div>
  );
}

/** The parts of a URL in colours, and a warning if it carries a password. */
function Url({ value }: { value: Json }): JSX.Element | null {
  const part = (name: string): string => textOf(memberOf(value, name)) ?? "";
  if (part("href") === "" || part("protocol") === "") return null;
  const [user, password] = [part("username"), part("password")];
  const login = `${user}${password === "" ? "" : `:${password}`}`;
  const slashes = part("href").startsWith(`${part("protocol")}//`) ? "//" : "";
  return (
    <>
      {password === "" ? null : (
        <Banner
          tone="warn"
          title="It carries a password."
          action={<CopyValue title="URL without the password" text={part("href").replace(`${login}@`, "")} />}
        >
          Browsers drop it from the address bar, logs do not.
        </Banner>
      )}
      <p class="v-value-large">
        <Glyphs>{part("protocol") + slashes}</Glyphs>
        {login === "" ? null : (
          <>
            <span class="v-part-1">
              <Glyphs>{login}</Glyphs>
            </span>
            @
          </>
        )}
        <span class="v-part-2">
          <Glyphs>{part("hostname")}</Glyphs>
        </span>
        {part("port") === "" ? null : <Glyphs>{`:${part("port")}`}</Glyphs>}
        <span class="v-part-3">
          <Glyphs>{part("pathname")}</Glyphs>
        </span>
        <span class="v-number">
          <Glyphs>{part("search")}</Glyphs>
        </span>
        <span class="v-word">
          <Glyphs>{part("hash")}</Glyphs>
        </span>
      </p>
    </>
  );
}
