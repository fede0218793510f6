import { DIALOGUE } from './requirements/dialogue.ts';
import { FEATURES } from './requirements/features.ts';
import { HTTP } from './requirements/http.ts';
import { LEGACY } from './requirements/legacy.ts';
import { MESSAGES } from './requirements/messages.ts';
import { STDIO } from './requirements/stdio.ts';

/** Everything the protocol asks of this server, as far as it can be seen on the wire. `coverage.test.ts` wants a test for each. */
export const REQUIREMENTS = {
  ...MESSAGES,
  ...HTTP,
  ...FEATURES,
  ...DIALOGUE,
  ...LEGACY,
  ...STDIO,
};

export type RequirementId = keyof typeof REQUIREMENTS;
