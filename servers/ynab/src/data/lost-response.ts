import { CallRefusedError } from 'toolwright';
import type { Transaction } from '../api/entities.ts';
import type { SaveResponse, TransactionFields } from '../bulk/bulk-transaction.ts';

/** Failures before a connection exists. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Whether the API may have processed a request without a usable response. */
export function isLost(error: unknown): error is CallRefusedError {
  if (!(error instanceof CallRefusedError)) return false;
  // An open circuit breaker names the time to wait, and sends nothing.
  if (error.code === 'UPSTREAM_FAILED') return error.retryAfterMs === undefined && !isUnsent(error.cause);
  return error.code === 'TIMED_OUT';
}

function isUnsent(cause: unknown): boolean {
  return cause instanceof Error && NOT_SENT.has((cause as NodeJS.ErrnoException).code);
}

/** The error of a change whose response was lost. `repeat`: the failure of a second attempt; undefined if there was none. */
export function toUnknownOutcome(lost: CallRefusedError, repeat?: unknown): CallRefusedError {
  const second = repeat instanceof Error ? ` It was sent again: ${repeat.message}` : '';
  return new CallRefusedError(
    lost.code,
    `The connection was lost while the change was sent: it may have been applied. (${lost.message})${second}`,
    {
      cause: repeat ?? lost,
      suggestions: [
        repeat === undefined
          ? 'Read the data before you repeat the call.'
          : 'Call again with the same arguments: a change that was applied is not applied twice.',
      ],
    },
  );
}

/** The response to a creation that was sent twice, because the first response was lost: duplicates that equal what was sent were created by the first request. */
export function restoreResponse<TTransaction extends Transaction>(
  response: SaveResponse<TTransaction>,
  sent: readonly TransactionFields[],
  existing: readonly TTransaction[],
): SaveResponse<TTransaction> {
  const lost = sent.filter(({ import_id: id }) => response.duplicate_import_ids?.includes(id ?? '') === true);
  const found = lost.flatMap((each) => findCreated(each, existing) ?? []);
  const foundIds = new Set(found.map(({ import_id: id }) => id));
  return {
    ...response,
    transaction_ids: [...response.transaction_ids, ...found.map(({ id }) => id)],
    transactions: [...(response.transactions ?? []), ...found],
    duplicate_import_ids: (response.duplicate_import_ids ?? []).filter((id) => !foundIds.has(id)),
  };
}

/** The transaction that a creation made. One with the same import id and another date or amount is older. */
export function findCreated<TTransaction extends Transaction>(
  sent: TransactionFields,
  existing: readonly TTransaction[],
): TTransaction | undefined {
  return existing.find(
    ({ account_id: account, date, amount, import_id: id }) =>
      id === sent.import_id && account === sent.account_id && date === sent.date && amount === sent.amount,
  );
}
