import { assertAnswer } from '../../requests.mjs';
import { STEPS } from '../constants.mjs';

/** Checks of responses. A fast wrong response must not win. */

/**
 * @param {string} who
 * @returns {import('./http-load.mjs').HttpLoadOptions['check']}
 */
export function isCallAnswer(who) {
  return (answer, request) => {
    const { messages, status } = answer;
    assertCall(who, messages.at(-1), request);
    if (messages.length !== 1 || status !== 200) throw wrong(who, answer);
  };
}

/** Ten progress notifications with growing values, then the result. */
export function isStreamAnswer(who) {
  return (answer, request) => {
    const { messages, status } = answer;
    assertCall(who, messages.at(-1), request);
    const steps = messages.slice(0, -1);
    const isRight = steps.every(
      ({ method, params }, index) =>
        method === 'notifications/progress' &&
        params.progressToken === request.id &&
        params.progress === index + 1,
    );
    if (steps.length !== STEPS || !isRight || status !== 200) throw wrong(who, answer);
  };
}

/**
 * The first list is checked completely; the others must have the same bytes.
 *
 * @param {string} who
 * @param {{ size: number, catalogue?: import('../../tools.mjs').Catalogue, bytes?: Buffer }} expected
 * @returns {import('./http-load.mjs').HttpLoadOptions['check']}
 */
export function isListAnswer(who, { size, catalogue, bytes }) {
  let first;
  return (answer, request) => {
    const { body, status } = answer;
    if (status !== 200) throw wrong(who, answer);
    if (first === undefined) {
      assertAnswer(
        JSON.stringify(answer.messages.at(-1)),
        { id: request.id },
        { name: who, size, catalogue },
      );
      first = bytes ?? Buffer.from(body);
    }
    if (!body.equals(first)) throw wrong(who, answer);
  };
}

/**
 * @param {string} who
 * @param {{ id?: number, result?: object }} message
 * @param {import('../messages.mjs').Message} request
 */
export function assertCall(who, message, request) {
  const { id, result } = message;
  if (id === request.id && result?.isError !== true && result?.content?.[0]?.text === request.expected)
    return;
  throw new Error(`${who} returned a wrong response: ${JSON.stringify(message).slice(0, 300)}`);
}

function wrong(who, { status, body }) {
  return new Error(`${who} returned a wrong response: ${status} ${body.latin1Slice(0, 300)}`);
}
