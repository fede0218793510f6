import { DefinitionError } from '../errors/errors.ts';
import type { StandardContext } from './context.ts';

/** The standard members of the context, which cannot be replaced. */
const STANDARD: Readonly<Record<keyof StandardContext, true>> = {
  name: true,
  action: true,
  operation: true,
  accessToken: true,
  principal: true,
  rawArguments: true,
  signal: true,
  progress: true,
  log: true,
  cache: true,
  state: true,
  createHandle: true,
  readHandle: true,
  requestId: true,
  http: true,
  client: true,
  traceparent: true,
  tracestate: true,
  baggage: true,
  ask: true,
  askUrl: true,
  askModel: true,
  askRoots: true,
  step: true,
  startTask: true,
  sendLog: true,
  releaseStream: true,
};

/** Internal members of the context class. A test compares this list with the class. */
const PARTS = [
  'stop',
  'end',
  'report',
  'cancellation',
  'stopping',
  'isOver',
  'onProgress',
  'hasStopped',
  'dialogue',
  'servedBy',
  'connection',
  'stored',
  'storage',
  'watchWaiting',
  'waitWatcher',
  'watchers',
  'isWaiting',
  'meta',
  'collaborators',
  'talking',
  'talk',
  'waits',
  'readerWaits',
];

const RESERVED: ReadonlySet<string> = new Set([...Object.keys(STANDARD), ...PARTS]);

/** Adds members to the context of a call. A later member of the same name wins; standard members cannot be replaced. */
export function addToContext(context: object, members: object): void {
  for (const key of Object.keys(members)) {
    if (RESERVED.has(key) || key in Object.prototype) {
      throw new DefinitionError(
        `The context member "${key}" is reserved by Toolwright. Choose another name.`,
        { option: 'context', path: [key] },
      );
    }
    (context as Record<string, unknown>)[key] = (members as Record<string, unknown>)[key];
  }
}

/** Whether members were added to the context: by the registry, with the call, or by a middleware. */
export function hasAddedMembers(context: object): boolean {
  return Object.keys(context).some((key) => !RESERVED.has(key));
}
