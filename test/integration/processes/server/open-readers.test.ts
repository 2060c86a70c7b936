import { afterAll, beforeAll, expect, it } from 'vitest';
import { NOT_FINAL_MAX } from '../../../../src/domain/onchain/nonce-slots.ts';
import type { NetworkSetup } from '../../../../src/domain/onchain/network-setup.ts';
import { openReaders } from '../../../../src/server/runtime/open-readers.ts';
import type { Resources } from '../../../../src/server/runtime/resources.ts';
import { startAnvil, type TestAnvil } from '../../../support/onchain/anvil.ts';
import { unreadable } from '../../../support/onchain/lying-pair.ts';
import { DEPTHS } from '../../../support/onchain/signer-harness.ts';
import { FACTORY, OTHER_HOT_ADDRESS, PAYEE } from '../../../support/onchain/signer-parts.ts';
import { deployUsdc } from '../../../support/onchain/usdc.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const PLACE = { environment: 'test', network: 'BASE' } as const;

let anvil: TestAnvil;
let setup: NetworkSetup;
let logged: (readonly [object, string])[] = [];
const clock = createTestClock();

beforeAll(async () => {
  anvil = await startAnvil();
  const usdc = await deployUsdc(anvil);
  setup = {
    ...{ network: 'BASE', chainId: anvil.chainId, status: 'ACTIVE', genesis: null },
    ...{
      rpcUrls: [anvil.url],
      depths: DEPTHS,
      hotAddresses: [OTHER_HOT_ADDRESS],
      notFinalMax: NOT_FINAL_MAX,
      depositFloors: {},
      sweeps: null,
      hot: [],
    },
    assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 10n ** 9n }],
    ...{ factory: FACTORY, treasury: PAYEE, own: [OTHER_HOT_ADDRESS, FACTORY, PAYEE] },
    gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  };
});
afterAll(() => anvil.close());

/** Of the resources it takes these; a database is asked for nothing before a chain is read. */
function readersOf(one: NetworkSetup) {
  logged = [];
  const resources = {
    config: { chain: { test: [one], live: [] } },
    ...{ clock, db: null, workflows: null },
    log: { error: (facts: object, text: string) => void logged.push([facts, text]) },
  } as unknown as Resources;
  return openReaders(resources, {});
}

it('a network whose nodes are not as it is configured is not read, and the log says what differs', async () => {
  const readerOf = readersOf({ ...setup, chainId: anvil.chainId + 1 });
  await expect(readerOf(PLACE)).rejects.toEqual(unreadable('NOT_AS_CONFIGURED'));
  expect(logged).toMatchObject([
    [{ ...PLACE, field: 'rpcUrls[0]' }, 'network is not read for deposits'],
  ]);
});

it('what a human must see is logged at once, and the same again after ten minutes', async () => {
  const reader = await readersOf(setup)(PLACE);
  const alarm = { kind: 'FINAL_BLOCK_GONE', block: '7' } as const;
  reader?.alarm(alarm);
  reader?.alarm(alarm);
  expect(logged).toEqual([[{ ...PLACE, alarm }, 'deposits of a network need an operator']]);
  clock.advance(10 * 60_000);
  reader?.alarm(alarm);
  expect(logged).toHaveLength(2);
});

it('a network that is not configured any more has no reader', async () => {
  expect(await readersOf(setup)({ ...PLACE, network: 'POLYGON' })).toBeNull();
});
