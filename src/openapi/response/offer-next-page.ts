import type { OutboundAnswer } from '../../outbound/outbound-client.ts';
import { hideInValue } from './body/hide-value.ts';
import { findNextPage } from './pagination/find-next-page.ts';
import type { NextPage } from './pagination/next-page.ts';
import type { ResponseOptions } from './model/response-options.ts';

/** The next page, with secrets redacted. For text, `body` is undefined and only the headers are used. */
export function offerNextPage(
  { headers }: OutboundAnswer,
  body: unknown,
  { pagination, hide }: ResponseOptions,
): NextPage | undefined {
  const next = pagination === undefined ? undefined : findNextPage(headers, body, pagination);
  if (next?.kind !== 'arguments' || hide === undefined) return next;
  const hidden = hideInValue(next.arguments, hide) as Readonly<Record<string, unknown>>;
  return { kind: 'arguments', arguments: hidden };
}
