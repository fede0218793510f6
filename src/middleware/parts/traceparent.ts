const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The W3C trace context of a call, if it is valid: clients can send any text. */
export function traceparentOf(source: object | undefined): string | undefined {
  const { traceparent } = (source ?? {}) as { readonly traceparent?: unknown };
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}
