import { getContractAddress, hexToBytes, keccak256 } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import {
  cloneAddress,
  cloneSalt,
  create2Address,
  forwarderAddress,
} from '../../../src/domain/onchain/create2.ts';

const ZERO = `0x${'00'.repeat(20)}`;
const DEADBEEF = '0xdeadbeef00000000000000000000000000000000';
const salt = (hex: string) => hexToBytes(`0x${hex.padStart(64, '0')}`);

describe('a CREATE2 address', () => {
  // The examples of EIP-1014.
  it.each([
    [ZERO, salt(''), '0x00', '0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38'],
    [DEADBEEF, salt(''), '0x00', '0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3'],
    [
      ...[DEADBEEF, salt('feed'.padEnd(40, '0')), '0x00'],
      '0xD04116cDd17beBE565EB2422F2497E06cC1C9833',
    ],
    [ZERO, salt(''), '0xdeadbeef', '0x70f2b2914A2a4b783FaEFb75f459A580616Fcb5e'],
    [
      ...['0x00000000000000000000000000000000deadbeef', salt('cafebabe'), '0xdeadbeef'],
      '0x60f3f640a8508fC6a86d45DF051962668E1e8AC7',
    ],
    [
      ...['0x00000000000000000000000000000000deadbeef', salt('cafebabe')],
      `0x${'deadbeef'.repeat(11)}`,
      '0x1d8bfDC5D46DC4f61D6b6115972536eBE6A8854C',
    ],
    [ZERO, salt(''), '0x', '0xE33C0C7F7df4809055C3ebA6c09CFe4BaF1BD9e0'],
  ] as [string, Uint8Array, `0x${string}`, string][])(
    'by %s with %o and %s',
    (deployer, given, initCode, address) => {
      expect(create2Address(deployer, given, hexToBytes(initCode))).toBe(address);
    },
  );

  it('of a clone is the one that another implementation gives', () => {
    const factory = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const implementation = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    const bytecode = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`;
    const given = cloneSalt('test', 'pay_sample');
    expect(cloneAddress({ factory, implementation }, given)).toBe(
      getContractAddress({
        ...{ opcode: 'CREATE2', from: factory, salt: given },
        bytecodeHash: keccak256(bytecode as `0x${string}`),
      }),
    );
  });

  it('of a deposit is the clone of the first contract that the factory made', () => {
    const factory = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const implementation = getContractAddress({ from: factory, nonce: 1n });
    expect(forwarderAddress(factory, 'live', 'da_sample')).toBe(
      cloneAddress({ factory, implementation }, cloneSalt('live', 'da_sample')),
    );
  });

  it('differs by environment and id', () => {
    const salts = [
      cloneSalt('test', 'pay_a'),
      cloneSalt('live', 'pay_a'),
      cloneSalt('test', 'pay_b'),
    ].map((bytes) => Buffer.from(bytes).toString('hex'));
    expect(new Set(salts).size).toBe(3);
  });

  it('takes no salt of another size and no text for an address', () => {
    expect(() => create2Address(ZERO, new Uint8Array(31), new Uint8Array())).toThrow(RangeError);
    expect(() => create2Address('0x00', salt(''), new Uint8Array())).toThrow(RangeError);
  });
});
