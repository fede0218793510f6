import { isStructure } from '../base/is-object.ts';
import { MissingCapabilityError } from '../errors/errors.ts';
import type { RequiredCapabilities } from '../errors/errors.ts';
import type { ClientDescription } from './dialogue.ts';

/** Whether the client has declared all of it, in the protocol's words: `{ elicitation: { url: {} } }`. */
export function isCapable({ capabilities }: ClientDescription, needs: RequiredCapabilities): boolean {
  return covers({ ...capabilities, ...withElicitationModes(capabilities.elicitation) }, needs);
}

/** Refuses to ask a client for what it has not declared. */
export function assertCapable(client: ClientDescription, needs: RequiredCapabilities): void {
  if (!isCapable(client, needs)) throw new MissingCapabilityError(needs);
}

/** Forms are older than the modes: a client that names no mode can show forms. */
function withElicitationModes(elicitation: unknown): object {
  const isUnnamed = isStructure(elicitation) && !('form' in elicitation) && !('url' in elicitation);
  return isUnnamed ? { elicitation: { ...elicitation, form: {} } } : {};
}

function covers(declared: object, needs: object): boolean {
  return Object.entries(needs).every(([name, needed]: [string, unknown]) => {
    const own: unknown = Object.hasOwn(declared, name)
      ? (declared as Record<string, unknown>)[name]
      : undefined;
    return isStructure(own) && (!isStructure(needed) || covers(own, needed));
  });
}
