import type { OpenApi } from '../../../src/web/docs/reference/open-api.ts';

/** A text that would run where it came onto a page as it is. */
export const PLANTED = '<img src=x onerror=alert(1)>';

/** A small document with everything that a page shows, and `PLANTED` in every text of it. */
export const DOCUMENT: OpenApi = {
  info: { title: PLANTED },
  tags: [{ name: 'Things', description: `Things. ${PLANTED}` }],
  paths: {
    '/api/v1/things/{thingId}': {
      patch: {
        operationId: 'updateThing',
        summary: `Change a thing ${PLANTED}`,
        description: `It is changed. ${PLANTED} See \`POST /things/{id}\`.`,
        tags: ['Things'],
        security: [{ apiKey: ['things:write'] }],
        'x-required-scope': 'things:write',
        parameters: [
          {
            name: 'thingId',
            in: 'path',
            required: true,
            description: PLANTED,
            schema: { type: 'string', examples: ["it's one"] },
          },
          { name: 'idempotency-key', in: 'header', required: true, example: 'key-1' },
          { name: 'kind', in: 'query', schema: { type: 'string', enum: ['A', PLANTED] } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses: {
          200: {
            description: `A thing. ${PLANTED}`,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          404: {
            content: {
              'application/json': { schema: { properties: { error: { enum: ['not_found'] } } } },
            },
          },
        },
      },
    },
  },
  webhooks: {
    'thing.changed': {
      post: {
        summary: PLANTED,
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { id: { type: 'string' } } },
              examples: { full: { summary: PLANTED, value: { id: PLANTED } } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        title: 'Thing',
        required: ['name', 'isOpen', 'parts'],
        properties: {
          name: { type: 'string', maxLength: 10, description: PLANTED, examples: [PLANTED] },
          isOpen: { type: 'boolean' },
          note: { anyOf: [{ type: 'string', examples: ['a note'] }, { type: 'null' }] },
          state: { type: 'string', enum: ['OPEN', 'SHUT'] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
        },
      },
    },
  },
};
