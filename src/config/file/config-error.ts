import { DefinitionError } from '../../errors/errors.ts';
import { formatPath } from '../../errors/issue.ts';
import type { Mistake } from './small-schema.ts';

/** A mistake in a configuration file, with its position. */
export interface ConfigMistake extends Mistake {
  readonly file: string;
  /** Line number, from 1; undefined in a JavaScript or TypeScript file. */
  readonly line?: number;
  /** Column number, from 1. */
  readonly column?: number;
}

/** Thrown by `loadConfig` for an invalid configuration. It lists all mistakes with their positions. */
export class ConfigError extends DefinitionError {
  readonly mistakes: readonly ConfigMistake[];

  constructor(file: string, mistakes: readonly ConfigMistake[]) {
    const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
    super(`${file} has ${count}:\n${mistakes.map((mistake) => `  ${formatMistake(mistake)}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

/** `weather.yaml:4:3 tools[0].http.url must be …` */
function formatMistake({ file, line, column, path, message }: ConfigMistake): string {
  const position = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return path.length === 0 ? `${position} ${message}` : `${position} ${formatPath(path)} ${message}`;
}
