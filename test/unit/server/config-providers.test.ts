import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { SAMPLE_KEYS, sampleSecret } from '../../support/sample-secrets.ts';
import { createAuthority } from '../../support/certificates.ts';

const secret = (nth: number) => sampleSecret(String(nth));
const NEEDED = {
  DATABASE_URL: 'postgres://localhost/causeway',
  ...SAMPLE_KEYS,
};
const provider = (name: string, url: string, start: number) => ({
  [`${name}_URL`]: url,
  [`${name}_CALLBACK_SECRET`]: secret(start),
});

const problemsOf = (env: Record<string, string>): string => {
  try {
    readConfig({ ...NEEDED, ...env });
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

const authority = await createAuthority('an authority');
const client = await authority.issue('client');
const other = await authority.issue('other');
afterAll(() => {
  authority.remove();
});

describe('the URL of a live bank or KYC provider', () => {
  it.each(['LIVE_BANK', 'LIVE_KYC'])('is https, or the start is refused: %s', (name) => {
    expect(problemsOf(provider(name, 'https://live.example', 1))).toBe('');
    for (const url of ['http://live.example', 'http://127.0.0.1:4011', 'http://10.0.0.1']) {
      expect(problemsOf(provider(name, url, 1))).toContain(`${name}_URL must begin with https://`);
    }
  });

  it.each([
    ['http://127.0.0.1:4011', true],
    ['http://127.8.9.10', true],
    ['http://0x7f000001', true],
    ['http://[::1]:4011', true],
    ['http://localhost:4011', false],
    ['http://127.0.0.1.example', false],
    ['http://127.0.0.1@live.example', false],
    ['http://10.0.0.1', false],
    ['http://0.0.0.0', false],
    ['http://[::ffff:10.0.0.1]', false],
    ['http://live.example', false],
  ])('may be plain http to this machine alone where the local run says so: %s', (url, isTaken) => {
    const env = { ...provider('LIVE_BANK', url, 1), LIVE_ALLOW_INSECURE_LOOPBACK: 'true' };
    expect(problemsOf(env) === '').toBe(isTaken);
  });
});

describe('how a bank or KYC provider knows us', () => {
  const tls = {
    LIVE_KYC_CLIENT_CERT_FILE: client.certFile,
    LIVE_KYC_CLIENT_KEY_FILE: client.keyFile,
    LIVE_KYC_CA_FILE: authority.caFile,
  };
  const kyc = provider('LIVE_KYC', 'https://kyc.example', 1);

  it('is read from files and a variable', () => {
    const { providers } = readConfig({ ...NEEDED, ...kyc, ...tls, LIVE_KYC_TOKEN: 'token' });
    expect(providers.kyc.live).toMatchObject({
      token: 'token',
      clientCert: client.cert,
      clientKey: client.key,
      ca: authority.ca,
    });
  });

  it.each([
    ['a certificate without its key', { LIVE_KYC_CLIENT_KEY_FILE: '' }, 'belong together'],
    [
      'the key of another certificate',
      { LIVE_KYC_CLIENT_KEY_FILE: other.keyFile },
      'must be a certificate and its key',
    ],
    ['a file that is not there', { LIVE_KYC_CA_FILE: '/nowhere/secret' }, 'LIVE_KYC_CA_FILE'],
    ['a key in place of certificates', { LIVE_KYC_CA_FILE: client.keyFile }, 'certificates'],
    ['a token with a line break', { LIVE_KYC_TOKEN: 'secret\r\nx: y' }, 'LIVE_KYC_TOKEN must be'],
    [
      'a token without a provider',
      { TEST_KYC_TOKEN: 'secret' },
      'TEST_KYC_TOKEN is set without TEST_KYC_URL',
    ],
  ])('is refused at the start: %s', (_what, env, problem) => {
    const message = problemsOf({ ...kyc, ...tls, ...env });
    expect(message).toContain(problem);
    expect(message).not.toContain('secret');
  });

  it.each([
    ['TEST_BANK_TOKEN', 'token'],
    ['TEST_BANK_CA_FILE', authority.caFile],
    ['TEST_BANK_CLIENT_CERT_FILE', client.certFile],
  ])('never goes over plain http: %s', (name, value) => {
    const message = problemsOf({
      ...provider('TEST_BANK', 'http://bank.example', 1),
      [name]: value,
    });
    expect(message).toContain(`${name} needs TEST_BANK_URL to begin with https://`);
  });

  it('is not one token for test and live', () => {
    const both = {
      ...provider('TEST_BANK', 'https://bank.example', 1),
      ...provider('LIVE_BANK', 'https://live.example', 2),
      TEST_BANK_TOKEN: 'shared',
      LIVE_BANK_TOKEN: 'shared',
    };
    expect(problemsOf(both)).toContain('LIVE_BANK_TOKEN must not be the same as TEST_BANK_TOKEN');
    expect(problemsOf({ ...both, LIVE_BANK_TOKEN: 'another' })).toBe('');
  });
});
