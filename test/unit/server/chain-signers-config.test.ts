import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

import { readChainSigners } from '../../../src/server/config/chain-signers-config.ts';
import { sampleKey } from '../../support/sample-secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'chain-signers-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const HOT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const PUBLISHED = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const SEALED = 'A'.repeat(84);
const LIMITS = { network: 'BASE', hourMax: { USDC: '50000.00' }, topUpMax: '1', topUpHourMax: '2' };

const local = { address: HOT, networks: ['BASE'], kind: 'LOCAL', sealed: SEALED };
const kms = {
  ...{ address: OTHER, networks: ['BASE'], kind: 'AWS_KMS' },
  ...{ keyId: 'alias/hot', region: 'eu-central-1' },
};
const web3signer = {
  ...{ address: OTHER, networks: ['BASE'], kind: 'WEB3SIGNER' },
  url: 'https://signer.example',
};

let files = 0;
const fileOf = (keys: readonly object[], limits: readonly object[] = [LIMITS]): string => {
  const path = join(folder, `${String((files += 1))}.json`);
  writeFileSync(path, JSON.stringify({ keys, limits }));
  return path;
};
const problemsOf = (env: Record<string, string>) => {
  try {
    readChainSigners(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};
const SECRETS = {
  TEST_CHAIN_SIGNERS_SECRET: sampleKey('test signers'),
  LIVE_CHAIN_SIGNERS_SECRET: sampleKey('live signers'),
};
const problemsOfFile = (keys: readonly object[], limits?: readonly object[]) =>
  problemsOf({ ...SECRETS, TEST_CHAIN_SIGNERS_FILE: fileOf(keys, limits) });

describe('the settings of the signers', () => {
  it('are none unless they are set', () => {
    expect(readChainSigners({})).toEqual({ test: null, live: null });
  });

  it('are read from a file and a secret an environment', () => {
    const read = readChainSigners({ ...SECRETS, TEST_CHAIN_SIGNERS_FILE: fileOf([local, kms]) });
    expect(read.live).toBeNull();
    expect(read.test?.file).toEqual({ keys: [local, kms], limits: [LIMITS] });
    expect(read.test?.secret?.toString('base64')).toBe(SECRETS.TEST_CHAIN_SIGNERS_SECRET);
    const remote = readChainSigners({ LIVE_CHAIN_SIGNERS_FILE: fileOf([web3signer]) });
    expect(remote.live?.secret).toBeNull();
  });

  it('refuse sealed keys without the secret, and a published one', () => {
    const file = { TEST_CHAIN_SIGNERS_FILE: fileOf([local]) };
    expect(problemsOf(file)).toContain('TEST_CHAIN_SIGNERS_SECRET is not set');
    const zeros = { TEST_CHAIN_SIGNERS_SECRET: Buffer.alloc(32).toString('base64') };
    expect(problemsOf({ ...file, ...zeros })).toContain('must not be a published sample');
  });

  it('refuse a key or a secret that test and live share', () => {
    const both = {
      TEST_CHAIN_SIGNERS_FILE: fileOf([local]),
      LIVE_CHAIN_SIGNERS_FILE: fileOf([local]),
    };
    expect(problemsOf({ ...SECRETS, ...both })).toContain(
      `TEST_CHAIN_SIGNERS_FILE and LIVE_CHAIN_SIGNERS_FILE both hold ${HOT}`,
    );
    const same = { ...SECRETS, LIVE_CHAIN_SIGNERS_SECRET: SECRETS.TEST_CHAIN_SIGNERS_SECRET };
    expect(problemsOf(same)).toContain('must not be the same');
  });

  it('refuse in live a key that is published', () => {
    const file = fileOf([{ ...kms, address: PUBLISHED }]);
    expect(problemsOf({ TEST_CHAIN_SIGNERS_FILE: file })).toBe('');
    expect(problemsOf({ LIVE_CHAIN_SIGNERS_FILE: file })).toContain(
      `the key of ${PUBLISHED} is published`,
    );
  });

  it.each([
    [[{ ...local, address: HOT.toLowerCase() }], 'row 1 of keys: address must be in mixed'],
    [[local, { ...kms, address: HOT }], 'row 2 of keys: its address is there before'],
    [[{ ...local, networks: [] }], 'row 1 of keys'],
    [[{ ...local, privateKey: '0x1' }], 'row 1 of keys'],
    [[{ ...web3signer, url: 'http://signer.example' }], 'row 1 of keys: url must begin with https'],
    [[{ ...web3signer, url: 'https://me:pw@signer.example' }], 'row 1 of keys: url must begin'],
    [[{ ...web3signer, url: 'https://signer.example/' }], 'row 1 of keys: url must begin'],
    [[{ ...kms, endpoint: 'http://kms.example' }], 'row 1 of keys: endpoint must begin'],
    [
      [{ ...web3signer, clientCertFile: 'a.pem' }],
      'row 1 of keys: clientCertFile and clientKeyFile go together',
    ],
  ])('name what is wrong with a key: %#', (keys, line) => {
    expect(problemsOfFile(keys)).toContain(`TEST_CHAIN_SIGNERS_FILE: ${line}`);
  });

  it.each([
    [[], 'limits must have a row of BASE'],
    [[LIMITS, LIMITS], 'row 2 of limits: its network is there before'],
    [[{ ...LIMITS, hourMax: { USDC: '1.0000001' } }], 'row 1 of limits: hourMax must be'],
    [[{ ...LIMITS, hourMax: { EUR: '1' } }], 'row 1 of limits: hourMax must be'],
    [[{ ...LIMITS, dayMax: '1' }], 'row 1 of limits'],
  ])('name what is wrong with a limit: %#', (limits, line) => {
    expect(problemsOfFile([local], limits)).toContain(`TEST_CHAIN_SIGNERS_FILE: ${line}`);
  });

  it('let plain http go to this machine alone', () => {
    for (const host of ['127.0.0.1:9000', 'localhost:9000', '[::1]:9000']) {
      expect(problemsOfFile([{ ...web3signer, url: `http://${host}` }])).toBe('');
    }
  });
});
