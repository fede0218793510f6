import { expect } from 'vitest';
import type { FindingData } from '../../src/errors/finding.ts';

/**
 * For `toThrow`: an error about an option or a member of a definition, by its data. The sentences are asserted once, in
 * `test/unit/errors/options.test.ts`.
 */
export function refused(option: string, data: Partial<Omit<FindingData, 'option'>> = {}): Error {
  return expect.objectContaining({ code: 'INVALID_DEFINITION', option, ...data }) as Error;
}
