import swagger from '@fastify/swagger';
import type { App } from '../../web/kit/http/app-type.ts';
import { describeAnswerHeaders } from './answer-headers.ts';
import { describeWebhooks, WEBHOOK_HEADERS } from './described-webhooks.ts';
import { tellEventsApart } from './event-by-type.ts';
import { addExamples } from './examples.ts';
import { linkOperations } from './links.ts';
import { openAnswers } from './open-answers.ts';
import { markOptionalBodies } from './optional-bodies.ts';
import { shareErrorSchema } from './shared-error-schema.ts';
import { shareParts } from './shared-parts.ts';
import { shareTitledSchemas } from './shared-schemas.ts';

const DESCRIPTION = `Pay out to bank accounts and wallets, manage end-users and their KYC checks, get rates and quotes, and receive signed webhooks.

Amounts and rates are decimal strings. The API key determines the customer and the environment (test or live).
Every error has the same four fields. \`GET /api/v1/errors\` lists the error codes.`;

const TAGS = [
  { name: 'FX', description: 'Mid-market rates between currencies.' },
  { name: 'Quotes', description: 'Locked rates, with all fees.' },
  {
    name: 'End-users',
    description: 'The people and businesses on whose behalf you make payments.',
  },
  { name: 'KYC', description: 'KYC checks of end-users. A payment needs an approved check.' },
  { name: 'Bank accounts', description: 'The bank accounts that you pay to.' },
  { name: 'Wallets', description: 'The wallets that you send tokens to.' },
  { name: 'Deposits', description: 'Incoming tokens, and the addresses that receive them.' },
  { name: 'Payments', description: 'Payouts and their status.' },
  { name: 'Balances', description: 'Your balances, their transactions, and their statements.' },
  {
    name: 'Sandbox',
    description:
      'Operations that simulate banks, networks, and KYC providers. They need a test key.',
  },
  { name: 'Events', description: 'The changes of your resources. Webhooks carry the same events.' },
  { name: 'Webhooks', description: 'The endpoints that receive your events.' },
  {
    name: 'Provider callbacks',
    description:
      'Signed callbacks of banks and KYC providers. Partners do not use these operations.',
  },
  { name: 'Reference', description: 'This document, error codes, and the health of the service.' },
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
            description:
              'An API key: `cw_test_...` for the test environment or `cw_live_...` for the live environment.',
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
  const shared = openAnswers(tellEventsApart(shareTitledSchemas(full)));
  // Examples behind the schemas, or one that holds a schema would be taken for one; links are read off them.
  return linkOperations(addExamples(shared));
};

const published = new WeakMap<object, object>();

/** The document as it is published: what its operations have in common stands once, under `components`. */
export function openApiOf(app: App): Record<string, unknown> {
  const whole = app.swagger();
  const known = published.get(whole) ?? shareParts(whole);
  published.set(whole, known);
  return known as Record<string, unknown>;
}

/** The same as text: members in one order, so that two runs write the same bytes. */
export function renderOpenApi(app: App): string {
  return `${JSON.stringify(openApiOf(app), null, 2)}\n`;
}
