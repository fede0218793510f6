import { DefinitionError } from '../../errors/errors.ts';
import { percentEncodeExcept } from '../../outbound/percent-encode.ts';
import type { PlannedParameter, RequestPlan } from './request-plan.ts';
import { KEPT_IN_QUERY } from './values/write-pairs.ts';

/** A part of a path: encoded text, or a parameter. */
export type PathPart = { readonly text: string } | { readonly planned: PlannedParameter };

/** A parsed path of a document. */
export interface DocumentPath {
  readonly path: readonly PathPart[];
  /** Pairs of a query that the document has in its path. */
  readonly query: readonly (readonly PathPart[])[];
}

type Piece = { readonly text: string } | { readonly name: string };

const KEPT_IN_PATH = "/:@!$&'()*+,;=";

/** Parses the path of a plan. A fragment only distinguishes operations in a document and is never sent. */
export function readDocumentPath(plan: RequestPlan): DocumentPath {
  const [sent = []] = splitPieces(readPieces(plan), '#');
  const [path = [], ...queries] = splitPieces(sent, '?');
  const inPath = new Map(
    plan.parameters
      .filter(({ parameter }) => parameter.in === 'path')
      .map((planned) => [planned.parameter.name, planned]),
  );
  const used = new Set<PlannedParameter>();
  const toParts = (pieces: readonly Piece[], kept: string): PathPart[] =>
    pieces.map((piece) => {
      if ('text' in piece) return { text: percentEncodeExcept(piece.text, kept) };
      const planned = inPath.get(piece.name) ?? inPath.get(plainName(piece.name));
      if (planned === undefined)
        throw new DefinitionError(
          `Missing path parameter "${piece.name}" of ${plan.key}: the path has "{${piece.name}}".`,
        );
      used.add(planned);
      return { planned };
    });
  const pairs = queries.length === 0 ? [] : splitPieces(joinPieces(queries, '?'), '&');
  const inQuery = new Set(
    plan.parameters
      .filter(({ parameter }) => parameter.in === 'query')
      .map(({ parameter }) => parameter.name),
  );
  const read: DocumentPath = {
    path: withSlash(toParts(path, KEPT_IN_PATH)),
    query: pairs
      // `q={q}` with a query parameter `q`: that parameter writes the pair.
      .filter((pair) => !pair.some((piece) => 'name' in piece && inQuery.has(piece.name)))
      .map((pair) => toParts(pair, `${KEPT_IN_QUERY},&+`)),
  };
  for (const planned of inPath.values()) {
    if (!used.has(planned))
      throw new DefinitionError(
        `Unknown path parameter "${planned.parameter.name}" of ${plan.key}: the path has no "{${planned.parameter.name}}".`,
      );
  }
  assertNoDots(read.path, plan.key);
  return read;
}

/** The parameter name in `{+name}`, `{name*}` and so on. */
export function plainName(written: string): string {
  return written.replaceAll(/^[+#./;?&]|[*+?]$/g, '');
}

function readPieces({ path, key }: RequestPlan): Piece[] {
  const pieces: Piece[] = [];
  for (const [piece] of path.matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)) {
    if (piece === '{' || piece === '}')
      throw new DefinitionError(`The path of ${key} has an unmatched "${piece}".`);
    pieces.push(piece.startsWith('{') ? { name: piece.slice(1, -1) } : { text: piece });
  }
  return pieces;
}

/** Splits at every separator outside names. */
function splitPieces(pieces: readonly Piece[], separator: string): Piece[][] {
  const groups: Piece[][] = [[]];
  for (const piece of pieces) {
    if ('name' in piece) {
      groups.at(-1)?.push(piece);
      continue;
    }
    for (const [index, text] of piece.text.split(separator).entries()) {
      if (index > 0) groups.push([]);
      if (text !== '') groups.at(-1)?.push({ text });
    }
  }
  return groups;
}

function joinPieces(groups: readonly (readonly Piece[])[], separator: string): Piece[] {
  return groups.flatMap((pieces, index) => (index === 0 ? pieces : [{ text: separator }, ...pieces]));
}

function withSlash(parts: PathPart[]): PathPart[] {
  const [first] = parts;
  if (first === undefined || ('text' in first && first.text.startsWith('/'))) return parts;
  return [{ text: '/' }, ...parts];
}

/** A path with dot segments would resolve to another path. */
function assertNoDots(parts: readonly PathPart[], key: string): void {
  const written = parts.map((part) => ('text' in part ? part.text : 'a')).join('');
  if (written !== '' && new URL(`http://host${written}`).pathname !== written)
    throw new DefinitionError(`The path of ${key} has a segment "." or "..".`);
}
