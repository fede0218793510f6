import type { NextPage } from './pagination/next-page.ts';
import type { ResponseOptions } from './model/response-options.ts';
import { showFirst } from './rest/show-parts.ts';
import { toStructured, toTextResult } from './model/result-parts.ts';
import type { OperationResult } from './model/result-parts.ts';

/** Remarks with a text. */
export interface TextRemarks {
  readonly lines?: readonly string[];
  readonly nextPage?: NextPage | undefined;
}

/** A text, or the first part of it that fits. */
export function readText(text: string, options: ResponseOptions, remarks: TextRemarks = {}): OperationResult {
  const { hide = (shown) => shown, maxChars, structured } = options;
  const hidden = hide(text);
  if (hidden.length > maxChars) return showFirst({ kind: 'text', text: hidden }, options, remarks);
  return toTextResult(hidden, { ...remarks, structured: structured ? toStructured(hidden) : undefined });
}
