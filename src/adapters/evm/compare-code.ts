import { agree } from './evm-node.ts';
import { readData } from './hex.ts';
import type { JsonRpcLimits } from './json-rpc.ts';
import { openNodes } from './open-nodes.ts';

/** SAME: byte for byte. ABSENT: nothing is deployed there. */
type CodeFinding = 'SAME' | 'ABSENT' | 'DIFFERENT';

interface ComparedCode {
  readonly rpcUrls: readonly string[];
  /** The contract's address. */
  readonly address: string;
  /** The deployed code with its immutable values filled in: one of them is who gets the money. */
  readonly expected: Uint8Array;
  readonly limits?: Partial<JsonRpcLimits>;
}

/** Holds the code at an address against what it has to be, at all nodes. Throws ChainUnreadable. */
export async function compareCode(compared: ComparedCode): Promise<CodeFinding> {
  const { nodes, close } = openNodes(compared.rpcUrls, compared.limits);
  try {
    const calls = [{ method: 'eth_getCode', params: [compared.address, 'latest'] }];
    const code = await agree(nodes, (node) => node.read(calls, ([result]) => readData(result)));
    if (code === '0x') return 'ABSENT';
    const expected = `0x${Buffer.from(compared.expected).toString('hex')}`;
    return code === expected ? 'SAME' : 'DIFFERENT';
  } finally {
    await close();
  }
}
