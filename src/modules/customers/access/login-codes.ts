import { randomInt } from 'node:crypto';
import {
  judgeCode,
  hasBudgets,
  openChallenge,
  takeBudgets,
  type Asking,
  type ChallengeKey,
  type CountedBudget,
} from '../../../db/customers/login-challenge-store.ts';
import {
  CODE_DIGITS,
  CODE_LIFE_MS,
  codeBudgets,
  guessBudgets,
  readCode,
  type AccessBudget,
  type CodeAsker,
} from '../../../domain/customers/access/login-code.ts';
import type { Surface } from '../../../domain/customers/access/rights.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';

interface CodeDeps {
  readonly vault: KeyedHashes;
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

/** Budgets as the database counts them: by keyed hashes. */
export const countedBudgets = (
  { vault }: Pick<CodeDeps, 'vault'>,
  budgets: readonly AccessBudget[],
): readonly CountedBudget[] =>
  budgets.map(({ countedFor, most, hours }) => ({
    ...{ most, hours },
    key: vault.briefHash('code-budget', countedFor),
  }));

/**
 * Is there a code left to ask for, and a try to use it with? It locks nothing: a flood of requests that are refused
 * does not wait for a row.
 */
export function hasCodeBudget(deps: CodeDeps, db: Asking, asker: CodeAsker): Promise<boolean> {
  const budgets = countedBudgets(deps, [...codeBudgets(asker), ...guessBudgets(asker)]);
  return hasBudgets(db, budgets, deps.clock.now());
}

/** Takes one code of the hour's budgets; false where there is none left. */
export async function takeCodeBudget(
  deps: CodeDeps,
  db: Asking,
  asker: CodeAsker,
): Promise<boolean> {
  const budgets = countedBudgets(deps, codeBudgets(asker));
  return (await takeBudgets(db, budgets, deps.clock.now())) !== null;
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

/** What a code was judged to be, and whether that took one of its tries. */
export interface JudgedCode<Verdict = CodeVerdict> {
  readonly verdict: Verdict;
  readonly isWrong: boolean;
}

/** Judges a code as `readCode` answers it. */
export async function judgeReadCode(
  deps: CodeDeps,
  db: Asking,
  attempt: LoginAttempt,
  code: string,
): Promise<JudgedCode> {
  const given = { codeHash: hashOf(deps, attempt, code), at: deps.clock.now() };
  const judged = await judgeCode(db, keyOf(deps, attempt), given);
  if (judged === null) return { verdict: { kind: 'OVER' }, isWrong: false };
  if (judged.isRight) return { verdict: { kind: 'RIGHT' }, isWrong: false };
  const { triesLeft } = judged;
  return {
    verdict: triesLeft > 0 ? { kind: 'WRONG', triesLeft } : { kind: 'OVER' },
    isWrong: true,
  };
}

/** Judges what a person typed. What is no code at all costs no try. */
export async function judgeTypedCode(
  deps: CodeDeps,
  db: Asking,
  attempt: LoginAttempt,
  typed: string,
): Promise<JudgedCode<CodeVerdict | { readonly kind: 'NO_CODE' }>> {
  const code = readCode(typed);
  if (code === null) return { verdict: { kind: 'NO_CODE' }, isWrong: false };
  return judgeReadCode(deps, db, attempt, code);
}

function keyOf({ vault }: CodeDeps, { surface, address, browser }: LoginAttempt): ChallengeKey {
  const addressHash = vault.briefHash(ADDRESS_PURPOSE, address);
  return { surface, addressHash, browserHash: vault.briefHash('login-browser', browser) };
}

const textOf = ({ surface, address, browser }: LoginAttempt, code: string): string =>
  JSON.stringify([surface, address, browser, code]);

const hashOf = ({ vault }: CodeDeps, attempt: LoginAttempt, code: string): Buffer =>
  vault.briefHash('login-code', textOf(attempt, code));

/**
 * By what the audit log tells one used code from another: of the code, its browser and its address, none of
 * which it gives away. Two rows with one mark are two uses of one code (I16).
 */
export const usedCodeMark = ({ vault }: CodeDeps, attempt: LoginAttempt, typed: string): string =>
  vault
    .steadyHash('used-code', textOf(attempt, readCode(typed) ?? ''))
    .toString('hex')
    .slice(0, 32);
