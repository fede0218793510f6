import { toolFor } from 'toolwright';

/** The context of handlers: the caller that runs belong to. */
export interface RunContext {
  readonly owner: string;
}

interface CallerParts {
  readonly principal?: { readonly id: string; readonly tenant?: string | undefined } | undefined;
}

/** Anonymous callers are one owner: on standard input and output there is only one, and over HTTP only this machine can connect. */
export const ANONYMOUS = 'anonymous';

export function createContext({ principal }: CallerParts): RunContext {
  return { owner: principal === undefined ? ANONYMOUS : JSON.stringify([principal.id, principal.tenant]) };
}

/** `@runTool` decorates a method whose name is that of the tool. */
export const runTool = toolFor<RunContext>();
