import { ErrorHandler } from 'toolwright/collaborators';
import type { ErrorContext, ErrorParts, ErrorResult } from 'toolwright/collaborators';
import { ApiError } from '../api/api-error.ts';

/** Explains error responses of the budget API, by their status and `error.name`. Everything else is left to the default handler. */
export class BudgetErrorHandler extends ErrorHandler {
  override handleError(error: unknown, context: ErrorContext): ErrorResult {
    return error instanceof ApiError
      ? this.createErrorResult(explainApiError(error))
      : super.handleError(error, context);
  }
}

interface Explanation {
  readonly message: string;
  readonly suggestions: readonly string[];
}

const RELOAD = 'Call the list tool of this kind for current ids.';

/** Explanations by `error.name`, for names that say more than their status. */
const BY_NAME: Readonly<Record<string, Explanation>> = {
  subscription_lapsed: {
    message: 'The YNAB subscription of this account has lapsed.',
    suggestions: ['Renew the subscription on the YNAB website.'],
  },
  trial_expired: {
    message: 'The YNAB trial of this account has ended.',
    suggestions: ['Subscribe on the YNAB website.'],
  },
  unauthorized_scope: {
    message: 'The access token may not change data.',
    suggestions: ['Create an access token with write access.'],
  },
  data_limit_reached: {
    message: 'The request would exceed a data limit of the budget.',
    suggestions: ['Send fewer items.'],
  },
};

const BY_STATUS: Readonly<Record<number, Explanation>> = {
  400: {
    message: 'The budget API rejected the request.',
    suggestions: ['Correct the named value, then call again.'],
  },
  401: {
    message: 'The access token is invalid, expired or revoked.',
    suggestions: ['Create a new access token in the YNAB developer settings, and set YNAB_ACCESS_TOKEN.'],
  },
  403: {
    message: 'The access token may not do this.',
    suggestions: ['Check the access token and the subscription.'],
  },
  404: { message: 'The budget API does not know one of the ids.', suggestions: [RELOAD] },
  409: {
    message: 'The change conflicts with data of the budget.',
    suggestions: [
      'A transaction with the same import_id exists in this account: list its transactions first.',
    ],
  },
  429: {
    message: 'The budget API rejects further requests for now.',
    suggestions: ['Wait before you call again.'],
  },
  500: {
    message: 'The budget API failed.',
    suggestions: ['Read the data again before you repeat a change: it may have been applied.'],
  },
  503: { message: 'The budget API is not available.', suggestions: ['Call again in a few minutes.'] },
};

function explainApiError({ status, errorName, detail, retryAfterMs }: ApiError): ErrorParts {
  const found = BY_NAME[errorName] ?? BY_STATUS[status] ?? BY_STATUS[status >= 500 ? 500 : 400];
  return {
    code: status === 429 ? 'UPSTREAM_LIMITED' : status >= 500 ? 'UPSTREAM_FAILED' : 'TOOL_ERROR',
    message: `${found?.message ?? ''} (${status} ${errorName}: ${detail})`,
    suggestions: found?.suggestions ?? [],
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
