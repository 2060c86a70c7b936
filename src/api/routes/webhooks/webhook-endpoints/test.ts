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
        summary: 'Send a webhook now, and see the answer',
        description:
          'A signed `ping`, or a made-up event of any type: the example of its schema, under a new id and of this moment. It is sent once, whatever comes of it, and is in no list. Four at a time for an environment, in each API process; an Idempotency-Key is not looked at.',
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
