import { expect } from 'vitest';
import { openSession } from '../protocol/support/legacy-http.ts';
import type { LegacyHttp } from '../protocol/support/legacy-http.ts';
import { modernRequest, RawHttp } from '../protocol/support/raw-http.ts';
import type { RawRequest } from '../protocol/support/raw-http.ts';
import { legacyMessage, modernMessage, TASKS } from '../protocol/support/rpc.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { until, within } from './support/patience.ts';
import { isLong, promise } from './support/promise.ts';

/** The deadline of a call in the app, and the timeouts of `authenticate`, of a client and of the client of a task. */
const CALL_MS = 300;
/** Timeouts without an option: those of event and task stores. They are shortened in the short form. */
const EVENT_STORE_MS = isLong ? 2000 : 300;
const TASK_STORE_MS = isLong ? 5000 : 300;
/** Allowed delay of a response; measured in the long form only. */
const LATE_MS = 500;

/** A part that hangs. */
interface Hanging {
  /** Name of the part. */
  readonly what: string;
  /** Its timeout. */
  readonly limitMs: number;
  readonly ask: (clients: Clients) => Promise<Ended>;
  /** Expected part of the response. */
  readonly says: RegExp;
}

/** Clients of the app. */
interface Clients {
  readonly modern: HttpCaller;
  /** A client of 2025-11-25 that supports elicitation. */
  readonly legacy: LegacyHttp;
  /** The same at an endpoint whose event store hangs. */
  readonly forgetful: { readonly http: HttpCaller; readonly session: LegacyHttp };
}

const TIMED_OUT = /did not finish within 300 ms/;

function toCall(name: string, args: object = {}, capabilities: object = {}): RawRequest {
  return modernRequest(modernMessage('tools/call', { name, arguments: args }, { capabilities }));
}

function tool(name: string, args: object = {}): Hanging {
  return {
    what: name,
    limitMs: CALL_MS,
    ask: ({ modern }) => modern.send(toCall(name, args)),
    says: TIMED_OUT,
  };
}

function method(what: string, name: string, params: object): Hanging {
  const message = modernMessage(name, params, { capabilities: TASKS });
  return {
    what,
    limitMs: CALL_MS,
    ask: ({ modern }) => modern.send(modernRequest(message)),
    says: TIMED_OUT,
  };
}

const CALLS: readonly Hanging[] = [
  tool('tool'),
  tool('middleware'),
  tool('context'),
  tool('resolver'),
  tool('input', { text: 'a' }),
  tool('output'),
  tool('wrapper'),
  tool('rate-limit'),
  tool('rate-limit-middleware'),
  tool('preview'),
  tool('confirmation'),
  tool('confirmation', { confirmation_token: 'a' }),
  tool('cache-get'),
  tool('cache-set'),
  tool('cache-wrap'),
  tool('result-cache'),
  tool('result-cache-change'),
  tool('audit'),
  tool('line'),
  tool('line'),
  method('prompt', 'prompts/get', { name: 'prompt' }),
  method('resource', 'resources/read', { uri: 'docs://resource' }),
  method('template', 'resources/read', { uri: 'docs://a/page' }),
  method('completion of a prompt', 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'completion' },
    argument: { name: 'a', value: '' },
  }),
  method('completion of a template', 'completion/complete', {
    ref: { type: 'ref/resource', uri: 'docs://{name}/page' },
    argument: { name: 'name', value: '' },
  }),
];

const AUTHENTICATE: Hanging = {
  what: 'authenticate',
  limitMs: CALL_MS,
  ask: ({ modern }) => {
    const { headers, body } = toCall('echo');
    return modern.send({ headers: { ...headers, 'X-Hang': 'yes' }, body });
  },
  says: /could not be authenticated in time/,
};

const QUESTION: Hanging = {
  what: 'a client that was asked',
  limitMs: 2 * CALL_MS,
  ask: ({ modern, legacy }) =>
    modern.send(legacy.toPost(legacyMessage('tools/call', { name: 'question', arguments: {} }))),
  says: /did not respond within 300 ms/,
};

const BUS: Hanging = {
  what: 'the event bus',
  limitMs: CALL_MS,
  ask: ({ modern }) => modern.send(toCall('announce')),
  says: /announced/,
};

function talking(what: string, name: string, says: RegExp): Hanging {
  const params = { name, arguments: {}, _meta: { progressToken: 1 } };
  return {
    what,
    limitMs: CALL_MS + EVENT_STORE_MS,
    ask: ({ forgetful }) =>
      forgetful.http.send(forgetful.session.toPost(legacyMessage('tools/call', params))),
    says,
  };
}

const EVENT_STORE: readonly Hanging[] = [
  talking('the event store', 'busy-progress', /done/),
  talking('the event store, and the tool as well', 'progress', TIMED_OUT),
];

