import { assertKnown } from '../errors/assert-known.ts';
import { DefinitionError } from '../errors/errors.ts';
import { assertMiddleware } from '../middleware/compile-chain.ts';
import { PromptsManager } from '../prompts/prompts-manager.ts';
import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import type { SkillSource } from '../skills/skill-source.ts';
import { SETTINGS } from '../tools/compile/assert-settings.ts';
import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { ServerLimits } from '../wire/served/served.ts';
import type { CacheableMethod, CacheHint, Services } from '../wire/services/services.ts';
import { SERVER_DEFAULTS } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';

/** The options that are the server's own; all others say how tools, prompts and resources are called. */
const OWN = [
  'version',
  'title',
  'description',
  'websiteUrl',
  'icons',
  'instructions',
  'tools',
  'extraTools',
  'prompts',
  'resources',
  'skills',
  'middleware',
  'cacheHints',
  'limits',
  'requestStateKeys',
  'requestStateTtlMs',
  'taskStore',
  'taskTtlMs',
  'eventBus',
] as const satisfies readonly (keyof ServerOptions)[];

/** The limits with their defaults filled in. */
export function limitsOf({ limits = {} }: Pick<ServerOptions, 'limits'>): ServerLimits {
  const { requestStateTtlMs: _state, taskTtlMs: _task, ...defaults } = SERVER_DEFAULTS;
  assertKnown('The limits of a server', limits, Object.keys(defaults));
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1)
      throw new DefinitionError(
        `The limit "${name}" of a server must be a whole number from 1 on; it is ${String(value)}.`,
      );
  }
  const maxMemoryBytes = limits.maxMemoryBytes ?? Math.min(defaults.maxMemoryBytes, heapLimit() / 4);
  const maxMemoryBytesPerCaller =
    limits.maxMemoryBytesPerCaller ?? Math.min(defaults.maxMemoryBytesPerCaller, maxMemoryBytes / 4);
  return { ...defaults, ...limits, maxMemoryBytes, maxMemoryBytesPerCaller };
}

/** Not every platform says how large its heap may become. */
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

/** The cache hints with their defaults filled in. */
export function hintsOf({ cacheHints = {} }: Pick<ServerOptions, 'cacheHints'>): Services['cacheHints'] {
  assertKnown('The cacheHints of a server', cacheHints, Object.keys(NO_HINTS));
  for (const [method, hint] of Object.entries(cacheHints)) {
    const isHint =
      Number.isInteger(hint?.ttlMs) && hint.ttlMs >= 0 && ['public', 'private'].includes(hint.scope);
    if (!isHint)
      throw new DefinitionError(
        `The cache hint of "${method}" must be { ttlMs, scope: 'public' | 'private' } with a whole number of milliseconds.`,
      );
  }
  return { ...NO_HINTS, ...cacheHints };
}

/** The sources of skills, as a list; undefined where there are none. */
export function skillsOf({ skills }: Pick<ServerOptions, 'skills'>): readonly SkillSource[] | undefined {
  return skills === undefined ? undefined : [skills].flat();
}

type Part = 'tools' | 'prompts' | 'resources';

const PARTS: readonly Part[] = ['tools', 'prompts', 'resources'];

/** What would otherwise fail at the first client, or not at all. */
function assertShapes(options: ServerOptions<never>): void {
  const { instructions, icons, eventBus, taskStore } = options;
  if (instructions !== undefined && typeof instructions !== 'string')
    throw new DefinitionError('createServer: instructions must be a string.');
  const isIcon = (icon: unknown): boolean => typeof (icon as { src?: unknown } | null)?.src === 'string';
  if (icons !== undefined && !(Array.isArray(icons) && icons.every(isIcon)))
    throw new DefinitionError('createServer: icons must be a list of objects with a src.');
  for (const key of ['requestStateTtlMs', 'taskTtlMs'] as const) {
    const value: unknown = options[key];
    if (value !== undefined && !(Number.isInteger(value) && (value as number) > 0))
      throw new DefinitionError(
        `createServer: ${key} must be a whole number of milliseconds; it is ${JSON.stringify(value)}.`,
      );
  }
  if (options.middleware !== undefined) assertMiddleware(options.middleware, 'createServer');
  assertMethods('eventBus', eventBus, ['publish', 'subscribe']);
  assertMethods('taskStore', taskStore, ['put', 'get', 'delete']);
  for (const part of PARTS) assertPart(part, options[part]);
  assertExtraTools(options);
  for (const source of skillsOf(options) ?? [])
    assertMethods('skills', source, ['getSkill', 'listDirectory']);
}

