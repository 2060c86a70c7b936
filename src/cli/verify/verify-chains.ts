import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import type { Environment } from '../../domain/scope.ts';
import { addYoungMoves, readFinalMoves, type JudgedChain } from './chain-moves.ts';
import { openChainReader } from './chain-reader.ts';
import { depositsAreLogs } from './deposits-are-logs.ts';
import { signerAccountsHaveNoGaps } from './signer-accounts-without-gaps.ts';
import { paidOnceOnChain } from './paid-once-on-chain.ts';
import type { Reader, VerifyConnection } from './reader.ts';
import { tokensFollowBooks } from './tokens-follow-books.ts';
import { UnusableInput } from './unusable-input.ts';
import { judged, skipped, SAMPLES_MAX, type Findings, type Verdict } from './verdict.ts';

export type ChainSetups = Readonly<Record<Environment, readonly NetworkSetup[]>>;

const PAID = 'on chain a payment moves once, exactly once if completed, never if released';
const TOKENS = 'what left our addresses is what the books say';
const DEPOSITS = 'each credited deposit is one log';
const SIGNER_ACCOUNTS = 'signer accounts have no gap and no foreign nonce';

/** Looks at the chains of the networks given; null looks at none and says so. */
export async function verifyChains(
  connection: VerifyConnection,
  setups: ChainSetups | null,
): Promise<readonly Verdict[]> {
  const skipAll = (why: string): readonly Verdict[] => [
    skipped('I19', PAID, why),
    skipped('I20', TOKENS, why),
    skipped('I21', DEPOSITS, why),
    skipped('I22', SIGNER_ACCOUNTS, why),
  ];
  if (setups === null) return skipAll('needs --chain');
  await refuseUnlisted(connection, setups);
  if (setups.test.length + setups.live.length === 0) {
    return skipAll('needs TEST_NETWORKS_FILE or LIVE_NETWORKS_FILE');
  }
  const paid: Findings[] = [];
  const tokens: Findings[] = [];
  const deposits: Findings[] = [];
  const signerAccounts: Findings[] = [];
  for (const environment of ['test', 'live'] as const) {
    for (const setup of setups[environment]) {
      const chain: JudgedChain = { environment, setup, reader: await openChainReader(setup) };
      signerAccounts.push(await signerAccountsHaveNoGaps(connection, chain));
      deposits.push(await depositsAreLogs(connection, chain));
      const known = await readFinalMoves(connection, chain);
      await connection.snapshot(async (reader) => {
        // The picture is that of the first query; what it calls completed lies under the blocks read after it.
        await reader.query('SELECT 1');
        const look = await addYoungMoves(known);
        paid.push(await paidOnceOnChain(reader, look));
        tokens.push(await tokensFollowBooks(reader, look));
      });
    }
  }
  return [
    judged('I19', PAID, sum(paid)),
    judged('I20', TOKENS, sum(tokens)),
    judged('I21', DEPOSITS, sum(deposits)),
    judged('I22', SIGNER_ACCOUNTS, sum(signerAccounts)),
  ];
}

/** A network that payments or deposits went over and that the files lack cannot be looked at. */
async function refuseUnlisted(reader: Reader, setups: ChainSetups): Promise<void> {
  const rows = await reader.query<{ environment: Environment; network: string }>(
    `SELECT environment, network FROM chain_transfers UNION SELECT environment, network FROM chain_signer_accounts
     UNION SELECT environment, network FROM deposits
     ORDER BY environment, network`,
  );
  const unlisted = rows.filter(
    ({ environment, network }) => !setups[environment].some((setup) => setup.network === network),
  );
  if (unlisted.length === 0) return;
  const names = unlisted.map(({ environment, network }) => `${network} of ${environment}`);
  throw new UnusableInput(
    `--chain: TEST_NETWORKS_FILE and LIVE_NETWORKS_FILE lack ${names.join(', ')}, where payments or deposits went`,
  );
}

function sum(all: readonly Findings[]): Findings {
  return {
    checked: all.reduce((total, { checked }) => total + checked, 0),
    violations: all.reduce((total, { violations }) => total + violations, 0),
    samples: all.flatMap(({ samples }) => samples).slice(0, SAMPLES_MAX),
  };
}
