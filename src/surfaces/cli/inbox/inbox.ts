import { defineGroup } from "../command.ts";

export const inboxCommand = defineGroup({
  description:
    "Receive webhooks on a server: create inboxes, watch them, wait for a message, forward messages to this machine.",
  commands: {
    create: async () => (await import("./change.ts")).create,
    list: async () => (await import("./manage.ts")).list,
    show: async () => (await import("./manage.ts")).show,
    set: async () => (await import("./change.ts")).set,
    remove: async () => (await import("./manage.ts")).remove,
    tail: async () => (await import("./tail.ts")).tail,
    wait: async () => (await import("./wait.ts")).wait,
    forward: async () => (await import("./forward.ts")).forward,
  },
  examples: [
    "penknife inbox create --name ci --scheme github",
    "penknife inbox tail in_0123456789abcdef0123456789abcdef",
    "penknife inbox wait in_0123456789abcdef0123456789abcdef --type order.paid --timeout 30s",
    "penknife inbox forward in_0123456789abcdef0123456789abcdef http://localhost:3000/hook",
  ],
});
