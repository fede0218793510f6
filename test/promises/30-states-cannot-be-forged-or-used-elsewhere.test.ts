/**
 * `requestState` is accepted only for the same caller, tool, arguments and server, with a known key, and before it expires. The callers are
 * those of JSON Web Tokens and API keys: another token of the same principal is accepted. Until it expires, a state may be sent again, which
 * repeats no step. What counts once is kept by the server: confirmations, by a token or by the user, and states with
 * `requestStateSingleUse`; `test/stores/single-use.test.ts` uses these on several nodes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { accept, textOf } from '../protocol/support/rpc.ts';
import { asked } from './support/asked.ts';
import { Chance, SEED } from './support/chance.ts';
import { ChildServer } from './support/child-server.ts';
import { createCredentials } from './support/credentials.ts';
import type { Weakness } from './support/weaken.ts';
import { answerIn, HttpCaller } from './support/http-caller.ts';
import type { Ended } from './support/http-caller.ts';
import { promise } from './support/promise.ts';
import { TokenClient } from './support/token-client.ts';

const MUTATIONS = 10_000;
const ELICITATION = { elicitation: {} };
const ARGUMENTS = { greeting: 'Hi', title: 'Dr' };
const REFUSED = {
  code: -32602,
  message:
    'Invalid params: requestState is not valid for this request: it was changed, has expired, or belongs to another request. Start again without it.',
};
const OLD_KEY = 'the old secret, which is 32 characters long';
const NEW_KEY = 'the new secret, which is 32 characters long';

interface Counts {
  readonly counts: { readonly steps: number; readonly deleted: number };
}

/** A server and its users: Ada and Eve have tokens of an issuer, Kay has API keys. */
interface Running {
  readonly server: ChildServer;
  readonly ada: TokenClient;
  /** Ada with another token: later, and with other scopes. */
  readonly adaRefreshed: TokenClient;
  readonly eve: TokenClient;
  readonly kay: TokenClient;
  /** Kay with another API key. */
  readonly kayRenewed: TokenClient;
  /** The same user at another server with the same keys. */
  readonly adaElsewhere: TokenClient;
}

const credentials = await createCredentials([{ id: 'kay' }, { id: 'kay', scopes: ['notes'] }]);
const [kayKey = '', kayNewKey = ''] = credentials.keys;
const TOKENS = {
  ada: await credentials.tokenFor({ sub: 'ada' }),
  refreshed: await credentials.tokenFor({ sub: 'ada', scopes: ['notes'], expiresIn: 600 }),
  eve: await credentials.tokenFor({ sub: 'eve' }),
};

async function start(without: readonly Weakness[], options: object = {}): Promise<Running> {
  const env = {
    ...credentials.env,
    SERVER_OPTIONS: JSON.stringify(options),
    HTTP_OPTIONS: '{"maxInFlightPerCaller":256}',
  };
  const server = await ChildServer.listen('owned-http.mjs', { without, env });
  const http = new HttpCaller(server.port, 16);
  const client = (token: string, path = '/one'): TokenClient => new TokenClient(http, token, { path });
  return {
    server,
    ada: client(TOKENS.ada),
    adaRefreshed: client(TOKENS.refreshed),
    eve: client(TOKENS.eve),
    kay: client(kayKey),
    kayRenewed: client(kayNewKey),
    adaElsewhere: client(TOKENS.ada, '/two'),
  };
}

/** The state of a call that waits for input. */
async function begin(client: TokenClient, args: object = ARGUMENTS): Promise<string> {
  const result = answerIn(await client.call('ask', args, { capabilities: ELICITATION }))?.result;
  if (result?.requestState === undefined) throw new Error(`no state: ${JSON.stringify(result)}`);
  return result.requestState;
}

/** Continues with a state. */
function goOn(client: TokenClient, requestState: unknown, call: object = {}): Promise<Ended> {
  const inputResponses = { name: accept({ name: 'Ada' }) };
  const params = { name: 'ask', arguments: ARGUMENTS, ...call, requestState, inputResponses };
  return client.modern('tools/call', params, { id: 1, capabilities: ELICITATION });
}

