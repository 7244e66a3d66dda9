import { z } from "zod";
import { defineTool } from "../../catalog/tool.ts";
import { readSshLines } from "../../lib/ssh/lines.ts";
import { refuse, refusing } from "../refusing.ts";

export default defineTool({
  slug: "ssh-key-parser",
  title: "SSH key parser",
  version: "1.2.0",
  summary:
    "Show the type, size, fingerprints, comment and options of SSH public keys, authorized_keys or known_hosts.",
  page: {
    title: "SSH keys",
    tile: "Type, size, fingerprint, options",
    view: "cards:ssh",
    labels: { data: "Keys" },
  },
  accepts: "OpenSSH public keys, an authorized_keys or a known_hosts file",
  aliases:
    "ssh-keygen -l, ssh key fingerprint, authorized_keys, id_rsa.pub, id_ed25519.pub, known_hosts, openssh public key, ssh-keygen -lf, deploy key",
  input: z.object({
    data: z
      .string()
      .describe(
        "Public keys, one per line, as in authorized_keys, known_hosts or a .pub file, or just their base64",
      ),
  }),
  examples: [
    {
      input: {
        data: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f ci@example.com",
      },
      result:
        '{\n  "keys": [\n    {\n      "line": 1,\n      "type": "ssh-ed25519",\n      "bits": 256,\n      "curve": null,\n      "fingerprintSha256": "SHA256:ZkAslGjFiUHdGf/WUL8rQvkib4PTvQatUV0OUQSncCA",\n      "fingerprintMd5": "0f:a2:0a:d7:38:3e:65:45:08:6b:63:84:1c:ff:dc:ba",\n      "comment": "ci@example.com",\n      "options": []\n    }\n  ]\n}',
    },
    {
      title: "A line of authorized_keys with options, below a comment",
      input: {
        data: '# deploy\nrestrict,command="echo \\"hi, you\\"" ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBCW+LxsNBwdSSrTVyToyDamFbx5akwpWteOu1NZhFL7nlcygKMpYuKPdE3enjJYT7tn1nHQJ/lDAvu6xkfVU99Q=',
      },
      result:
        '{\n  "keys": [\n    {\n      "line": 2,\n      "type": "ecdsa-sha2-nistp256",\n      "bits": 256,\n      "curve": "nistp256",\n      "fingerprintSha256": "SHA256:3+17O9RCOPm4fllir5BGL5vwTCizU+tKsWztG9JwxH0",\n      "fingerprintMd5": "78:a5:ea:43:0c:4e:58:7f:86:5e:ce:ae:86:00:3a:b5",\n      "comment": "",\n      "options": [\n        "restrict",\n        "command=\\"echo \\\\\\"hi, you\\\\\\"\\""\n      ]\n    }\n  ]\n}',
    },
  ],
  run({ data }) {
    const keys = refusing(data, () => readSshLines(data));
    if (keys.length === 0) throw refuse(data, { index: 0 }, "The document contains no key.");
    return JSON.stringify({ keys }, null, 2);
  },
});
