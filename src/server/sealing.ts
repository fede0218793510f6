import type { Clock } from '../base/time/clock.ts';
import { KeyRing } from '../stores/sealing/key-ring.ts';
import { Sealer } from '../stores/sealing/sealer.ts';
import type { StateStore } from '../stores/state/state-store.ts';
import { UsedStates } from '../wire/dialogues/used-states.ts';
import type { ServerLimits } from '../wire/served/served.ts';
import type { Services } from '../wire/services/services.ts';
import { SERVER_DEFAULTS } from './server-options.ts';
import type { ServerOptions } from './server-options.ts';

type Options = Pick<ServerOptions, 'requestStateKeys' | 'requestStateSingleUse' | 'requestStateTtlMs'>;

/** The ring of keys, and the sealer of request states. Without secrets, the ring has a random one. */
export function toSealing(
  { requestStateKeys, requestStateSingleUse = false, requestStateTtlMs }: Options,
  { maxStateBytes }: Pick<ServerLimits, 'maxStateBytes'>,
  { clock, stateStore }: { readonly clock: Clock; readonly stateStore: StateStore },
): Pick<Services, 'keys' | 'sealer' | 'usedStates'> {
  const keys = requestStateKeys instanceof KeyRing ? requestStateKeys : new KeyRing(requestStateKeys);
  const ttlMs = requestStateTtlMs ?? SERVER_DEFAULTS.requestStateTtlMs;
  return {
    keys,
    sealer: new Sealer({ ring: keys, purpose: 'request state', ttlMs, maxChars: maxStateBytes, clock }),
    usedStates: requestStateSingleUse ? new UsedStates(stateStore, clock, ttlMs) : undefined,
  };
}
