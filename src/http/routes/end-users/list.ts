import { Type } from 'typebox';
import { listEndUsers as list } from '../../../db/end-user-store.ts';
import { viewEndUser } from '../../../end-users/end-user-view.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { listAnswer, pageRequest } from '../../lists.ts';
import { EndUser, EndUserStatus, ExternalId, KycStatus } from '../../schemas/end-user.ts';
import { errorResponses } from '../../schemas/error.ts';
import { listOf, listQuery } from '../../schemas/list.ts';

const LIST = 'end-users';

/** GET /end-users */
export function listEndUsers(app: App, deps: HttpDeps): void {
  app.get(
    '/end-users',
    {
      config: { permission: 'end-users:read' },
      schema: {
        operationId: 'listEndUsers',
        summary: 'List end-users',
        tags: ['End-users'],
        querystring: listQuery({
          externalId: Type.Optional(ExternalId),
          status: Type.Optional(EndUserStatus),
          kycStatus: Type.Optional(KycStatus),
        }),
        response: {
          200: listOf(EndUser, 'End-users, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const page = await deps.db.list(scope, (tx) =>
        list(tx, scope, query, pageRequest(query, LIST)),
      );
      return listAnswer(page, LIST, (row) => viewEndUser(row, deps.vault));
    },
  );
}
