import { oneLine } from './terminal.ts';
import type { Paint } from './terminal.ts';

/** Whether a terminal knows how to take away what it shows. */
export function canWriteOver({ TERM }: NodeJS.ProcessEnv): boolean {
  return TERM !== 'dumb';
}

/** Where a line is shown that is written over. */
export interface StatusOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number | undefined;
  readonly paint: Paint;
}

/** What is wider than the terminal would take two lines, of which only the last could be written over. */
export function createStatusLine({ write, columns, paint }: StatusOptions): (text: string) => void {
  let isShown = false;
  return (text) => {
    if (text === '' && !isShown) return;
    isShown = text !== '';
    const room = (columns() || 80) - 1;
    write(`\r\u001B[K${paint.dim(cutToWidth(oneLine(text), room))}`);
  };
}

/** Most characters beyond the alphabets of Europe and its neighbours are twice as wide. */
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
