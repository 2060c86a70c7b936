import { ONE_STATEMENT } from '../../../db/client/database.ts';
import { lockActivePerson } from '../../../db/customers/own-settings-store.ts';
import { findPasskeyOwner, listPasskeys } from '../../../db/customers/passkey-store.ts';
import { readPersonAddress } from '../../../db/customers/person-store.ts';
import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';
import type { Surface } from '../../../domain/customers/access/rights.ts';
import type { LoginDeps, UseForm } from './ask-for-code.ts';
import { auditRefusedLogin } from './audit-refused-login.ts';
import { openLogin, type OpenedLogin } from './open-login.ts';
import { credentialOf, isPasskeyAnswer, type PasskeyAnswer } from './passkeys.ts';

/**
 * Opens a session for the person whose passkey answered: no code is asked for, because the authenticator has verified
 * its person (WebAuthn level 2, section 6.1: the flag UV). It takes nothing from the budgets of codes, so nobody can
 * use it up for somebody else. REFUSED: the passkey is not known here, was removed, was shown too often, or did not sign this challenge.
 */
export async function logInByPasskey(
  deps: LoginDeps,
  given: {
    readonly surface: Surface;
    readonly passkey: PasskeyAnswer;
    readonly device: string | null;
    /** A /24, or a /64 of IPv6. */
    readonly network: string;
    readonly browserName: string;
    /** Whether there is room for one more answer of this passkey, which somebody has. */
    readonly mayJudge: () => Promise<boolean>;
  },
  useForm: UseForm,
): Promise<OpenedLogin | { readonly kind: 'REFUSED' }> {
  const credentialId = credentialOf(given.passkey.text);
  if (credentialId === null) return { kind: 'REFUSED' };
  // One statement, which writes nothing: a flood of made-up passkeys costs no more.
  const isKnown = await deps.db.system(
    async (tx) => (await findPasskeyOwner(tx, given.surface, credentialId)) !== null,
    ONE_STATEMENT,
  );
  if (!isKnown || !(await given.mayJudge())) return { kind: 'REFUSED' };
  const mails: string[] = [];
  const outcome = await deps.db.system(async (tx) => {
    mails.length = 0;
    await useForm(tx);
    const owner = await findPasskeyOwner(tx, given.surface, credentialId);
    if (owner === null || !(await lockActivePerson(tx, owner.id))) return null;
    const sealed = await readPersonAddress(tx, owner.id);
    if (sealed === null) return null;
    const address = deps.vault.open(sealed, personAddressRow(owner.id)).toString();
    const passkeys = await listPasskeys(tx, owner.id);
    if (!(await isPasskeyAnswer(deps, tx, passkeys, given.passkey))) {
      await auditRefusedLogin(deps, tx, { ...given, address }, { by: 'PASSKEY' });
      return null;
    }
    const how = { byPasskey: true };
    const opened = await openLogin(deps, tx, { ...given, address, how }, owner, mails);
    return opened.kind === 'IN' ? opened : null;
  });
  for (const id of mails) deps.dispatchMail(id);
  return outcome ?? { kind: 'REFUSED' };
}
