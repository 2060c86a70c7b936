import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { ConfigError } from '../../../src/server/config/settings.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';

const BASE = { DATABASE_URL: 'postgres://localhost/causeway', ...SAMPLE_KEYS };

function problemsOf(env: Record<string, string>): string {
  try {
    readConfig({ ...BASE, ...env });
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('where dashboard and console are', () => {
  it('are hosts of their own in a local run, without a setting', () => {
    expect(readConfig(BASE).web).toEqual({
      dashboardUrl: 'http://dashboard.localhost:8081',
      opsUrl: 'http://ops.localhost:8082',
      dashboardPort: 8081,
      opsHost: '127.0.0.1',
      opsPort: 8082,
      consolePublic: false,
    });
  });

  it('may not share a host, which would share their cookies', () => {
    const urls = { DASHBOARD_URL: 'https://pay.example', OPS_URL: 'https://pay.example:8443' };
    expect(problemsOf(urls)).toContain('DASHBOARD_URL and OPS_URL must have different hosts');
    const apart = { DASHBOARD_URL: 'https://pay.example', OPS_URL: 'https://ops.example' };
    expect(problemsOf(apart)).toBe('');
  });

  it.each([
    '0.0.0.0',
    '::',
    '203.0.113.7',
    '2a00::1',
    'ops.example',
    '169.254.1.1',
    '::ffff:203.0.113.7',
  ])('the console does not listen on %s unless a setting says so', (host) => {
    expect(problemsOf({ OPS_HOST: host })).toContain(
      'OPS_HOST must be a loopback or private address, for example 127.0.0.1, unless CONSOLE_PUBLIC=true',
    );
    expect(problemsOf({ OPS_HOST: host, CONSOLE_PUBLIC: 'true' })).toBe('');
  });

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    'localhost',
    '10.1.2.3',
    '172.20.0.4',
    '192.168.1.2',
    'fd00::2',
  ])('the console listens on %s', (host) => {
    expect(problemsOf({ OPS_HOST: host })).toBe('');
  });

  it('the host of API and dashboard says nothing about the console', () => {
    expect(readConfig({ ...BASE, HOST: '0.0.0.0' }).web.opsHost).toBe('127.0.0.1');
  });

  it.each([
    ['http://pay.example', 'must begin with https://'],
    ['http://localhost.example', 'must begin with https://'],
    ['http://127.0.0.1:8081', 'must begin with https://'],
    ['https://pay.example/dashboard', 'scheme, host and port alone'],
    ['https://Pay.example', 'scheme, host and port alone'],
    ['https://user@pay.example', 'scheme, host and port alone'],
    ['pay.example', 'a URL that begins with'],
  ])('%s is refused', (url, reason) => {
    expect(problemsOf({ DASHBOARD_URL: url })).toContain(reason);
    expect(problemsOf({ OPS_URL: url })).toContain(reason);
  });
});
