import { DefinitionError } from '../errors/errors.ts';
import type { ToolRegistryOptions } from './registry-options.ts';

const CHOICES = {
  unknownArguments: ['strip', 'reject'],
  invalidArguments: ['tool-error', 'protocol-error'],
  structuredText: ['full', 'short'],
} as const;

/** Refuses options that would quietly mean something else: a typo in a choice, a limit that is no number. */
export function assertOptions(options: ToolRegistryOptions<never>): void {
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = options[name as keyof typeof CHOICES];
    if (value !== undefined && !(allowed as readonly string[]).includes(value)) {
      const list = allowed.map((choice) => `'${choice}'`).join(' or ');
      throw new DefinitionError(
        `The registry option ${name} must be ${list}; it is ${JSON.stringify(value)}.`,
      );
    }
  }
  assertPositive('maxResultBytes', options.maxResultBytes);
  if (options.rateLimit !== undefined && options.rateLimit !== false) {
    assertPositive('rateLimit.limit', options.rateLimit.limit);
    assertPositive('rateLimit.perMs', options.rateLimit.perMs);
  }
}

function assertPositive(name: string, value: number | undefined): void {
  if (value !== undefined && !(typeof value === 'number' && value > 0)) {
    throw new DefinitionError(
      `The registry option ${name} must be a number above 0; it is ${String(value)}.`,
    );
  }
}
