import type { WholeErrorHandler } from '../../errors/error-handler.ts';
import type { PromptsManager } from '../../prompts/prompts-manager.ts';
import type { ToolSurface } from '../../registry/surface.ts';
import type { ResourcesManager } from '../../resources/resources-manager.ts';
import type { SkillSource } from '../../skills/skill-source.ts';
import type { Sealer } from '../../stores/sealing/sealer.ts';
import type { Quota } from '../../base/quota.ts';
import type { TaskRunner } from '../../tasks/task-runner.ts';
import type { Introduction } from '../served/introduction.ts';
import type { LegSealer } from '../dialogues/leg-work.ts';
import type { PageBook } from './pages.ts';
import type { SealedCallState } from '../dialogues/call-state.ts';
import type { UsedStates } from '../dialogues/used-states.ts';
import type { Announced, Runtime, Served } from '../served/served.ts';

/** Cache hint of a result: time and scope (2026-07-28). */
export interface CacheHint {
  /** Time that clients may cache the result, in milliseconds. */
  readonly ttlMs: number;
  /** `public`: all callers get the same result, so shared caches such as proxies may store it. */
  readonly scope: 'public' | 'private';
}

/** Methods whose results may be cached. */
export type CacheableMethod =
  | 'server/discover'
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'skills/list'
  | 'skills/get';

/** Prompts of any context type. */
export type ServedPrompts = Omit<PromptsManager<never>, 'addPrompt' | 'removePrompt' | 'use'>;

/** Resources of any context type. */
export type ServedResources = Omit<ResourcesManager<never>, 'addResource' | 'removeResource' | 'use'>;

/** Services that the methods of the protocol use. Created once by `createServer`. */
export interface Services extends Runtime, Announced {
  readonly introduction: Introduction;
  readonly tools: ToolSurface<never> | undefined;
  readonly prompts: ServedPrompts | undefined;
  readonly resources: ServedResources | undefined;
  /** Skills; their files are among the resources. */
  readonly skills: readonly SkillSource[] | undefined;
  readonly tasks: TaskRunner;
  /** Encrypts request states. */
  readonly sealer: Sealer<SealedCallState>;
  /** Encrypts tasks for worker processes. */
  readonly legs: LegSealer;
  /** Request states that were used; undefined if each is valid until it expires. */
  readonly usedStates: UsedStates | undefined;
  readonly errorHandler: WholeErrorHandler;
  readonly cacheHints: Readonly<Record<CacheableMethod, CacheHint>>;
  /** Paginated lists, by their entries and by revision. */
  readonly books: WeakMap<object, Map<string, PageBook>>;
  /** Quota of subscriptions. */
  readonly listeners: Quota;
  readonly recent: Served['recent'];
}
