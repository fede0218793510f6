/**
 * Generates a document with a given number of operations. Like typical documents, each resource has a list, a form, an item, a few actions
 * and nested resources, and all share component schemas. The same number always generates the same document.
 */
import { componentsOf, NOUNS } from './generate-schemas.mjs';

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema) => ({ 'application/json': { schema } });
const answer = (status, description, schema) => ({
  [status]: { description, ...(schema === undefined ? {} : { content: json(schema) }) },
  400: { $ref: '#/components/responses/BadRequest' },
  404: { $ref: '#/components/responses/NotFound' },
});
const shared = (name) => ({ $ref: `#/components/parameters/${name}` });

/** @param {number} count number of operations */
export function generateDocument(count) {
  const resources = [];
  const paths = {};
  let made = 0;
  for (let index = 0; made < count; index += 1) {
    const noun = nameOf(index);
    resources.push(noun);
    for (const [path, item] of Object.entries(pathsOf(noun))) {
      const methods = Object.entries(item).filter(([key]) => key !== 'parameters');
      const wanted = methods.slice(0, count - made);
      made += wanted.length;
      const shown = item.parameters === undefined ? [] : [['parameters', item.parameters]];
      if (wanted.length > 0) paths[path] = Object.fromEntries([...shown, ...wanted]);
    }
  }
  return {
    openapi: '3.0.3',
    info: { title: `An API of ${count} operations`, version: '1.0.0' },
    servers: [{ url: 'https://api.example.com/v1' }],
    security: [{ bearer: [] }],
    tags: resources.map((noun) => ({ name: noun, description: `Everything about ${noun}s.` })),
    paths,
    components: componentsOf(resources),
  };
}

function nameOf(index) {
  const round = Math.floor(index / NOUNS.length);
  return `${NOUNS[index % NOUNS.length]}${round === 0 ? '' : round + 1}`;
}

function pathsOf(noun) {
  const path = `/${noun.toLowerCase()}s`;
  const key = `${noun.toLowerCase()}_id`;
  const parameters = [
    {
      name: key,
      in: 'path',
      required: true,
      description: `Which ${noun}.`,
      schema: { type: 'string', format: 'uuid' },
    },
  ];
  const item = `${path}/{${key}}`;
  return {
    [path]: { get: list(noun), post: create(noun) },
    [item]: { parameters, get: read(noun), put: replace(noun), patch: update(noun), delete: remove(noun) },
    [`${item}/comments`]: { parameters, get: listComments(noun), post: comment(noun) },
    [`${item}/attachments`]: { parameters, post: upload(noun) },
    [`${item}/archive`]: { parameters, post: archive(noun) },
    [`${path}/search`]: { post: search(noun) },
    [`${path}/export`]: { get: exportAll(noun) },
  };
}

function operation(noun, verb, rest) {
  const text = `${verb} ${/^[AEIOU]/.test(noun) ? 'an' : 'a'} ${noun}`;
  return {
    operationId: `${noun.toLowerCase()}s/${verb.toLowerCase().replaceAll(' ', '-')}`,
    tags: [noun],
    summary: text,
    description: `${text}. The caller needs the scope \`${noun.toLowerCase()}:${verb.toLowerCase()}\`. Changes are visible to all members of the organisation within a few seconds, and can be found in its audit log.`,
    ...rest,
  };
}

function list(noun) {
  const own = [
    {
      name: 'state',
      in: 'query',
      description: 'Only those that are in one of these states.',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: ['open', 'waiting', 'closed', 'archived'] } },
    },
    {
      name: 'created_after',
      in: 'query',
      description: 'Only those that were created after this time.',
      schema: { type: 'string', format: 'date-time' },
    },
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      schema: { type: 'object', properties: { owner: { type: 'string' }, tag: { type: 'string' } } },
    },
  ];
  const parameters = [...['page', 'per_page', 'sort', 'direction', 'trace'].map(shared), ...own];
  const schema = { type: 'array', items: ref(noun) };
  return operation(noun, 'List', { parameters, responses: answer(200, 'A page of them.', schema) });
}

const bodyOf = (schema) => ({ required: true, content: json(schema) });

function create(noun) {
  return operation(noun, 'Create', {
    parameters: [shared('idempotency')],
    requestBody: bodyOf(ref(`${noun}Input`)),
    responses: answer(201, 'It was created.', ref(noun)),
  });
}

function read(noun) {
  const parameters = [shared('expand'), shared('trace')];
  return operation(noun, 'Get', { parameters, responses: answer(200, 'Here it is.', ref(noun)) });
}

function replace(noun) {
  const requestBody = bodyOf(ref(`${noun}Input`));
  return operation(noun, 'Replace', { requestBody, responses: answer(200, 'It was replaced.', ref(noun)) });
}

function update(noun) {
  const requestBody = bodyOf({ allOf: [ref(`${noun}Patch`), ref('Versioned')] });
  return operation(noun, 'Update', { requestBody, responses: answer(200, 'It was changed.', ref(noun)) });
}

function remove(noun) {
  return operation(noun, 'Delete', { responses: answer(204, 'It is gone.') });
}

function listComments(noun) {
  const parameters = [shared('page'), shared('per_page')];
  const schema = { type: 'array', items: ref('Comment') };
  return operation(noun, 'List comments of', { parameters, responses: answer(200, 'Its comments.', schema) });
}

function comment(noun) {
  const requestBody = bodyOf(ref('CommentInput'));
  return operation(noun, 'Comment on', {
    requestBody,
    responses: answer(201, 'It was said.', ref('Comment')),
  });
}

function upload(noun) {
  const schema = {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', format: 'binary', description: 'The file itself.' },
      caption: { type: 'string', maxLength: 200, description: 'What is shown below it.' },
    },
  };
  const requestBody = { required: true, content: { 'multipart/form-data': { schema } } };
  return operation(noun, 'Attach a file to', {
    requestBody,
    responses: answer(201, 'It is attached.', ref('Attachment')),
  });
}

function archive(noun) {
  const properties = { reason: { type: 'string', description: 'Why it is put away.' } };
  const requestBody = { content: json({ type: 'object', properties }) };
  return operation(noun, 'Archive', { requestBody, responses: answer(202, 'It will be put away.') });
}

function search(noun) {
  const requestBody = bodyOf(ref('SearchRequest'));
  const schema = { type: 'array', items: ref(noun) };
  return operation(noun, 'Search for', { requestBody, responses: answer(200, 'What was found.', schema) });
}

function exportAll(noun) {
  const format = {
    name: 'format',
    in: 'query',
    schema: { type: 'string', enum: ['csv', 'json'], default: 'csv' },
  };
  const responses = {
    200: { description: 'A file.', content: { 'text/csv': { schema: { type: 'string' } } } },
  };
  return operation(noun, 'Export every', { parameters: [format, shared('trace')], responses });
}
