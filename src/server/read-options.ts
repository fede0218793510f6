import { DefinitionError } from '../errors/errors.ts';
import {
  ANY,
  assertOptions,
  BOOLEAN,
  DEFINITIONS,
  isListOf,
  MIDDLEWARE,
  NON_EMPTY,
  objectWith,
  required,
  secret,
  STRING,
  wholeNumber,
} from '../errors/options/rules.ts';
import type { Check, Rule, Rules } from '../errors/options/rules.ts';
import { PromptsManager } from '../prompts/prompts-manager.ts';
import { SURFACE_RULES } from '../registry/exposure/exposure.ts';
import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import type { SkillSource } from '../skills/skill-source.ts';
import { KeyRing, SECRETS } from '../stores/sealing/key-ring.ts';
import { SETTINGS } from '../tools/compile/assert-settings.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { ServerLimits } from '../wire/served/served.ts';
import type { CacheableMethod, CacheHint, Services } from '../wire/services/services.ts';
import { SERVER_DEFAULTS } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';

const MILLISECONDS = wholeNumber(1);
const PART = 'or an array of definitions';

/** Rules of the exposure options. */
const { policy: _policy, ...SHOWN } = SURFACE_RULES;

/** Rules of the server's own options; all others are settings of tools, prompts and resources. */
const OWN: Rules<Exclude<keyof ServerOptions, keyof ToolSettingsOptions> | 'name'> = {
  name: required(NON_EMPTY),
  version: required(NON_EMPTY),
  title: STRING,
  description: STRING,
  websiteUrl: STRING,
  icons: [isListOf(hasSource), 'an array of objects with a src'],
  instructions: STRING,
  tools: [isPart('tools'), `a ToolRegistry, a surface, ${PART}`],
  extraTools: DEFINITIONS,
  prompts: [isPart('prompts'), `a PromptsManager, ${PART}`],
  resources: [isPart('resources'), `a ResourcesManager, ${PART}`],
  skills: [areSkills, 'the result of directorySkills, or an array of such results'],
  ...SHOWN,
  middleware: MIDDLEWARE,
  cacheHints: ANY,
  limits: ANY,
  requestStateKeys: secret([areKeys, `${String(SECRETS[1])}, or a KeyRing`]),
  requestStateTtlMs: MILLISECONDS,
  requestStateSingleUse: BOOLEAN,
  taskStore: objectWith('put', 'get', 'delete'),
  taskTtlMs: MILLISECONDS,
  taskQueue: objectWith(
    'hasRoom',
    'add',
    'has',
    'promote',
    'remove',
    'post',
    'findPosted',
    'forget',
    'claim',
    'findClaimed',
    'release',
    'work',
  ),
  eventBus: objectWith('publish', 'subscribe'),
};

const { requestStateTtlMs: _state, taskTtlMs: _task, ...defaults } = SERVER_DEFAULTS;
const LIMITS = sameRule(Object.keys(defaults), wholeNumber(1));

function sameRule(names: readonly string[], rule: Rule): Rules {
  return Object.fromEntries(names.map((name) => [name, rule]));
}

/** Limits with their defaults. */
export function limitsOf({ limits = {} }: Pick<ServerOptions, 'limits'>): ServerLimits {
  assertOptions('createServer', limits, LIMITS, 'limits');
  const maxMemoryBytes = limits.maxMemoryBytes ?? Math.min(defaults.maxMemoryBytes, heapLimit() / 4);
  const maxMemoryBytesPerCaller =
    limits.maxMemoryBytesPerCaller ?? Math.min(defaults.maxMemoryBytesPerCaller, maxMemoryBytes / 4);
  return { ...defaults, ...limits, maxMemoryBytes, maxMemoryBytesPerCaller };
}

/** Heap limit in bytes; not every platform reports it. */
function heapLimit(): number {
  const v8 = globalThis.process?.getBuiltinModule?.('node:v8');
  return v8?.getHeapStatistics().heap_size_limit ?? Number.POSITIVE_INFINITY;
}

const NO_CACHE: CacheHint = { ttlMs: 0, scope: 'private' };