/** The result of a call with a state: its text, or the error. */
async function outcomeOf(sent: Promise<Ended>): Promise<unknown> {
  const ended = await sent;
  if (ended.loss !== undefined) throw new Error(`no answer: ${ended.loss}`);
  const answer = answerIn(ended) ?? {};
  return answer.error ?? textOf(answer);
}

function countsOf({ server }: Running): Promise<Counts> {
  return asked(server, 'counts', 'counts');
}

/** A value that resembles one of two states. */
function mutate([one, other]: readonly [string, string], chance: Chance): unknown {
  const bodyOf = (state: string): Buffer => Buffer.from(state.slice(state.lastIndexOf('.') + 1), 'base64url');
  const bytes = bodyOf(one);
  const [version = '', kid = ''] = one.split('.');
  const sealed = (changed: Buffer, by = kid): string => `${version}.${by}.${changed.toString('base64url')}`;
  switch (chance.below(9)) {
    case 0: {
      const at = chance.below(bytes.length * 8);
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
      return sealed(bytes);
    }
    case 1:
      return sealed(bytes.subarray(0, chance.below(bytes.length)));
    case 2:
      return sealed(Buffer.concat([bytes, Buffer.from([chance.below(256)])]));
    case 3: {
      // The beginning of one state with the end of the other.
      const at = 1 + chance.below(bytes.length - 2);
      const whole = bodyOf(other);
      const mixed = Buffer.concat([bytes.subarray(0, at), whole.subarray(at)]);
      // Two states may begin or end with the same bytes, and one that is unchanged is valid.
      return mixed.equals(whole) || mixed.equals(bytes) ? '' : sealed(mixed);
    }
    case 4: {
      const [from, to] = [chance.below(bytes.length), chance.below(bytes.length)];
      const swapped = Buffer.from(bytes);
      swapped[from] = bytes[to] ?? 0;
      swapped[to] = bytes[from] ?? 0;
      return swapped.equals(bytes) ? '' : sealed(swapped);
    }
    case 5:
      return one.slice(0, chance.below(one.length));
    // The name of another key, or none.
    case 6:
      return chance.pick([
        sealed(bytes, kid.toUpperCase() === kid ? kid.toLowerCase() : kid.toUpperCase()),
        sealed(bytes, Buffer.alloc(6, chance.below(256)).toString('base64url')),
        sealed(bytes, kid.slice(0, chance.below(8))),
        sealed(bytes, '__proto__'),
        `${version}.${kid}${kid}.${bytes.toString('base64url')}`,
        `${version}.${bytes.toString('base64url')}`,
        `v1.${bytes.toString('base64url')}`,
      ]);
    case 7:
      return chance.pick([
        `v0${one.slice(2)}`,
        one.slice(3),
        `V1${one.slice(2)}`,
        `${one}.`,
        `${one} `,
        ` ${one}`,
        `${one}${other}`,
        one.toUpperCase(),
        sealed(Buffer.alloc(bytes.length)),
        'v2.',
        `v2.${kid}.`,
      ]);
    default:
      return chance.pick([null, 0, true, [], {}, [one], { requestState: one }, '', 'v2', one.length]);
  }
}

/** States that are genuine, and not valid here: expired, and encrypted with an old key. */
async function takeOldStates(): Promise<readonly [string, ...string[]]> {
  const [brief, old] = await Promise.all([
    start([], { requestStateTtlMs: 1 }),
    start([], { requestStateKeys: [OLD_KEY] }),
  ]);
  return [await begin(brief.ada), await begin(old.ada)];
}

