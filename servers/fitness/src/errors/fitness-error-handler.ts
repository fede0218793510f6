import { ErrorHandler } from 'toolwright/collaborators';
import type { ErrorContext, ErrorParts, ErrorResult } from 'toolwright/collaborators';
import { AccountError } from '../accounts/account-error.ts';
import { NutritionError } from '../foods/nutrition-error.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { ProviderFailure } from '../providers/provider-error.ts';

/** Shows the errors of the domain to the caller, with a suggestion. Everything else is left to the default handler. */
export class FitnessErrorHandler extends ErrorHandler {
  readonly #now: () => number;

  constructor(options: ConstructorParameters<typeof ErrorHandler>[0], now: () => number) {
    super(options);
    this.#now = now;
  }

  override handleError(error: unknown, context: ErrorContext): ErrorResult {
    if (error instanceof ProviderError)
      return this.createErrorResult(explainProviderError(error, this.#now()));
    if (error instanceof AccountError || error instanceof NutritionError)
      return this.createErrorResult({ code: 'TOOL_ERROR', message: error.message });
    return super.handleError(error, context);
  }
}

interface Explanation {
  readonly code: ErrorParts['code'];
  readonly suggestion: string;
}

const EXPLANATIONS: Readonly<Record<ProviderFailure, Explanation>> = {
  'not-connected': {
    code: 'TOOL_ERROR',
    suggestion: 'Call get_connection_status for the providers that you can use.',
  },
  'not-configured': { code: 'TOOL_ERROR', suggestion: 'Ask the operator of this server to configure it.' },
  'rate-limited': { code: 'UPSTREAM_LIMITED', suggestion: 'Wait before you call again.' },
  refused: { code: 'TOOL_ERROR', suggestion: 'Ask the user to allow it, then call connect_provider again.' },
  unavailable: { code: 'UPSTREAM_FAILED', suggestion: 'Call again in a few minutes.' },
  'invalid-response': {
    code: 'UPSTREAM_FAILED',
    suggestion: 'Use another provider, or call again later.',
  },
};

function explainProviderError({ message, failure, retryAt }: ProviderError, now: number): ErrorParts {
  const { code, suggestion } = EXPLANATIONS[failure];
  return {
    code,
    message,
    suggestions: [suggestion],
    ...(retryAt === undefined ? {} : { retryAfterMs: Math.max(0, retryAt - now) }),
  };
}
