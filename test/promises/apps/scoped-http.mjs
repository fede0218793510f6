/**
 * Servers with the same 20 items, each behind scopes of its own: as actions of a tool in every exposure, as prompts and as resources.
 * `/flat/3` is the server at `/flat` without the item 3, for what is unknown. A caller has the scopes that its token lists. The servers at
 * `/challenge-flat` and so on challenge missing scopes, and a policy hides the items 5 and 16 from everyone.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer, createTool, ToolRegistry } from 'toolwright';
import { toNodeHandler } from 'toolwright/http';
import * as z from 'zod';

let handled = 0;
const run = (name) => () => {
  handled += 1;
  return `ran ${name}`;
};

/** Of item 13, which is 1101 in binary: the scopes a, c and d. */
function scopesOf(index) {
  return ['a', 'b', 'c', 'd', 'e'].filter((_, bit) => (index & (1 << bit)) !== 0);
}

const CHALLENGING = {
  missingScopes: 'challenge',
  policy: ({ action }) => action !== 'item_05' && action !== 'item_16',
};
const schema = z.object({ count: z.int().optional() });

function create(exposure, { missing, isChallenging }) {
  const items = Array.from({ length: 20 }, (_, index) => ({
    name: `item_${String(index).padStart(2, '0')}`,
    description: `Item ${index}`,
    scopes: scopesOf(index),
  })).filter((_, index) => index !== missing);
  let all = createTool('all').description('All items');
  for (const item of items) all = all.action({ ...item, schema, handler: run(item.name) });
  return createServer({
    name: 'scoped',
    version: '1.0.0',
    tools: new ToolRegistry({ exposure, rateLimit: false, ...(isChallenging ? CHALLENGING : {}) }).register(
      all,
    ),
    prompts: items.map((item) => ({ ...item, handler: run(item.name) })),
    resources: items.map((item) => ({
      ...item,
      uri: `item://${item.name}`,
      contentProvider: run(item.name),
    })),
  });
}

function authenticate({ headers }) {
  const [, kind, words] = /^Bearer (list|text|none):(\S*)$/.exec(headers.get('authorization') ?? '') ?? [];
  if (kind === 'none') return { id: 'somebody' };
  // A claim as in a token: one string.
  return { id: 'somebody', scopes: kind === 'text' ? words : words.split(',') };
}

const handlers = new Map();
const http = createHttpServer((request, response) => {
  const [, challenge, exposure, missing] = /^\/(challenge-)?(\w+)(?:\/(\d+))?$/.exec(request.url);
  let handle = handlers.get(request.url);
  if (handle === undefined) {
    const server = create(exposure, {
      missing: missing === undefined ? undefined : Number(missing),
      isChallenging: challenge !== undefined,
    });
    handle = toNodeHandler(server, { authenticate, maxInFlightPerCaller: 256 });
    handlers.set(request.url, handle);
  }
  handle(request, response);
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
process.on('message', (message) => {
  if (message === 'handled') process.send({ handled });
});
