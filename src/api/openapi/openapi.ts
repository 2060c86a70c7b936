import swagger from '@fastify/swagger';
import type { App } from '../../web/kit/http/app-type.ts';
import { describeAnswerHeaders } from './answer-headers.ts';
import { describeWebhooks, WEBHOOK_HEADERS } from './described-webhooks.ts';
import { tellEventsApart } from './event-by-type.ts';
import { addExamples } from './examples.ts';
import { linkOperations } from './links.ts';
import { markOptionalBodies } from './optional-bodies.ts';
import { shareErrorSchema } from './shared-error-schema.ts';
import { shareTitledSchemas } from './shared-schemas.ts';

const DESCRIPTION = `Payouts to bank accounts, end-users and their KYC, mid-market rates, quotes, signed webhooks.

Amounts and rates are decimal strings. An API key decides customer and environment (test or live).
Every error has the same four fields; GET /api/v1/errors lists the codes.`;

const TAGS = [
  { name: 'FX', description: 'Mid-market rates between currencies.' },
  { name: 'Quotes', description: 'Rates that are locked, with everything that they cost.' },
  { name: 'End-users', description: 'The people and businesses that are paid for.' },
  { name: 'KYC', description: 'Checks of end-users; a payment needs an approved one.' },
  { name: 'Bank accounts', description: 'Where payments go.' },
  { name: 'Wallets', description: 'Where payments in tokens go.' },
  { name: 'Deposits', description: 'Tokens that come in, and where to.' },
  { name: 'Payments', description: 'Payouts, and what became of them.' },
  { name: 'Balances', description: 'What pays for payments.' },
  { name: 'Sandbox', description: 'What only a test key can make happen.' },
  { name: 'Events', description: 'Every change of a resource, as webhooks carry it.' },
  { name: 'Webhooks', description: 'Endpoints that events are sent to.' },
  {
    name: 'Provider callbacks',
    description: 'For banks and KYC providers, signed; not for partners.',
  },
  { name: 'Reference', description: 'This document, the error codes, and how the service does.' },
];

/**
 * Collects the routes into an OpenAPI 3.1 document (\`app.swagger()\` once the app is ready). Must be installed
 * before the routes.
 */
export function installDocuments(app: App, publicUrl: string): void {
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Causeway partner API',
        version: 'v1',
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: TAGS,
      servers: [{ url: publicUrl }],
      security: [{ apiKey: [] }],
      webhooks: describeWebhooks(),
      components: {
        parameters: WEBHOOK_HEADERS,
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, `cw_test_...` or `cw_live_...`.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const body = route.config?.documentedBody;
      return { schema: body === undefined ? schema : { ...schema, body }, url };
    },
    // Routes without a tag are pages and callbacks, not the partner API.
    hideUntagged: true,
    transformObject: (built) => {
      return finish('openapiObject' in built ? built.openapiObject : built.swaggerObject);
    },
  });
}

const finish = <Doc extends object>(document: Doc): Doc => {
  // Headers first: what an answer shows is only told while its schema stands there in full.
  const full = shareErrorSchema(markOptionalBodies(describeAnswerHeaders(document)));
  const shared = tellEventsApart(shareTitledSchemas(full));
  // Examples behind the schemas, or one that holds a schema would be taken for one; links are read off them.
  return linkOperations(addExamples(shared));
};

/** The document as text: members in one order, so that two runs write the same bytes. */
export function renderOpenApi(app: App): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}
