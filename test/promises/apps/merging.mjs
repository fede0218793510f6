/**
 * A server whose tools merge their arguments, each in a way that is known to be vulnerable. Over HTTP, or over stdio with `stdio`. Reports
 * on request the members of all prototypes, and the number of runs.
 */
import { createServer, definePrompt, defineResource, defineResourceTemplate, defineTool } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { serveStdio } from 'toolwright/stdio';
import * as z from 'zod';

/** A naive merge that does not consider prototypes. */
function mergeDeep(target, source) {
  for (const key in source) {
    const value = source[key];
    if (typeof value === 'object' && value !== null) {
      target[key] ??= {};
      mergeDeep(target[key], value);
    } else {
      target[key] = value;
    }
  }
  return target;
}

const MERGES = {
  assign: (input) => Object.assign({}, input),
  spread: (input) => ({ ...input }),
  merge: (input) => mergeDeep({}, input),
  defaults: (input) => mergeDeep({ settings: { colour: 'red' } }, input),
};

let handled = 0;
const tools = Object.entries(MERGES).map(([name, merge]) =>
  defineTool({
    name,
    description: 'Merges what it gets.',
    inputSchema: name === 'spread' ? { type: 'object', additionalProperties: true } : z.looseObject({}),
    handler: ({ input }) => {
      handled += 1;
      merge(input);
      return 'merged';
    },
  }),
);
const greet = definePrompt({
  name: 'greet',
  arguments: [{ name: 'who' }],
  complete: { who: () => ['ada'] },
  template: 'Greet {{who}}.',
});
const rules = defineResource({ uri: 'docs://rules', name: 'rules', text: 'Be kind.' });
const note = defineResourceTemplate({
  uriTemplate: 'notes://{id}',
  name: 'note',
  contentProvider: () => 'text',
});
const server = createServer({
  name: 'merging',
  version: '1.0.0',
  tools,
  prompts: [greet],
  resources: [rules, note],
  rateLimit: false,
});

const PROTOTYPES = [Object, Array, Function, String, Number].map((type) => type.prototype);
process.on('message', (message) => {
  if (message === 'prototypes') {
    const names = PROTOTYPES.flatMap((prototype) => Reflect.ownKeys(prototype).map(String));
    process.send({ prototypes: names, handled, inherited: Object.keys(inheritedBy({})) });
  }
});

function inheritedBy(object) {
  const found = {};
  for (const key in object) found[key] = object[key];
  return found;
}

if (process.argv[2] === 'stdio') {
  serveStdio(server);
  process.send({ ready: true });
} else {
  process.send({ port: (await serveHttp(server, { port: 0 })).port });
}
