import { DefinitionError } from '../../errors/errors.ts';
import type { ToolSettingsOptions } from './settings-options.ts';

const CHOICES = {
  unknownArguments: ['strip', 'reject', 'keep'],
  invalidArguments: ['tool-error', 'protocol-error'],
  slowPatterns: ['refuse', 'warn', 'allow'],
  structuredText: ['full', 'short'],
  errors: ['masked', 'messages'],
} as const;

/** Every setting. An unknown one is rejected: a misspelt `policy` would hide nothing. */
export const SETTINGS: Readonly<Record<keyof ToolSettingsOptions, true>> = {
  name: true,
  createContext: true,
  policy: true,
  unknownArguments: true,
  repairArguments: true,
  invalidArguments: true,
  slowPatterns: true,
  structuredText: true,
  timeoutMs: true,
  maxResultBytes: true,
  rateLimit: true,
  flatSeparator: true,
  confirmationTtlMs: true,
  confirmationStore: true,
  withSecurityWrapper: true,
  errors: true,
  errorHandler: true,
  responseFormatter: true,
  cache: true,
  rateLimitStore: true,
  logger: true,
  clock: true,
  jsonSchemaCompiler: true,
};

/** Rejects invalid options: an unknown choice, a limit that is not a number. */
export function assertSettings(options: ToolSettingsOptions<never>): void {
  if (typeof options !== 'object' || options === null) {
    throw new DefinitionError(
      `The options of a registry must be an object: new ToolRegistry({ name: 'calculator' }).`,
    );
  }
  for (const [name, allowed] of Object.entries(CHOICES)) {
    const value = options[name as keyof typeof CHOICES];
    if (value !== undefined && !(allowed as readonly string[]).includes(value)) {
      const list = allowed
        .map((choice) => `'${choice}'`)
        .join(', ')
        .replace(/, (?=[^,]*$)/, ' or ');
      throw new DefinitionError(
        `The registry option ${name} must be ${list}; it is ${JSON.stringify(value)}.`,
      );
    }
  }
  if (options.errors !== undefined && options.errorHandler !== undefined) {
    throw new DefinitionError(
      'The registry options errors and errorHandler cannot be used together. Write new ErrorHandler({ errors }).',
    );
  }
  assertPositive('maxResultBytes', options.maxResultBytes);
  assertPositive('confirmationTtlMs', options.confirmationTtlMs);
  const { rateLimit } = options;
  if (rateLimit !== undefined && rateLimit !== false) {
    if (typeof rateLimit !== 'object' || rateLimit === null) {
      throw new DefinitionError(
        'The registry option rateLimit must be false or an object: { limit: 100, perMs: 60_000 }.',
      );
    }
    assertPositive('rateLimit.limit', rateLimit.limit ?? Number.NaN);
    assertPositive('rateLimit.perMs', rateLimit.perMs ?? Number.NaN);
  }
  for (const name of ['createContext', 'withSecurityWrapper'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function') {
      throw new DefinitionError(
        `The registry option ${name} must be a function; it is ${typeof options[name]}.`,
      );
    }
  }
}

function assertPositive(name: string, value: number | undefined): void {
  if (value !== undefined && !(typeof value === 'number' && value > 0)) {
    throw new DefinitionError(
      `The registry option ${name} must be a number above 0; it is ${String(value)}.`,
    );
  }
}
