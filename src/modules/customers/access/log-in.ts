import type { SystemTransaction } from '../../../db/client/database.ts';
import { findLoginPeople, type LoginPerson } from '../../../db/customers/login-store.ts';
import { lockActivePerson } from '../../../db/customers/own-settings-store.ts';
import { listPasskeys, type PasskeyRow } from '../../../db/customers/passkey-store.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { LoginDeps, UseForm } from './ask-for-code.ts';
import type { LoginFrom } from './code-asker.ts';
import { keepDevice, newDevice } from './devices.ts';
import { judgeLoginCode } from './judge-login-code.ts';
import { usedCodeMark, type CodeVerdict } from './login-codes.ts';
import { isPasskeyAnswer, type PasskeyAnswer } from './passkeys.ts';
import { recordPersonAct } from './person-audit.ts';
import { openSession } from './sessions.ts';

interface LoginTry extends LoginFrom {
  /** As it was typed. */
  readonly code: string;
  /** Which of the address's people it is to be; '' while they have not been asked. */
  readonly personId: string;
  /** What the authenticator said; null while it has not been asked. */
  readonly passkey: PasskeyAnswer | null;
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
  | { readonly kind: 'IN'; readonly token: string; readonly device: string }
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
      const verdict = await judgeLoginCode(deps, tx, given, given.code);
      if (verdict.kind !== 'RIGHT') return verdict;
      const person = await lockChosen(deps, tx, given);
      if (person === null) return { kind: 'OVER' };
      await requirePasskey(deps, tx, given, person);
      return open(deps, tx, given, person, mails);
    })
    .catch((error: unknown) => {
      if (error instanceof Unfinished) return error.login;
      throw error;
    });
  for (const id of mails) deps.dispatchMail(id);
  return outcome;
}

async function findChosen(
  { vault }: LoginDeps,
  tx: SystemTransaction,
  { surface, address, personId }: LoginTry,
): Promise<LoginPerson | null> {
  const people = await findLoginPeople(tx, surface, vault.keyedHash(ADDRESS_PURPOSE, address));
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

async function open(
  deps: LoginDeps,
  tx: SystemTransaction,
  given: LoginTry,
  { id: personId, customerId }: LoginPerson,
  mails: string[],
): Promise<LoginOutcome> {
  const { surface, address, browserName, device: known, passkey } = given;
  const at = deps.clock.now();
  const token = await openSession(deps, tx, { surface, personId, browser: browserName });
  if (token === null) return { kind: 'OVER' };
  const device = known ?? newDevice();
  const isNew = await keepDevice(deps, tx, personId, device);
  if (isNew) {
    const facts = { at, browser: browserName, sessionsUrl: `${deps.origin}/settings` };
    const mail = { kind: 'NEW_DEVICE', to: address, customerId, facts } as const;
    mails.push(await writeMail(deps, tx, mail));
  }
  await recordPersonAct(
    tx,
    at,
    { id: personId, customerId },
    {
      action: 'session.open',
      details: {
        ...{ browser: browserName, isNewDevice: isNew, byPasskey: passkey !== null },
        code: usedCodeMark(deps, given, given.code),
      },
    },
  );
  return { kind: 'IN', token, device };
}
