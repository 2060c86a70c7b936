import { Type } from 'typebox';
import { updateEndUser as update } from '../../../../modules/parties/end-users/update-end-user.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { requireVersionOf } from '../../../if-match.ts';
import { MERGE_PATCH_TYPE } from '../../../plugins/json-body.ts';
import { IfMatchHeaders } from '../../../schemas/common.ts';
import { EndUser, EndUserPatch } from '../../../schemas/end-user.ts';
import { errorResponses, IF_MATCH_CODES } from '../../../schemas/error.ts';
import { screenNewParty } from '../../../screen-new-party.ts';

/** PATCH /end-users/:endUserId */
export function updateEndUser(app: App, deps: HttpDeps): void {
  app.patch(
    '/end-users/:endUserId',
    {
      config: { permission: 'end-users:write' },
      schema: {
        operationId: 'updateEndUser',
        summary: 'Change an end-user',
        description:
          'Takes a JSON Merge Patch. A change to the name, date of birth, nationality, tax ids, address, or business data withdraws an approved KYC check. Start a new check afterwards.',
        tags: ['End-users'],
        headers: IfMatchHeaders,
        params: Type.Object({ endUserId: Type.String({ description: 'The id of the end-user.' }) }),
        consumes: [MERGE_PATCH_TYPE, 'application/json'],
        body: EndUserPatch,
        response: {
          200: EndUser,
          ...errorResponses(
            [
              ...(['unsupported_country', 'country_restricted', 'external_id_taken'] as const),
              'operators_only',
              'end_user_not_active',
              ...IF_MATCH_CODES,
            ],
            { body: true },
          ),
        },
      },
    },
    async (request) => {
      const { scope, params, body } = request;
      const requireVersion = requireVersionOf(request);
      const order = { endUserId: params.endUserId, patch: body, requireVersion };
      const screening = screenNewParty(deps, request, 'END_USER');
      try {
        return await deps.db.write(scope, async (tx) => {
          const { view, isResealed } = await update(deps, tx, scope, order);
          if (isResealed) await screening.look(tx, view.id);
          return view;
        });
      } finally {
        screening.start();
      }
    },
  );
}
