import { resolve } from 'node:path';
import type { DocumentSource } from '../../../openapi/document/load-document.ts';
import { looksLikeUri } from '../../../openapi/document/document-uri.ts';
import { UsageError } from '../../terminal/command.ts';
import { assertFile } from '../../target/target.ts';
import type { Settings } from './settings.ts';

/** A document of the command line. */
export interface NamedDocument {
  /** Identifies the document, and is the prefix of its tool names. */
  readonly name: string | undefined;
  readonly source: DocumentSource;
  /** The path or URL as it was typed. */
  readonly address: string | undefined;
}

/** Use of standard input. */
export interface InputUse {
  /** Whether it carries protocol messages, and so cannot carry a document. */
  readonly isTransport: boolean;
}

/** Reads the documents of a command line. */
export async function readDocuments(settings: Settings, input: InputUse): Promise<readonly NamedDocument[]> {
  const words = findWords(settings);
  if ('inline' in words)
    return [{ ...named(settings, undefined), source: { text: words.inline }, address: undefined }];
  const split = words.map(splitName);
  assertNames(split, settings);
  if (split.filter(({ address }) => address === '-').length > 1)
    throw new UsageError('"-" is given twice: standard input can be only one document.');
  const documents: NamedDocument[] = [];
  for (const { name, address } of split) {
    const own = named(settings, name);
    documents.push(
      address === '-'
        ? { ...own, source: { text: await readInput(settings, input) }, address: undefined }
        : { ...own, source: sourceAt(address, settings), address },
    );
  }
  return documents;
}

type Words = readonly string[] | { readonly inline: string };

/** Finds the documents in arguments and flags; variables are used only without those. */
function findWords(settings: Settings): Words {
  const { flags, positionals } = settings.call;
  const wrong = positionals.find((word) => word === 'true' || word === 'false');
  if (wrong !== undefined)
    throw new UsageError(`Unexpected argument "${wrong}". Options such as --verbose take no value.`);
  const said = [
    ...(positionals.length > 0 ? [['an argument', positionals] as const] : []),
    ...(flags['openapi-spec'] === undefined
      ? []
      : [['--openapi-spec', [settings.text('openapi-spec') ?? '']] as const]),
    ...(flags['spec-from-stdin'] === true ? [['--spec-from-stdin', ['-']] as const] : []),
    ...(flags['spec-inline'] === undefined
      ? []
      : [['--spec-inline', { inline: settings.text('spec-inline') ?? '' }] as const]),
  ];
  return onlyOne(said) ?? onlyOne(findVariables(settings)) ?? noDocument();
}

function findVariables(settings: Settings): (readonly [by: string, words: Words])[] {
  const path = settings.find('openapi-spec');
  const inline = settings.find('spec-inline');
  return [
    ...(path === undefined ? [] : [[path.by, [path.value]] as const]),
    ...(settings.isOn('spec-from-stdin') ? [['OPENAPI_SPEC_FROM_STDIN', ['-']] as const] : []),
    ...(inline === undefined ? [] : [[inline.by, { inline: inline.value }] as const]),
  ];
}

function onlyOne(ways: readonly (readonly [by: string, words: Words])[]): Words | undefined {
  const [first, second] = ways;
  if (first !== undefined && second !== undefined)
    throw new UsageError(
      `The document is given more than once: by ${ways.map(([by]) => by).join(' and ')}. Use only one of them.`,
    );
  return first?.[1];
}

function noDocument(): never {
  throw new UsageError(
    'Missing document. Name a file or a URL, or "-" for standard input: toolwright openapi petstore.yaml',
  );
}

interface SplitWord {
  readonly name: string | undefined;
  readonly address: string;
}

/** Splits `shop=./shop.yaml`. A slash, a dot or a colon before the "=" means that the whole word is an address. */
function splitName(word: string): SplitWord {
  const [, name, address] = /^([A-Za-z][\w-]{0,31})=(.+)$/s.exec(word) ?? [];
  return address === undefined ? { name: undefined, address: word } : { name, address };
}

function assertNames(words: readonly SplitWord[], settings: Settings): void {
  const names = words.map(({ name }) => name);
  const namespace = settings.text('namespace');
  if (namespace !== undefined && (words.length > 1 || names[0] !== undefined))
    throw new UsageError('--namespace applies only to a single document without a name.');
  if (words.length < 2) return;
  if (names.includes(undefined))
    throw new UsageError(
      'Missing document name. Name each of several documents: shop=./shop.yaml users=./users.yaml',
    );
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined)
    throw new UsageError(`Duplicate document name "${double}". Give each document its own name.`);
}

function named(settings: Settings, name: string | undefined): Pick<NamedDocument, 'name'> {
  const namespace = settings.text('namespace');
  if (namespace !== undefined && !/^[A-Za-z][\w-]{0,31}$/.test(namespace))
    throw new UsageError(
      '--namespace must have 1 to 32 letters, digits, "_" and "-", and must begin with a letter.',
    );
  return { name: name ?? namespace };
}

async function readInput({ call }: Settings, { isTransport }: InputUse): Promise<string> {
  if (isTransport)
    throw new UsageError(
      'The document cannot be read from standard input, which carries the messages of the client. Serve over HTTP (--transport http), or name a file.',
    );
  return call.terminal.readInput();
}

/** Converts an argument to a path or a URL. A missing file is a usage error. */
export function sourceAt(address: string, { call }: Settings): DocumentSource {
  if (looksLikeUri(address)) return new URL(address);
  const file = resolve(call.terminal.cwd, address);
  assertFile(file);
  return file;
}
