import { randomInt } from 'node:crypto';
import {
  judgeCode,
  openChallenge,
  takeBudget,
  type Asking,
  type ChallengeKey,
} from '../../../db/customers/login-challenge-store.ts';
import {
  CODE_DIGITS,
  CODE_LIFE_MS,
  codeBudgets,
  readCode,
  type CodeAsker,
} from '../../../domain/customers/access/login-code.ts';
import type { Surface } from '../../../domain/customers/access/rights.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { Vault } from '../../../vault/vault.ts';

interface CodeDeps {
  readonly vault: Pick<Vault, 'keyedHash'>;
  readonly clock: Clock;
}

/** Who logs in, and where. */
export interface LoginAttempt {
  readonly surface: Surface;
  /** As `readEmailAddress` answers it; whether a person has it makes no difference here. */
  readonly address: string;
  /** What the browser that asked is known by: its visitor's cookie. */
  readonly browser: string;
}

interface IssuedCode {
  readonly code: string;
  readonly expiresAt: Date;
}

/**
 * Takes one code of the hour's budgets; false where there is none left. In a transaction of its own: what
 * was taken stays taken whatever comes of the code.
 */
export async function takeCodeBudget(
  deps: CodeDeps,
  db: Asking,
  asker: CodeAsker,
): Promise<boolean> {
  const at = deps.clock.now();
  for (const { countedFor, most } of codeBudgets(asker)) {
    const key = deps.vault.keyedHash('code-budget', countedFor);
    if (!(await takeBudget(db, key, at, most))) return false;
  }
  return true;
}

/** Makes a code of eight digits, good for five minutes and one use; the browser's last one is over. */
export async function issueCode(
  deps: CodeDeps,
  db: Asking,
  attempt: LoginAttempt,
): Promise<IssuedCode> {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const at = deps.clock.now();
  const expiresAt = new Date(at.getTime() + CODE_LIFE_MS);
  const codeHash = hashOf(deps, attempt, code);
  await openChallenge(db, keyOf(deps, attempt), { codeHash, at, expiresAt });
  return { code, expiresAt };
}

/** RIGHT is answered once a code. OVER: none, used, too old, or five tries were made: ask for a new one. */
export type CodeVerdict =
  | { readonly kind: 'RIGHT' }
  | { readonly kind: 'WRONG'; readonly triesLeft: number }
  | { readonly kind: 'OVER' };

/** Judges what a person typed. What is no code at all costs no try. */
export async function judgeTypedCode(
  deps: CodeDeps,
  db: Asking,
  attempt: LoginAttempt,
  typed: string,
): Promise<CodeVerdict | { readonly kind: 'NO_CODE' }> {
  const code = readCode(typed);
  if (code === null) return { kind: 'NO_CODE' };
  const given = { codeHash: hashOf(deps, attempt, code), at: deps.clock.now() };
  const judged = await judgeCode(db, keyOf(deps, attempt), given);
  if (judged === null) return { kind: 'OVER' };
  if (judged.isRight) return { kind: 'RIGHT' };
  return judged.triesLeft > 0 ? { kind: 'WRONG', triesLeft: judged.triesLeft } : { kind: 'OVER' };
}

function keyOf({ vault }: CodeDeps, { surface, address, browser }: LoginAttempt): ChallengeKey {
  const addressHash = vault.keyedHash(ADDRESS_PURPOSE, address);
  return { surface, addressHash, browserHash: vault.keyedHash('login-browser', browser) };
}

const textOf = ({ surface, address, browser }: LoginAttempt, code: string): string =>
  JSON.stringify([surface, address, browser, code]);

const hashOf = ({ vault }: CodeDeps, attempt: LoginAttempt, code: string): Buffer =>
  vault.keyedHash('login-code', textOf(attempt, code));

/**
 * By what the audit log tells one used code from another: of the code, its browser and its address, none of
 * which it gives away. Two rows with one mark are two uses of one code (I16).
 */
export const usedCodeMark = ({ vault }: CodeDeps, attempt: LoginAttempt, typed: string): string =>
  vault
    .keyedHash('used-code', textOf(attempt, readCode(typed) ?? ''))
    .toString('hex')
    .slice(0, 32);
