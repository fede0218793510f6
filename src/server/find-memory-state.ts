import type { CompiledTool } from '../pipeline/tool/compiled-tool.ts';
import { isCachedInMemory } from '../stores/cache-helpers.ts';
import { MemoryConfirmationStore } from '../stores/confirmation-store.ts';
import { MemoryEventBus } from '../stores/event-bus.ts';
import { memoryStateOf } from '../stores/memory-state.ts';
import type { MemoryState } from '../stores/memory-state.ts';
import { MemoryStateStore } from '../stores/state/state-store.ts';
import { MemoryTaskStore } from '../stores/task-store.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { Services } from '../wire/services/services.ts';
import type { ServerOptions } from './server-options.ts';

/** The part of a compiled tool, prompt or resource that has state. */
type Stateful = Pick<CompiledTool, 'cache' | 'collaborators'> & Partial<Pick<CompiledTool, 'handler'>>;

type Stores = Pick<ServerOptions, 'eventBus' | 'taskStore'>;

/** The state of a server that only this process has. Covers everything that is registered now, and the settings of what is registered later. */
export function findMemoryState(
  { tools, prompts, resources }: Pick<Services, 'prompts' | 'resources' | 'tools'>,
  settings: ToolSettings,
  { eventBus, taskStore }: Stores,
): readonly MemoryState[] {
  const found = new Set<MemoryState>();
  if (taskStore === undefined || taskStore instanceof MemoryTaskStore) found.add('tasks');
  if (eventBus === undefined || eventBus instanceof MemoryEventBus) found.add('eventBus');
  addFrom(settings, found);
  const lists = [tools?.entries, prompts?.entries, resources?.entries, resources?.templateEntries];
  for (const entries of lists) for (const { tool } of entries ?? []) addFrom(tool, found);
  return [...found];
}

function addFrom({ cache, collaborators, handler }: Stateful, found: Set<MemoryState>): void {
  const { confirmations, isCountedInMemory, stateStore } = collaborators;
  if (isCountedInMemory) found.add('rateLimit');
  if (confirmations instanceof MemoryConfirmationStore) found.add('confirmations');
  if (isCachedInMemory(cache)) found.add('cache');
  if (stateStore instanceof MemoryStateStore) found.add('state');
  for (const state of handler === undefined ? [] : memoryStateOf(handler)) found.add(state);
}
