import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createTool, ToolRegistry } from '../../src/index.ts';
import type { Caller, Policy, PolicyRules, SurfaceOptions, ToolReply, ToolSurface } from '../../src/index.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };

/** An action, or with an empty name a single tool. */
interface Subject {
  readonly tool: string;
  readonly action: string;
  readonly tags: readonly string[];
  readonly scopes: readonly string[];
  readonly readOnly: boolean;
}

const TAGS = ['public', 'internal', 'risky'];
const SCOPES = ['read', 'write', 'admin'];
const some = (values: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...values]);

const subjects: fc.Arbitrary<Subject[]> = fc
  .array(
    fc.record({
      place: fc.constantFrom(
        ['alpha', 'list'],
        ['alpha', 'lift'],
        ['alpha', 'make'],
        ['alpha', 'g.list'],
        ['beta', 'list'],
        ['beta', 'wipe'],
        ['beta', 'wiped'],
        ['gamma', ''],
        ['gammas', ''],
      ),
      tags: some(TAGS),
      scopes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some(SCOPES) }),
      readOnly: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((given) => {
    const known = new Map(
      given.map(({ place: [tool = '', action = ''], ...rest }) => [
        `${tool}.${action}`,
        { tool, action, ...rest },
      ]),
    );
    // A tool is listed where its first builder was registered, visible or not. Here that is the same position.
    return [...known.values()].toSorted((a, b) => (a.tool < b.tool ? -1 : Number(a.tool > b.tool)));
  });

const canonical = ({ tool, action }: Subject): string => (action === '' ? tool : `${tool}.${action}`);
const flat = (name: string): string => name.replaceAll('.', '_');

const subjectRules = fc.record(
  {
    include: fc.record({ all: some(TAGS), any: fc.subarray(TAGS, { minLength: 1 }) }, { requiredKeys: [] }),
    exclude: some(TAGS),
    readOnly: fc.boolean(),
    names: some(['alpha', 'beta.list', 'gamma', 'alpha.make', 'gammas']),
  },
  { requiredKeys: [] },
);

/** Policies as rules, and some as functions. */
const policies: fc.Arbitrary<Policy | PolicyRules | undefined> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: subjectRules },
  {
    weight: 2,
    arbitrary: fc
      .record({
        rules: subjectRules,
        set: subjectRules,
        name: fc.constantFrom('set', 'read-only', 'all'),
      })
      .map(({ rules, set, name }): PolicyRules => ({ ...rules, profiles: { set }, profile: () => name })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<PolicyRules[]>(
      { scopes: ({ isReadOnly }) => (isReadOnly ? [] : ['write']) },
      { allow: ({ name }, { principal }) => principal?.id !== 'eve' || name.length % 2 === 0 },
      { profile: ({ principal }) => (principal === undefined ? 'read-only' : 'all') },
      { profile: () => 'nosuch' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Policy[]>(
      ({ tags }) => !tags.includes('internal'),
      ({ action }) => action !== 'list',
      ({ name }) => {
        if (name.startsWith('beta')) throw new Error('down');
        return true;
      },
    ),
  },
);

const callers: fc.Arbitrary<Caller> = fc.oneof(
  fc.constant({}),
  fc.record({ id: fc.constantFrom('ada', 'eve'), scopes: some(SCOPES) }).map((principal) => ({ principal })),
);

const surfaces: fc.Arbitrary<SurfaceOptions> = fc.constantFrom<SurfaceOptions[]>(
  { exposure: 'grouped' },
  { exposure: 'grouped', splitReadWrite: true },
  { exposure: 'grouped', groupedSchemas: 'brief' },
  { exposure: 'auto', groupedSchemas: 'brief', tokenBudget: 150 },
  { exposure: 'flat' },
  { exposure: 'search' },
  { exposure: 'auto', tokenBudget: 1 },
  { exposure: 'auto', tokenBudget: 100_000 },
  { exposure: 'auto', tokenBudget: 150 },
);

/** Merged builders: every action has a builder of its own, so that each has to keep its own properties. */
function build(given: readonly Subject[], policy: Policy | PolicyRules | undefined): ToolRegistry {
  const registry = new ToolRegistry({
    logger: silent,
    rateLimit: false,
    ...(policy === undefined ? {} : { policy }),
  });
  for (const { tool, action, tags, scopes, readOnly } of given) {
    const name = action === '' ? tool : `${tool}.${action}`;
    if (action === '')
      registry.register({
        name: tool,
        description: `Handles parcels with ${name}`,
        tags,
        scopes,
        annotations: { readOnlyHint: readOnly },
        inputSchema: z.object({}),
        handler: () => `ran ${name}`,
      });
    else {
      const [last = '', group] = action.split('.').toReversed();
      const definition = {
        name: last,
        description: `Handles parcels with ${name}`,
        tags,
        scopes,
        readOnly,
        handler: () => `ran ${name}`,
      };
      const builder = createTool(tool);
      registry.register(
        group === undefined
          ? builder.action(definition)
          : builder.group(group, (actions) => actions.action(definition)),
        { merge: true },
      );
    }
  }
  return registry;
}

type Form = readonly [name: string, args: Readonly<Record<string, unknown>>];

/** Every form in which a caller might call an action. */
function formsOf(name: string): Form[] {
  const [tool = '', ...rest] = name.split('.');
  const action = rest.join('.');
  return [
    [name, {}],
    [flat(name), {}],
    [tool, { action }],
    [`${tool}_read`, { action }],
    [`${tool}_write`, { action }],
    ['call_tool', { name }],
    ['call_tool', { name: flat(name) }],
    ['call_tool', { name: tool, arguments: { action } }],
  ];
}

async function call(surface: ToolSurface, [name, args]: Form, caller: Caller): Promise<ToolReply> {
  return surface.handleCall({ name, arguments: args, ...caller });
}

const didRun = (reply: ToolReply, name: string): boolean =>
  reply.kind === 'result' && JSON.stringify(reply.result).includes(`ran ${name}"`);

async function reachedBy(surface: ToolSurface, name: string, caller: Caller): Promise<boolean> {
  const replies = await Promise.all(formsOf(name).map((form) => call(surface, form, caller)));
  return replies.some((reply) => didRun(reply, name));
}

/** Canonical names visible to the caller: from the list, and from search and describe where they exist. */
async function shownTo(surface: ToolSurface, all: readonly string[], caller: Caller): Promise<Set<string>> {
  const listed = surface.listTools(caller);
  if (listed.some((tool) => tool.name === 'search_tools')) {
    const found = await call(surface, ['search_tools', { query: 'parcels', limit: 25 }], caller);
    const described = await call(surface, ['describe_tool', { names: all }], caller);
    const names = (reply: ToolReply): Set<string> => {
      const [first] = reply.kind === 'result' ? reply.result.content : [];
      if (reply.kind !== 'result' || reply.result.isError === true || first?.type !== 'text')
        return new Set();
      return new Set(
        (JSON.parse(first.text) as { tools: { name: string }[] }).tools.map((tool) => tool.name),
      );
    };
    expect(names(found)).toEqual(names(described));
    return names(described);
  }
  const names = listed.flatMap(({ name, inputSchema }) => {
    const { action } = (inputSchema as { properties?: { action?: { enum?: string[] } } }).properties ?? {};
    const tool = name.replace(/_(?:read|write)$/, '');
    return action?.enum === undefined
      ? all.filter((each) => flat(each) === name)
      : // Listed with brief schemas: it describes the other actions.
        action.enum.filter((key) => key !== 'describe').map((key) => `${tool}.${key}`);
  });
  return new Set(names);
}

const cases = fc.record({
  given: subjects,
  policy: policies,
  surfacePolicy: policies,
  options: surfaces,
  caller: callers,
});

interface Opened {
  readonly given: readonly Subject[];
  readonly policy: Policy | PolicyRules | undefined;
  readonly surfacePolicy: Policy | PolicyRules | undefined;
  readonly options: SurfaceOptions;
}

function open({ given, policy, surfacePolicy, options }: Opened): ToolSurface {
  const registry = build(given, policy);
  return registry.surface({ ...options, ...(surfacePolicy === undefined ? {} : { policy: surfacePolicy }) });
}

test('the callable tools, by any name, are exactly those that are listed, found and described', async () => {
  let [visible, hidden] = [0, 0];
  await fc.assert(
    fc.asyncProperty(cases, async ({ caller, ...rest }) => {
      const surface = open(rest);
      const all = rest.given.map(canonical);
      const shown = await shownTo(surface, all, caller);
      for (const name of all) {
        expect(await reachedBy(surface, name, caller), name).toBe(shown.has(name));
        if (shown.has(name)) visible += 1;
        else hidden += 1;
      }
    }),
    { numRuns: 200 },
  );
  // Both outcomes occurred.
  expect(Math.min(visible, hidden)).toBeGreaterThan(50);
});

test('the answer about what is hidden is that about what never existed', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ caller, ...rest }) => {
      const surface = open(rest);
      const shown = await shownTo(surface, rest.given.map(canonical), caller);
      const gone = rest.given.filter((subject) => !shown.has(canonical(subject)));
      // The same registry without the hidden subjects.
      const without = open({ ...rest, given: rest.given.filter((subject) => shown.has(canonical(subject))) });
      for (const subject of gone) {
        const name = canonical(subject);
        const asked: Form[] = [
          ['describe_tool', { names: [name] }],
          ['search_tools', { query: `${name} parcels`, limit: 25 }],
        ];
        for (const form of [...formsOf(name), ...asked])
          expect(await call(surface, form, caller), JSON.stringify(form)).toEqual(
            await call(without, form, caller),
          );
      }
      expect(surface.listToolsJson(caller)).toBe(without.listToolsJson(caller));
    }),
    { numRuns: 200 },
  );
});

test('an exposure changes the names and nothing else: each shows the same actions to a caller', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ given, policy, surfacePolicy, caller }) => {
      const all = given.map(canonical);
      const expected = await shownTo(
        open({ given, policy, surfacePolicy, options: { exposure: 'flat' } }),
        all,
        caller,
      );
      for (const options of [
        { exposure: 'grouped' },
        { splitReadWrite: true },
        { groupedSchemas: 'brief' },
        { exposure: 'search' },
        { exposure: 'auto', tokenBudget: 1 },
      ] as const)
        expect(await shownTo(open({ given, policy, surfacePolicy, options }), all, caller)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});
