/**
 * Assembles one HTTP response. Responses come one at a time (no pipelining), and are JSON or an event stream, so neither can contain the
 * line breaks that end a chunked body.
 */
export class AnswerReader {
  #chunks = [];
  #received = 0;
  /** End of the response, once its head has arrived; -1 for chunks. */
  #end = 0;
  #bodyAt = 0;

  /**
   * @param {Buffer} chunk
   * @returns {Answer | undefined} when it is complete
   */
  push(chunk) {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#end === 0) this.#readHead();
    return this.#isComplete() ? this.#take() : undefined;
  }

  #readHead() {
    const text = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    this.#bodyAt = headEnd + 4;
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.latin1Slice(0, headEnd));
    this.#end = length === null ? -1 : this.#bodyAt + Number(length[1]);
  }

  #isComplete() {
    if (this.#end > 0) return this.#received >= this.#end;
    if (this.#end === 0) return false;
    const last = this.#chunks.at(-1);
    const tail = last.length >= TAIL.length ? last : Buffer.concat(this.#chunks);
    return tail.latin1Slice(tail.length - TAIL.length) === TAIL;
  }

  #take() {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const answer = new Answer(bytes, this.#bodyAt, this.#end === -1);
    this.#chunks = [];
    this.#received = 0;
    this.#end = 0;
    return answer;
  }
}

const TAIL = '\r\n0\r\n\r\n';

/** A complete response, decoded on first use. */
export class Answer {
  #bytes;
  #bodyAt;
  #isChunked;

  constructor(bytes, bodyAt, isChunked) {
    this.#bytes = bytes;
    this.#bodyAt = bodyAt;
    this.#isChunked = isChunked;
  }

  get status() {
    return Number(this.#bytes.latin1Slice(9, 12));
  }

  /** @returns {Buffer} */
  get body() {
    const body = this.#bytes.subarray(this.#bodyAt);
    return this.#isChunked ? joinChunks(body) : body;
  }

  /** Its messages: one, or those of a stream. */
  get messages() {
    const text = this.body.latin1Slice();
    if (text.startsWith('{')) return [JSON.parse(text)];
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
  }
}

function joinChunks(body) {
  const parts = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.latin1Slice(at, lineEnd), 16);
    if (size === 0) break;
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}
