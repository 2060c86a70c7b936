import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { openFxSources } from '../../../src/server/runtime/open-fx-sources.ts';
import { sampleKey, sampleSecret } from '../../support/sample-secrets.ts';

const [KEY, OTHER_KEY, THIRD_KEY] = [sampleKey('key'), sampleKey('other'), sampleKey('third')];
const secret = (nth: number) => sampleSecret(String(nth));
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
    const batches = { perSecond: 1, burst: 5 };
    expect(config.http.rateLimits.paymentBatches).toEqual({ test: batches, live: batches });
    expect(config.timing.test).toMatchObject({ bankTimeoutMs: 2000, attemptDeadlineMs: 3000 });
    expect(config.timing.live).toMatchObject({ stalledAfterMs: 86_400_000 });
  });

  it('tells all problems at once, by variable and without their values', () => {
    const message = messageOf({ PORT: '99999', PEPPER: 'hunter2', TRUSTED_PROXIES: '1' });
    for (const name of ['DATABASE_URL', 'ENCRYPTION_KEYS', 'PORT', 'PEPPER', 'TRUSTED_PROXIES']) {
      expect(message).toContain(name);
    }
    expect(message).not.toContain('hunter2');
  });

  it('refuses to start where test and live share a bank or its secret', () => {
    const test = { TEST_BANK_URL: 'https://bank.example', TEST_BANK_CALLBACK_SECRET: secret(1) };
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

  it('has limits of 10,000 a second where RATE_LIMITS says relaxed, and never by itself', () => {
    const relaxed = readConfig({ ...MINIMAL, RATE_LIMITS: 'relaxed' });
    expect(relaxed.http.rateLimits.requests.test.perSecond).toBe(10_000);
    expect(readConfig(MINIMAL).http.rateLimits.requests.test.perSecond).toBe(25);
  });

  it('takes one source of rates or several, and a price of quotes by environment', () => {
    const config = readConfig({ ...MINIMAL, FX_SOURCE: 'ecb', LIVE_QUOTE_FEE_FIXED: '0.50' });
    expect(config.fx.sources).toEqual(['ecb']);
    const assetMarkupBps = { '1m': 10, '5m': 20, '15m': 35, '1h': 60 };
    const free = { markupBps: 0, feeBps: 0, feeFixed: '0', assetMarkupBps, hasCurrencies: true };
    const ofTest = { ...free, lockMarkupPercent: 0, graceMs: 60_000 };
    const ofLive = { ...free, lockMarkupPercent: 100, graceMs: 900_000 };
    expect(config.quotes.test).toEqual(ofTest);
    expect(config.quotes.live).toEqual({ ...ofLive, feeFixed: '0.50' });
    expect(readConfig(MINIMAL).fx.sources).toEqual(['snapshot']);
    const several = readConfig({ ...MINIMAL, FX_SOURCE: 'ecb, nbp,currency-api' });
    expect(openFxSources(several.fx).map(({ name }) => name)).toEqual([
      'ecb',
      'nbp',
      'currency-api',
    ]);
  });

  const bank = { LIVE_BANK_URL: 'https://live.example', LIVE_BANK_CALLBACK_SECRET: secret(2) };
  const quoting = {
    ...{ LIVE_QUOTE_MARKUP_BPS: '20', LIVE_FX_POSITION_LIMIT: '250000' },
    ...{ LIVE_QUOTE_RATE_MAX_AGE_MS: '900000', FX_REFRESH_MS: '300000' },
    ...{ FX_SOURCE: 'json,ecb', FX_JSON_URL: 'https://rates.example' },
  };
  const problemsOf = (env: Record<string, string>) =>
    messageOf({ ...MINIMAL, ...env }).match(/^- \w+/gm) ?? [];

  it('refuses to start where live quotes currencies without markup, limit or young rates, naming each', () => {
    expect(problemsOf({ ...bank, ...quoting })).toEqual([]);
    expect(problemsOf({ ...bank, FX_SOURCE: 'ecb,nbp' })).toEqual([
      ...['- LIVE_QUOTE_MARKUP_BPS', '- LIVE_FX_POSITION_LIMIT'],
      ...['- LIVE_QUOTE_RATE_MAX_AGE_MS', '- FX_SOURCE'],
    ]);
    const slow = { ...bank, ...quoting, FX_REFRESH_MS: '900000' };
    expect(problemsOf(slow)).toEqual(['- FX_REFRESH_MS']);
    expect(messageOf({ ...MINIMAL, ...slow })).toContain('set LIVE_QUOTE_CURRENCIES=false');
  });

  it.each<[string, Record<string, string>]>([
    ['has no bank', { FX_SOURCE: 'ecb' }],
    ['has the rates of the snapshot alone, which live never quotes', bank],
    ['quotes no currencies', { ...bank, FX_SOURCE: 'ecb', LIVE_QUOTE_CURRENCIES: 'false' }],
    ['is test', { TEST_QUOTE_MARKUP_BPS: '0', FX_SOURCE: 'ecb' }],
  ])('asks for none of it of an environment that %s', (_what, env) => {
    expect(problemsOf(env)).toEqual([]);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ ...MINIMAL, PORT: ' ', TEST_BANK_URL: '' }).http.port).toBe(8080);
    expect(messageOf({ ...MINIMAL, PEPPER: ' ' })).toContain('PEPPER is not set');
  });

  it.each([
    ['PORT', '0x50'],
    ['PORT', '80.5'],
    ['PORT', '1e3'],
    ['TEST_RATE_PER_SECOND', '1000001'],
    ['TEST_WEBHOOK_ALLOW_LOOPBACK', 'constructor'],
    ['LOG_LEVEL', 'INFO'],
    ['FX_BASE', 'EURO'],
    ['FX_SOURCE', 'ecb,ecb'],
    ['FX_SOURCE', 'ecb,reuters'],
    ['FX_SOURCE', 'nbp,,ecb'],
    ['FX_RELEASED_PEGS', 'AED,aed'],
    ['FX_HISTORY_DAYS', '3651'],
    ['TEST_QUOTE_MARKUP_BPS', '5001'],
    ['LIVE_QUOTE_LOCK_MARKUP_PERCENT', '99'],
    ['LIVE_QUOTE_RATE_MAX_AGE_MS', '3600001'],
    ['LIVE_QUOTE_FEE_BPS', '0.5'],
    ['LIVE_QUOTE_FEE_FIXED', '1e3'],
    ['LIVE_QUOTE_FEE_FIXED', '-0.5'],
    ['LIVE_QUOTE_FEE_FIXED', '0.0000001'],
    ['PUBLIC_URL', 'ftp://api.example'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,10.0.0.1'],
    ['ENCRYPTION_KEYS', `1:${KEY},1:${KEY}`],
    ['ENCRYPTION_KEYS', `256:${KEY}`],
    ['ENCRYPTION_KEYS', `1:${KEY},`],
    ['ENCRYPTION_KEYS', `1:${KEY},1:kms:${KEY}`],
    ['ENCRYPTION_KEYS', '1:kms:'],
    ['ENCRYPTION_KEYS', `1:kms:${KEY.slice(1)}`],
    ['ENCRYPTION_KEYS', `1:kms:${Buffer.alloc(6_145).toString('base64')}`],
    ['ENCRYPTION_KEYS', `kms:${KEY}`],
    ['ENCRYPTION_KEYS', `1:KMS:${KEY}`],
    ['PEPPER', KEY.slice(4)],
    ['PEPPER', `1:${KEY}`],
    ['PEPPER', `${KEY},1:${KEY}`],
    ['PEPPER', `${KEY},2:${OTHER_KEY}`],
    ['PEPPER', `${KEY},0:${OTHER_KEY}`],
    ['PEPPER', `1:${OTHER_KEY},${KEY}:retired`],
    ['PEPPER', `${KEY},1:${OTHER_KEY}:retired,2:${THIRD_KEY}`],
    ['TEST_BANK_CALLBACK_SECRET', 'whsec_short'],
  ])('refuses %s=%s in a line of its own that does not repeat the value', (name, value) => {
    const bank = { TEST_BANK_URL: 'https://bank.example', TEST_BANK_CALLBACK_SECRET: secret(1) };
    const message = messageOf({ ...MINIMAL, ...bank, [name]: value });
    expect(message).toMatch(new RegExp(`^- ${name} must be `, 'm'));
    expect(message.split('\n')).toHaveLength(2);
    expect(message).not.toContain(value);
  });

  it('refuses half a provider, and says nothing more of one whose half is wrong', () => {
    expect(messageOf({ ...MINIMAL, TEST_KYC_URL: 'https://kyc.example' })).toContain(
      'TEST_KYC_CALLBACK_SECRET is not set',
    );
    expect(messageOf({ ...MINIMAL, TEST_KYC_CALLBACK_SECRET: secret(1) })).toContain(
      'TEST_KYC_CALLBACK_SECRET is set without TEST_KYC_URL',
    );
    const wrong = { TEST_KYC_URL: 'kyc.example', TEST_KYC_CALLBACK_SECRET: secret(1) };
    expect(messageOf({ ...MINIMAL, ...wrong }).split('\n')).toHaveLength(2);
  });

  it('seals with the last encryption key and opens with all, also those that AWS KMS has encrypted', () => {
    const { vault } = readConfig({ ...MINIMAL, ENCRYPTION_KEYS: `2:${KEY},1:kms:${KEY}` });
    const bytes = Buffer.from(KEY, 'base64');
    expect([...vault.encryption]).toEqual([
      [2, { plain: bytes }],
      [1, { encrypted: bytes }],
    ]);
    expect(vault.currentKeyId).toBe(1);
  });
});
