import { expect, test } from 'vitest';
import { readAddress, readData, readHash, readQuantity } from '../../../src/adapters/evm/hex.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';

test('a quantity is read as the specification writes it', () => {
  expect(readQuantity('0x0')).toBe(0n);
  expect(readQuantity('0x400')).toBe(1024n);
  expect(readQuantity(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n);
});

test.each([
  ...[
    '0x',
    '0x00',
    '0x0400',
    'ff',
    '0xg',
    '-0x1',
    ' 0x1',
    '0x1 ',
    '0x1\n',
    '',
    `0x1${'0'.repeat(64)}`,
  ],
  ...[1, null, undefined, true, {}, ['0x1']],
])('%j is no quantity', (value) => {
  expect(() => readQuantity(value)).toThrow(ChainUnreadable);
});

test('data has two digits a byte, and as many bytes as it must', () => {
  expect(readData('0x')).toBe('0x');
  expect(readData('0xAB', 1)).toBe('0xab');
  expect(() => readData('0xabc')).toThrow(ChainUnreadable);
  expect(() => readData('0xab', 2)).toThrow(ChainUnreadable);
  expect(() => readData('ab')).toThrow(ChainUnreadable);
  expect(() => readHash(`0x${'a'.repeat(63)}`)).toThrow(ChainUnreadable);
});

test("an address comes in EIP-55's mixed case", () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(readAddress(address.toLowerCase())).toBe(address);
  expect(() => readAddress(address.slice(0, -2))).toThrow(ChainUnreadable);
});
