import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKey } from '../../../../src/modules/onchain/signers/sealed-keys.ts';
import { ConfigError, type Env } from '../../../../src/server/config/settings.ts';
import type { SignersFile } from '../../../../src/server/config/chain-signers-file.ts';
import { runCommandLine } from '../../../../src/cli/ops/run-command-line.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { sampleKey } from '../../../support/sample-secrets.ts';

let folder: string;
let path: string;
let env: Env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chain-keys-'));
  path = join(folder, 'signers.json');
  env = { TEST_CHAIN_SIGNERS_FILE: path, TEST_CHAIN_SIGNERS_SECRET: sampleKey('signers') };
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function ops(...args: string[]): Promise<{ code: number; printed: string }> {
  let printed = '';
  const write = (text: string) => void (printed += text);
  const code = await runCommandLine(['chain', 'keys', ...args], {
    ...{ defaultOperator: undefined, readEnv: (program) => (program === 'ops-chain' ? env : {}) },
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
const add = (...networks: string[]) =>
  ops('add', '--environment', 'test', '--network', ...networks);
const read = () => JSON.parse(readFileSync(path, 'utf8')) as SignersFile;

describe('chain keys', () => {
  it('makes a sealed key that only its owner can read, and shows its address alone', async () => {
    const { code, printed } = await add('BASE', 'ETHEREUM');
    expect(code).toBe(0);
    const [key] = read().keys;
    if (key?.kind !== 'LOCAL') throw new Error('no local key');
    expect(key.networks).toEqual(['ETHEREUM', 'BASE']);
    expect(printed).toBe(
      `${key.address}\nThe file has no limits for ETHEREUM, BASE. See docs/how-to/operate-networks.md.\n`,
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const secret = Buffer.from(sampleKey('signers'), 'base64');
    const opened = openKey(secret, { environment: 'test', address: key.address }, key.sealed);
    const shown = printed + readFileSync(path, 'utf8');
    expect(shown).not.toContain(opened.toString('hex'));
    expect(shown).not.toContain(opened.toString('base64'));
  });

  it('keeps what the file holds, and lists it', async () => {
    const limits = [{ network: 'BASE', hourMax: { USDC: '10.00' } }];
    writeFileSync(path, JSON.stringify({ keys: [], limits }));
    const first = (await add('BASE')).printed.trim();
    const second = (await add('BASE')).printed.trim();
    expect(read().limits).toEqual(limits);
    expect(read().keys.map(({ address }) => address)).toEqual([first, second]);
    const { printed } = await ops('list', '--environment', 'test');
    expect(printed.split('\n').slice(1, 3)).toEqual([
      `${first}  LOCAL    BASE`,
      `${second}  LOCAL    BASE`,
    ]);
    env = { ...env, TEST_CHAIN_SIGNERS_SECRET: sampleKey('another') };
    expect((await ops('list', '--environment', 'test')).printed).toContain('LOCAL, does not open');
  });

  it('adds nothing while another command writes', async () => {
    await add('BASE');
    const before = readFileSync(path, 'utf8');
    writeFileSync(`${path}.new`, '');
    const { code, printed } = await add('BASE');
    expect(code).toBe(1);
    expect(printed).toContain('nother command is writing it, or a killed command left it');
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('leaves a file alone that it cannot read', async () => {
    writeFileSync(path, '{"keys":');
    expect(await add('BASE')).toEqual({ code: 1, printed: `${path} is not JSON.` });
    writeFileSync(path, '{"keys":[]}');
    expect((await add('BASE')).printed).toContain('is not valid');
    expect(readFileSync(path, 'utf8')).toBe('{"keys":[]}');
    expect(() => statSync(`${path}.new`)).toThrow();
  });

  it('needs file and secret of the environment, and never repeats the secret', async () => {
    env = { TEST_CHAIN_SIGNERS_SECRET: 'hunter2' };
    const { code, printed } = await add('BASE');
    expect(code).toBe(1);
    expect(printed).toContain('TEST_CHAIN_SIGNERS_FILE is not set');
    expect(printed).toContain('TEST_CHAIN_SIGNERS_SECRET must be base64');
    expect(printed).not.toContain('hunter2');
    const live = await ops('add', '--environment', 'live', '--network', 'BASE');
    expect(live.printed).toContain('LIVE_CHAIN_SIGNERS_FILE is not set');
  });

  it('refuses a network that there is not', async () => {
    expect((await add('SOLANA')).code).toBe(2);
  });
});
