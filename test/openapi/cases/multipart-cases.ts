import { GivenFile } from '../support/request-case.ts';
import type { RequestCase } from '../support/request-case.ts';

const STRING = { type: 'string' };
const LIST = { type: 'array', items: STRING };
const FILE = { type: 'string', format: 'binary' };
const MULTIPART = 'multipart/form-data';
const BYTES = 'AAH/gP4NCg==';
const PNG = 'iVBORw0KGgo=';

/** Multipart request bodies. */
export const MULTIPART_CASES: readonly RequestCase[] = [
  {
    name: 'multipart, texts, numbers, lists and objects',
    path: '/multipart/plain',
    content: {
      [MULTIPART]: {
        schema: {
          type: 'object',
          properties: {
            name: STRING,
            count: { type: 'integer' },
            tags: LIST,
            meta: { type: 'object', properties: { a: STRING } },
          },
        },
      },
    },
    given: { body: { name: 'a "b"\r\né😀', count: 7, tags: ['x', 'y'], meta: { a: 'ü' } } },
    target: '/multipart/plain',
    body: {
      parts: [
        { name: 'name', text: 'a "b"\r\né😀' },
        { name: 'count', text: '7' },
        { name: 'tags', text: 'x' },
        { name: 'tags', text: 'y' },
        { name: 'meta', text: '{"a":"ü"}', type: 'application/json' },
      ],
    },
  },
  {
    name: 'multipart, a file as base64',
    path: '/multipart/file',
    content: {
      [MULTIPART]: {
        schema: { type: 'object', required: ['file'], properties: { file: FILE, note: STRING } },
      },
    },
    given: { body: { file: new GivenFile(BYTES, 'file', 'application/octet-stream'), note: 'x' } },
    args: { file: BYTES, note: 'x' },
    target: '/multipart/file',
    body: {
      parts: [
        { name: 'file', file: { name: 'file', base64: BYTES }, type: 'application/octet-stream' },
        { name: 'note', text: 'x' },
      ],
    },
  },
  {
    name: 'multipart, a file with a name and a type',
    path: '/multipart/named-file',
    content: { [MULTIPART]: { schema: { type: 'object', properties: { file: FILE } } } },
    given: { body: { file: new GivenFile(PNG, 'ä "b".png', 'image/png') } },
    args: { file: { data: PNG, name: 'ä "b".png', mimeType: 'image/png' } },
    target: '/multipart/named-file',
    body: {
      parts: [{ name: 'file', file: { name: 'ä %22b%22.png', base64: PNG }, type: 'image/png' }],
    },
  },
  {
    name: 'multipart, a file as a data: URL',
    path: '/multipart/data-url',
    content: { [MULTIPART]: { schema: { type: 'object', properties: { file: FILE } } } },
    given: { body: { file: new GivenFile(PNG, 'file', 'image/png') } },
    args: { file: { uri: `data:image/png;base64,${PNG}` } },
    target: '/multipart/data-url',
    body: { parts: [{ name: 'file', file: { name: 'file', base64: PNG }, type: 'image/png' }] },
  },
  {
    name: 'multipart, several files',
    path: '/multipart/files',
    content: {
      [MULTIPART]: { schema: { type: 'object', properties: { files: { type: 'array', items: FILE } } } },
    },
    given: {
      body: {
        files: [new GivenFile(PNG, 'a.png', 'image/png'), new GivenFile(BYTES, 'b.bin', 'application/x-b')],
      },
    },
    args: {
      files: [
        { data: PNG, name: 'a.png', mimeType: 'image/png' },
        { data: BYTES, name: 'b.bin', mimeType: 'application/x-b' },
      ],
    },
    target: '/multipart/files',
    body: {
      parts: [
        { name: 'files', file: { name: 'a.png', base64: PNG }, type: 'image/png' },
        { name: 'files', file: { name: 'b.bin', base64: BYTES }, type: 'application/x-b' },
      ],
    },
  },
  {
    name: 'multipart, a JSON part beside a file',
    path: '/multipart/json-part',
    content: {
      [MULTIPART]: {
        schema: {
          type: 'object',
          required: ['meta', 'file'],
          properties: { meta: { type: 'object', properties: { tags: LIST } }, file: FILE },
        },
        encoding: {
          meta: { contentType: 'application/vnd.meta+json' },
          file: { contentType: 'image/png, image/jpeg' },
        },
      },
    },
    given: { body: { meta: { tags: ['a'] }, file: new GivenFile(PNG, 'file', 'image/png') } },
    args: { meta: { tags: ['a'] }, file: PNG },
    target: '/multipart/json-part',
    body: {
      parts: [
        { name: 'meta', text: '{"tags":["a"]}', type: 'application/vnd.meta+json' },
        { name: 'file', file: { name: 'file', base64: PNG }, type: 'image/png' },
      ],
    },
  },
  {
    name: 'multipart, a part with a header of its own',
    path: '/multipart/headers',
    content: {
      [MULTIPART]: {
        schema: { type: 'object', properties: { file: FILE } },
        encoding: {
          file: {
            contentType: 'image/png',
            headers: { 'X-Role': { schema: { type: 'string', enum: ['icon'] } } },
          },
        },
      },
    },
    given: { body: { file: new GivenFile(PNG, 'file', 'image/png') } },
    args: { file: PNG },
    target: '/multipart/headers',
    body: {
      parts: [
        {
          name: 'file',
          file: { name: 'file', base64: PNG },
          type: 'image/png',
          headers: { 'x-role': 'icon' },
        },
      ],
    },
  },
  {
    name: 'multipart, a file as OpenAPI 3.1 says it',
    path: '/multipart/file-3-1',
    only: '3.1',
    content: {
      [MULTIPART]: {
        schema: {
          type: 'object',
          properties: { icon: { type: 'string', contentMediaType: 'image/png' }, note: STRING },
        },
      },
    },
    given: { body: { icon: new GivenFile(PNG, 'icon', 'image/png'), note: 'n' } },
    args: { icon: { data: PNG, mimeType: 'image/png' }, note: 'n' },
    target: '/multipart/file-3-1',
    body: {
      parts: [
        { name: 'icon', file: { name: 'icon', base64: PNG }, type: 'image/png' },
        { name: 'note', text: 'n' },
      ],
    },
  },
  {
    name: 'multipart, a file that is said to be binary',
    path: '/multipart/binary',
    only: '3.1',
    content: {
      [MULTIPART]: {
        schema: {
          type: 'object',
          properties: { 'files[0]': { type: 'string', contentEncoding: 'binary' }, note: STRING },
        },
      },
    },
    given: { body: { 'files[0]': new GivenFile(BYTES, 'a.bin', 'application/x-a'), note: 'n' } },
    args: { files_0: { data: BYTES, name: 'a.bin', mimeType: 'application/x-a' }, note: 'n' },
    target: '/multipart/binary',
    body: {
      parts: [
        { name: 'files[0]', file: { name: 'a.bin', base64: BYTES }, type: 'application/x-a' },
        { name: 'note', text: 'n' },
      ],
    },
  },
];