/** A use of a state that must not be accepted, in one of all ways. */
function misuse(
  { ada, eve, kay, adaElsewhere }: Running,
  states: readonly [string, string],
  chance: Chance,
): (old: readonly [string, ...string[]]) => Promise<Ended> {
  const [state] = states;
  switch (chance.below(20)) {
    case 0:
      return () => goOn(chance.pick([eve, kay, adaElsewhere]), state);
    case 1:
      return () => goOn(ada, state, { name: 'ask_too' });
    case 2:
      return () => goOn(ada, state, { arguments: { ...ARGUMENTS, title: `Dr ${chance.below(1000)}` } });
    case 3:
      return (old) => goOn(ada, chance.pick(old));
    default: {
      const mutated = mutate(states, chance);
      return () => goOn(ada, mutated);
    }
  }
}

async function expectNoneAccepted(without: readonly Weakness[]): Promise<void> {
  const [running, old] = await Promise.all([start(without), takeOldStates()]);
  const { ada, adaRefreshed, kay, kayRenewed } = running;
  const states = [await begin(ada), await begin(ada)] as const;
  const { counts: before } = await countsOf(running);
  const chance = new Chance();
  const accepted: string[] = [];
  let left = without.length > 0 ? 500 : MUTATIONS;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const outcome = await outcomeOf(misuse(running, states, chance)(old));
      if (JSON.stringify(outcome) !== JSON.stringify(REFUSED))
        accepted.push(`with ${left} left: ${JSON.stringify(outcome)}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  expect(accepted.slice(0, 10), `mutations that were not refused (seed ${SEED})`).toEqual([]);
  expect(await countsOf(running), 'steps that ran').toEqual({ counts: before });
  // Unchanged states are accepted, also with another token or key of the same principal.
  expect(await outcomeOf(goOn(ada, states[0]))).toBe('Hi Ada in step 1');
  expect(await outcomeOf(goOn(adaRefreshed, states[1])), 'a state with a refreshed token').toBe(
    'Hi Ada in step 2',
  );
  expect(await outcomeOf(goOn(kayRenewed, await begin(kay))), 'a state with a renewed API key').toBe(
    'Hi Ada in step 3',
  );
}

async function expectNoOtherUse(without: readonly Weakness[]): Promise<void> {
  const running = await start(without);
  const { ada, eve, kay, adaElsewhere } = running;
  const state = await begin(ada);
  const others: Readonly<Record<string, Promise<Ended>>> = {
    'another caller': goOn(eve, state),
    'a caller with an API key': goOn(kay, state),
    'another server': goOn(adaElsewhere, state),
    'another tool': goOn(ada, state, { name: 'ask_too' }),
    'a tool that does not ask': goOn(ada, state, { name: 'whoami' }),
    'another argument': goOn(ada, state, { arguments: { ...ARGUMENTS, greeting: 'Bye' } }),
    'an argument less': goOn(ada, state, { arguments: { greeting: 'Hi' } }),
    'an argument more': goOn(ada, state, { arguments: { ...ARGUMENTS, more: 1 } }),
    'no arguments': goOn(ada, state, { arguments: {} }),
    'another method': ada.modern('prompts/get', { name: 'ask', arguments: {}, requestState: state }),
  };
  for (const [use, sent] of Object.entries(others)) {
    const outcome = (await outcomeOf(sent)) as { readonly code?: number };
    expect(outcome.code, `a state for ${use}`).toBe(use === 'another method' ? -32601 : -32602);
  }
  expect((await countsOf(running)).counts.steps, 'steps that ran').toBe(1);
  // The same arguments in another order are equal, and a repeated state repeats no step.
  const reordered = { arguments: { title: 'Dr', greeting: 'Hi' } };
  for (const call of [{}, reordered, {}])
    expect(await outcomeOf(goOn(ada, state, call)), 'a state that is used again').toBe('Hi Ada in step 1');
  expect((await countsOf(running)).counts.steps, 'steps that ran').toBe(1);
}

async function expectEnd(without: readonly Weakness[]): Promise<void> {
  const { ada } = await start(without, { requestStateTtlMs: 300 });
  const state = await begin(ada);
  await sleep(350);
  expect(await outcomeOf(goOn(ada, state)), 'a state that has expired').toEqual(REFUSED);
}

async function expectKeys(without: readonly Weakness[]): Promise<void> {
  const [old, both, renewed] = await Promise.all([
    start(without, { requestStateKeys: [OLD_KEY] }),
    start(without, { requestStateKeys: [NEW_KEY, OLD_KEY] }),
    start(without, { requestStateKeys: [NEW_KEY] }),
  ]);
  const [sealedBefore, sealedAfter] = [await begin(old.ada), await begin(both.ada)];
  const uses = [
    [old, sealedBefore, 'Hi Ada in step 1'],
    [both, sealedBefore, 'Hi Ada in step 1'],
    [renewed, sealedBefore, REFUSED],
    [old, sealedAfter, REFUSED],
    [both, sealedAfter, 'Hi Ada in step 1'],
    [renewed, sealedAfter, 'Hi Ada in step 1'],
  ] as const;
  for (const [index, [running, state, expected]] of uses.entries())
    expect(await outcomeOf(goOn(running.ada, state)), `use ${index} of a key`).toEqual(expected);
}

/** Deletes a page with a token, or returns a token. */
async function deletePage(client: TokenClient, page: string, token?: string): Promise<string> {
  const confirmation = token === undefined ? {} : { confirmation_token: token };
  const text = String(await outcomeOf(client.call('delete', { page, ...confirmation })));
  return token === undefined ? (/confirmation_token "(\w+)"/.exec(text)?.[1] ?? text) : text;
}

async function expectConfirmedOnce(without: readonly Weakness[]): Promise<void> {
  const running = await start(without);
  const { ada, adaRefreshed, eve, adaElsewhere } = running;
  const strangers = [
    await deletePage(eve, 'a', await deletePage(ada, 'a')),
    // A confirmation belongs to the access token as well: several users may share the id of an application.
    await deletePage(adaRefreshed, 'a', await deletePage(ada, 'a')),
    await deletePage(ada, 'b', await deletePage(ada, 'a')),
    await deletePage(adaElsewhere, 'a', await deletePage(ada, 'a')),
    await deletePage(ada, 'a', `${(await deletePage(ada, 'a')).slice(0, -1)}!`),
  ];
  expect((await countsOf(running)).counts.deleted, 'pages deleted with tokens for something else').toBe(0);
  expect(new Set(strangers).size, 'ways to refuse a token').toBe(1);
  const token = await deletePage(ada, 'a');
  expect(token).toMatch(/^[\da-f]{36}$/);
  const uses = await Promise.all(Array.from({ length: 20 }, () => deletePage(ada, 'a', token)));
  expect((await countsOf(running)).counts.deleted, 'pages deleted with one token').toBe(1);
  expect(uses.filter((text) => text === 'deleted a').length, 'calls that did it').toBe(1);
}

/** The user confirms, and the client repeats the request: a state that counts once. */
async function expectConfirmedOnceByUser(without: readonly Weakness[]): Promise<void> {
  const running = await start(without);
  const { ada, eve } = running;
  const args = { page: 'a' };
  const asking = answerIn(await ada.call('delete', args, { capabilities: ELICITATION }))?.result;
  const [question = ''] = Object.keys(asking?.inputRequests ?? {});
  const confirm = (client: TokenClient): Promise<unknown> => {
    const inputResponses = { [question]: accept({ confirm: true }) };
    const params = { name: 'delete', arguments: args, requestState: asking?.requestState, inputResponses };
    return outcomeOf(client.modern('tools/call', params, { capabilities: ELICITATION }));
  };
  expect(await confirm(eve), 'a confirmation of another user').toEqual(REFUSED);
  const uses = await Promise.all(Array.from({ length: 20 }, () => confirm(ada)));
  expect((await countsOf(running)).counts.deleted, 'pages deleted with one response').toBe(1);
  expect(uses.filter((text) => text === 'deleted a').length, 'calls that did it').toBe(1);
}

/** The same state in many requests at the same time, and again later. */
async function expectStateOnce(without: readonly Weakness[]): Promise<void> {
  const { ada } = await start(without, { requestStateSingleUse: true });
  const state = await begin(ada);
  const uses = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(goOn(ada, state))));
  expect(uses.filter((outcome) => outcome === 'Hi Ada in step 1').length, 'uses of one state').toBe(1);
  expect(await outcomeOf(goOn(ada, state)), 'a later use').toEqual({
    code: -32602,
    message: 'Invalid params: requestState was used before, and each is valid once. Start again without it.',
  });
}

const OTHER_USE = 'it is for one caller, tool, server and list of arguments';
const END = 'it is good for its time';
const KEYS = 'it is opened while its key is known, by any process that knows it';
const ONCE = 'a confirmation counts once, for what it was given for';
const ONCE_BY_USER = 'a response of the user counts once, also if its request is repeated';
const STATE_ONCE = 'with requestStateSingleUse, it counts once';

promise('states cannot be forged or used elsewhere', {
  timeoutMs: 120_000,
  checks: {
    'only unchanged states are accepted': expectNoneAccepted,
    [OTHER_USE]: expectNoOtherUse,
    [END]: expectEnd,
    [KEYS]: expectKeys,
    [ONCE]: expectConfirmedOnce,
    [ONCE_BY_USER]: expectConfirmedOnceByUser,
    [STATE_ONCE]: expectStateOnce,
  },
  switches: [
    {
      defence: 'authentication of the encrypted state',
      off: [
        {
          module: 'stores/sealing/key-ring.js',
          defence: 'authentication-of-states',
          by: "return { name: 'AES-CTR', counter: new Uint8Array([...arguments[0], 0, 0, 0, 0]), length: 32 };",
        },
        { module: 'stores/sealing/key-ring.js', defence: 'algorithm-of-states', by: "'AES-CTR'" },
      ],
      red: /mutations that were not refused/,
    },
    {
      defence: 'the binding of a state to its caller',
      off: [{ module: 'wire/methods/rounds.js', defence: 'owner-of-a-state' }],
      check: OTHER_USE,
      red: /a state for another caller/,
    },
    {
      defence: 'the binding of a state to the principal instead of its token',
      off: [
        {
          module: 'middleware/parts/caller-identity.js',
          defence: 'name-of-a-caller',
          by: "return ['principal', arguments[0].accessToken];",
        },
      ],
      red: /a state with a refreshed token/,
    },
    {
      defence: 'the binding of a state to its arguments',
      off: [{ module: 'wire/methods/rounds.js', defence: 'arguments-of-a-state' }],
      check: OTHER_USE,
      red: /a state for another argument/,
    },
    {
      defence: 'the binding of a state to its tool',
      off: [{ module: 'wire/methods/rounds.js', defence: 'name-of-a-state' }],
      check: OTHER_USE,
      red: /a state for another tool/,
    },
    {
      defence: 'its expiry',
      off: [{ module: 'stores/sealing/sealer.js', defence: 'end-of-a-state' }],
      check: END,
      red: /a state that has expired/,
    },
    {
      defence: 'the keys for decryption',
      off: [
        {
          module: 'stores/sealing/key-ring.js',
          defence: 'keys-that-open',
          by: 'return (() => { $& })().slice(0, 1);',
        },
      ],
      check: KEYS,
      red: /use 1 of a key/,
    },
    {
      defence: 'the binding of a confirmation',
      off: [{ module: 'pipeline/confirm.js', defence: 'confirmation-of-this-call' }],
      check: ONCE,
      red: /pages deleted with tokens for something else/,
    },
    {
      defence: 'the single use of a confirmation',
      off: [{ module: 'stores/confirmation-store.js', defence: 'confirmation-is-used-once' }],
      check: ONCE,
      red: /pages deleted with one token/,
    },
    {
      defence: 'the single use of a response of the user',
      off: [{ module: 'stores/confirmation-store.js', defence: 'confirmation-is-used-once' }],
      check: ONCE_BY_USER,
      red: /pages deleted with one response/,
    },
    {
      defence: 'the single use of a state',
      off: [
        { module: 'wire/dialogues/used-states.js', defence: 'states-that-were-used', by: 'return true;' },
      ],
      check: STATE_ONCE,
      red: /uses of one state/,
    },
  ],
});
