import { createEndUser as create } from '../../../../modules/parties/end-users/create-end-user.ts';
import { endUserOwner } from '../../../../modules/parties/end-users/end-user-personal.ts';
import { viewEndUser } from '../../../../modules/parties/end-users/end-user-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { EndUser, NewEndUser } from '../../../schemas/end-user.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { screenNewParty } from '../../../screen-new-party.ts';

/** POST /end-users */
export function createEndUser(app: App, deps: HttpDeps): void {
  app.post(
    '/end-users',
    {
      config: { permission: 'end-users:write' },
      schema: {
        operationId: 'createEndUser',
        summary: 'Register an end-user',
        tags: ['End-users'],
        headers: OptionalIdempotencyHeaders,
        body: NewEndUser,
        response: {
          201: EndUser,
          ...errorResponses(
            [
              'unsupported_country',
              'country_restricted',
              'external_id_taken',
              ...IDEMPOTENCY_CODES,
            ],
            {
              body: true,
            },
          ),
        },
      },
    },
    async (request, reply) => {
      const screening = screenNewParty(deps, request, 'END_USER');
      try {
        return await answerPost(request, reply, deps, async (tx) => {
          const row = await create(deps, tx, request.scope, request.body);
          await screening.look(tx, row.id);
          return { status: 201, body: viewEndUser(row, deps.vault), subject: endUserOwner(row) };
        });
      } finally {
        screening.start();
      }
    },
  );
}
