import { readNetworkSetups } from '../../server/config/chain-config.ts';
import type { Env } from '../../server/config/settings.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { connectToVerify } from '../verify/reader.ts';
import { renderReport } from '../verify/report.ts';
import { UnusableInput } from '../verify/unusable-input.ts';
import { verifyChains } from '../verify/verify-chains.ts';

/**
 * Holds what the hot addresses did on their chains against the rows: every nonce that is used, and all tokens that
 * left. Answers the exit code: 1 where something does not fit. Throws PlainError where nothing can be said.
 */
export async function reconcileChains(env: Env, print: (text: string) => void): Promise<number> {
  try {
    const connection = await connectToVerify(env['DATABASE_URL'] ?? '');
    try {
      const verdicts = await verifyChains(connection, readNetworkSetups(env));
      print(renderReport(verdicts));
      return verdicts.some(({ status }) => status === 'violated') ? 1 : 0;
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof UnusableInput) throw new PlainError(`${error.message}.`);
    throw error;
  }
}
