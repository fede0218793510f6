/** A small API of pets, as JSON: documents of tests. */
export function petsDocument(more: object = {}): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '2.0.0' },
    tags: [{ name: 'pets', description: 'All about pets' }],
    servers: [{ url: 'https://pets.example/v1' }],
    security: [{ api_key: [] }],
    components: {
      securitySchemes: {
        api_key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        login: { type: 'http', scheme: 'basic' },
      },
    },
    paths: {
      '/pets': {
        get: {
          operationId: 'listPets',
          tags: ['pets'],
          summary: 'List pets',
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer' } },
            { name: 'tenant', in: 'query', schema: { type: 'string' } },
          ],
          responses: { 200: { description: 'Pets' } },
        },
        post: {
          operationId: 'addPet',
          tags: ['pets'],
          summary: 'Add a pet',
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
              },
            },
          },
          responses: { 201: { description: 'Added' } },
        },
      },
      '/pets/{id}': {
        get: {
          operationId: 'getPet',
          tags: ['pets'],
          summary: 'Get a pet',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { description: 'A pet' } },
        },
      },
      '/health': {
        get: { operationId: 'health', tags: ['admin'], responses: { 200: { description: 'Fine' } } },
      },
    },
    ...more,
  });
}

/** The beginning of a configuration that allows local addresses. */
export const LOCAL = `name: demo
outbound: { allowPrivate: ['127.0.0.1'], maxRetries: 0, timeoutMs: 5000 }
`;
