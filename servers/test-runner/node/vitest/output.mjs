const MAX_HALF = 8_000;

/** The console output of tests, shortened in the middle, until their results are written. */
export class ConsoleOutput {
  #texts = new Map();

  add({ taskId, type, content }) {
    const streams = this.#texts.get(taskId) ?? {};
    this.#texts.set(taskId, streams);
    const text = (streams[type] ??= { head: '', tail: '', omitted: 0 });
    const head = content.slice(0, MAX_HALF - text.head.length);
    text.head += head;
    text.tail += content.slice(head.length);
    if (text.tail.length > MAX_HALF) {
      text.omitted += text.tail.length - MAX_HALF;
      text.tail = text.tail.slice(-MAX_HALF);
    }
  }

  /** Removes the output of a test and returns it. */
  take(taskId) {
    const streams = this.#texts.get(taskId) ?? {};
    this.#texts.delete(taskId);
    return Object.entries(streams).map(([name, { head, tail, omitted }]) => ({
      name,
      text: omitted === 0 ? head + tail : `${head}\n[${omitted} characters omitted]\n${tail}`,
    }));
  }
}
