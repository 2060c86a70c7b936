import { concatHex, getContractAddress, pad, type Address, type Hex } from 'viem';
import type { AnvilNode } from './anvil-node.ts';

/** Lets the tokens of a chain refuse transfers for the length of a block. */
export interface TokenCodes {
  refuseTransfers(token: Address): Promise<void>;
  /** As they were deployed. Also after a reorganisation: what was under it may have refused. */
  mend(): Promise<void>;
}

/**
 * Keeps a twin of every token's code, which the refusing code calls for all but `transfer`: a balance as
 * of the block in which a transfer was refused can be asked for like any other.
 */
export async function keepTokenCodes(
  node: AnvilNode,
  tokens: readonly Address[],
): Promise<TokenCodes> {
  const codes = new Map<Address, Hex>();
  for (const token of tokens) {
    const code = await node.call<Hex>('eth_getCode', [token, 'latest']);
    codes.set(token, code);
    await node.call('anvil_setCode', [twinOf(token), code]);
  }
  return {
    async refuseTransfers(token) {
      await node.call('anvil_setCode', [token, refusingCode(twinOf(token))]);
    },
    async mend() {
      for (const [token, code] of codes) await node.call('anvil_setCode', [token, code]);
    },
  };
}

function twinOf(token: Address): Address {
  return getContractAddress({ from: token, opcode: 'CREATE2', salt: pad('0x'), bytecode: '0x' });
}

/** Reverts a call of `transfer(address,uint256)`, and runs the twin's code on its own storage for others. */
function refusingCode(twin: Address): Hex {
  return concatHex([
    '0x5f3560e01c63a9059cbb14603457', // selector == transfer: jump to the revert
    '0x365f5f37', // copy the calldata
    concatHex(['0x5f5f365f73', twin, '0x5af4']), // delegatecall the twin
    '0x3d5f5f3e603857', // copy what it answers; success: jump to the return
    '0x5b3d5ffd', // revert
    '0x5b3d5ff3', // return
  ]);
}
