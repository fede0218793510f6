import type { ValidationError } from '../../errors/errors.ts';
import { missingArgument, readArgument, refuseArguments } from './values/argument-values.ts';
import type { Arguments } from './values/argument-values.ts';
import type { PlannedBody, PlannedContent } from './request-plan.ts';

/** A media type and its arguments. */
interface Candidate {
  readonly content: PlannedContent;
  readonly takes: ReadonlySet<string>;
  readonly needs: readonly string[];
}

/** Chooses the media type of a call; undefined if it sends no body. */
export type ChooseContent = (input: Arguments) => PlannedContent | undefined;

/** Prepares the choice: the first media type that accepts all given body arguments, and none if no body argument was given. */
export function compileChoice({ contents, required }: PlannedBody, key: string): ChooseContent {
  const candidates = contents.map(toCandidate);
  const all = [...new Set(candidates.flatMap(({ takes }) => [...takes]))];
  return (input) => {
    const isGiven = (argument: string): boolean => readArgument(input, argument) !== undefined;
    const given = all.filter(isGiven);
    if (given.length === 0 && !required) return undefined;
    const fitting = candidates.filter(({ takes }) => given.every((argument) => takes.has(argument)));
    // Without given arguments all match, and the preferred one is used.
    const complete = given.length === 0 ? undefined : fitting.find(({ needs }) => needs.every(isGiven));
    const chosen = complete ?? fitting[0];
    if (chosen === undefined) {
      if (given.length === 0) return undefined;
      throw noneFits(given, candidates);
    }
    const missing = chosen.needs.find((argument) => !isGiven(argument));
    if (missing !== undefined) throw missingArgument(missing, `the body of ${key} needs it`);
    return chosen.content;
  };
}

function toCandidate(content: PlannedContent): Candidate {
  const { source } = content;
  if (source.kind === 'whole')
    return { content, takes: new Set([source.argument]), needs: [source.argument] };
  return {
    content,
    takes: new Set(source.properties.map(({ argument }) => argument)),
    needs: source.properties.filter(({ required }) => required).map(({ argument }) => argument),
  };
}

function noneFits(given: readonly string[], candidates: readonly Candidate[]): ValidationError {
  const choices = candidates.map(
    ({ content, takes }) => `${content.content.mediaType} takes ${quoteAll([...takes])}`,
  );
  return refuseArguments(
    `The arguments ${quoteAll(given)} cannot be combined in one body: ${choices.join('; ')}.`,
  );
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
