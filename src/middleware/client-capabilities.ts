import { isStructure } from '../base/is-object.ts';
import { MissingCapabilityError } from '../errors/errors.ts';
import type { RequiredCapabilities } from '../errors/errors.ts';
import type { ClientDescription } from './dialogue.ts';

/** Whether the client declared all these capabilities: `{ elicitation: { url: {} } }`. */
export function isCapable({ capabilities }: ClientDescription, needs: RequiredCapabilities): boolean {
  return covers({ ...capabilities, ...withElicitationModes(capabilities.elicitation) }, needs);
}

/** Throws if the client did not declare these capabilities. */
export function assertCapable(client: ClientDescription, needs: RequiredCapabilities): void {
  if (!isCapable(client, needs)) throw new MissingCapabilityError(needs);
}

/** Forms are older than modes: a client that declares no mode supports forms. */
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
