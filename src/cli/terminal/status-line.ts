import { oneLine } from './terminal.ts';
import type { Paint } from './terminal.ts';

/** Whether a terminal can overwrite a line. */
export function canWriteOver({ TERM }: NodeJS.ProcessEnv): boolean {
  return TERM !== 'dumb';
}

/** Options of {@link createStatusLine}. */
export interface StatusOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number | undefined;
  readonly paint: Paint;
}

/** Creates a line that is overwritten in place. It is cut to the width of the terminal, because a wrapped line cannot be overwritten. */
export function createStatusLine({ write, columns, paint }: StatusOptions): (text: string) => void {
  let isShown = false;
  return (text) => {
    if (text === '' && !isShown) return;
    isShown = text !== '';
    const room = (columns() || 80) - 1;
    write(`\r\u001B[K${paint.dim(cutToWidth(oneLine(text), room))}`);
  };
}

/** First code point that is counted as two columns wide. */
const FIRST_WIDE = 0x1100;

function cutToWidth(text: string, room: number): string {
  let width = 0;
  let shown = '';
  for (const character of text) {
    width += (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
    if (width > room) return shown;
    shown += character;
  }
  return shown;
}
