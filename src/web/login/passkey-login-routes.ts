import { browserName } from '../../domain/customers/access/browser-name.ts';
import { readDevice } from '../../modules/customers/access/devices.ts';
import { logInByPasskey } from '../../modules/customers/access/log-in-by-passkey.ts';
import { credentialOf } from '../../modules/customers/access/passkeys.ts';
import { ANSWER_LENGTH_MAX } from '../../modules/customers/access/passkey-answer.ts';
import { deviceCookie } from '../kit/device-cookie.ts';
import { readForm } from '../kit/forms/read-form.ts';
import { memoryLimit } from '../kit/plugins/memory-limit.ts';
import { NO_PASSKEY } from '../kit/parts/passkey-button.tsx';
import { sentFormOf } from '../kit/sent-form-of.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { letIn } from './login-code-routes.tsx';
import { nextOf } from './login-state.ts';
import { NEXT, PASSKEY_LOGIN, showLogin } from './show-login.ts';

const FIELDS = {
  passkey: { what: 'a passkey', lengthMax: ANSWER_LENGTH_MAX, isOptional: true },
  next: NEXT,
} as const;

/**
 * Answers of one passkey in a minute, of all networks: to judge one takes several statements, and its owner can send as many
 * as they like. Nobody else knows which passkeys there are.
 */
const OF_A_PASSKEY = { max: 10, windowMs: 60_000 };

const REFUSED =
  'This passkey is not known here, or it took too long. Log in with a code instead, or try again.';

/** POST /login/passkey: from a passkey to a session, without a code. */
export function registerPasskeyLogin(app: WebApp, deps: AccessPageDeps): void {
  if (deps.provider?.isOnly === true) return;
  const ofPasskey = memoryLimit(app, OF_A_PASSKEY, (request) => {
    const { passkey } = readForm(FIELDS, sentFormOf(request).texts).values;
    return credentialOf(passkey)?.toString('base64url') ?? '';
  });
  app.post(
    '/login/passkey',
    { config: { right: 'public', form: FIELDS, share: 'PASSKEYS' } },
    async (request, reply) => {
      const form = sentFormOf(request);
      const { values } = readForm(FIELDS, form.texts);
      const next = nextOf(values.next);
      const challenge = form.challenge(PASSKEY_LOGIN);
      const refuse = (message: string) =>
        showLogin(deps, reply, { address: '', next }, [{ field: 'passkey', message }]);
      if (values.passkey === '') return refuse(NO_PASSKEY);
      if (challenge === null) return refuse(REFUSED);
      const outcome = await logInByPasskey(
        deps,
        {
          ...{ surface: deps.surface, passkey: { text: values.passkey, challenge } },
          ...{ device: readDevice(deviceCookie(request)), network: request.network },
          browserName: browserName(request.headers['user-agent']),
          mayJudge: async () => (await ofPasskey(request)) === null,
        },
        form.use,
      );
      return outcome.kind === 'IN' ? letIn(deps, reply, next, outcome) : refuse(REFUSED);
    },
  );
}