const TASKS_CREATED: readonly Hanging[] = [
  {
    what: 'the task store, of a new task',
    limitMs: TASK_STORE_MS,
    ask: ({ modern }) => modern.send(toCall('task-never-begins', {}, TASKS)),
    says: /"error"/,
  },
  {
    what: 'the task store, of a call that becomes a task',
    limitMs: TASK_STORE_MS,
    ask: ({ modern }) => modern.send(toCall('task-adopted', {}, TASKS)),
    says: /"isError":true/,
  },
];

const TASKS_READ: readonly Hanging[] = [
  ...['tasks/get', 'tasks/update', 'tasks/cancel'].map((name): Hanging => ({
    ...method(`the task store, asked by ${name}`, name, { taskId: 'lost' }),
    limitMs: TASK_STORE_MS,
    says: /"error"/,
  })),
  {
    ...method('the task store, told that a task of another machine is cancelled', 'tasks/cancel', {
      taskId: 'elsewhere',
    }),
    limitMs: TASK_STORE_MS,
    says: /"error"|"result"/,
  },
];

const LISTEN: Hanging = {
  what: 'the task store, asked by somebody who listens',
  limitMs: TASK_STORE_MS,
  ask: ({ modern }) => {
    const params = { notifications: { taskIds: ['lost'] } };
    const message = modernMessage('subscriptions/listen', params, { capabilities: TASKS });
    return modern.send(modernRequest(message), { part: 'first' });
  },
  says: /acknowledged|"error"/,
};

const TASK_LATER: Hanging = {
  what: 'a tool that has not become a task yet',
  limitMs: CALL_MS,
  ask: ({ modern }) => modern.send(toCall('task-later', {}, TASKS)),
  says: TIMED_OUT,
};

/** Calls that still report progress. */
const PROGRESS: readonly Hanging[] = [
  {
    what: 'a tool that reports progress for ever',
    limitMs: CALL_MS,
    ask: ({ modern }) => {
      const params = { name: 'progress', arguments: {} };
      return modern.send(
        modernRequest(modernMessage('tools/call', params, { meta: { progressToken: 'a' } })),
      );
    },
    says: TIMED_OUT,
  },
  {
    what: 'a tool that reports progress for ever, in a session',
    limitMs: CALL_MS,
    ask: ({ modern, legacy }) => {
      const params = { name: 'progress', arguments: {}, _meta: { progressToken: 'a' } };
      return modern.send(legacy.toPost(legacyMessage('tools/call', params)));
    },
    says: TIMED_OUT,
  },
];

/** A task is created immediately; its work hangs, and has a timeout of its own. */
function task(what: string, name: string, says: RegExp): Hanging {
  const capabilities = { ...TASKS, elicitation: {} };
  const ask = async ({ modern }: Clients): Promise<Ended> => {
    const begun = await modern.send(toCall(name, {}, capabilities));
    const taskId = String(answerIn(begun)?.result?.taskId);
    let ended = begun;
    await until(
      async () => {
        ended = await modern.send(modernRequest(modernMessage('tasks/get', { taskId }, { capabilities })));
        return !/"status":"(?:working|input_required)"/.test(ended.text);
      },
      patienceFor(CALL_MS, false),
      `the end of the task ${name}`,
    );
    return ended;
  };
  return { what, limitMs: CALL_MS, ask, says };
}

const EVERYTHING: readonly Hanging[] = [
  ...CALLS,
  ...PROGRESS,
  ...EVENT_STORE,
  ...TASKS_CREATED,
  ...TASKS_READ,
  AUTHENTICATE,
  QUESTION,
  BUS,
  LISTEN,
  TASK_LATER,
  task('the work of a task', 'task', TIMED_OUT),
  task('the client of a task', 'task-question', /INPUT_REFUSED/),
  task('the task store, of a task that ends', 'task-never-ends', /"status":"completed"/),
];

/** Long enough for a busy machine. With a defence turned off nothing will arrive, so the wait is short. */
function patienceFor(limitMs: number, isWeak: boolean): number {
  return limitMs + (isWeak ? 700 : 10_000);
}

/** Timeouts without an option are shorter in the short form, unless they are the defence that is turned off. */
const SHORTER: readonly Weakness[] = isLong
  ? []
  : [
      {
        module: 'transport/http/legacy/event-stream.js',
        defence: 'time-of-the-event-store',
        by: String(EVENT_STORE_MS),
      },
      {
        module: 'tasks/task-runner.js',
        defence: 'time-of-the-task-store',
        by: String(TASK_STORE_MS),
      },
    ];

