import { PromptsManager } from '../prompts/prompts-manager.ts';
import type { SurfaceOptions } from '../registry/exposure/exposure.ts';
import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { ResourcesManager } from '../resources/resources-manager.ts';
import type { ToolSettings } from '../tools/compile/tool-settings.ts';
import type { AnyPromptDefinition } from '../prompts/prompt-definition.ts';
import type { AnyResourceDefinition } from '../resources/resource-definition.ts';
import type { AnyToolDefinition } from '../tools/tool-definition.ts';
import { skillsOf } from './read-options.ts';
import type { ServerOptions } from './server-options.ts';

/** The settings of a server. */
export interface Owner {
  readonly settings: ToolSettings;
  readonly shown: SurfaceOptions;
}

/** Registry and managers of a server. */
export interface OwnParts<TContext extends object> {
  readonly registry: ToolRegistry<TContext> | undefined;
  readonly surface: ToolSurface<TContext> | undefined;
  readonly prompts: PromptsManager<TContext> | undefined;
  readonly resources: ResourcesManager<TContext> | undefined;
  /** Called when the server is closed; passed registries and managers can be used further. */
  readonly unmount: () => void;
}

/** Options as they are at run time, without the type of the context. */
interface GivenParts<TContext extends object> {
  readonly tools?: ToolRegistry<TContext> | ToolSurface<TContext> | readonly AnyToolDefinition<TContext>[];
  readonly extraTools?: readonly AnyToolDefinition<TContext>[];
  readonly prompts?: PromptsManager<TContext> | readonly AnyPromptDefinition<TContext>[];
  readonly resources?: ResourcesManager<TContext> | readonly AnyResourceDefinition<TContext>[];
}

interface Mounting extends Owner {
  readonly mounts: (() => void)[];
}

/**
 * Creates the registry and the managers of a server. Passed ones are mounted in them: they inherit settings that they do not set
 * themselves, and are not changed.
 */
export function toOwnParts<TContext extends object>(
  options: ServerOptions<TContext>,
  owner: Owner,
): OwnParts<TContext> {
  const mounting: Mounting = { ...owner, mounts: [] };
  const unmount = (): void => {
    for (const release of mounting.mounts.splice(0)) release();
  };
  try {
    const { prompts, resources, ...given } = options as GivenParts<TContext>;
    const registry = toOwnRegistry(given, mounting);
    const shown = given.tools instanceof ToolSurface ? given.tools.options : {};
    return {
      registry,
      surface: registry?.surface(shown),
      prompts: toOwnPrompts(prompts, mounting),
      resources: withSkills(toOwnResources(resources, mounting), options, mounting),
      unmount,
    };
  } catch (error) {
    unmount();
    throw error;
  }
}

function toOwnRegistry<TContext extends object>(
  { tools, extraTools }: GivenParts<TContext>,
  mounting: Mounting,
): ToolRegistry<TContext> | undefined {
  if (tools === undefined && extraTools === undefined) return undefined;
  const given = tools instanceof ToolSurface ? (tools.registry as ToolRegistry<TContext>) : tools;
  const isRegistry = given instanceof ToolRegistry;
  const registry = isRegistry
    ? mountRegistry(given, mounting)
    : new ToolRegistry<TContext>(mounting.shown, mounting.settings);
  const added = [...(isRegistry ? [] : (given ?? [])), ...(extraTools ?? [])];
  return added.length === 0 ? registry : registry.registerAll(added);
}

function mountRegistry<TContext extends object>(
  given: ToolRegistry<TContext>,
  { settings, shown, mounts }: Mounting,
): ToolRegistry<TContext> {
  if (given.settings === settings) return given;
  const registry = new ToolRegistry<TContext>({ ...shown, ...given.surface().options }, settings);
  mounts.push(registry.mount('', given));
  return registry;
}

function toOwnPrompts<TContext extends object>(
  given: GivenParts<TContext>['prompts'],
  { settings, mounts }: Mounting,
): PromptsManager<TContext> | undefined {
  if (given === undefined) return undefined;
  if (!(given instanceof PromptsManager)) return new PromptsManager<TContext>({ prompts: given }, settings);
  if (given.settings === settings) return given;
  const prompts = new PromptsManager<TContext>({}, settings);
  mounts.push(prompts.mount('', given));
  return prompts;
}

function toOwnResources<TContext extends object>(
  given: GivenParts<TContext>['resources'],
  { settings, mounts }: Mounting,
): ResourcesManager<TContext> | undefined {
  if (given === undefined) return undefined;
  if (!(given instanceof ResourcesManager))
    return new ResourcesManager<TContext>({ resources: given }, settings);
  if (given.settings === settings) return given;
  const resources = new ResourcesManager<TContext>({}, settings);
  mounts.push(resources.mount('', given));
  return resources;
}

/** Adds the files of skills to the resources. */
function withSkills<TContext extends object>(
  resources: ResourcesManager<TContext> | undefined,
  options: ServerOptions<TContext>,
  { settings }: Mounting,
): ResourcesManager<TContext> | undefined {
  const files = skillsOf(options)?.flatMap((source) => source.resources);
  if (files === undefined) return resources;
  const own = resources ?? new ResourcesManager<TContext>({}, settings);
  for (const file of files) own.addResource(file as AnyResourceDefinition<TContext>);
  return own;
}
