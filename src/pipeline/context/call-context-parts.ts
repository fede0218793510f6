import type { Logger } from '../../errors/logger.ts';
import type { PolicySubject } from '../../middleware/context.ts';
import type { CacheHelpers } from '../../stores/cache-helpers.ts';
import type { StateStore } from '../../stores/state/state-store.ts';
import type { AskedSchemas } from './asked-schemas.ts';

/** The parts of a call's context. */
export interface CallContextParts {
  readonly name: string;
  readonly server: string;
  readonly operation: string;
  readonly subject: PolicySubject;
  readonly log: Logger;
  readonly cache: CacheHelpers;
  readonly collaborators: {
    readonly askedSchemas: AskedSchemas;
    readonly maxResultBytes: number;
    readonly stateStore: StateStore;
  };
}

/** Notified when a call starts and stops waiting for its client. */
export interface WaitWatcher {
  onWait(isWaiting: boolean): void;
}
