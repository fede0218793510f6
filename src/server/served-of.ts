import { DefinitionError, ToolwrightError } from '../errors/errors.ts';
import type { Served } from '../wire/served/served.ts';

/** Internals of each server, for transports. */
const known = new WeakMap<object, Served>();

export function keepServed(server: object, served: Served): void {
  known.set(server, served);
}

/** Returns the internals of a server. */
export function servedOf(server: object): Served {
  const served = known.get(server ?? known);
  if (served === undefined)
    throw new DefinitionError(
      'Invalid server: expected a server, a ToolRegistry or a surface. Create a server: createServer({ name, version, tools }).',
      { option: 'server' },
    );
  if (served.closing.isClosed)
    throw new ToolwrightError(
      'SERVER_CLOSED',
      `The server "${served.introduction.info.name}" is closed. Create a new one.`,
    );
  return served;
}
