import express from "express";
import { rateLimit } from "express-rate-limit";
import morgan from "morgan";
import { accountOf } from "./keys.ts";
import { format, hostname, limit, path, port, windowMs } from "./work.ts";

/** express with morgan, a key check and express-rate-limit. */
const app = express();

app.use(morgan("combined"));

app.use((request, response, next) => {
  const account = accountOf(request.headers.authorization);
  if (account === undefined) {
    response.status(401).json({ error: "unknown key" });
    return;
  }
  response.locals.account = account;
  next();
});

app.use(
  rateLimit({
    windowMs,
    limit,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    keyGenerator: (_request, response) => response.locals.account as string,
  }),
);

app.use(express.json());

app.post(path, (request, response) => {
  const { data } = request.body as { data: string };
  response.json({ result: format(data) });
});

app.listen(port, hostname);
