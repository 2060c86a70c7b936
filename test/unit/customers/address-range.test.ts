import { expect, it } from 'vitest';
import { isNotPublic, readAddressRange } from '../../../src/modules/customers/address-range.ts';

const rangeOf = (typed: string): string => {
  const reading = readAddressRange(typed);
  return reading.kind === 'RANGE' ? reading.range : reading.message;
};

it('private, loopback, link-local and shared ranges are not public', () => {
  for (const typed of [
    ...['10.0.0.0/16', '10.255.255.255', '172.16.0.1', '172.31.255.0/24', '192.168.0.0/16'],
    ...['127.0.0.1', '169.254.169.254', '100.64.0.0/16', '100.127.255.255', '0.0.0.0'],
    ...['::1', '::/32', 'fd00::/32', 'fc00::1', 'fe80::1'],
  ]) {
    expect([typed, isNotPublic(rangeOf(typed))]).toEqual([typed, true]);
  }
  for (const typed of [
    ...['9.255.255.255', '11.0.0.0/16', '172.15.255.255', '172.32.0.1', '192.169.0.0/16'],
    ...['100.63.255.255', '100.128.0.0/16', '169.253.0.0/16', '203.0.113.0/24', '2a00::/32'],
  ]) {
    expect([typed, isNotPublic(rangeOf(typed))]).toEqual([typed, false]);
  }
});
