import type { WholeErrorHandler } from '../../errors/error-handler.ts';
import type { PromptsManager } from '../../prompts/prompts-manager.ts';
import type { ToolSurface } from '../../registry/surface.ts';
import type { ResourcesManager } from '../../resources/resources-manager.ts';
import type { SkillSource } from '../../skills/skill-source.ts';
import type { Quota } from '../../base/quota.ts';
import type { TaskRunner } from '../../tasks/task-runner.ts';
import type { Introduction } from '../served/introduction.ts';
import type { PageBook } from './pages.ts';
import type { Sealer } from '../dialogues/sealer.ts';
import type { Announced, Runtime, Served } from '../served/served.ts';

/** How long, and for whom, a client may keep an answer (2026-07-28). */
export interface CacheHint {
  readonly ttlMs: number;
  /** `public`: the same for everybody, so that proxies may keep it too. */
  readonly scope: 'public' | 'private';
}

/** The answers that may be kept. */
export type CacheableMethod =
  | 'server/discover'
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'skills/list'
  | 'skills/get';

/** Prompts as the wire needs them, whatever their context. */
export type ServedPrompts = Omit<PromptsManager<never>, 'addPrompt' | 'removePrompt' | 'use'>;

/** Resources as the wire needs them, whatever their context. */
export type ServedResources = Omit<ResourcesManager<never>, 'addResource' | 'removeResource' | 'use'>;

/** What the methods of the protocol work with. Made once by `createServer`. */
export interface Services extends Runtime, Announced {
  readonly introduction: Introduction;
  readonly tools: ToolSurface<never> | undefined;
  readonly prompts: ServedPrompts | undefined;
  readonly resources: ServedResources | undefined;
  /** Their files are among the resources. */
  readonly skills: readonly SkillSource[] | undefined;
  readonly tasks: TaskRunner;
  readonly sealer: Sealer;
  readonly errorHandler: WholeErrorHandler;
  readonly cacheHints: Readonly<Record<CacheableMethod, CacheHint>>;
  /** Lists in pages, by what they were made of and by revision. */
  readonly books: WeakMap<object, Map<string, PageBook>>;
  /** The quota of subscriptions. */
  readonly listeners: Quota;
  readonly recent: Served['recent'];
}
