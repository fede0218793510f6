const ESCAPE = 0x1b;
const BELL = 0x07;
const STRING_TERMINATOR = 0x9c;
const CONTROL_SEQUENCE = 0x9b;
/** Control characters that start a string of any length: DCS, SOS, OSC, PM and APC. */
const STRING_STARTS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

/** Removes terminal control sequences as a whole: the text of a window title or a link target must not become text. Linear time. */
export function removeTerminalSequences(text: string): string {
  let kept = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== ESCAPE && (code < 0x80 || code > 0x9f)) continue;
    const end = endOfSequence(text, at);
    kept += text.slice(from, at);
    from = end;
    at = end - 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** End of the sequence that begins at a control character: at least one character later. */
function endOfSequence(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code !== ESCAPE) return endOfBody(text, code, start + 1);
  const next = text.charCodeAt(start + 1);
  // `ESC [` equals the single character U+009B, and so on.
  if (next >= 0x40 && next <= 0x5f) return endOfBody(text, next + 0x40, start + 2);
  const final = skip(text, start + 1, isIntermediate);
  const last = text.charCodeAt(final);
  return last >= 0x30 && last <= 0x7e ? final + 1 : final;
}

function endOfBody(text: string, kind: number, start: number): number {
  if (STRING_STARTS.has(kind)) return endOfString(text, start);
  if (kind !== CONTROL_SEQUENCE) return start;
  const final = skip(text, skip(text, start, isParameter), isIntermediate);
  const last = text.charCodeAt(final);
  return last >= 0x40 && last <= 0x7e ? final + 1 : final;
}

/** Ends at its terminator or another control character; without either, at the end of the line. */
function endOfString(text: string, start: number): number {
  const end = skip(text, start, isText);
  if (end === text.length) {
    const line = text.indexOf('\n', start);
    return line === -1 ? end : line;
  }
  const code = text.charCodeAt(end);
  if (code === BELL || code === STRING_TERMINATOR) return end + 1;
  return code === ESCAPE && text[end + 1] === '\\' ? end + 2 : end;
}

function skip(text: string, start: number, isMeant: (code: number) => boolean): number {
  let at = start;
  while (at < text.length && isMeant(text.charCodeAt(at))) at += 1;
  return at;
}

function isParameter(code: number): boolean {
  return code >= 0x30 && code <= 0x3f;
}

function isIntermediate(code: number): boolean {
  return code >= 0x20 && code <= 0x2f;
}

/** Not a control character, or one that is whitespace: tab, line feed, carriage return. */
function isText(code: number): boolean {
  if (code === 0x09 || code === 0x0a || code === 0x0d) return true;
  return code >= 0x20 && code !== 0x7f && (code < 0x80 || code > 0x9f);
}
