/** Arguments for tools with untested schemas. */
import { parts } from './parts.mjs';

const { generateArguments, generateValue } = parts;

/**
 * Arguments that a schema accepts; if it cannot be compiled, or no accepted value is found, a plausible guess.
 *
 * @param {object} inputSchema
 * @param {boolean} usesExamples
 */
export function guessArguments(inputSchema, usesExamples) {
  const options = { usesExamples, isPlain: true };
  try {
    const found = generateArguments(inputSchema, options);
    if (found !== undefined) return found;
  } catch {
    // The schema cannot be compiled.
  }
  return generateValue(inputSchema, options);
}

/**
 * For a tool that takes the raw text of the body: that text, and its value. Undefined if there is no such argument, or the body is not a
 * text that can be written by hand.
 *
 * @param {object} inputSchema
 * @param {import('../../test/openapi/support/read-document.ts').ServerOperation} operation
 * @param {object} document
 */
export function guessBodyText({ properties = {} }, { body }, document) {
  const name = ['requestBody', 'body'].find((each) => properties[each]?.type === 'string');
  const type = body?.mediaTypes.find((each) => /json|x-www-form-urlencoded/.test(each));
  if (name === undefined || type === undefined) return undefined;
  const value = generateValue(body.schemas[type], {
    usesExamples: true,
    isPlain: true,
    root: document,
    fullDepth: 1,
  });
  const text = type.includes('json')
    ? JSON.stringify(value)
    : new URLSearchParams(Object.entries(value)).toString();
  return { written: { [name]: text }, meant: { [name]: value } };
}
