import type { FastifyReply, FastifyRequest } from 'fastify';
import { passkeyCreation } from '../../modules/customers/access/passkeys.ts';
import { passkeyChallenge } from '../kit/forms/challenge.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { readOwnSettings } from './own-settings.ts';
import { CREATION_PATH } from './passkey-creation.ts';
import { personOf } from '../kit/person.ts';
import { SettingsPage } from './settings-page.tsx';
import type { RefusedForm } from './settings-props.ts';

/** Answers with the settings of who asks; 422 where a form of theirs was refused. */
export async function sendSettings(
  deps: AccessPageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: RefusedForm | null = null,
) {
  const person = personOf(request);
  const settings = await readOwnSettings(deps, person);
  const token = reply.newForm(CREATION_PATH);
  const challenge = passkeyChallenge(deps.vault, token, [person.id]);
  const options = await passkeyCreation(deps, person, settings.passkeys, challenge);
  const creation = { options, token };
  void reply.code(refused === null ? 200 : 422);
  return deps.sendOwnPage(request, reply, {
    title: 'Settings',
    body: <SettingsPage {...{ person, settings, reply, creation, refused }} />,
  });
}
