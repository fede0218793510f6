import { ToolSurface } from '../registry/surface.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import type { Served } from '../wire/served/served.ts';
import { ToolwrightServer } from './create-server.ts';
import { servedOf } from './served-of.ts';

/** Anything that transports and the test client accept: a server, a registry or a surface. */
export type Servable<TContext extends object> =
  | ToolwrightServer<TContext>
  | ToolRegistry<TContext, object>
  | ToolSurface<TContext, object>;

/** Servers created for registries and surfaces: all transports of one registry share its tasks and sessions. */
const made = new WeakMap<object, ToolwrightServer>();

/** Converts a registry or surface to a server. Throws for any other value. */
export function toServer<TContext extends object>(given: Servable<TContext>): ToolwrightServer<TContext> {
  if (!(given instanceof ToolRegistry) && !(given instanceof ToolSurface)) return given;
  const known = made.get(given);
  if (known !== undefined) return known as unknown as ToolwrightServer<TContext>;
  const { settings } = given instanceof ToolRegistry ? given : (given.registry as ToolRegistry<TContext>);
  const described = { name: settings.name, version: '0.0.0', tools: given };
  const server = new ToolwrightServer<TContext>(described, settings);
  made.set(given, server as unknown as ToolwrightServer);
  return server;
}

/** Tools of a server as it serves them, to call without a transport; undefined if it has none. */
export function findTools<TContext extends object>(
  server: ToolwrightServer<TContext>,
): ToolSurface<TContext> | undefined {
  const { tools } = servedOf(server).announced;
  return tools instanceof ToolSurface ? tools : undefined;
}

/** Internals of a server, registry or surface. */
export function toServed<TContext extends object>(given: Servable<TContext>): Served {
  return servedOf(toServer(given));
}
