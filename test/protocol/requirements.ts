import { DIALOGUE } from './requirements/dialogue.ts';
import { FEATURES } from './requirements/features.ts';
import { HTTP } from './requirements/http.ts';
import { LEGACY } from './requirements/legacy.ts';
import { MESSAGES } from './requirements/messages.ts';
import { STDIO } from './requirements/stdio.ts';

/** All requirements of the protocol for this server that are visible on the wire. `coverage.test.ts` requires a test for each. */
export const REQUIREMENTS = {
  ...MESSAGES,
  ...HTTP,
  ...FEATURES,
  ...DIALOGUE,
  ...LEGACY,
  ...STDIO,
};

export type RequirementId = keyof typeof REQUIREMENTS;
