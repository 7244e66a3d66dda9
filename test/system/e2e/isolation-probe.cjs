// Loaded into a real worker process before its own code. Once that has confined itself, tries every way out, and says on
// standard error what came of it.
const { permission } = process;
const fs = require("node:fs");
const { port, folder } = JSON.parse(process.argv.at(-1));

// Hides from the worker what only this probe needs.
process.env.NODE_OPTIONS = process.env.NODE_OPTIONS?.replace(/ --allow-fs-read=.*$/, "");
const drop = permission.drop.bind(permission);
permission.drop = (scope) => {
  drop(scope);
  setImmediate(() => void probe());
};

async function probe() {
  const outcomes = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      outcomes[name] = `got through: ${String(await Promise.race([thrownOutside(), attempt()]))}`;
    } catch (error) {
      outcomes[name] = error.code ?? error.message;
    }
  }
  fs.writeSync(2, `\noutcomes ${JSON.stringify(outcomes)}\n`);
}

/** Some refusals are thrown where nobody can catch them. */
const thrownOutside = () =>
  new Promise((_, reject) =>
    process.removeAllListeners("uncaughtException").once("uncaughtException", reject),
  );

/** Settles with the first of these events. */
const settled = (emitter, event) =>
  new Promise((resolve, reject) => emitter.once(event, resolve).once("error", reject));

const net = require("node:net");
const { spawnSync, spawn, fork } = require("node:child_process");
const { Worker } = require("node:worker_threads");
const { DatabaseSync } = process.getBuiltinModule("node:sqlite") ?? {};

const attempts = {
  "read a file": () => fs.readFileSync("/etc/hostname"),
  "read a file with promises": () => fs.promises.readFile("/etc/hostname"),
  "list a folder": () => fs.readdirSync("/"),
  "read the environment of the server": () => fs.readFileSync(`/proc/${process.ppid}/environ`),
  "write a file": () => fs.writeFileSync(`${folder}/written`, "x"),
  "make a folder": () => fs.mkdirSync(`${folder}/made`),
  "open a database": () => new DatabaseSync(`${folder}/database`).exec("create table a (b)"),
  "write a heap snapshot": () => require("node:v8").writeHeapSnapshot(`${folder}/heap`),
  "write a report": () => process.report.writeReport(`${folder}/report.json`),
  "go to a folder": () => process.chdir("/tmp"),
  "connect over TCP": () => settled(net.connect(port, "127.0.0.1"), "connect"),
  "connect to a socket file": () => settled(net.connect(`${folder}/socket`), "connect"),
  "listen over TCP": () => settled(net.createServer().listen(0, "127.0.0.1"), "listening"),
  "listen at a socket file": () => settled(net.createServer().listen(`${folder}/own`), "listening"),
  "bind over UDP": () => {
    const socket = require("node:dgram").createSocket("udp4");
    const bound = settled(socket, "listening");
    socket.bind(0, "127.0.0.1");
    return bound;
  },
  "send over UDP": () =>
    new Promise((resolve, reject) => {
      const socket = require("node:dgram").createSocket("udp4").once("error", reject);
      socket.send("x", port, "127.0.0.1", (error) => (error ? reject(error) : resolve()));
    }),
  "ask a name server": () => require("node:dns").promises.resolve4("localhost"),
  "look a name up": () => require("node:dns").promises.lookup("localhost"),
  fetch: () => fetch(`http://127.0.0.1:${port}/`).catch((error) => Promise.reject(error.cause ?? error)),
  "start a program": () => spawnSync("/bin/true").status,
  "start a program and go on": () => settled(spawn("/bin/true"), "spawn"),
  "start Node": () => settled(fork(__filename), "spawn"),
  "become another program": () => process.execve("/bin/true", ["true"], {}),
  "start a thread": () => settled(new Worker("", { eval: true }), "online"),
  "load an addon": () => process.dlopen({ exports: {} }, `${folder}/addon.node`),
  "reach native code": () => process.getBuiltinModule("node:ffi").dlopen(null),
  "start WASI": () => new (require("node:wasi").WASI)({ version: "preview1" }),
  "reach Node's insides": () => process.binding("fs"),
  "open a debugger": () => require("node:inspector").open(0),
  "send a signal": () => process.kill(process.ppid, 0),
  "make code from text": () => Object.getPrototypeOf(() => {}).constructor("return 1")(),
};
