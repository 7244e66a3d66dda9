import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executable, emptyFolder, serve, type Server } from "../harness.ts";
import { type Recorder, startRecorder } from "../recorder.ts";
import { faults } from "./axe.ts";
import { type Browser, findBrowser, shareBrowser, type Page } from "./browser.ts";
import { pick } from "./controls.ts";
import { resultOf, setInput } from "./editor.ts";
import { shareTab } from "./stage.ts";

// The page of pipelines as a person uses it, in a real browser whose every request is recorded.
const found = findBrowser();
const patience = { timeout: 60_000 };
const run = promisify(execFile);
const markup = `<img src=x onerror=alert(1)>`;

describe.runIf(found !== undefined)("the page of pipelines", () => {
  const folder = emptyFolder();
  const files = emptyFolder();
  let server: Server;
  let recorder: Recorder;
  let browser: Browser;
  const inTab = shareTab(() => browser);

  beforeAll(async () => {
    server = await serve(folder.path, { PENKNIFE_TOOLS_DEADLINE_MS: "60000" });
    recorder = await startRecorder(server.url);
    browser = await shareBrowser(found ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await recorder?.close();
    await server?.stop();
    folder.remove();
    files.remove();
  });

  /** Opens the page, hands it over, and expects it to have been quiet. `mayStay` takes the page of another test, without its steps. */
  async function visit(act: (page: Page) => Promise<void>, mayStay = false): Promise<void> {
    await inTab(async ({ page, lines, complaints }) => {
      const url = `${recorder.url}/pipelines`;
      const hasSteps = (await page.locator(".step").count()) > 0;
      if (mayStay && hasSteps && (await page.evaluate("location.href")) === url) {
        await pick(page, "the pipeline", "Remove all steps");
        await expect.poll(() => steps(page), patience).toEqual([]);
      } else await page.goto(url);
      await page.locator("[role=combobox]").waitFor();
      await act(page);
      expect([...lines, ...complaints]).toEqual([]);
    });
  }

  /** Adds a step with the keyboard. */
  async function add(page: Page, words: string, title: string): Promise<void> {
    const before = await page.locator(".step").count();
    await page.locator("[role=combobox]").focus();
    await page.keyboard.insertText(words);
    await page.locator(".combobox li[aria-selected=true]").getByText(title).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".step").count(), patience).toBe(before + 1);
  }

  /** Chooses a file as the pipeline. */
  const open = (page: Page, name: string, content: string): Promise<unknown> =>
    page.evaluate(`{
      const chooser = document.querySelector("input[aria-label='File of a pipeline']");
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
      chooser.files = data.files;
      chooser.dispatchEvent(new Event("change", { bubbles: true }));
    }`);

  const steps = (page: Page): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll(".step h2")].map(({ textContent }) => textContent)`);

  const result = (page: Page): Promise<unknown> => resultOf(page, ".step:last-child");

  const said = (page: Page): Promise<unknown> =>
    page.evaluate(
      `[...document.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent).join("")`,
    );

  it("the keyboard alone puts tools together, moves them and sees each result; nothing of it is sent", async () => {
    const before = recorder.sent.length;
    await visit(async (page) => {
      await setInput(page, Buffer.from('{"b":"a secret","a":2}').toString("base64"));
      await add(page, "base64 decoder", "Base64 decoder");
      await add(page, "prettify json", "JSON formatter");
      await add(page, "json minifier", "JSON minifier");
      await expect.poll(() => result(page), patience).toBe('{"b":"a secret","a":2}');
      await page.getByRole("button", { name: "Move up step 3" }).focus();
      await page.keyboard.press("Enter");
      await expect
        .poll(() => steps(page), patience)
        .toEqual(["1. Base64 decoder", "2. JSON minifier", "3. JSON formatter"]);
      await expect.poll(() => result(page), patience).toBe('{\n  "b": "a secret",\n  "a": 2\n}');
      // The focus stays with the step.
      expect(await page.evaluate(`document.activeElement.ariaLabel`)).toBe("Move up step 2");
      await page.keyboard.press("Alt+ArrowDown");
      await expect
        .poll(() => steps(page), patience)
        .toEqual(["1. Base64 decoder", "2. JSON formatter", "3. JSON minifier"]);
      await page.locator("main").getByText("JSON minifier is now step 3 of 3.").waitFor();
      expect(await resultOf(page, ".step")).toBe('{"b":"a secret","a":2}');
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "More for step 2" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: "Remove step 2" }).waitFor();
      await page.keyboard.press("Enter");
      await expect.poll(() => steps(page), patience).toEqual(["1. Base64 decoder", "2. JSON minifier"]);
    });
    for (const text of recorder.sent.slice(before)) {
      // The header asks whose session it is.
      expect(text).toMatch(/^GET \/(?:web|pipelines|api\/tools|session)\b/);
      expect(text).not.toMatch(/a secret|prettify/);
    }
  });

  it("a step is moved by dragging it", async () => {
    await visit(async (page) => {
      await add(page, "url encoder", "URL encoder");
      await add(page, "base64 encoder", "Base64 encoder");
      await page.evaluate(`{
        const dataTransfer = new DataTransfer();
        const send = (type, element) =>
          element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        const [one, two] = document.querySelectorAll(".step");
        send("dragstart", two.querySelector(".step-head"));
        send("dragover", one);
        send("drop", one);
        send("dragend", two.querySelector(".step-head"));
      }`);
      await expect.poll(() => steps(page), patience).toEqual(["1. Base64 encoder", "2. URL encoder"]);
    }, true);
  });

  it("a saved pipeline runs at the command line, opens again, and keeps its other fields", async () => {
    await visit(async (page) => {
      await open(
        page,
        "house-json.yaml",
        `title: House JSON\nsteps:\n  - {tool: base64-decoder}\n  - tool: json-formatter\n    with: {indent: 4}\nexamples:\n  - {input: {data: e30=}, result: "{}"}\n`,
      );
      await expect.poll(() => steps(page), patience).toEqual(["1. Base64 decoder", "2. JSON formatter"]);
      await setInput(page, "eyJhIjoxfQ==");
      await expect.poll(() => result(page), patience).toBe('{\n    "a": 1\n}');
      const saved = page.waitForEvent("download");
      await pick(page, "the pipeline", "Save as a file");
      const download = await saved;
      expect(download.suggestedFilename()).toBe("house-json.yaml");
      const path = join(files.path, "house-json.yaml");
      copyFileSync(await download.path(), path);
      const text = readFileSync(path, "utf8");
      expect(text).toContain("title: House JSON");
      expect(text).toContain("result:");
      writeFileSync(join(files.path, "input.txt"), "eyJhIjoxfQ==");
      expect((await run(executable, ["run", "-p", path, "input.txt"], { cwd: files.path })).stdout).toBe(
        '{\n    "a": 1\n}\n',
      );
      await pick(page, "the pipeline", "Remove all steps");
      await expect.poll(() => steps(page), patience).toEqual([]);
      await open(page, "house-json.yaml", text);
      await expect.poll(() => result(page), patience).toBe('{\n    "a": 1\n}');
    });
  });

  it("the calls that it shows work as they are pasted", async () => {
    await visit(async (page) => {
      await open(
        page,
        "two.yaml",
        "steps: [{tool: base64-decoder}, {tool: json-formatter, with: {indent: 4}}]",
      );
      await expect.poll(() => steps(page), patience).toHaveLength(2);
      writeFileSync(join(files.path, "data.txt"), "eyJhIjoxfQ==");
      await page.getByRole("button", { name: "Use it elsewhere" }).click();
      await page.locator(".drawer .example pre").first().waitFor();
      const shown = (await page.evaluate(
        `[...document.querySelectorAll(".drawer .example pre")].map(({ textContent }) => textContent)`,
      )) as string[];
      expect(shown).toHaveLength(2);
      const options = { cwd: files.path };
      expect((await run("bash", ["-c", shown[0] ?? ""], options)).stdout).toBe('{\n    "a": 1\n}');
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator(".drawer").count(), patience).toBe(0);
      const saved = page.waitForEvent("download");
      await pick(page, "the pipeline", "Save as a file");
      copyFileSync(await (await saved).path(), join(files.path, "two.yaml"));
      const command = (shown[1] ?? "").replace(/^penknife/, `'${executable}'`);
      expect((await run("bash", ["-c", command], options)).stdout).toBe('{\n    "a": 1\n}\n');
    });
  });

  it("a file that is no pipeline is refused with a sentence, and the page goes on", async () => {
    const aliases = (name: string): string => Array.from({ length: 9 }, () => `*${name}`).join(", ");
    const bomb = [..."bcdefgh"].map(
      (name, index) => `${name}: &${name} [${aliases("abcdefg"[index] ?? "")}]`,
    );
    await visit(async (page) => {
      await add(page, "url encoder", "URL encoder");
      for (const [content, message] of [
        ["a: [", /^Line \d, column \d+: Flow sequence/],
        ["- a", /must have the field steps/],
        ["steps: []", /steps must be a list/],
        [`steps: [{tool: url-encoder}]\n"${markup}": 1`, /is no field of a pipeline/],
        [`steps: [{tool: "${markup}"}]`, /steps\[0\]\.tool is no tool of this server: "<img/],
        ["steps: [{tool: ../../sign-in}]", /is no tool of this server: "\.\.\/\.\./],
        ["steps: [{tool: url-encoder, with: {nope: 1}}]", /with\.nope is unknown/],
        ["steps: [{tool: url-encoder, with: {__proto__: 1}}]", /with\.__proto__ is unknown/],
        ["steps: [{tool: url-encoder, with: {data: x}}]", /with\.data is unknown/],
        [`steps: [${"{tool: url-encoder},".repeat(21)}]`, /at most 20 steps; this one has 21/],
        [["a: &a [x]", ...bomb].join("\n"), /alias/i],
        ["x".repeat(1_000_001), /has 1000001 bytes/],
      ] as const) {
        await open(page, `${markup}.yaml`, content);
        await expect.poll(() => said(page), patience).toMatch(message);
        expect(await steps(page)).toEqual(["1. URL encoder"]);
      }
      await setInput(page, "a b");
      await expect.poll(() => result(page), patience).toBe("a%20b");
      expect(await page.evaluate(`document.querySelectorAll("main img, main script").length`)).toBe(0);
    }, true);
  });

  it("a refusal stands at its step, and what follows has no result; markup stays text", async () => {
    await visit(async (page) => {
      await open(
        page,
        `${markup}.yaml`,
        "steps: [{tool: url-decoder}, {tool: json-formatter}, {tool: json-minifier}]",
      );
      await expect.poll(() => steps(page), patience).toHaveLength(3);
      await setInput(page, encodeURIComponent(`{"a": ${markup}`));
      await page.locator(".step .refused").waitFor();
      expect(
        await page.evaluate(
          `[...document.querySelectorAll(".step")].findIndex((step) => step.querySelector(".refused") !== null)`,
        ),
      ).toBe(1);
      // The colour of the card says it too, and the one below says what it waits for.
      expect(await page.evaluate(`document.querySelectorAll(".step.bad").length`)).toBe(1);
      await page.locator(".step").getByText("Waits for step 2.").first().waitFor();
      expect(await page.evaluate(`document.querySelectorAll("main img, main script").length`)).toBe(0);
      expect(await faults(page)).toEqual([]);
    });
  });

  it("a step whose tool runs on the server waits for Run", async () => {
    const before = recorder.sent.length;
    await visit(async (page) => {
      await add(page, "jwt generator", "JWT generator");
      await page.locator("main").getByText("on the server, at the press of Run").waitFor();
      await setInput(page, '{"sub":"jane"}');
      await page.evaluate(`{
        const values = { "Secret or private key": "0123456789abcdef0123456789abcdef", Algorithm: "HS256" };
        for (const [name, value] of Object.entries(values)) {
          const label = [...document.querySelectorAll(".options label")].find(({ textContent }) => textContent === name);
          const field = document.getElementById(label.htmlFor);
          field.value = value;
          for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
        }
      }`);
      await page.locator("main").getByText("JWT generator waits for Run.").waitFor();
      expect(recorder.sent.slice(before).join("\n")).not.toContain("POST");
      await page.locator("main").getByText("A file contains a secret").first().waitFor();
      await page.getByRole("button", { name: "Run" }).click();
      await expect.poll(() => result(page), patience).toMatch(/^eyJ/);
      expect(recorder.sent.slice(before).filter((text) => text.startsWith("POST"))).toHaveLength(1);

      // Saved in the browser it is without its secret and its document.
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.locator("main").getByText("without its secrets: key").first().waitFor();
      const kept = String(await page.evaluate(`localStorage.getItem("penknife.pipelines")`));
      expect(kept).toContain("jwt-generator");
      expect(kept).not.toMatch(/0123456789abcdef|jane/);
    });
  });

  it("a pipeline is built from what fits, saved in the browser, and opened again", async () => {
    const before = recorder.sent.length;
    await visit(async (page) => {
      await setInput(page, "id,name,token\n1,Ana,secret-1\n2,Jun,secret-2");
      // Four tools or fewer that fit, first the input and then the result of the last step.
      const offer = (title: string): ReturnType<Page["locator"]> =>
        page.locator(".add-step").getByRole("button", { name: title, exact: true });
      await page.locator(".add-step").getByText("Fits the input:").first().waitFor();
      await offer("CSV to JSON").click();
      await page.locator(".add-step").getByText("Fits the result:").first().waitFor();
      expect(await page.locator(".add-step .chip").count()).toBeLessThanOrEqual(4);
      // A step shows its result by the views of its tool.
      await page.locator(".step").getByRole("tab", { name: "Table" }).click();
      await page.locator(".step-view .v-data").getByText("Ana").first().waitFor();
      await add(page, "json to yaml", "JSON to YAML");
      await expect.poll(() => result(page), patience).toMatch(/^- id: "1"\n {2}name: Ana\n/);
      await page.locator(".pipe-head input[type=text]").focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText("rows-to-yaml");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.locator("main").getByText("Saved in this browser as rows-to-yaml.").first().waitFor();
      expect(await page.evaluate(`localStorage.getItem("penknife.pipelines")`)).not.toContain("secret-1");
      expect(await faults(page)).toEqual([]);

      await page.reload();
      await page.locator("[role=combobox]").waitFor();
      expect(await steps(page)).toEqual([]);
      await page.getByRole("button", { name: "Open", exact: true }).click();
      await page.getByRole("menuitem", { name: "rows-to-yaml" }).click();
      await expect.poll(() => steps(page), patience).toEqual(["1. CSV to JSON", "2. JSON to YAML"]);
      await setInput(page, "a\n1");
      await expect.poll(() => result(page), patience).toBe('- a: "1"\n');

      await pick(page, "the pipeline", "Forget rows-to-yaml");
      await expect
        .poll(() => page.evaluate(`localStorage.getItem("penknife.pipelines")`), patience)
        .toBe("[]");
      for (const width of [320, 1000, 3840]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      }
      await page.setViewportSize({ width: 1280, height: 720 });
    });
    for (const text of recorder.sent.slice(before)) expect(text).not.toMatch(/secret-\d|rows-to/);
  });
});
