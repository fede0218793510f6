import { expect } from 'vitest';
import { DuplicateNameError } from '../../src/errors/errors.ts';
import type { FindingData } from '../../src/errors/finding.ts';
import type { ToolReply } from '../../src/index.ts';

/**
 * For `toThrow`: an error about an option or a member of a definition, by its data. The sentences are asserted once, in
 * `test/unit/errors/options.test.ts`.
 */
export function refused(option: string, data: Partial<Omit<FindingData, 'option'>> = {}): Error {
  return expect.objectContaining({ code: 'INVALID_DEFINITION', option, ...data }) as Error;
}

/**
 * For `toThrow`: two definitions with the same name or URI. The sentence is asserted once, in `test/unit/errors/errors.test.ts`.
 * `claimants` are compared if they are given: the owner of the name, then the new definition.
 */
export function duplicate(
  kind: DuplicateNameError['kind'],
  name: string,
  claimants?: readonly [string, string],
): Error {
  return expect.objectContaining({
    code: 'DUPLICATE_NAME',
    reason: 'duplicate-name',
    kind,
    option: kind === 'Resource' ? 'uri' : 'name',
    received: name,
    ...(claimants === undefined ? {} : { claimants }),
  }) as Error;
}

/** The sentence of such an error, for texts that quote it. */
export function taken(
  kind: DuplicateNameError['kind'],
  name: string,
  claimants?: readonly [string, string],
): string {
  return new DuplicateNameError(kind, name, claimants === undefined ? {} : { claimants }).message;
}

/** The JSON-RPC error for a tool that does not exist for the caller. Its sentence is here, and in `test/unit/pipeline/flow.test.ts`. */
export function unknownTool(name: string): { readonly code: -32602; readonly message: string } {
  return { code: -32602, message: `Unknown tool: ${name}` };
}

/** The same as the reply of a registry, without suggestions. */
export function unknownToolReply(name: string): Extract<ToolReply, { kind: 'protocol-error' }> {
  return { kind: 'protocol-error', reason: 'UNKNOWN_TOOL', ...unknownTool(name) };
}

/** The message of an issue: an argument that the schema does not have. Its sentence is here, and in `test/unit/schema/library-matrix.test.ts`. */
export function unknownArgument(...allowed: readonly string[]): string {
  const known = allowed.length === 0 ? 'No arguments are allowed here.' : `Allowed: ${allowed.join(', ')}.`;
  return `is not a known argument. ${known}`;
}
