import { expect } from 'vitest';
import { ChildServer } from './support/child-server.ts';
import { openLegacy, writeModern } from './support/messages.ts';
import type { Writer, Written } from './support/messages.ts';
import { Poster } from './support/poster.ts';
import { isLong, promise } from './support/promise.ts';

const FITTING = [64, 128];
const TOO_DEEP = [129, 5000, 100_000, 1_000_000];

/** Positions for deep values: the depth of the position, and the request around it. */
const PLACES: Readonly<Record<string, { readonly depth: number; write(writer: Writer): Written }>> = {
  params: { depth: 2, write: (writer) => writer('tools/call', { name: 'measure', more: 'DEEP' }) },
  arguments: {
    depth: 3,
    write: (writer) => writer('tools/call', { name: 'measure', arguments: { deep: 'DEEP' } }),
  },
  _meta: { depth: 3, write: (writer) => writer('tools/call', { name: 'measure', _meta: { deep: 'DEEP' } }) },
  id: {
    depth: 1,
    write: (writer) => {
      const { headers, body } = writer('tools/call', { name: 'measure' });
      return { headers, body: body.replace(/"id":\d+/, '"id":"DEEP"') };
    },
  },
};

const SHAPES: Readonly<Record<string, (levels: number) => string>> = {
  lists: (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`,
  // A million objects fit into a body only if they are never closed; the limit is reached before.
  objects: (levels) => `${'{"":'.repeat(levels - 1)}{${'}'.repeat(levels > 500_000 ? 0 : levels)}`,
};

const SCAN = 'wire/messages/scan-json.js';

promise('nesting is bounded', {
  checks: {
    'of what is read': async (without) => {
      const server = await ChildServer.listen('measure-http.mjs', { without });
      await checkDepths(server, TOO_DEEP, isLong);
    },
    'of what somebody else has parsed': async (without) => {
      const server = await ChildServer.listen('measure-http.mjs', { without, args: ['parsed'] });
      // The time that a peer takes is not tested.
      await checkDepths(server, TOO_DEEP.slice(0, -1), false);
    },
  },
  switches: [
    {
      defence: 'the limit on bytes read',
      off: [{ module: SCAN, defence: 'depth-of-a-message' }],
      red: /lists in params, 129 deep: must be refused/,
    },
    {
      defence: 'the limit on parsed depth',
      off: [{ module: SCAN, defence: 'depth-of-a-value' }],
      check: 'of what somebody else has parsed',
      red: /lists in params, 129 deep: must be refused/,
    },
  ],
});

async function checkDepths(server: ChildServer, tooDeep: readonly number[], isTimed: boolean): Promise<void> {
  const poster = new Poster(server.port, 1);
  for (const writer of [writeModern, await openLegacy(poster)]) {
    for (const [place, { depth, write }] of Object.entries(PLACES)) {
      for (const [shape, nest] of Object.entries(SHAPES)) {
        const send = async (total: number): Promise<string> => {
          const { headers, body } = write(writer);
          const request = { headers, body: body.replace('"DEEP"', nest(total - depth)) };
          const answer = await poster.send(request);
          if (isTimed && total > 128) {
            const ms = await bestOfThree(() => poster.send(request));
            expect(ms, `${shape} in ${place}, ${total} deep: ms until it is refused`).toBeLessThan(100);
          }
          const { error } = JSON.parse(answer.text) as { error?: { code: number } };
          return `${answer.status} ${error?.code ?? 'answered'}`;
        };
        const fits = place === 'id' ? '400 -32600' : '200 answered';
        for (const total of FITTING)
          expect(await send(total), `${shape} in ${place}, ${total} deep: must be read`).toBe(fits);
        for (const total of tooDeep)
          expect(await send(total), `${shape} in ${place}, ${total} deep: must be refused`).toBe(
            '400 -32600',
          );
        const { headers, body } = writer('tools/call', { name: 'measure' });
        const next = await poster.send({ headers, body });
        expect(next.status, `${shape} in ${place}: the next request`).toBe(200);
        expect(next.text, `${shape} in ${place}: the next request`).toContain('in one call');
      }
    }
  }
}

/** The shortest duration of three runs. */
async function bestOfThree(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}
