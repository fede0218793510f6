import type { StallLimit } from '../../stall-watch.ts';
import type { UnreadResponses } from './unread-responses.ts';

/** What a sink needs to know of its endpoint. */
export interface SinkOwner {
  readonly stallLimit: StallLimit;
  readonly unread: UnreadResponses;
  /** Whether connections end with their answers. */
  readonly isDraining: boolean;
}
