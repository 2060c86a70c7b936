import type { Database, SystemTransaction } from '../../../db/client/database.ts';
import { takeBudget } from '../../../db/customers/login-challenge-store.ts';
import { readPersonAddress } from '../../../db/customers/person-store.ts';
import { CODE_LIFE_MS } from '../../../domain/customers/access/login-code.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import type { Clock } from '../../../domain/clock.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { issueCode, judgeTypedCode, type CodeVerdict, type LoginAttempt } from './login-codes.ts';
import { customerOf, recordPersonAct } from './person-audit.ts';
import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';

export interface StepUpDeps {
  readonly db: Database;
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open'>;
  readonly clock: Clock;
  /** Hands a mail on whose transaction has committed. */
  readonly dispatchMail: (mailId: string) => void;
}

/** One act of one session: a proof for it is none for any other. */
export interface ActToProve {
  /** The path that its form is sent to, ids included. */
  readonly path: string;
  /** SHA-256 over the fields of the form, in hex. */
  readonly fieldsHash: string;
}

/** Codes an hour for one session. */
const CODES_MAX = 20;

/**
 * Mails a code that proves one act; the last one of this act is over. `act` is what the mail says is being
 * done. False where the session has asked for too many.
 */
export async function mailActCode(
  deps: StepUpDeps,
  person: Person,
  toProve: ActToProve,
  act: string,
): Promise<boolean> {
  const { db, vault, clock } = deps;
  const budget = vault.briefHash('code-budget', `step-up:${person.sessionId}`);
  if (!(await takeBudget(db, budget, clock.now(), CODES_MAX))) return false;
  const mailId = await db.system(async (tx) => {
    const sealed = await readPersonAddress(tx, person.id);
    if (sealed === null) throw new Error(`${person.id} has no address`);
    const to = vault.open(sealed, personAddressRow(person.id)).toString();
    const { code, expiresAt } = await issueCode(deps, tx, attemptOf(person, toProve));
    return writeMail(deps, tx, {
      kind: 'STEP_UP_CODE',
      to,
      customerId: person.kind === 'USER' ? person.customer.id : null,
      facts: { code, act, minutes: CODE_LIFE_MS / 60_000 },
      expiresAt,
    });
  });
  deps.dispatchMail(mailId);
  return true;
}

/** Judges a code for an act. RIGHT is answered once a code; a try counts, and a wrong one is audited, whatever comes of the act. */
export function judgeActCode(
  deps: StepUpDeps,
  person: Person,
  toProve: ActToProve,
  typed: string,
): Promise<CodeVerdict | { readonly kind: 'NO_CODE' }> {
  return deps.db.system(async (tx) => {
    const { verdict, isWrong } = await judgeTypedCode(deps, tx, attemptOf(person, toProve), typed);
    if (isWrong) await recordFailedProof(deps, tx, person, 'CODE');
    return verdict;
  });
}

/** Writes down that someone at a person's session failed to prove an act. */
export function recordFailedProof(
  { clock }: Pick<StepUpDeps, 'clock'>,
  tx: SystemTransaction,
  person: Person,
  by: 'CODE' | 'PASSKEY',
): Promise<void> {
  const who = { id: person.id, customerId: customerOf(person) };
  return recordPersonAct(tx, clock.now(), who, { action: 'proof.failed', details: { by } });
}

/** A challenge of the person for this act: in the place of a browser stand session, path and fields. */
const attemptOf = (person: Person, { path, fieldsHash }: ActToProve): LoginAttempt => ({
  surface: person.kind === 'USER' ? 'dashboard' : 'console',
  address: person.id,
  browser: JSON.stringify(['step-up', person.sessionId, path, fieldsHash]),
});
