import {
  encodeUnsigned,
  selfTransfer,
  type ChainTransaction,
} from '../../../src/domain/onchain/transaction.ts';
import type { SignerHarness } from './signer-harness.ts';
import { usdcCall } from './usdc.ts';

const GWEI = 1_000_000_000n;

/** The nodes send nothing on: what is broadcast is lost. */
export const lost = ({ deps }: SignerHarness) => ({
  nodes: { ...deps.nodes, broadcast: async () => undefined },
});

/** Sends what the signer account's key signed behind our back, and answers its hash. */
export async function sendForeign(
  { anvil, signerAccount, deps }: SignerHarness,
  nonce: bigint,
  call?: Pick<ChainTransaction, 'to' | 'data'>,
): Promise<string> {
  const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: GWEI };
  const turn = { chainId: BigInt(anvil.chainId), nonce, gas: 100_000n, ...fees };
  const made = { ...selfTransfer(turn, signerAccount), ...call };
  const signed = await deps.signerOf(signerAccount)!.sign(encodeUnsigned(made));
  await deps.nodes.broadcast([signed.raw]);
  return signed.hash;
}

/** Tokens from the signer account to an address, without a mark. */
export const unmarked = ({ usdc }: SignerHarness, to: string, amount: bigint) => ({
  to: usdc,
  data: Uint8Array.from(Buffer.from(usdcCall('transfer', to, amount).slice(2), 'hex')),
});

/** Looks after every few blocks until the signer account is open again. */
export async function untilOpen(harness: SignerHarness): Promise<void> {
  let status: string | undefined;
  for (let look = 0; look < 40; look += 1) {
    await harness.pollAfter(4);
    const [signerAccount] = await harness.rows<{ status: string }>(
      'SELECT status FROM chain_signer_accounts ORDER BY created_at',
    );
    status = signerAccount?.status;
    if (status === 'OPEN') return;
  }
  throw new Error(`the signer account is ${status ?? 'unknown'}`);
}
