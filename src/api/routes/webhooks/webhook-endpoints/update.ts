import { aloneInTheEnd } from '../../../../db/client/alone-in-the-end.ts';
import type { ScopedTransaction } from '../../../../db/client/database.ts';
import { findUrlProblem } from '../../../../modules/webhooks/find-url-problem.ts';
import {
  mustBeAlone,
  updateWebhookEndpoint as update,
} from '../../../../modules/webhooks/update-webhook-endpoint.ts';
import { urlPolicyFor } from '../../../../modules/webhooks/url-rules.ts';
import { renderWebhookEndpoint } from '../../../../modules/webhooks/webhook-endpoint-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { MERGE_PATCH_TYPE } from '../../../plugins/json-body.ts';
import { IfMatchHeaders } from '../../../schemas/common.ts';
import { errorResponses, IF_MATCH_CODES } from '../../../schemas/error.ts';
import {
  WebhookEndpoint,
  WebhookEndpointPatch,
  WebhookEndpointPath,
} from '../../../schemas/webhook-endpoint.ts';

/** PATCH /webhook-endpoints/:webhookEndpointId */
export function updateWebhookEndpoint(app: App, deps: HttpDeps): void {
  app.patch(
    '/webhook-endpoints/:webhookEndpointId',
    {
      config: { permission: 'webhook-endpoints:write' },
      schema: {
        operationId: 'updateWebhookEndpoint',
        summary: 'Change a webhook endpoint',
        description:
          'Takes a JSON Merge Patch. An endpoint that is ENABLED again receives the events that it missed. After a change of `url`, waiting events go to the new URL.',
        tags: ['Webhooks'],
        headers: IfMatchHeaders,
        params: WebhookEndpointPath,
        consumes: [MERGE_PATCH_TYPE, 'application/json'],
        body: WebhookEndpointPatch,
        response: { 200: WebhookEndpoint, ...errorResponses(IF_MATCH_CODES, { body: true }) },
      },
    },
    async (request) => {
      const { scope, params, body: patch } = request;
      const requireVersion = requireVersionOf(request);
      if (patch.url !== undefined) {
        const policy = urlPolicyFor(scope.environment, deps.settings.webhookAllowLoopbackInTest);
        const problem = await findUrlProblem(patch.url, policy);
        if (problem !== null) throw problem;
      }
      const order = { id: params.webhookEndpointId, patch, requireVersion };
      const work = (tx: ScopedTransaction) => update(deps, tx, scope, order);
      const row = mustBeAlone(patch)
        ? await aloneInTheEnd(deps.db, scope, work)
        : await deps.db.write(scope, work);
      return renderWebhookEndpoint(row, deps.clock.now());
    },
  );
}
