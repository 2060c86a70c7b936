import type { FastifyReply } from 'fastify';
import { passkeyRequest } from '../../modules/customers/access/passkeys.ts';
import type { FieldProblem } from '../kit/forms/form-rules.ts';
import { sendPage } from '../kit/send-page.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { addressPage, providerPage } from './login-pages.tsx';

const NEXT_LENGTH_MAX = 2_000;
/** Where the login leads, as forms carry it. */
export const NEXT = { what: 'a page', lengthMax: NEXT_LENGTH_MAX, isOptional: true } as const;

/** What the passkey of the first page signs its challenge for. */
export const PASSKEY_LOGIN = 'passkey-login';

/** The first page: a passkey, the provider if there is one, or a code by mail. */
export async function showLogin(
  deps: AccessPageDeps,
  reply: FastifyReply,
  given: { readonly address: string; readonly next: string },
  problems: readonly FieldProblem[] = [],
) {
  const { surface, provider } = deps;
  const title = 'Log in';
  if (provider?.isOnly === true) {
    return sendPage(reply, { title, body: providerPage(surface, provider.name, given.next) });
  }
  const passkeyToken = reply.newForm('/login/passkey');
  const challenge = reply.newChallenge(passkeyToken, PASSKEY_LOGIN);
  const body = addressPage({
    ...{ ...given, surface, problems, token: reply.newForm('/login') },
    passkey: { token: passkeyToken, options: await passkeyRequest(deps, [], challenge) },
    providerName: provider?.name ?? null,
  });
  return sendPage(reply.code(problems.length > 0 ? 422 : 200), { title, body });
}
