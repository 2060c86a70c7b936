import type { FastifyReply, FastifyRequest } from 'fastify';
import { createApiKey, type CreatedKey } from '../../../../../modules/customers/create-api-key.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { requirePlace, type Place } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { actOnKeys, keyRandom, problemsOfRefusal } from './key-acts.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { KEY_RULES, readKeyForm, type KeyValues } from './key-rules.ts';
import { NewKeyPage } from './new-key-page.tsx';
import { sendToken } from './token-page.tsx';

/** POST /{env}/keys: 201 with the token, this once. */
export function registerCreateKey(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/:env/keys',
    { config: { right: 'write-keys', form: KEY_RULES } },
    async (request, reply) => {
      const place = requirePlace(request, 'MAKE');
      const { environment, scope, user } = place;
      const form = sentFormOf(request);
      const { values, problems, wanted } = readKeyForm(environment, form.texts);
      if (problems.length > 0) return sendAgain(request, reply, { place, values, problems });
      const act = `Create the ${environment} key ${wanted.name}`;
      if (!(await proveAct(request, reply, act))) return reply;
      let created: CreatedKey;
      try {
        created = await actOnKeys(deps, place, form, (tx) =>
          createApiKey(deps, tx, scope, {
            ...wanted,
            random: keyRandom(),
            by: { kind: 'USER', id: user.id },
          }),
        );
      } catch (error) {
        return sendAgain(request, reply, { place, values, problems: problemsOfRefusal(error) });
      }
      return sendToken(request, reply, { ...place, ...created, apiUrl: deps.apiUrl });
    },
  );
}

/** The form as it was filled in, with what is wrong. */
function sendAgain(
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly place: Place;
    readonly values: KeyValues;
    readonly problems: readonly FieldProblem[];
  },
) {
  const { environment } = given.place;
  const path = `/${environment}/keys`;
  return sendDashboardPage(request, reply.code(422), {
    ...{ title: 'Create a key', environment, current: path },
    body: <NewKeyPage {...given} {...{ path, environment }} token={reply.newForm(path)} />,
  });
}
