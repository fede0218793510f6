import type { BodyContent, PropertyEncoding } from '../model/operation.ts';
import { isCompound, readArgument, refuseArgument } from './values/argument-values.ts';
import type { Arguments } from './values/argument-values.ts';
import { readFileArgument } from './read-file-argument.ts';
import type { ReadUri } from './read-file-argument.ts';
import type { PlannedContent } from './request-plan.ts';

/** A property of a body with its value. */
export interface BodyField {
  readonly name: string;
  readonly argument: string;
  readonly value: unknown;
  readonly isFile: boolean;
  readonly encoding: PropertyEncoding | undefined;
}

/** The properties of a body that were given, in the order of the document. */
export function fieldsOf({ content, source }: PlannedContent, input: Arguments): BodyField[] {
  if (source.kind === 'properties') {
    return source.properties
      .map(({ property, argument, isFile }) => ({
        name: property,
        argument,
        value: readArgument(input, argument),
        isFile,
        encoding: encodingOf(content, property),
      }))
      .filter(({ value }) => value !== undefined);
  }
  const { argument } = source;
  const value = readArgument(input, argument);
  if (!isCompound(value) || Array.isArray(value))
    throw refuseArgument(argument, 'must be an object: its members become the fields of a form');
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => ({
      name,
      argument,
      value: member,
      isFile: false,
      encoding: encodingOf(content, name),
    }));
}

function encodingOf({ encoding }: BodyContent, name: string): PropertyEncoding | undefined {
  return Object.hasOwn(encoding, name) ? encoding[name] : undefined;
}

/** Encodes files as base64, the only form they can have in a text body. */
export async function withFilesAsText(fields: readonly BodyField[], readUri: ReadUri): Promise<BodyField[]> {
  const toBase64 = async (argument: string, value: unknown): Promise<string> =>
    Buffer.from((await readFileArgument(argument, value, readUri)).bytes).toString('base64');
  return Promise.all(
    fields.map(async (field) => {
      const { isFile, argument, value } = field;
      if (!isFile || value === null) return field;
      const text = Array.isArray(value)
        ? await Promise.all(value.map((item) => toBase64(argument, item)))
        : await toBase64(argument, value);
      return { ...field, value: text };
    }),
  );
}
