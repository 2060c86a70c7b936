import { describe, expect, it } from 'vitest';
import { createUntrustedProxyWarning } from '../../../src/server/runtime/warn-untrusted-proxy.ts';
import { createClientAddressReader } from '../../../src/web/kit/http/client-address.ts';
import { createTestClock } from '../../support/test-clock.ts';

const HOUR_MS = 3_600_000;
const BANK = { url: 'https://bank.example', callbackSecret: 'x' };

function warnings(isLive: boolean) {
  const clock = createTestClock();
  const lines: unknown[] = [];
  const providers = { bank: isLive ? { live: BANK } : {} };
  const config = { providers, chain: { test: [], live: [] } };
  const log = { warn: (about: unknown) => void lines.push(about) };
  const warn = createUntrustedProxyWarning({ config, clock, log } as never);
  return { warn, clock, lines };
}

describe('X-Forwarded-For from an address that is no trusted proxy', () => {
  it('is told to whoever asked, and one from a proxy or none at all is not', () => {
    let told = 0;
    const read = createClientAddressReader(['10.0.0.0/8'], () => (told += 1));
    read('10.0.0.1', '198.51.100.7');
    read('198.51.100.7');
    expect(told).toBe(0);
    expect(read('198.51.100.9', '203.0.113.1')).toBe('198.51.100.9');
    expect(told).toBe(1);
  });

  it('is logged once an hour', () => {
    const { warn, clock, lines } = warnings(true);
    for (let request = 0; request < 100; request += 1) warn();
    expect(lines).toEqual([{ setting: 'TRUSTED_PROXIES' }]);
    clock.advance(HOUR_MS - 1);
    warn();
    expect(lines).toHaveLength(1);
    clock.advance(1);
    warn();
    expect(lines).toHaveLength(2);
  });

  it('is not logged where nothing live is configured', () => {
    const { warn, lines } = warnings(false);
    warn();
    expect(lines).toEqual([]);
  });
});
