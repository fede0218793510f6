import { call, describeStatus } from '../requests.mjs';

/** Names that every plain object of JavaScript has. */
const INHERITED = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
const KEYS = 200_000;
/** With a longer delay, other clients wait too long. */
const ALLOWED_MS = 1000;

export const answers = [
  {
    title: 'tools named constructor, toString, …',
    on: 'http',
    run: async (server) => {
      const unknown = await call(server.port, 'nobody');
      const different = [];
      for (const name of INHERITED) {
        const answer = await call(server.port, name);
        if (withoutName(answer, name) !== withoutName(unknown, 'nobody')) different.push(readMessage(answer));
      }
      return {
        isWeak: different.length > 0,
        measured: different[0] ?? 'like any unknown name',
      };
    },
  },
  {
    title: 'text of a thrown error',
    on: 'http',
    run: async (server) => {
      const answer = await call(server.port, 'throws');
      const isShown = answer.body.includes('secret=');
      return { isWeak: isShown || answer.status !== 200, measured: isShown ? 'sent verbatim' : 'kept back' };
    },
  },
  {
    title: '200,000 keys (2.3 MB)',
    on: 'http',
    run: async (server) => {
      await call(server.port, 'fine');
      const members = Array.from({ length: KEYS }, (_, index) => `"k${index}":1`).join(',');
      const answer = await call(server.port, 'keys', { args: `{${members}}`, limitMs: 20_000 });
      return {
        isWeak: answer.status === undefined || answer.status >= 500 || answer.ms > ALLOWED_MS,
        measured: `${describeStatus(answer)} in ${answer.ms} ms`,
      };
    },
  },
];

/** A response without its name and headers: the rest must not distinguish one name from another. */
function withoutName({ status, body }, name) {
  return `${status} ${body.replaceAll(name, '').replaceAll(/[\r\n]+[0-9a-f]+[\r\n]+/g, '')}`;
}

function readMessage({ body }) {
  return /"(?:message|text)":\s*"([^"]*)"/.exec(body)?.[1] ?? body.slice(0, 60);
}
