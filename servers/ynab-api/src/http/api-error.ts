/** The error names of the API with their ids; the status is the part of the id before the dot. */
const ERRORS = {
  bad_request: '400',
  unauthorized: '401',
  unauthorized_scope: '403.3',
  not_found: '404.1',
  resource_not_found: '404.2',
  conflict: '409',
  payload_too_large: '413',
  too_many_requests: '429',
  internal_server_error: '500',
} as const;

export type ErrorName = keyof typeof ERRORS;

/** A request that fails: thrown anywhere below the router, which rolls the request's changes back and responds with the body of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: {
    readonly error: { readonly id: string; readonly name: ErrorName; readonly detail: string };
  };

  constructor(name: ErrorName, detail: string) {
    super(detail);
    this.name = 'ApiError';
    const id = ERRORS[name];
    this.status = Number.parseInt(id, 10);
    this.body = { error: { id, name, detail } };
  }
}

export function badRequest(detail: string): ApiError {
  return new ApiError('bad_request', detail);
}

/** An id in the path that the plan does not have. */
export function resourceNotFound(): ApiError {
  return new ApiError('resource_not_found', 'Resource not found');
}