async function start(without: readonly Weakness[]): Promise<Clients> {
  const shorter = SHORTER.filter(({ defence }) => !without.some((weakness) => weakness.defence === defence));
  const child = await ChildServer.listen('hanging-http.mjs', { without: [...shorter, ...without] });
  const heard = child.hear<{ eventStorePort: number }>('eventStorePort');
  child.process.send('where');
  const { eventStorePort } = await heard;
  return {
    modern: new HttpCaller(child.port),
    legacy: await openSession(new RawHttp(child.port), { capabilities: { elicitation: {} } }),
    forgetful: {
      http: new HttpCaller(eventStorePort),
      session: await openSession(new RawHttp(eventStorePort)),
    },
  };
}

interface Outcome {
  readonly text: string | undefined;
  readonly ms: number;
}

async function hang({ ask, limitMs }: Hanging, clients: Clients, isWeak: boolean): Promise<Outcome> {
  const since = performance.now();
  const ended = await within(ask(clients), patienceFor(limitMs, isWeak), 'no answer').catch(() => undefined);
  return { text: ended?.text, ms: Math.round(performance.now() - since) };
}

/** The problem of a response; undefined if there is none. */
function findProblem({ what, limitMs, says }: Hanging, { text, ms }: Outcome): string | undefined {
  if (text === undefined) return `no answer after ${ms} ms when this hangs: ${what}`;
  if (!says.test(text)) return `another answer when this hangs: ${what}: ${text.slice(0, 300)}`;
  return isLong && ms > limitMs + LATE_MS
    ? `${ms} ms instead of ${limitMs} when this hangs: ${what}`
    : undefined;
}

/** Everything hangs at once, every call gets its response in time, and so does another client. */
async function expectAnswers(without: readonly Weakness[]): Promise<void> {
  const clients = await start(without);
  const isWeak = without.length > 0;
  const hanging = EVERYTHING.map((each) => hang(each, clients, isWeak));
  const echoed = await within(clients.modern.send(toCall('echo')), 10_000, 'no answer to somebody else');
  expect(answerIn(echoed)?.result?.content, 'what somebody else gets meanwhile').toEqual([
    { type: 'text', text: 'echo' },
  ]);
  const outcomes = await Promise.all(hanging);
  const problems = EVERYTHING.flatMap((each, index) => {
    const problem = findProblem(each, outcomes[index] ?? { text: undefined, ms: 0 });
    return problem === undefined ? [] : [problem];
  });
  for (const client of [clients.modern, clients.forgetful.http]) client.close();
  expect(problems, `${problems.join('\n')}\n`).toEqual([]);
}

promise('Everything that hangs is given up in time', {
  checks: {
    'a tool, a middleware, a context, a resolver, authenticate, a store, a bus, a prompt, a resource, a completion, a client that is asked':
      expectAnswers,
  },
  switches: [
    {
      defence: 'the deadline of calls',
      off: [{ module: 'base/time/countdown.js', defence: 'timer-of-a-call', by: 'this.#cancel = () => {};' }],
      red: /no answer after \d+ ms when this hangs: tool$/m,
    },
    {
      defence: 'the timeout of authenticate',
      off: [
        {
          module: 'transport/http/gate/identify.js',
          defence: 'time-of-authenticate',
          by: '{ const within = (waited) => waited; $& }',
        },
      ],
      red: /no answer after \d+ ms when this hangs: authenticate$/m,
    },
    {
      defence: 'the timeout of elicitation',
      off: [{ module: 'wire/sessions/outgoing-requests.js', defence: 'time-of-questions', by: '() => {}' }],
      red: /no answer after \d+ ms when this hangs: a client that was asked$/m,
    },
    {
      defence: 'the timeout of the event store',
      off: [
        {
          module: 'transport/http/legacy/event-stream.js',
          defence: 'time-of-the-event-store',
          by: '2_000_000_000',
        },
      ],
      red: /no answer after \d+ ms when this hangs: the event store$/m,
    },
    {
      defence: 'the timeout of the task store',
      off: [{ module: 'tasks/task-runner.js', defence: 'time-of-the-task-store', by: '2_000_000_000' }],
      red: /no answer after \d+ ms when this hangs: the task store, of a new task$/m,
    },
    {
      defence: 'the deadline of a call that may become a task',
      off: [
        {
          module: 'wire/methods/task-calls.js',
          defence: 'deadline-of-a-task',
          by: '{ passed: new Promise(() => {}), cancel() {} }',
        },
      ],
      red: /no answer after \d+ ms when this hangs: a tool that has not become a task yet$/m,
    },
    {
      defence: 'a deadline that progress does not extend',
      off: [
        { module: 'base/time/countdown.js', defence: 'pause-of-a-deadline', by: 'this.cancel();' },
        {
          module: 'pipeline/context/call-context.js',
          defence: 'progress-leaves-the-deadline-alone',
          by: '$& const told = this.progress; this.progress = (...update) => { this.waitWatcher?.onWait(true); this.waitWatcher?.onWait(false); return told(...update); };',
        },
      ],
      red: /no answer after \d+ ms when this hangs: a tool that reports progress for ever$/m,
    },
  ],
});
