import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { readOwnerUrl } from '../../../src/server/config/database-config.ts';
import { readEnvironment } from '../../../src/server/config/environment.ts';
import { ConfigError } from '../../../src/server/config/settings.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';

const PRODUCTION = { NODE_ENV: 'production', ...SAMPLE_KEYS };
const LOCAL = { DATABASE_URL: 'postgres://app:pw@127.0.0.1/causeway' };

function problemsOf(env: Record<string, string>, read: (env: Record<string, string>) => unknown) {
  try {
    read({ ...PRODUCTION, ...LOCAL, ...env });
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('a production process', () => {
  it.each([
    ['a service', readConfig],
    ['migrate', readOwnerUrl],
  ])('of %s does not reach PostgreSQL over a network without TLS', (_name, read) => {
    const at = (rest: string, more = {}) =>
      problemsOf({ DATABASE_URL: `postgres://app:pw@${rest}`, ...more }, read);
    for (const rest of [
      ...['db.internal/causeway', '10.0.0.5:5432/causeway', '127.0.0.1.example/causeway'],
      ...['db.internal/causeway?sslmode=disable', 'db.internal/causeway?sslmode=no-verify'],
      // A parameter of the URL takes the place of its host.
      'localhost/causeway?host=db.internal',
    ]) {
      const problem = at(rest);
      expect(problem, rest).toContain('DATABASE_URL must have ?sslmode=verify-full');
      expect(problem, rest).toContain('PLAINTEXT_HOSTS');
      expect(problem).not.toContain('pw');
    }
    for (const rest of [
      ...['localhost/causeway', '[::1]/causeway', '127.0.0.1:5432/causeway'],
      ...['db.internal/causeway?sslmode=verify-full', '%2Fvar%2Frun%2Fpostgresql/causeway'],
    ]) {
      expect(at(rest), rest).toBe('');
    }
    expect(at('postgres/causeway', { PLAINTEXT_HOSTS: 'postgres, temporal' })).toBe('');
    expect(at('elsewhere/causeway', { PLAINTEXT_HOSTS: 'postgres' })).toContain('DATABASE_URL');
    expect(at('db.internal/causeway', { NODE_ENV: 'development' })).toBe('');
  });

  it('sends no document over a network without TLS', () => {
    const at = (url: string, more = {}) =>
      problemsOf({ DOCUMENT_SCANNER_URL: url, ...more }, readConfig);
    expect(at('clamd://127.0.0.1:3310')).toBe('');
    expect(at('clamd://clamav:3310')).toContain('DOCUMENT_SCANNER_URL has no TLS');
    expect(at('clamd://clamav', { PLAINTEXT_HOSTS: 'clamav' })).toBe('');
    expect(at('http://clamav:3310')).toContain('clamd://host:port');
  });

  it.each([
    ...(['api', 'chain', 'console', 'migrate', 'ops'] as const),
    ...(['verify', 'sandbox', 'sandbox-chain', 'listen', 'smoke'] as const),
  ])('of %s does not start while no certificate would be checked', (program) => {
    const at = (value: string, more = {}) =>
      problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: value, ...more }, (env) =>
        readEnvironment(env, program),
      );
    expect(at('0')).toContain('NODE_TLS_REJECT_UNAUTHORIZED must not be 0');
    expect(at('1')).toBe('');
    expect(at('0', { NODE_ENV: 'development' })).toBe('');
  });

  it('takes no rates over a network without TLS', () => {
    const at = (url: string, more = {}) => problemsOf({ FX_JSON_URL: url, ...more }, readConfig);
    expect(at('http://rates.internal/usd')).toContain('FX_JSON_URL must begin with https://');
    expect(at('https://rates.internal/usd')).toBe('');
    expect(at('http://127.0.0.1:9/usd')).toBe('');
    expect(at('http://rates.internal/usd', { PLAINTEXT_HOSTS: 'rates.internal' })).toBe('');
    for (const name of ['ECB_URL', 'NBP_URL', 'CURRENCY_API_URL']) {
      expect(problemsOf({ [name]: 'http://rates.internal' }, readConfig)).toContain(
        `${name} must begin with https://`,
      );
    }
  });

  it('names no address of its API without TLS, but on this machine', () => {
    const at = (url: string, more = {}) => problemsOf({ PUBLIC_URL: url, ...more }, readConfig);
    expect(at('http://pay.example')).toContain('PUBLIC_URL must begin with https://');
    expect(at('https://pay.example')).toBe('');
    expect(at('http://127.0.0.1:8080')).toBe('');
    expect(at('http://api', { PLAINTEXT_HOSTS: 'api' })).toBe('');
  });

  it('reaches no role’s PostgreSQL without TLS', () => {
    for (const name of ['APP_DATABASE_URL', 'SYSTEM_DATABASE_URL']) {
      const problem = problemsOf({ [name]: 'postgres://app:pw@db.internal/causeway' }, readConfig);
      expect(problem).toContain(`${name} must have`);
    }
  });

  it.each([
    ['a service', readConfig],
    ['migrate', readOwnerUrl],
  ])('of %s does not reach Temporal over a network without TLS', (_name, read) => {
    const at = (more: Record<string, string>) => problemsOf(more, read);
    expect(at({ TEMPORAL_ADDRESS: 'temporal:7233' })).toContain('TEMPORAL_TLS must be true');
    expect(at({ TEMPORAL_ADDRESS: 'temporal:7233', PLAINTEXT_HOSTS: 'temporal' })).toBe('');
    expect(at({ TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: 'true' })).toBe('');
    expect(at({ TEMPORAL_ADDRESS: 'ns.tmprl.cloud:7233', TEMPORAL_API_KEY: 'key' })).toBe('');
    expect(at({ TEMPORAL_ADDRESS: '127.0.0.1:7233' })).toBe('');
    expect(at({})).toBe('');
  });
});
