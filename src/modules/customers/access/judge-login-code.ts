import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  returnBudgets,
  takeBudget,
  takeBudgets,
} from '../../../db/customers/login-challenge-store.ts';
import { recordLoginFailure } from '../../../db/customers/login-store.ts';
import {
  guessBudgets,
  readCode,
  type CodeAsker,
} from '../../../domain/customers/access/login-code.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { LoginDeps } from './ask-for-code.ts';
import { findAsker, type LoginFrom } from './code-asker.ts';
import { countedBudgets, judgeReadCode, type CodeVerdict } from './login-codes.ts';

type JudgeDeps = Pick<LoginDeps, 'vault' | 'clock'>;

/**
 * Judges what a person typed at the login. Each wrong code is taken from the budgets of a day; where one of them is
 * spent no code is judged, so that nothing is learned from more tries. The answer to a right code gives its try back.
 */
export async function judgeLoginCode(
  deps: JudgeDeps,
  tx: SystemTransaction,
  given: LoginFrom,
  typed: string,
): Promise<CodeVerdict | { readonly kind: 'NO_CODE' }> {
  const code = readCode(typed);
  if (code === null) return { kind: 'NO_CODE' };
  const asker = await findAsker(deps, tx, given);
  const limits = guessBudgets(asker);
  const budgets = countedBudgets(deps, limits);
  const at = deps.clock.now();
  const counts = await takeBudgets(tx, budgets, at);
  if (counts === null) return { kind: 'OVER' };
  const { verdict, isWrong } = await judgeReadCode(deps, tx, given, code);
  if (!isWrong) {
    await returnBudgets(tx, budgets, at);
    return verdict;
  }
  const isLast = limits.some(({ most }, index) => counts[index] === most);
  await auditFailure(deps, tx, given, asker, isLast);
  return verdict;
}

/** One row for an address and hour, and one when a limit is reached: a flood writes no more. */
async function auditFailure(
  { vault, clock }: JudgeDeps,
  tx: SystemTransaction,
  { surface, address, network }: LoginFrom,
  asker: CodeAsker,
  isLast: boolean,
): Promise<void> {
  const at = clock.now();
  const key = vault.briefHash('code-budget', `audited:${surface}:${address}`);
  const isFirst = await takeBudget(tx, key, at, 1);
  const failure = {
    ...{ surface, at, addressHashes: vault.keyedHashes(ADDRESS_PURPOSE, address) },
    details: { surface, network, isKnownDevice: asker.kind === 'KNOWN_DEVICE' },
  };
  if (isFirst) await recordLoginFailure(tx, { ...failure, action: 'login.failed' });
  if (isLast) await recordLoginFailure(tx, { ...failure, action: 'login.limit_reached' });
}
