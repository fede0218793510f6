/** An issue as thrown by a schema library. */
export interface ThrownIssue {
  readonly message?: unknown;
  readonly path?: unknown;
  /** The kind of issue in Zod and ArkType. */
  readonly code?: unknown;
  /** The kind of issue in Valibot. */
  readonly type?: unknown;
  /** Zod: the unknown members of a strict object. */
  readonly keys?: unknown;
  readonly expected?: unknown;
  /** The value as Valibot and Zod 3 quote it in the message. */
  readonly received?: unknown;
  /** The value as ArkType quotes it in the message. */
  readonly actual?: unknown;
  /** ArkType: the message of the library. */
  readonly problem?: unknown;
  /** ArkType, for a union: the issues of its alternatives. */
  readonly errors?: unknown;
  /** The validated value in Valibot; the source of the issue in ArkType. */
  readonly input?: unknown;
  /** The validated value in ArkType. */
  readonly data?: unknown;
}

const HIDDEN = 'a value that is not shown';

/** `a number` of ArkType, `Object` and `undefined` of Valibot. Both quote strings. */
const NAME_OF_TYPE = /^(?:an? )?[a-z]+$/i;

/** The message without the value, if the library wrote it. A message of the author is kept. */
export function withoutValue(issue: ThrownIssue, message: string): string {
  const { code, expected, received, problem } = issue;
  if (typeof problem === 'string') {
    // The author's own message differs from that of the library.
    return problem.endsWith(message) ? withoutActual(issue, message) : message;
  }
  if (typeof received !== 'string') return message;
  if (code === 'invalid_enum_value')
    return replaceEnd(message, `, received '${received}'`, `, received ${HIDDEN}`);
  if (NAME_OF_TYPE.test(received)) return message;
  const before = typeof expected === 'string' ? `: Expected ${expected} but received ` : ': Received ';
  return message.startsWith('Invalid ') ? replaceEnd(message, before + received, before + HIDDEN) : message;
}

function replaceEnd(text: string, end: string, by: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) + by : text;
}

/** The message of a union contains those of its alternatives; messages of combined rules begin with the value. */
function withoutActual(issue: ThrownIssue, message: string): string {
  const parts = Array.isArray(issue.errors) ? [issue, ...(issue.errors as ThrownIssue[])] : [issue];
  let hidden = message;
  for (const { actual } of parts) {
    if (typeof actual !== 'string' || actual === '' || NAME_OF_TYPE.test(actual)) continue;
    hidden = hidden
      .replaceAll(`(was ${actual})`, () => `(was ${HIDDEN})`)
      .replaceAll(`(${actual}) must be...`, () => `(${HIDDEN}) must be...`);
  }
  return hidden;
}
