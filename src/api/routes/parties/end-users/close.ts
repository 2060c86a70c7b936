import { Type } from 'typebox';
import { closeEndUser as close } from '../../../../modules/parties/end-users/close-end-user.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { IfMatchHeaders } from '../../../schemas/common.ts';
import { errorResponses, IF_MATCH_CODES } from '../../../schemas/error.ts';

/** DELETE /end-users/:endUserId */
export function closeEndUser(app: App, deps: HttpDeps): void {
  app.delete(
    '/end-users/:endUserId',
    {
      config: { permission: 'end-users:write' },
      schema: {
        operationId: 'closeEndUser',
        summary: 'Close an end-user',
        description:
          'Closes the end-user permanently. You can still read the end-user, with status CLOSED, but can make no payments for them. Repeating the request returns the same answer.',
        tags: ['End-users'],
        headers: IfMatchHeaders,
        params: Type.Object({ endUserId: Type.String({ description: 'The id of the end-user.' }) }),
        response: {
          204: Type.Null({ description: 'The end-user is CLOSED.' }),
          ...errorResponses(['operators_only', 'end_user_has_open_payments', ...IF_MATCH_CODES], {
            body: true,
          }),
        },
      },
    },
    async (request, reply) => {
      const { scope, params } = request;
      const requireVersion = requireVersionOf(request);
      const order = { endUserId: params.endUserId, requireVersion };
      await deps.db.write(scope, (tx) => close(deps, tx, scope, order));
      return reply.code(204).send(null);
    },
  );
}
