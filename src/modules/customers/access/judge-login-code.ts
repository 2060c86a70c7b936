import type { SystemTransaction } from '../../../db/client/database.ts';
import { returnBudgets, takeBudgets } from '../../../db/customers/login-challenge-store.ts';
import { guessBudgets, readCode } from '../../../domain/customers/access/login-code.ts';
import type { LoginDeps } from './ask-for-code.ts';
import { auditRefusedLogin } from './audit-refused-login.ts';
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
  const isKnownDevice = asker.kind === 'KNOWN_DEVICE';
  await auditRefusedLogin(deps, tx, given, { by: 'CODE', isKnownDevice }, isLast);
  return verdict;
}
