export interface LineReaderOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** Called once, when the stream is longer than `maxBytes`; no line follows. */
  readonly onOverflow: () => void;
}

/** Splits a byte stream into lines. Returns the function that takes the chunks. */
export function createLineReader({
  maxBytes,
  onLine,
  onOverflow,
}: LineReaderOptions): (chunk: Buffer) => void {
  let unfinished: Buffer[] = [];
  let total = 0;
  return (chunk) => {
    if (total > maxBytes) return;
    total += chunk.length;
    if (total > maxBytes) {
      unfinished = [];
      onOverflow();
      return;
    }
    let begin = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
      onLine(Buffer.concat([...unfinished, chunk.subarray(begin, end)]).toString());
      unfinished = [];
      begin = end + 1;
    }
    if (begin < chunk.length) unfinished.push(chunk.subarray(begin));
  };
}
