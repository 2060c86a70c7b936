import { Type } from 'typebox';
import { eraseEndUser as erase } from '../../../../modules/parties/end-users/erase-end-user.ts';
import { viewEndUser } from '../../../../modules/parties/end-users/end-user-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { ActionHeaders } from '../../../schemas/common.ts';
import { EndUser } from '../../../schemas/end-user.ts';
import { errorResponses, IDEMPOTENCY_CODES, IF_MATCH_CODES } from '../../../schemas/error.ts';

/** POST /end-users/:endUserId/erase */
export function eraseEndUser(app: App, deps: HttpDeps): void {
  const { vault, clock, settings } = deps;
  app.post(
    '/end-users/:endUserId/erase',
    {
      config: { permission: 'end-users:write' },
      schema: {
        operationId: 'eraseEndUser',
        summary: 'Erase an end-user',
        description:
          'Makes all personal data of a closed end-user permanently unreadable: names, accounts, references, metadata, and stored answers. Ids and amounts stay. The answer is 409 until all payments of the end-user are final and the retention period is over. `details` says what is missing and when erasure becomes possible.',
        tags: ['End-users'],
        headers: ActionHeaders,
        params: Type.Object({ endUserId: Type.String({ description: 'The id of the end-user.' }) }),
        response: {
          200: EndUser,
          ...errorResponses(
            ['operators_only', 'end_user_not_erasable', ...IDEMPOTENCY_CODES, ...IF_MATCH_CODES],
            { body: true },
          ),
        },
      },
    },
    (request, reply) => {
      const requireVersion = requireVersionOf(request);
      return answerPost(request, reply, deps, async (tx) => {
        const { scope, actor, params } = request;
        const retentionMs = settings.endUserRetentionMs[scope.environment];
        const order = { endUserId: params.endUserId, actor, requireVersion };
        const row = await erase({ vault, clock, retentionMs }, tx, scope, order);
        return { status: 200, body: viewEndUser(row, vault), subject: null };
      });
    },
  );
}
