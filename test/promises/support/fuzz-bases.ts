import * as fc from 'fast-check';

/** The form of a message: of 2026-07-28, in a session of 2025-11-25, or in a batch of 2025-03-26. */
export type Era = 'modern' | 'legacy' | 'batch';

/** A valid message. */
export interface Base {
  readonly era: Era;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const WHO = { name: 'raw', version: '1' };
const CALLS: readonly (readonly [method: string, params: Base['params']])[] = [
  ['tools/call', { name: 'open', arguments: { a: 1, b: { c: ['x', null, true] }, text: 'Grüße' } }],
  [
    'tools/call',
    { name: 'open', arguments: { list: [[1], [2, { deep: {} }]] }, _meta: { progressToken: 'p' } },
  ],
  ['tools/call', { name: 'raw', arguments: { a: 'x', b: [1, 2, 3] } }],
  ['tools/call', { name: 'typed', arguments: { text: 'x', count: 1, list: [{ kind: 'a', value: 'v' }] } }],
  ['tools/call', { name: 'stream', arguments: { a: 1 }, _meta: { progressToken: 7 } }],
  ['tools/call', { name: 'ask', arguments: { a: 1 } }],
  [
    'tools/call',
    {
      name: 'ask',
      arguments: {},
      requestState: 'v2.AAAAAAAA.AAAA',
      inputResponses: { name: { action: 'accept' } },
    },
  ],
  ['tools/call', { name: 'task', arguments: { a: 1 } }],
  ['tools/call', { name: 'fail', arguments: { a: 1 } }],
  ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }],
  ['resources/read', { uri: 'docs://rules' }],
  ['resources/read', { uri: 'notes://7' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'a' } },
  ],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'notes://{id}' }, argument: { name: 'id', value: '' } },
  ],
];
const OTHERS: readonly (readonly [method: string, params: Base['params']])[] = [
  ['tools/list', {}],
  ['prompts/list', { cursor: 'v1.AAAA' }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['server/discover', {}],
  [
    'subscriptions/listen',
    { notifications: { toolsListChanged: true, resourceSubscriptions: ['docs://rules'] } },
  ],
  ['tasks/get', { taskId: 'none' }],
  ['tasks/update', { taskId: 'none', inputResponses: {} }],
  ['tasks/cancel', { taskId: 'none' }],
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: WHO }],
  ['ping', {}],
  ['logging/setLevel', { level: 'error' }],
  ['resources/subscribe', { uri: 'docs://rules' }],
  ['resources/unsubscribe', { uri: 'docs://rules' }],
  ['notifications/cancelled', { requestId: 1, reason: 'enough' }],
  ['notifications/initialized', {}],
  ['notifications/progress', { progressToken: 7, progress: 1 }],
];

/** Most of them run code of the author. */
export const bases: fc.Arbitrary<Base> = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...CALLS) },
      { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
    ),
    fc.constantFrom<Era>('modern', 'modern', 'modern', 'legacy', 'legacy', 'batch'),
  )
  .map(([[method, params], era]) => ({ era, method, params }));
