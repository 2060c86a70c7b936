import { expect, it } from 'vitest';
import { createDeployingSigner } from '../../../src/modules/onchain/signers/deploying-signer.ts';
import { createLocalKeyStore } from '../../../src/modules/onchain/signers/local-key-store.ts';
import { DEPLOYER } from '../../../src/domain/onchain/factory-deployment.ts';
import {
  decodeSigned,
  encodeUnsigned,
  type ChainTransaction,
} from '../../../src/domain/onchain/transaction.ts';
import { newKey, PAYEE, sampleTransfer } from '../../support/onchain/signer-parts.ts';

const GWEI = 1_000_000_000n;
const DATA = Uint8Array.of(1, 2, 3);
const { key, address } = newKey();
const signer = createDeployingSigner(
  {
    ...{ address, chainId: 8453n, to: DEPLOYER, data: DATA, gasMax: 100_000n },
    gasCaps: { maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI },
  },
  createLocalKeyStore(key),
);
const deployment = (changes: Partial<ChainTransaction> = {}) =>
  encodeUnsigned(sampleTransfer({ to: DEPLOYER, data: DATA, ...changes }));

it('a key of deployments signs its one deployment', async () => {
  const { raw } = await signer.sign(deployment());
  expect(decodeSigned(raw)?.transaction).toMatchObject({ to: DEPLOYER, value: 0n });
});

it.each([
  ['UNKNOWN_CALL', { to: PAYEE }],
  ['UNKNOWN_CALL', { value: 1n }],
  ['UNKNOWN_CALL', { data: Uint8Array.of(1, 2, 4) }],
  ['UNKNOWN_CALL', { to: address, data: new Uint8Array() }],
  ['OTHER_CHAIN', { chainId: 1n }],
  ['GAS_OVER_CAP', { gas: 100_001n }],
  ['FEE_OVER_CAP', { maxFeePerGas: 2n * GWEI + 1n }],
  ['FEE_OVER_CAP', { maxPriorityFeePerGas: GWEI + 1n }],
] as const)('and refuses anything else: %s', async (why, changes) => {
  await expect(signer.sign(deployment(changes))).rejects.toMatchObject({ why });
});

it('nor does it sign bytes that are no transaction', async () => {
  await expect(signer.sign(DATA)).rejects.toMatchObject({ why: 'UNREADABLE' });
});
