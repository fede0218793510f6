import type { Position } from '../model/rest-content.ts';

/**
 * The response to continue, and the position. The position is not secret: a caller who changes it reads another part of its own response.
 */
export interface ContinuePoint {
  readonly id: string;
  readonly position: Position;
}

/** Encodes a token: `<id>.<element>` or `<id>.<element>.<character>`. */
export function writeToken({ id, position: { element, char } }: ContinuePoint): string {
  return char === 0 ? `${id}.${element}` : `${id}.${element}.${char}`;
}

/** Decodes a token; undefined if it is invalid. */
export function readToken(token: string): ContinuePoint | undefined {
  const [, id, element, char = '0'] = /^([\da-f]{32})\.(\d{1,10})(?:\.(\d{1,10}))?$/.exec(token) ?? [];
  if (id === undefined) return undefined;
  return { id, position: { element: Number(element), char: Number(char) } };
}
