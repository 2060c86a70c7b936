import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem/utils';
import { addressOfKey } from '../../../src/modules/onchain/signers/local-key-store.ts';
import type { SigningRules } from '../../../src/domain/onchain/signing-policy.ts';
import type { ChainTransaction } from '../../../src/domain/onchain/transaction.ts';
import { encodeTransferCall, referenceMark } from '../../../src/domain/onchain/transfer-call.ts';

const made = (digits: string): string => getAddress(`0x${digits.repeat(40 / digits.length)}`);

export const USDC = made('1c');
export const EURC = made('2c');
export const FACTORY = made('fac0');
export const OTHER_HOT_ADDRESS = made('1a4e');
export const PAYEE = made('beef');

const GWEI = 1_000_000_000n;

/** A key that no other test has. */
export function newKey(): { readonly key: Buffer; readonly address: string } {
  const key = randomBytes(32);
  return { key, address: addressOfKey(key) };
}

/** 1,000 USDC a transfer and 2,500 an hour. */
export function sampleRules(address: string): SigningRules {
  return {
    ...{ chainId: 8453n, address, factory: FACTORY },
    gasCaps: { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: 10n * GWEI },
    tokens: [
      { asset: 'USDC', contract: USDC, transactionMax: 1_000_000_000n, hourMax: 2_500_000_000n },
      { asset: 'EURC', contract: EURC, transactionMax: 1_000_000_000n, hourMax: 2_500_000_000n },
    ],
  };
}

/** 10 USDC to the payee, at 2 gwei, of the signer account's first nonce. */
export function sampleTransfer(
  changes: Partial<ChainTransaction> = {},
  amount = 10_000_000n,
): ChainTransaction {
  return {
    ...{ chainId: 8453n, nonce: 0n, gas: 90_000n },
    ...{ maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI },
    ...{ to: USDC, value: 0n },
    data: encodeTransferCall({ to: PAYEE, amount, mark: referenceMark('CWY0000000001') }),
    ...changes,
  };
}
