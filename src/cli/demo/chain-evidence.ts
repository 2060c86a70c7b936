import { request } from 'undici';
import { list, text } from './json.ts';

/** A transfer of a token as a block holds it. */
interface MinedTransfer {
  /** In lower case. */
  readonly to: string;
  /** Minor units of the token. */
  readonly amount: bigint;
  readonly block: number;
}

/** The network of the demo's tokens. */
export const NETWORK = 'BASE';

/** The transfers in the receipt of a transaction, as a node of the sandbox tells it; none where no block has it. */
export async function findTransfers(
  controlUrl: string,
  hash: string,
): Promise<readonly MinedTransfer[]> {
  const answer = await request(`${controlUrl}/rpc/${NETWORK.toLowerCase()}/a`, {
    method: 'POST',
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1 },
      ...{ method: 'eth_getTransactionReceipt', params: [hash] },
    }),
  });
  const { result } = (await answer.body.json()) as {
    readonly result: { readonly blockNumber: string; readonly logs: unknown } | null;
  };
  if (result === null) return [];
  return list(result.logs).map(({ topics, data }) => ({
    // Transfer(from, to, amount): addresses are the last 20 bytes of their words.
    to: `0x${text((topics as readonly unknown[])[2]).slice(-40)}`,
    amount: BigInt(text(data)),
    block: Number(result.blockNumber),
  }));
}
