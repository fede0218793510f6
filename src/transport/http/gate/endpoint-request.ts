import type { Closing } from '../../../wire/served/closing.ts';
import type { Extensions } from '../../../wire/served/exchange.ts';
import type { Caller } from '../../../pipeline/tool/policy.ts';
import type { MemoryAccount } from '../../../base/memory/memory-budget.ts';
import type { QuotaOwner } from '../../../base/quota.ts';
import { ownerKey } from '../../../middleware/parts/caller-identity.ts';
import { isAnonymous } from '../../../wire/served/owner.ts';
import type { Served } from '../../../wire/served/served.ts';
import type { Admission } from './admission.ts';
import type { BodyLimits, HttpHeaders, HttpRequest, HttpSink } from '../message/http-message.ts';
import type { Identified } from './identify.ts';

/** Parts shared by endpoints. */
export interface EndpointParts {
  readonly served: Served;
  /** Interval of keep-alive pings of open streams and requests. */
  readonly keepAliveMs: number;
  /** Signals that the endpoint closes. */
  readonly closing: Closing;
  readonly admission: Admission;
  readonly bodyLimits: BodyLimits;
  /** Extensions that are declared beside those of the server. */
  readonly extensions: Extensions | undefined;
}

/** An authenticated request to an endpoint. */
export interface EndpointRequest {
  readonly http: HttpRequest;
  readonly sink: HttpSink;
  readonly identified: Extract<Identified, { caller: unknown }>;
  readonly cors: HttpHeaders;
  /** Memory account that the request counts against. */
  readonly account: MemoryAccount;
}

/** The owner of a session or a connection, whose quota it counts against. */
export function quotaOwnerOf(caller: Caller, { introduction }: Served): QuotaOwner {
  return { owner: ownerKey(caller, introduction.info.name), isAnonymous: isAnonymous(caller) };
}
