import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { formatToml } from "../../lib/toml/format.ts";
import { refusing } from "../refusing.ts";

export default defineTool({
  slug: "toml-formatter",
  title: "TOML formatter",
  version: "1.0.1",
  summary: "Format TOML; comments, the order of keys and the text of values are preserved.",
  page: {
    tile: "Comments and order kept",
    view: "code:toml",
    options: ["indent", "width", "version"],
    labels: { width: "Width", version: "TOML" },
  },
  accepts: "TOML",
  aliases:
    "toml prettify, taplo fmt, taplo format, format toml, toml beautifier, tidy toml, pyproject-fmt, format cargo.toml, format pyproject.toml, reformat toml",
  input: z.object({
    data: z.string().describe("The TOML document"),
    indent: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe("Spaces before the items of an array over several lines"),
    width: z
      .int()
      .min(20)
      .max(1000)
      .default(80)
      .describe("Width beyond which an array gets a line for each item; shorter ones are on one line"),
    blankLines: z.int().min(0).max(10).default(1).describe("Most blank lines in a row that are kept"),
    version: z
      .enum(["1.0", "1.1"])
      .default("1.1")
      .describe(
        "TOML version; 1.1 accepts every TOML 1.0 document, 1.0 refuses syntax that was added in 1.1",
      ),
  }),
  isolate: "process",
  examples: [
    {
      input: {
        data: '# Package\nname="penknife"\nversion = "1.0" # as tagged\n[ dependencies ]\nzod={version="4",features=["a","b"]}\n',
      },
      result:
        '# Package\nname = "penknife"\nversion = "1.0" # as tagged\n\n[dependencies]\nzod = { version = "4", features = ["a", "b"] }\n',
    },
    {
      title: "Arrays are wrapped by their width, and keep their comments",
      input: {
        data: 'short = [\n  1,\n  2,\n]\nhosts = ["a.example.com","b.example.com","c.example.com"]\nports = [ 80, # web\n  # admin\n  8080 ]\n',
        width: 40,
      },
      result:
        'short = [1, 2]\nhosts = [\n  "a.example.com",\n  "b.example.com",\n  "c.example.com",\n]\nports = [\n  80, # web\n  # admin\n  8080,\n]\n',
    },
    {
      title: "Numbers, dates and strings keep their notation",
      input: {
        data: "a.'b c' . d=0xDEAD_beef\n\n\n\nwhen=1979-05-27 07:32:00\ntext='''\n  as is  '''\n[[list]]\n[[list]]\nx=+1_000.0\n",
      },
      result:
        "a.'b c'.d = 0xDEAD_beef\n\nwhen = 1979-05-27 07:32:00\ntext = '''\n  as is  '''\n\n[[list]]\n\n[[list]]\nx = +1_000.0\n",
    },
  ],
  check: "change",
  run: ({ data, ...layout }) => refusing(data, () => formatToml(data, layout)),
});
