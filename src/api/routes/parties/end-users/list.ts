import { Type } from 'typebox';
import { listEndUsers as list } from '../../../../db/parties/end-user-list-store.ts';
import { viewEndUser } from '../../../../modules/parties/end-users/end-user-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import {
  EndUser,
  EndUserStatus,
  EndUserType,
  ExternalId,
  KycStatus,
  Relationship,
} from '../../../schemas/end-user.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery, Moment } from '../../../schemas/list.ts';
import { readMoments } from '../../read-moments.ts';

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
          type: Type.Optional(EndUserType),
          relationship: Type.Optional(Relationship),
          externalId: Type.Optional(ExternalId),
          status: Type.Optional(EndUserStatus),
          kycStatus: Type.Optional(KycStatus),
          createdAfter: Moment('Returns only end-users created after this time.'),
          createdBefore: Moment('Returns only end-users created before this time.'),
        }),
        response: {
          200: listOf(EndUser, 'End-users, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const filter = { ...query, ...readMoments(query) };
      const page = await deps.db.list(scope, (tx) =>
        list(tx, scope, filter, pageRequest(query, LIST)),
      );
      return listAnswer(page, LIST, (row) => viewEndUser(row, deps.vault));
    },
  );
}
