import {
  readShownPasskey,
  type PasskeySite,
  type ShownPasskey,
} from '../../modules/customers/access/passkeys.ts';
import type { Person } from '../../domain/customers/access/person.ts';
import type { Surface } from '../../domain/customers/access/rights.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';
import { passkeyChallenge } from '../kit/forms/challenge.ts';
import { readFormToken } from '../kit/forms/form-token.ts';

/** The path of the token that a passkey's making is asked with: nothing is sent to it. */
export const CREATION_PATH = '/settings/passkeys/new';

/**
 * The passkey that was made for what the settings page of this session asked; null where the answer is none
 * to it. The token outlives the second step, whose form is another one. Throws PageRefusal for a token that
 * is none of this session's.
 */
export function readCreatedPasskey(
  deps: PasskeySite & { readonly surface: Surface; readonly vault: KeyedHashes },
  person: Person,
  given: { readonly creation: string; readonly passkey: string },
): Promise<ShownPasskey | null> {
  const session = `session:${person.sessionId}`;
  const binding = { surface: deps.surface, session, path: CREATION_PATH };
  readFormToken(deps.vault, binding, given.creation, deps.clock.now());
  const challenge = passkeyChallenge(deps.vault, given.creation, [person.id]);
  return readShownPasskey(deps, { text: given.passkey, challenge });
}
