import { extname } from 'node:path';
import { readFit } from './formats/fit.ts';
import { readGpx } from './formats/gpx.ts';
import { UnreadableFileError } from './formats/recording.ts';
import type { Recording } from './formats/recording.ts';
import { readTcx } from './formats/tcx.ts';

/** The activities of a file, by the extension of its name. Throws an `UnreadableFileError` with the reason. */
export async function readRecordings(name: string, content: Buffer): Promise<readonly Recording[]> {
  const extension = extname(name).toLowerCase();
  if (content.length === 0) throw new UnreadableFileError('it is empty');
  if (extension === '.fit') return readFit(content);
  const text = decode(content);
  return extension === '.tcx' ? readTcx(text) : readGpx(text);
}

function decode(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content).trimStart();
  } catch (cause) {
    throw new UnreadableFileError('it is not UTF-8', { cause });
  }
}
