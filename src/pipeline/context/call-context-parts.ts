import type { Logger } from '../../errors/logger.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import type { AskedSchemas } from './asked-schemas.ts';

/** What the context of a call is made of. */
export interface CallContextParts {
  readonly name: string;
  readonly operation: string;
  readonly subject: PolicySubject;
  readonly log: Logger;
  readonly cache: CacheHelpers;
  readonly collaborators: { readonly askedSchemas: AskedSchemas; readonly maxResultBytes: number };
}

/** Told when a call begins to wait for its client, and when it goes on. */
export interface WaitWatcher {
  onWait(isWaiting: boolean): void;
}
