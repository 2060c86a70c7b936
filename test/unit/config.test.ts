import { describe, expect, it } from 'vitest';
import { httpSettings, readConfig } from '../../src/config/config.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const secret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
const MINIMAL = {
  DATABASE_URL: 'postgres://localhost/causeway',
  ENCRYPTION_KEYS: `1:${KEY}`,
  PEPPER: KEY,
};

const messageOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('the configuration', () => {
  it('needs a database and keys, and has a default for everything else', () => {
    const config = readConfig(MINIMAL);
    expect(config.http).toMatchObject({ host: '127.0.0.1', port: 8080 });
    expect(config.database.appUrl).toBe(MINIMAL.DATABASE_URL);
    expect(config.http.rateLimits.payments.live).toEqual({ perSecond: 20, burst: 40 });
    expect(config.timing.test).toMatchObject({ bankTimeoutMs: 2000, attemptDeadlineMs: 3000 });
    expect(config.timing.live).toMatchObject({ stalledAfterMs: 86_400_000 });
    expect(httpSettings(config).environmentsWithBank).toEqual([]);
  });

  it('tells all problems at once, by variable and without their values', () => {
    const message = messageOf({ PORT: '99999', PEPPER: 'hunter2', TRUSTED_PROXIES: '1' });
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEYS', 'PORT', 'PEPPER', 'TRUSTED_PROXIES']) {
      expect(message).toContain(name);
    }
    expect(message).not.toContain('hunter2');
  });

  it('refuses to start where test and live share a bank or its secret', () => {
    const test = { BANK_URL: 'https://bank.example', BANK_CALLBACK_SECRET: secret(1) };
    const live = { LIVE_BANK_URL: 'https://live.example', LIVE_BANK_CALLBACK_SECRET: secret(2) };
    expect(messageOf({ ...MINIMAL, ...test, ...live })).toBe('');
    expect(
      messageOf({ ...MINIMAL, ...test, ...live, LIVE_BANK_URL: 'https://bank.example/' }),
    ).toContain('LIVE_BANK_URL must not be the same');
    const shared = { ...live, LIVE_BANK_CALLBACK_SECRET: secret(1) };
    expect(messageOf({ ...MINIMAL, ...test, ...shared })).toContain('LIVE_BANK_CALLBACK_SECRET');
  });

  it('keeps the order bank timeout < attempt deadline < activity timeout', () => {
    expect(messageOf({ ...MINIMAL, TEST_BANK_TIMEOUT_MS: '3000' })).toContain(
      'TEST_BANK_TIMEOUT_MS must be shorter than TEST_ATTEMPT_DEADLINE_MS',
    );
    expect(messageOf({ ...MINIMAL, LIVE_ATTEMPT_DEADLINE_MS: '60000' })).toContain(
      'LIVE_ATTEMPT_DEADLINE_MS',
    );
  });

  it('is relaxed in dev unless RATE_LIMITS says default', () => {
    expect(readConfig(MINIMAL, { isRelaxed: true }).http.rateLimits.requests.test.perSecond).toBe(
      10_000,
    );
    const strict = readConfig({ ...MINIMAL, RATE_LIMITS: 'default' }, { isRelaxed: true });
    expect(strict.http.rateLimits.requests.test.perSecond).toBe(25);
  });

  it('seals with the last encryption key and opens with all', () => {
    const { vault } = readConfig({ ...MINIMAL, ENCRYPTION_KEYS: `2:${KEY},1:${KEY}` });
    expect([...vault.encryption.keys()]).toEqual([2, 1]);
    expect(vault.currentKeyId).toBe(1);
  });
});
