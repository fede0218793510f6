import type { OutboundAnswer } from '../../../outbound/outbound-client.ts';
import { parseJson, writeJson } from '../body/exact-json.ts';
import { hideInValue } from '../body/hide-value.ts';
import { isObject } from '../../../base/is-object.ts';
import { readBody } from '../body/response-body.ts';
import { shorten } from '../model/cut-text.ts';
import { readHtml } from './html-text.ts';

/** Maximum number of characters of an error body. */
const MAX_SHOWN = 4000;
/** Maximum number of characters of an HTML page. */
const MAX_PAGE = 500;

/** Text of an error body; empty if there is nothing readable. */
export function describeErrorBody(answer: OutboundAnswer, hide: (text: string) => string): string {
  const body = readBody(answer);
  if (body.kind === 'json') {
    const parsed = parseJson(body.text);
    if (parsed.kind === 'value')
      return shorten(describeJson(hideInValue(parsed.value, hide), body.type), MAX_SHOWN);
  }
  if (body.kind === 'json' || body.kind === 'text') {
    const text = body.text.trim();
    return isPage(body.type, text) ? shorten(hide(readHtml(text)), MAX_PAGE) : shorten(hide(text), MAX_SHOWN);
  }
  return '';
}

function isPage(type: string, text: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml' || /^<(?:!doctype html|html)/i.test(text);
}

/** For a problem (RFC 9457), title and detail come first. */
function describeJson(value: unknown, type: string): string {
  if (typeof value === 'string') return value;
  if (type !== 'application/problem+json' || !isObject(value)) return writeJson(value);
  const { title, detail, status: _status, type: kind, ...others } = value;
  const said = [title, detail].filter((text) => typeof text === 'string' && text !== '');
  if (said.length === 0) return writeJson(value);
  const rest = { ...(kind === undefined || kind === 'about:blank' ? {} : { type: kind }), ...others };
  return [said.join(': '), ...(Object.keys(rest).length === 0 ? [] : [writeJson(rest)])].join('\n');
}
