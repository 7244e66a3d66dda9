import { SaxesParser } from "saxes";
import { decodeXml } from "../../../../src/lib/xml/decode.ts";
import { validateXml } from "../../../../src/lib/xml/validate.ts";
import type { Contest } from "../../contest.ts";
import { xmlOf } from "../../tool-documents.ts";

const document = xmlOf(1_000_000);

const contest: Contest = {
  data: Buffer.from(document),
  broken: Buffer.from(document.replace(/<\/customers>\n$/, "</customer>\n")),
  toMeaning: (report) => (JSON.parse(String(report)) as { valid: boolean }).valid,
  contestants: [
    {
      name: "our validateXml",
      used: true,
      run: (data) => validateXml(decodeXml(data), false).length,
      toMeaning: (faults) => faults === 0,
    },
    {
      name: "saxes",
      used: false,
      run(data) {
        let faults = 0;
        const parser = new SaxesParser();
        parser.on("error", () => faults++);
        parser.write(data.toString()).close();
        return faults;
      },
      toMeaning: (faults) => faults === 0,
    },
  ],
};

export default contest;
