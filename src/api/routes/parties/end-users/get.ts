import { Type } from 'typebox';
import { findEndUser } from '../../../../db/parties/end-user-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { viewEndUser } from '../../../../modules/parties/end-users/end-user-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { EndUser } from '../../../schemas/end-user.ts';
import { errorResponses } from '../../../schemas/error.ts';

/** GET /end-users/:endUserId */
export function getEndUser(app: App, deps: HttpDeps): void {
  app.get(
    '/end-users/:endUserId',
    {
      config: { permission: 'end-users:read' },
      schema: {
        operationId: 'getEndUser',
        summary: 'Read an end-user',
        tags: ['End-users'],
        params: Type.Object({ endUserId: Type.String({ description: 'The id of the end-user.' }) }),
        response: { 200: EndUser, ...errorResponses([]) },
      },
    },
    async (request) => {
      const { scope, params } = request;
      const row = await deps.db.read(scope, (tx) => findEndUser(tx, scope, params.endUserId));
      return viewEndUser(requireFound(row), deps.vault);
    },
  );
}
