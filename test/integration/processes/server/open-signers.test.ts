import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealKey } from '../../../../src/modules/onchain/signers/sealed-keys.ts';
import type { SignersConfig } from '../../../../src/server/config/chain-signers-config.ts';
import type { HeldKey, SigningLimits } from '../../../../src/server/config/chain-signers-file.ts';
import { encodeUnsigned, selfTransfer } from '../../../../src/domain/onchain/transaction.ts';
import { openSigners, type SignedNetwork } from '../../../../src/server/runtime/open-signers.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { startAnvil, type NodeReceipt, type TestAnvil } from '../../../support/onchain/anvil.ts';
import {
  FACTORY,
  newKey,
  PAYEE,
  sampleTransfer,
  USDC,
} from '../../../support/onchain/signer-parts.ts';
import { deployUsdc, usdcCall } from '../../../support/onchain/usdc.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const SECRET = randomBytes(32);
const CHAIN_ID = 84_532;
const GAS = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 10_000_000_000n };
const LIMITS: SigningLimits = {
  network: 'BASE',
  hourMax: { USDC: '2500.00' },
};

function hold(): { readonly address: string; readonly held: HeldKey } {
  const { address, sealed } = sealKey(SECRET, 'test', newKey().key);
  return { address, held: { address, networks: ['BASE'], kind: 'LOCAL', sealed } };
}

const networkOf = (hotAddresses: readonly string[], contract = USDC): SignedNetwork => ({
  ...{
    network: 'BASE',
    chainId: CHAIN_ID,
    hotAddresses,
    gasCaps: GAS,
    factory: FACTORY,
  },
  assets: [{ asset: 'USDC', contract, min: 1n, max: 1_000_000_000n }],
});

const open = (
  keys: readonly HeldKey[],
  network: SignedNetwork,
  secret: Buffer | null = SECRET,
  givenUp: readonly string[] = [],
) => {
  const test: SignersConfig = { file: { keys: [...keys], limits: [LIMITS] }, secret };
  return openSigners({
    ...{ signers: { test, live: null }, networks: { test: [network], live: [network] } },
    clock: createTestClock(),
    spentWithinHour: () => () => Promise.resolve(0n),
    isGivenUp: (_place, address) => givenUp.includes(address),
  });
};

describe('the signers of a worker', () => {
  it('are found by environment, network and address', () => {
    const { address, held } = hold();
    const signers = open([held], networkOf([address]));
    expect(signers.find('test', 'BASE', address)?.address).toBe(address);
    expect(signers.find('live', 'BASE', address)).toBeNull();
    expect(signers.find('test', 'ETHEREUM', address)).toBeNull();
    expect(signers.find('test', 'BASE', PAYEE)).toBeNull();
  });

  it('need no key for an address that is given up, and sign nothing for it', () => {
    const [lost, kept] = [hold(), hold()];
    const network = networkOf([lost.address, kept.address]);
    const signers = open([kept.held], network, SECRET, [lost.address]);
    expect(signers.find('test', 'BASE', lost.address)).toBeNull();
    expect(signers.find('test', 'BASE', kept.address)?.address).toBe(kept.address);
    const both = open([lost.held, kept.held], network, SECRET, [lost.address]);
    expect(both.find('test', 'BASE', lost.address)).toBeNull();
  });

  it('share the hour of their network', async () => {
    const signerAccounts = [hold(), hold()];
    const addresses = signerAccounts.map(({ address }) => address);
    const signers = open(
      signerAccounts.map(({ held }) => held),
      networkOf(addresses),
    );
    const pay = (signerAccount: number, nonce: bigint) =>
      signers
        .find('test', 'BASE', addresses[signerAccount] ?? '')
        ?.sign(
          encodeUnsigned(sampleTransfer({ chainId: BigInt(CHAIN_ID), nonce }, 1_000_000_000n)),
        );
    await pay(0, 0n);
    await pay(1, 0n);
    await expect(pay(0, 1n)).rejects.toMatchObject({ why: 'HOUR_OVER_CAP' });
  });

  it('do not open where a signer account has no key, an asset no limit, or a key does not open', () => {
    const { address, held } = hold();
    const network = networkOf([address]);
    const elsewhere = { ...held, networks: ['ETHEREUM'] } as HeldKey;
    const euro = { ...network, assets: network.assets.map((one) => ({ ...one, asset: 'EURC' })) };
    const large = {
      ...network,
      assets: network.assets.map((one) => ({ ...one, max: 2_500_000_001n })),
    };
    const keyless =
      `No key signs for ${address} on BASE in test. ` +
      'If it is lost, retire the address: docs/how-to/operate-networks.md#lost-or-stolen-hot-key.';
    for (const [attempt, line] of [
      [() => open([], network), keyless],
      [() => open([elsewhere], network), keyless],
      [() => open([held], euro), "The signers' limits of BASE have no hourMax of EURC."],
      [
        () => open([held], large),
        "The signers' limits of BASE have an hourMax of USDC below the max of the asset.",
      ],
      [
        () => open([held], network, randomBytes(32)),
        `the sealed key of ${address} does not open with the test secret.`,
      ],
    ] as const) {
      expect(attempt).toThrow(new PlainError(line));
    }
  });
});

describe('what a signer signs', () => {
  let anvil: TestAnvil;
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: CHAIN_ID });
  });
  afterAll(() => anvil.close());

  it('is taken by a real chain, as a marked transfer and as a nonce used up', async () => {
    const { address, held } = hold();
    const contract = await deployUsdc(anvil);
    const owner = anvil.accounts[0] ?? '';
    await anvil.rpc('anvil_setBalance', address, '0xde0b6b3a7640000');
    const mint = usdcCall('mint', address, 25_000_000n);
    await anvil.sendAndMine({ from: owner, to: contract, data: mint });

    const signer = open([held], networkOf([address], contract)).find('test', 'BASE', address);
    const transfer = sampleTransfer({ chainId: BigInt(CHAIN_ID), to: contract });
    const nothing = selfTransfer({ ...transfer, nonce: 1n }, address);
    for (const transaction of [transfer, nothing]) {
      const signed = await signer?.sign(encodeUnsigned(transaction));
      const raw = `0x${Buffer.from(signed?.raw ?? []).toString('hex')}`;
      expect(await anvil.rpc('eth_sendRawTransaction', raw)).toBe(signed?.hash);
      await anvil.mine();
      const receipt = await anvil.rpc<NodeReceipt & { readonly from: string }>(
        'eth_getTransactionReceipt',
        signed?.hash,
      );
      expect(receipt).toMatchObject({ status: '0x1', from: address.toLowerCase() });
    }
    const call = { to: contract, data: usdcCall('balanceOf', PAYEE) };
    expect(BigInt(await anvil.rpc('eth_call', call, 'latest'))).toBe(10_000_000n);
    expect(await anvil.rpc('eth_getTransactionCount', address, 'latest')).toBe('0x2');
  });
});