function assertExtraTools({ tools, extraTools }: ServerOptions<never>): void {
  if (extraTools === undefined) return;
  if (!isList(extraTools))
    throw new DefinitionError('createServer: extraTools must be a list of definitions and builders.');
  if (tools instanceof ToolSurface) {
    throw new DefinitionError(
      'createServer: extraTools cannot join a surface. Register them with the registry that the surface was made of.',
    );
  }
}

function isList(value: unknown): boolean {
  const iterate = (value as { [Symbol.iterator]?: unknown } | null | undefined)?.[Symbol.iterator];
  return typeof iterate === 'function' && typeof value !== 'string';
}

function assertMethods(name: string, value: unknown, methods: readonly string[]): void {
  if (value === undefined) return;
  const has = (method: string): boolean =>
    typeof (value as Record<string, unknown> | null)?.[method] === 'function';
  if (!methods.every(has))
    throw new DefinitionError(`createServer: ${name} needs the methods ${methods.join(', ')}.`);
}

const OWNERS: Readonly<Record<Part, string>> = {
  tools: 'a ToolRegistry, a surface of one',
  prompts: 'a PromptsManager',
  resources: 'a ResourcesManager',
};

/** Whether a part of the server was made before, with settings of its own. */
function isReady(part: Part, value: unknown): boolean {
  if (part === 'prompts') return value instanceof PromptsManager;
  if (part === 'resources') return value instanceof ResourcesManager;
  return value instanceof ToolRegistry || value instanceof ToolSurface;
}

function assertPart(part: Part, value: unknown): void {
  if (value === undefined || isList(value) || isReady(part, value)) return;
  throw new DefinitionError(`createServer: ${part} must be ${OWNERS[part]}, or a list of definitions.`);
}

/** The settings that the server itself uses as well. */
const SHARED: ReadonlySet<string> = new Set(['name', 'logger', 'clock', 'errorHandler']);

/** Refuses settings that would not hold for a part that was made before: a policy that protects nothing must not look as if it did. */
export function assertSettingsHold(
  options: Pick<ServerOptions<never>, Part> & ToolSettingsOptions<never>,
  caller: 'createServer' | 'OpenAPIServer.load',
): void {
  const ready = PARTS.find((part) => isReady(part, options[part]));
  if (ready === undefined) return;
  const keys = Object.keys(SETTINGS) as (keyof ToolSettingsOptions)[];
  const lost = keys.filter((key) => options[key] !== undefined && !SHARED.has(key));
  if (lost.length === 0) return;
  throw new DefinitionError(
    `${caller}: ${lost.join(', ')} would not hold for the ${ready}, which bring settings of their own. Set them there.`,
  );
}

/** Types say the same; this is for JavaScript, and for secrets, of which types know nothing. */
export function assertOptions(options: ServerOptions<never>): void {
  assertKnown('The options of a server', options, [...OWN, ...Object.keys(SETTINGS)]);
  for (const key of ['name', 'version'] as const) {
    if (typeof options[key] !== 'string' || options[key] === '')
      throw new DefinitionError(
        `createServer needs a ${key}: createServer({ name: 'notes', version: '1.0.0', … }).`,
      );
  }
  assertShapes(options);
  const keys: unknown = options.requestStateKeys;
  if (keys === undefined) return;
  const isList = Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'string');
  if (!isList || keys.some((key: string) => key.length < 32))
    throw new DefinitionError('requestStateKeys must be a list of secrets of at least 32 characters each.');
}
