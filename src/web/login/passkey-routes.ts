import { Type } from 'typebox';
import { addOwnPasskey, removeOwnPasskey } from '../../modules/customers/access/own-passkeys.ts';
import { ANSWER_LENGTH_MAX } from '../../modules/customers/access/passkey-answer.ts';
import { listPasskeys } from '../../db/customers/passkey-store.ts';
import { browserName } from '../../domain/customers/access/browser-name.ts';
import { readForm } from '../kit/forms/read-form.ts';
import { noSuchPage, PageRefusal } from '../kit/page-refusal.ts';
import { NO_PASSKEY } from '../kit/parts/passkey-button.tsx';
import { proveAct } from '../kit/step-up.tsx';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { ADD_PASSKEY, CREATION_FIELD } from './passkey-card.tsx';
import { readCreatedPasskey } from './passkey-creation.ts';
import { sendSettings } from './send-settings.tsx';
import { sentFormOf } from '../kit/sent-form-of.ts';
import { personOf } from '../kit/person.ts';

const FIELDS = {
  [CREATION_FIELD]: { what: 'the page’s own token', lengthMax: 200 },
  passkey: { what: 'a passkey', lengthMax: ANSWER_LENGTH_MAX },
} as const;

const refused = (message: string) => ({
  action: ADD_PASSKEY,
  values: {},
  problems: [{ field: 'passkey', message }],
});

/** POST /settings/passkeys, /settings/passkeys/{id}/remove. */
export function registerPasskeys(app: WebApp, deps: AccessPageDeps): void {
  app.post(
    ADD_PASSKEY,
    { config: { right: 'write-own-passkeys', form: FIELDS } },
    async (request, reply) => {
      const person = personOf(request);
      const { values, problems } = readForm(FIELDS, sentFormOf(request).texts);
      const shown =
        problems.length > 0
          ? null
          : await readCreatedPasskey(deps, person, {
              creation: values[CREATION_FIELD],
              passkey: values.passkey,
            });
      if (shown === null) {
        return sendSettings(deps, request, reply, refused(NO_PASSKEY));
      }
      if (!(await proveAct(request, reply, 'Add a passkey to your account'))) return reply;
      const browser = browserName(request.headers['user-agent']);
      const { use } = sentFormOf(request);
      if (!(await addOwnPasskey(deps, person, { ...shown, browser }, use))) {
        const message = 'You already added this passkey, or you have ten. Remove one first.';
        return sendSettings(deps, request, reply, refused(message));
      }
      return reply.redirect('/settings', 303);
    },
  );

  app.post(
    '/settings/passkeys/:id/remove',
    {
      config: { right: 'write-own-passkeys', form: {} },
      schema: { params: Type.Object({ id: Type.String() }) },
    },
    async (request, reply) => {
      const { id } = request.params;
      const own = await deps.db.system((tx) => listPasskeys(tx, personOf(request).id));
      // No proof is mailed for what is not there.
      if (!own.some((passkey) => passkey.id === id)) throw noSuchPage();
      if (!(await proveAct(request, reply, 'Remove a passkey of your account'))) return reply;
      const removal = await removeOwnPasskey(deps, personOf(request), id, sentFormOf(request).use);
      if (removal === 'NO_SUCH') throw noSuchPage();
      if (removal === 'LAST_ONE_STAYS') throw lastPasskeyStays();
      return reply.redirect('/settings', 303);
    },
  );
}

const lastPasskeyStays = () =>
  new PageRefusal(
    409,
    'This is your last passkey',
    'Nothing was changed. Your account needs a passkey. Add another one first.',
  );
