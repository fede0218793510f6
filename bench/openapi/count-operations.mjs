/** Counts the operations of a real document that can be called. */
import { guessArguments, guessBodyText } from './guess-arguments.mjs';
import { openServer } from './open-server.mjs';
import { parts } from './parts.mjs';

const { alternativesOf, judgeRequest, matchTemplate, pathOf } = parts;

/** @typedef {{ file: string, root: object, operations: readonly import('../../test/openapi/support/read-document.ts').ServerOperation[] }} RealDocument */

/**
 * The operations that a tool reaches with arguments derived from its own schema: at the right path, with every value, and with everything
 * that the document requires.
 *
 * @param {import('./contenders.mjs').Contender} contender
 * @param {RealDocument} document
 * @param {import('./count-cases.mjs').Place} place
 */
export async function findWorkingOperations(contender, document, place) {
  const opened = await openServer(contender, document.file, place);
  if (opened === undefined) return [];
  const working = new Set();
  try {
    for (const tool of opened.tools) {
      const found = await new ToolTrial(tool, opened.server, { document, place }).run();
      if (found !== undefined) working.add(found);
    }
  } finally {
    await opened.server.close();
  }
  return [...working];
}

/** Calls one tool in every plausible way until one works. */
class ToolTrial {
  #tool;
  #server;
  #document;
  #place;
  #reached;
  #said = '';

  constructor(tool, server, { document, place }) {
    this.#tool = tool;
    this.#server = server;
    this.#document = document;
    this.#place = place;
  }

  /** The operation that the tool calls correctly. Examples of the document come first, then generated values. */
  async run() {
    for (const usesExamples of [true, false]) {
      const all = guessArguments(this.#tool.inputSchema, usesExamples);
      if (await this.#works(all)) return this.#reached.key;
      for (const args of alternativesOf(this.#said, all))
        if (await this.#works(args)) return this.#reached.key;
      const body = this.#reached && guessBodyText(this.#tool.inputSchema, this.#reached, this.#document.root);
      if (body !== undefined && (await this.#works({ ...all, ...body.written }, { ...all, ...body.meant })))
        return this.#reached.key;
    }
    return undefined;
  }

  async #works(args, meant = args) {
    const { api, base } = this.#place;
    api.take();
    const { content } = await this.#server.call(this.#tool.name, args);
    this.#said = content?.[0]?.text ?? '';
    const requests = api.take();
    if (requests.length !== 1) return false;
    this.#reached = this.#match(requests[0]);
    if (this.#reached === undefined) return false;
    const problems = await judgeRequest(requests[0], { operation: this.#reached, base, args: meant });
    return problems.length === 0;
  }

  /** Of several matches, the most specific one. */
  #match(request) {
    const { base } = this.#place;
    const said = ({ template }) => template.replaceAll(/\{[^{}]*\}/g, '').length;
    return this.#document.operations
      .filter(({ method }) => method === request.method)
      .filter(({ template }) => matchTemplate(base + template, pathOf(request)) !== undefined)
      .toSorted((one, other) => said(other) - said(one))[0];
  }
}
