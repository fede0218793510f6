import { loadDocument } from '../../../../src/openapi/document/load-document.ts';
import { References } from '../../../../src/openapi/document/references.ts';
import type { Operation } from '../../../../src/openapi/model/operation.ts';
import { readOperations } from '../../../../src/openapi/operations/read-operations.ts';
import type { ReadOperation, ReadOperations } from '../../../../src/openapi/operations/read-operations.ts';
import { aDocument } from '../import/support.ts';
import type { Json } from '../import/support.ts';

/** All operations of a document. */
export async function readAll(given: Json): Promise<ReadOperations> {
  const document = await loadDocument(aDocument(given));
  return readOperations(document, new References(document));
}

/** The result of the first entry of a document. */
export async function readFirst(given: Json): Promise<ReadOperation> {
  const [first] = (await readAll(given)).operations;
  if (first === undefined) throw new Error('there is no operation');
  return first;
}

/** The first operation of a document. */
export async function operationOf(given: Json): Promise<Operation> {
  const read = await readFirst(given);
  if ('refused' in read) throw new Error(read.refused);
  return read.operation;
}

/** An operation at `GET /pets`, of OpenAPI 3.0 by default. */
export function operationWith(operation: Json, given: Json = {}, path = '/pets'): Promise<Operation> {
  return operationOf({ paths: { [path]: { get: operation } }, ...given });
}

/** The notes of the first operation. */
export async function notesOf(given: Json): Promise<readonly string[]> {
  const read = await readFirst(given);
  return 'refused' in read ? [`refused: ${read.refused}`] : read.notes;
}
