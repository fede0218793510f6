import { test } from 'vitest';
import type { RequirementId } from './requirements.ts';

/**
 * A test that shows one requirement, or several. `coverage.test.ts` reads these calls from the source, so that the ids are written out
 * where they are cited.
 */
export function requirement(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  run: () => Promise<void> | void,
): void {
  test(`${title} [${[ids].flat().join(', ')}]`, run);
}
