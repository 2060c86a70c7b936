import {
  encodeUnsigned,
  selfTransfer,
  type ChainTransaction,
} from '../../../src/domain/onchain/transaction.ts';
import type { LaneHarness } from './lane-harness.ts';
import { usdcCall } from './usdc.ts';

const GWEI = 1_000_000_000n;

/** The nodes send nothing on: what is broadcast is lost. */
export const lost = ({ deps }: LaneHarness) => ({
  nodes: { ...deps.nodes, broadcast: async () => undefined },
});

/** Sends what the lane's key signed behind our back, and answers its hash. */
export async function sendForeign(
  { anvil, lane, deps }: LaneHarness,
  nonce: bigint,
  call?: Pick<ChainTransaction, 'to' | 'data'>,
): Promise<string> {
  const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: GWEI };
  const turn = { chainId: BigInt(anvil.chainId), nonce, gas: 100_000n, ...fees };
  const made = { ...selfTransfer(turn, lane), ...call };
  const signed = await deps.signerOf(lane)!.sign(encodeUnsigned(made));
  await deps.nodes.broadcast(signed.raw);
  return signed.hash;
}

/** Tokens from the lane to an address, without a mark. */
export const unmarked = ({ usdc }: LaneHarness, to: string, amount: bigint) => ({
  to: usdc,
  data: Uint8Array.from(Buffer.from(usdcCall('transfer', to, amount).slice(2), 'hex')),
});

/** Looks after every few blocks until the lane is open again. */
export async function untilOpen(harness: LaneHarness): Promise<void> {
  let status: string | undefined;
  for (let look = 0; look < 40; look += 1) {
    await harness.lookAfter(4);
    const [lane] = await harness.rows<{ status: string }>(
      'SELECT status FROM chain_lanes ORDER BY created_at',
    );
    status = lane?.status;
    if (status === 'OPEN') return;
  }
  throw new Error(`the lane is ${status ?? 'unknown'}`);
}
