import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import {
  checksummed,
  readAddress,
  readPayableAddress,
} from '../../../src/domain/onchain/address.ts';

/** The vectors of EIP-55. */
const VECTORS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
] as const;
const [, , , , MIXED] = VECTORS;

describe('an address', () => {
  it.each(VECTORS)('%s is read as it is and from either case', (vector) => {
    const digits = vector.slice(2);
    for (const text of [vector, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`]) {
      expect(readAddress(text)).toEqual({ ok: true, address: vector });
    }
  });

  it('has the case that another implementation gives it, 10,000 times', () => {
    for (let count = 0; count < 10_000; count += 1) {
      const digits = randomBytes(20).toString('hex');
      expect(checksummed(digits)).toBe(getAddress(`0x${digits}`));
    }
  });

  it.each([
    ['', 'FORMAT'],
    [MIXED.slice(2), 'FORMAT'],
    [MIXED.replace('0x', '0X'), 'FORMAT'],
    [` ${MIXED}`, 'FORMAT'],
    [`${MIXED}\n`, 'FORMAT'],
    [`${MIXED}0`, 'FORMAT'],
    [MIXED.slice(0, -1), 'FORMAT'],
    [MIXED.replace('5a', '5g'), 'FORMAT'],
    ['ada.eth', 'FORMAT'],
    [MIXED.replace('5aA', '5AA'), 'CHECKSUM'],
    [MIXED.replace('Aed', 'AeD'), 'CHECKSUM'],
    [`0x${'0'.repeat(40)}`, 'ZERO'],
    [`0x${'1'.padStart(40, '0')}`, 'PRECOMPILE'],
    [`0x${'11'.padStart(40, '0')}`, 'PRECOMPILE'],
    [`0x${'100'.padStart(40, '0')}`, 'PRECOMPILE'],
    [`0x${'1010'.padStart(40, '0')}`, 'PRECOMPILE'],
    [`0x${'ffff'.padStart(40, '0')}`, 'PRECOMPILE'],
  ])('%j is refused: %s', (text, rule) => {
    expect(readAddress(text)).toEqual({ ok: false, rule });
  });

  it('above the precompiles is an account’s', () => {
    expect(readAddress(`0x${'10000'.padStart(40, '0')}`).ok).toBe(true);
  });

  it('of a token or of ours is not paid to, however it is written', () => {
    const unpayable = { tokens: [VECTORS[5]], ours: [VECTORS[6]] };
    const read = (text: string) => readPayableAddress(text, unpayable);
    expect(read(VECTORS[5].toLowerCase())).toEqual({ ok: false, rule: 'TOKEN' });
    expect(read(VECTORS[6].toLowerCase())).toEqual({ ok: false, rule: 'OURS' });
    expect(read(MIXED)).toEqual({ ok: true, address: MIXED });
  });
});
