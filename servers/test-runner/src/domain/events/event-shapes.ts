import type { RunnerEvent } from './runner-events.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isFlag: Check = (value) => typeof value === 'boolean';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** An object with these members. Others are ignored. */
function object(members: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(members);
  return (value) =>
    isObject(value) &&
    checks.every(([name, check]) => check(Object.hasOwn(value, name) ? value[name] : undefined));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const FRAME = object({ file: isText, line: isNumber, function: isText, code: isText, in_project: isFlag });
const ERROR = { type: isText, message: isText, traceback: listOf(FRAME) };
const ASSERTION = object({ operator: isText, left: isText, right: isText, diff: listOf(isText) });
const PLACE = { file: isText, line: orNull(isNumber) };
const NODE = { node_id: isText };

/** The members that the server relies on. */
const SHAPES: Readonly<Record<RunnerEvent['event'], Check>> = {
  session: object({ interpreter: isText, interpreter_version: isText, runner_version: isText }),
  collection_error: object({ ...NODE, ...ERROR, ...PLACE }),
  collection_skip: object({ ...NODE, message: orNull(isText) }),
  item: object({
    ...NODE,
    ...PLACE,
    module: orNull(isText),
    class_path: listOf(isText),
    function: isText,
  }),
  collected: object({ total: isNumber }),
  started: object(NODE),
  phase: object({
    ...NODE,
    phase: isText,
    outcome: isText,
    xfail: isFlag,
    message: orNull(isText),
    captured: listOf(object({ name: isText, text: isText })),
    duration: isNumber,
    error_type: optional(isText),
    traceback: optional(listOf(FRAME)),
    causes: optional(listOf(object(ERROR))),
    assertion: optional(orNull(ASSERTION)),
  }),
  finished: object(NODE),
  cancelled: object(NODE),
  warning: object({
    category: isText,
    message: isText,
    file: isText,
    line: isNumber,
    phase: isText,
    node_id: orNull(isText),
  }),
  file_started: object(NODE),
  file_finished: object(NODE),
  problem: object({ message: isText }),
  ended: object({}),
};

/** Whether a value is an event. A test can find the descriptor and write to it. */
export function isEvent(value: unknown): value is RunnerEvent {
  if (!isObject(value) || typeof value['event'] !== 'string') return false;
  const name = value['event'];
  return Object.hasOwn(SHAPES, name) && SHAPES[name as RunnerEvent['event']](value);
}
