import { openWebhookClient } from '../../../../modules/webhooks/safe-fetch.ts';
import { createTestTurns } from '../../../../modules/webhooks/test-turns.ts';
import { testEndpoint } from '../../../../modules/webhooks/test-endpoint.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { WebhookTest, WebhookTestResult } from '../../../schemas/webhook-delivery.ts';
import { WebhookEndpointPath } from '../../../schemas/webhook-endpoint.ts';

/** POST /webhook-endpoints/:webhookEndpointId/test */
export function testWebhookEndpoint(app: App, deps: HttpDeps): void {
  const inTurn = createTestTurns();
  app.post(
    '/webhook-endpoints/:webhookEndpointId/test',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'testWebhookEndpoint',
        summary: 'Test a webhook endpoint',
        description:
          'Sends a signed `ping` or a sample event of any type, and returns what the endpoint answered. The sample is the example of its schema, with a new id and the current time. It is sent once and appears in no list. Each API process runs up to four tests at a time for an environment. The Idempotency-Key is ignored.',
        tags: ['Webhooks'],
        params: WebhookEndpointPath,
        body: WebhookTest,
        response: {
          200: WebhookTestResult,
          ...errorResponses([], { body: true }),
        },
      },
    },
    ({ scope, params, body }) => {
      const { webhookAllowLoopbackInTest: allowLoopbackInTest } = deps.settings;
      const order = { id: params.webhookEndpointId, type: body.type ?? 'ping' };
      const testDeps = { ...deps, openClient: openWebhookClient, allowLoopbackInTest };
      return inTurn(scope, () => testEndpoint(testDeps, scope, order));
    },
  );
}
