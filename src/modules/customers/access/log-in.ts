import type { SystemTransaction } from '../../../db/client/database.ts';
import { findLoginPeople, type LoginPerson } from '../../../db/customers/login-store.ts';
import { lockActivePerson } from '../../../db/customers/own-settings-store.ts';
import { listPasskeys, type PasskeyRow } from '../../../db/customers/passkey-store.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { LoginDeps, UseForm } from './ask-for-code.ts';
import { auditRefusedLogin } from './audit-refused-login.ts';
import type { LoginFrom } from './code-asker.ts';
import { judgeLoginCode } from './judge-login-code.ts';
import { judgeTypedCode, usedCodeMark, type CodeVerdict } from './login-codes.ts';
import { openLogin, type OpenedLogin } from './open-login.ts';
import { isPasskeyAnswer, type PasskeyAnswer } from './passkeys.ts';

interface LoginTry extends LoginFrom {
  /** As it was typed. */
  readonly code: string;
  /** Which of the address's people it is to be; '' while they have not been asked. */
  readonly personId: string;
  /** What the authenticator said; null while it has not been asked. */
  readonly passkey: PasskeyAnswer | null;
  /** The provider whose word the code stands for; left out where a mail carried it. */
  readonly provider?: string | undefined;
  /** As "Firefox on Linux". */
  readonly browserName: string;
}

/** A login that is not one yet: what was given was right so far, and none of it is spent. */
type UnfinishedLogin =
  | { readonly kind: 'CHOOSE'; readonly people: readonly LoginPerson[] }
  | {
      readonly kind: 'PASSKEY';
      readonly personId: string;
      readonly passkeys: readonly PasskeyRow[];
      /** One was given, and it was not right. */
      readonly isRefused: boolean;
    };

export type LoginOutcome =
  | OpenedLogin
  | Exclude<CodeVerdict, { readonly kind: 'RIGHT' }>
  | { readonly kind: 'NO_CODE' }
  | UnfinishedLogin;

/** Undoes the transaction: the code is as good as before. */
class Unfinished extends Error {
  readonly login: UnfinishedLogin;
  constructor(login: UnfinishedLogin) {
    super('the login takes another step');
    this.login = login;
  }
}

/**
 * Judges a code and opens the session in one transaction: a wrong try is counted, and a right code is spent
 * only where the session is there. A form is good for one try. Of many at once one logs in.
 */
export async function logIn(
  deps: LoginDeps,
  given: LoginTry,
  useForm: UseForm,
): Promise<LoginOutcome> {
  const mails: string[] = [];
  const outcome = await deps.db
    .system(async (tx): Promise<LoginOutcome> => {
      mails.length = 0;
      await useForm(tx);
      const verdict =
        given.provider === undefined
          ? await judgeLoginCode(deps, tx, given, given.code)
          : // Nobody guesses a code that stands for a provider's word: strangers' wrong codes are not its concern.
            (await judgeTypedCode(deps, tx, given, given.code)).verdict;
      if (verdict.kind !== 'RIGHT') return verdict;
      const person = await lockChosen(deps, tx, given);
      if (person === null) return { kind: 'OVER' };
      await requirePasskey(deps, tx, given, person);
      const code = usedCodeMark(deps, given, given.code);
      const { passkey, provider } = given;
      const how = {
        ...{ byPasskey: passkey !== null, code },
        ...(provider === undefined ? {} : { provider }),
      };
      return openLogin(deps, tx, { ...given, how }, person, mails);
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof Unfinished)) throw error;
      const { login } = error;
      if (login.kind === 'PASSKEY' && login.isRefused) {
        // The login's own transaction is undone.
        await deps.db.system((tx) => auditRefusedLogin(deps, tx, given, { by: 'PASSKEY' }));
      }
      return login;
    });
  for (const id of mails) deps.dispatchMail(id);
  return outcome;
}

async function findChosen(
  { vault }: LoginDeps,
  tx: SystemTransaction,
  { surface, address, personId }: LoginTry,
): Promise<LoginPerson | null> {
  const hashes = vault.keyedHashes(ADDRESS_PURPOSE, address);
  const people = await findLoginPeople(tx, surface, hashes);
  if (people.length <= 1) return people[0] ?? null;
  const chosen = people.find(({ id }) => id === personId);
  if (chosen === undefined) throw new Unfinished({ kind: 'CHOOSE', people });
  return chosen;
}

/**
 * The same, locked until the commit before anything of theirs is: every change of a person locks them first, too. Then
 * looked for once more, since they may have been disabled, or have got another address, until the lock was there.
 */
async function lockChosen(
  deps: LoginDeps,
  tx: SystemTransaction,
  given: LoginTry,
): Promise<LoginPerson | null> {
  const chosen = await findChosen(deps, tx, given);
  if (chosen === null || !(await lockActivePerson(tx, chosen.id))) return null;
  return findChosen(deps, tx, { ...given, personId: chosen.id });
}

/** Who has a passkey shows it; who must have one and has none adds it once they are in. */
async function requirePasskey(
  deps: LoginDeps,
  tx: SystemTransaction,
  { passkey }: LoginTry,
  { id }: LoginPerson,
): Promise<void> {
  const passkeys = await listPasskeys(tx, id);
  if (passkeys.length === 0) return;
  const isRight = passkey !== null && (await isPasskeyAnswer(deps, tx, passkeys, passkey));
  if (isRight) return;
  throw new Unfinished({ kind: 'PASSKEY', personId: id, passkeys, isRefused: passkey !== null });
}
