import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkFactory } from '../../../src/adapters/evm/check-factory.ts';
import { factoryCodes } from '../../../src/domain/onchain/factory-deployment.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { CONTRACTS, deployFactory, TREASURY } from '../../support/onchain/sweep-parts.ts';

let anvil: TestAnvil;
let factory: string;
beforeAll(async () => {
  anvil = await startAnvil();
  factory = await deployFactory(anvil);
});
afterAll(() => anvil.close());

const check = (environment: 'test' | 'live', rpcUrls = [anvil.url]) =>
  checkFactory({
    ...{ environment, network: 'BASE' as const, rpcUrls, treasury: TREASURY },
    codes: factoryCodes(CONTRACTS, { factory, treasury: TREASURY }),
    limits: { timeoutMs: 10_000 },
  });

it('live wants a contract as its treasury, on every network', async () => {
  expect(await check('test')).toEqual([]);
  expect(await check('live')).toEqual([
    expect.objectContaining({ kind: 'WRONG', field: 'treasury', environment: 'live' }),
  ]);
  await anvil.rpc('anvil_setCode', TREASURY, '0x00');
  expect(await check('live')).toEqual([]);
});

it('what nodes do not answer is neither right nor wrong', async () => {
  const found = await check('live', [anvil.url, 'http://127.0.0.1:9']);
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['UNREADABLE']));
  expect(JSON.stringify(found)).not.toContain('127.0.0.1');
});
