import { test } from 'vitest';
import type { RequirementId } from './requirements.ts';

/** A test of one or more requirements. `coverage.test.ts` parses these calls from the source, so ids must be literals. */
export function requirement(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  run: () => Promise<void> | void,
): void {
  test(`${title} [${[ids].flat().join(', ')}]`, run);
}