const NO_HINTS: Readonly<Record<CacheableMethod, CacheHint>> = {
  'server/discover': NO_CACHE,
  'tools/list': NO_CACHE,
  'prompts/list': NO_CACHE,
  'resources/list': NO_CACHE,
  'resources/templates/list': NO_CACHE,
  'resources/read': NO_CACHE,
  'skills/list': NO_CACHE,
  'skills/get': NO_CACHE,
};

const CACHE_HINT: Rule = [
  (hint) => {
    const { ttlMs, scope } = (hint ?? {}) as Partial<CacheHint>;
    return Number.isInteger(ttlMs) && Number(ttlMs) >= 0 && (scope === 'public' || scope === 'private');
  },
  "{ ttlMs, scope: 'public' | 'private' } with ttlMs as an integer of at least 0",
];

const HINTS = sameRule(Object.keys(NO_HINTS), CACHE_HINT);

/** Cache hints with their defaults. */
export function hintsOf({ cacheHints = {} }: Pick<ServerOptions, 'cacheHints'>): Services['cacheHints'] {
  assertOptions('createServer', cacheHints, HINTS, 'cacheHints');
  return { ...NO_HINTS, ...cacheHints };
}

/** Skill sources as an array; undefined if there are none. */
export function skillsOf({ skills }: Pick<ServerOptions, 'skills'>): readonly SkillSource[] | undefined {
  return skills === undefined ? undefined : [skills].flat();
}

function areSkills(skills: unknown): boolean {
  const isSource = objectWith('getSkill', 'listDirectory')[0];
  return [skills].flat().every(isSource);
}

type Part = 'tools' | 'prompts' | 'resources';

const PARTS: readonly Part[] = ['tools', 'prompts', 'resources'];

function hasSource(icon: unknown): boolean {
  return typeof (icon as { src?: unknown } | null)?.src === 'string';
}

function areKeys(keys: unknown): boolean {
  return keys instanceof KeyRing || SECRETS[0](keys);
}

function isPart(part: Part): Check {
  return (value) => DEFINITIONS[0](value) || isReady(part, value);
}

const MAKERS: Readonly<Record<Part, string>> = {
  tools: 'new ToolRegistry',
  prompts: 'new PromptsManager',
  resources: 'new ResourcesManager',
};

/** Whether an existing registry or manager was passed. */
function isReady(part: Part, value: unknown): boolean {
  if (part === 'prompts') return value instanceof PromptsManager;
  if (part === 'resources') return value instanceof ResourcesManager;
  return value instanceof ToolRegistry || value instanceof ToolSurface;
}

/** Settings that apply at registration: too late for an existing registry or manager. */
const EARLY: Readonly<Record<Part, readonly (keyof ToolSettingsOptions)[]>> = {
  tools: ['flatSeparator', 'slowPatterns'],
  prompts: ['slowPatterns'],
  resources: ['slowPatterns'],
};

/** Rejects settings that cannot apply to an existing registry or manager. All others are inherited. */
export function assertSettingsHold(
  options: Pick<ServerOptions<never>, Part> & ToolSettingsOptions<never>,
  caller: 'createServer' | 'OpenAPIServer.load',
): void {
  for (const part of PARTS) {
    const late = isReady(part, options[part])
      ? EARLY[part].find((key) => options[key] !== undefined)
      : undefined;
    if (late === undefined) continue;
    throw new DefinitionError(
      `${caller}: ${late} applies at registration, but the ${part} are already registered. Pass it to ${MAKERS[part]}.`,
      { option: late },
    );
  }
}

/** Validates options at run time, for JavaScript and for the length of secrets, which types cannot express. */
export function assertServerOptions(options: ServerOptions<never>): void {
  assertOptions('createServer', options, { ...SETTINGS, ...OWN });
  if (options.extraTools !== undefined && options.tools instanceof ToolSurface) {
    throw new DefinitionError(
      'createServer: use either a surface or extraTools, not both. Register the tools with the registry of the surface.',
      { option: 'extraTools' },
    );
  }
}
