import type { StallLimit } from '../../stall-watch.ts';
import type { UnreadResponses } from './unread-responses.ts';

/** The part of an endpoint that a sink uses. */
export interface SinkOwner {
  readonly stallLimit: StallLimit;
  readonly unread: UnreadResponses;
  /** Whether connections close after their response. */
  readonly isDraining: boolean;
}
