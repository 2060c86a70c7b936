import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, type Env } from '../../../../src/server/config/settings.ts';
import {
  DEPLOYER,
  factoryDeployment,
  hexOf,
} from '../../../../src/domain/onchain/factory-deployment.ts';
import { addChainKey } from '../../../../src/cli/ops/add-chain-key.ts';
import { runCommandLine } from '../../../../src/cli/ops/run-command-line.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { startAnvil, type TestAnvil } from '../../../support/onchain/anvil.ts';
import { CONTRACTS, TREASURY } from '../../../support/onchain/sweep-parts.ts';
import { deployUsdc } from '../../../support/onchain/usdc.ts';
import { sampleKey } from '../../../support/sample-secrets.ts';

const SIGNER_ACCOUNT = '0x3000000000000000000000000000000000000001';
const OTHER = '0x8888888888888888888888888888888888888888';
const { factory: FACTORY, data } = factoryDeployment(CONTRACTS, TREASURY);
const DATA = hexOf(data);

let folder: string;
let first: TestAnvil;
let second: TestAnvil;
let usdc: string;
let env: Env;
let deployer: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chain-factory-'));
  first = await startAnvil({ chainId: 31_338 });
  second = await startAnvil({ chainId: 31_339 });
  usdc = await deployUsdc(first);
  await deployUsdc(second);
  const path = join(folder, 'signers.json');
  const secret = sampleKey('signers');
  const place = { path, secret: Buffer.from(secret, 'base64') };
  const made = addChainKey({ environment: 'test', place, networks: ['BASE', 'ETHEREUM'] });
  deployer = made.address;
  const limits = (['BASE', 'ETHEREUM'] as const).map((network) => ({
    ...{ network, hourMax: { USDC: '1.00' } },
  }));
  writeFileSync(path, JSON.stringify({ ...made.file, limits }));
  env = { TEST_CHAIN_SIGNERS_FILE: path, TEST_CHAIN_SIGNERS_SECRET: secret };
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  rmSync(folder, { recursive: true });
});

const row = (network: string, anvil: TestAnvil, changes: object) => ({
  ...{ network, chainId: anvil.chainId, rpcUrls: [anvil.url, `${anvil.url}/?other`] },
  assets: [{ asset: 'USDC', contract: usdc, min: '1.00', max: '50000.00' }],
  ...{ hotAddresses: [SIGNER_ACCOUNT], factory: FACTORY, treasury: TREASURY },
  gasCaps: { maxFeePerGas: '50000000000', maxPriorityFeePerGas: '2000000000' },
  ...changes,
});

/** `chain` with both networks in the settings. */
async function ops(args: readonly string[], changes: object = {}) {
  const file = join(folder, 'networks.json');
  const networks = [row('BASE', first, changes), row('ETHEREUM', second, changes)];
  writeFileSync(file, JSON.stringify({ networks }));
  let printed = '';
  const write = (text: string) => void (printed += text);
  const code = await runCommandLine(['chain', ...args], {
    defaultOperator: undefined,
    // Only who signs reads the secret of the signers.
    readEnv: (program) => ({
      ...(program === 'ops-chain' ? env : {}),
      TEST_NETWORKS_FILE: file,
    }),
    open: () => {
      throw new Error('neither database nor Temporal is needed');
    },
    output: { out: write, error: write },
  }).catch((error: unknown) => {
    if (!(error instanceof PlainError) && !(error instanceof ConfigError)) throw error;
    write(error.message);
    return 1;
  });
  return { code, printed };
}

describe('the factory of deposit addresses', () => {
  it('is missed by the check before it is deployed', async () => {
    const { code, printed } = await ops(['check', 'test', 'BASE']);
    expect(code).toBe(1);
    expect(printed).toContain(`factory has no code at ${FACTORY}`);
  });

  it('is deployed by the transaction that is shown, from any sender', async () => {
    const { code, printed } = await ops(['deploy', 'test', 'BASE']);
    expect(code).toBe(0);
    expect(printed).toContain(`chain id 31338\nto ${DEPLOYER}\nvalue 0\ndata ${DATA}\n`);
    const sent = { from: first.accounts[0]!, to: DEPLOYER, data: DATA };
    expect(await first.sendAndMine(sent)).toMatchObject({ status: '0x1' });
    expect(await ops(['check', 'test', 'BASE'])).toMatchObject({
      code: 0,
      printed: expect.stringContaining('factory, and treasury match the settings'),
    });
  });

  it('has the address the same address on another network, with a key of the file, once', async () => {
    const poor = await ops(['deploy', 'test', 'ETHEREUM', '--from', deployer]);
    expect(poor).toMatchObject({ code: 1, printed: expect.stringContaining('has 0 wei') });
    await second.rpc('anvil_setBalance', deployer, '0xde0b6b3a7640000');
    const { code, printed } = await ops(['deploy', 'test', 'ETHEREUM', '--from', deployer]);
    expect(code).toBe(0);
    const hash = /^0x[0-9a-f]{64}$/m.exec(printed)?.[0];
    await second.mine();
    expect(await second.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    expect((await ops(['check', 'test', 'ETHEREUM'])).code).toBe(0);
    const again = await ops(['deploy', 'test', 'ETHEREUM', '--from', deployer]);
    expect(again.printed).toBe(`The factory is already deployed at ${FACTORY}.\n`);
    expect(await second.rpc('eth_getTransactionCount', deployer, 'latest')).toBe('0x1');
  });

  it('is signed for by no signer account, and by no key that the file does not hold', async () => {
    const { factory } = factoryDeployment(CONTRACTS, OTHER);
    const other = { treasury: OTHER, factory };
    const signerAccount = await ops(['deploy', 'test', 'BASE', '--from', SIGNER_ACCOUNT], other);
    expect(signerAccount).toMatchObject({
      code: 1,
      printed: expect.stringContaining('is a signer account'),
    });
    const stranger = await ops(['deploy', 'test', 'BASE', '--from', OTHER], other);
    expect(stranger).toMatchObject({ code: 1, printed: expect.stringContaining('No key') });
  });

  it('of another treasury is another factory: neither deployed nor passed', async () => {
    const refused = await ops(['deploy', 'test', 'BASE'], { treasury: OTHER });
    expect(refused.code).toBe(1);
    expect(refused.printed).toContain(
      `has the address ${factoryDeployment(CONTRACTS, OTHER).factory}`,
    );
    const { code, printed } = await ops(['check', 'test', 'BASE'], { treasury: OTHER });
    expect(code).toBe(1);
    expect(printed).toContain('has another code');
  });

  it('with other code, a token of other decimals, another chain: the check says what is wrong', async () => {
    const code = await first.rpc<string>('eth_getCode', FACTORY, 'latest');
    await first.rpc('anvil_setCode', FACTORY, `${code.slice(0, -2)}ff`);
    expect((await ops(['check', 'test', 'BASE'])).printed).toContain('has another code');
    await first.rpc('anvil_setCode', FACTORY, code);
    const token = await first.rpc<string>('eth_getCode', usdc, 'latest');
    // Answers 18 to whatever it is asked.
    await first.rpc('anvil_setCode', usdc, '0x60125f5260205ff3');
    expect((await ops(['check', 'test', 'BASE'])).printed).toContain(
      'does not count in 6 decimals',
    );
    await first.rpc('anvil_setCode', usdc, token);
    const chain = await ops(['check', 'test', 'BASE'], { genesis: `0x${'ab'.repeat(32)}` });
    expect(chain.printed).toContain('another first block');
    expect((await ops(['check', 'test', 'BASE'])).code).toBe(0);
  });
});
