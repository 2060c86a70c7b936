import { describe, expect, it } from 'vitest';
import {
  createClientAddressReader,
  createRangeCheck,
  networkOf,
  normaliseAddress,
} from '../../../src/web/kit/http/client-address.ts';

describe('the client address', () => {
  it('is the peer where the peer is no trusted proxy, whatever X-Forwarded-For says', () => {
    const read = createClientAddressReader([]);
    expect(read('203.0.113.7', '192.0.2.1')).toBe('203.0.113.7');
    expect(read('::ffff:203.0.113.7')).toBe('203.0.113.7');
  });

  it('is the first address from the right that is no trusted proxy', () => {
    const read = createClientAddressReader(['10.0.0.0/8', '2001:db8:1::/48']);
    expect(read('10.0.0.1', '192.0.2.1')).toBe('192.0.2.1');
    expect(read('10.0.0.1', '198.51.100.9, 192.0.2.1, 10.2.3.4')).toBe('192.0.2.1');
    expect(read('::ffff:10.0.0.1', '192.0.2.1,2001:db8:1::5')).toBe('192.0.2.1');
    expect(read('10.0.0.1', '192.0.2.1:4711')).toBe('192.0.2.1');
    expect(read('10.0.0.1', '[2001:db8::1]:4711')).toBe('2001:db8::1');
  });

  it('is the furthest trusted proxy where there is nothing beyond', () => {
    const read = createClientAddressReader(['10.0.0.0/8']);
    expect(read('10.0.0.1')).toBe('10.0.0.1');
    expect(read('10.0.0.1', '10.9.9.9')).toBe('10.9.9.9');
  });

  it('is unknown where a trusted proxy reports something that is no address', () => {
    const read = createClientAddressReader(['10.0.0.0/8']);
    for (const text of ['', 'unknown', '127.1', '0x7f.0.0.1', '<script>', '1.2.3.4.5']) {
      expect(read('10.0.0.1', `192.0.2.1, ${text}`)).toBe('unknown');
    }
    expect(createRangeCheck(['0.0.0.0/0'])('unknown')).toBe(false);
  });
});

describe('ranges', () => {
  it('hold addresses of their own family, IPv4-mapped counting as IPv4', () => {
    const isInside = createRangeCheck(['192.0.2.0/24', '2001:db8::/32']);
    expect(isInside('192.0.2.255')).toBe(true);
    expect(isInside('::ffff:192.0.2.1')).toBe(true);
    expect(isInside('192.0.3.0')).toBe(false);
    expect(isInside('2001:db8:ffff::1')).toBe(true);
    expect(isInside('2001:db9::')).toBe(false);
  });
});

describe('spelling', () => {
  it('is one for one address', () => {
    expect(normaliseAddress('2001:0DB8:0:0::1')).toBe('2001:db8::1');
    expect(normaliseAddress('::ffff:c000:201')).toBe('192.0.2.1');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  });
});
