import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isValidRoutingNumber } from '../../../src/domain/parties/bank-accounts/aba.ts';
import { isValidBic, normaliseBic } from '../../../src/domain/parties/bank-accounts/bic.ts';
import { isValidBsb } from '../../../src/domain/parties/bank-accounts/bsb.ts';
import { isValidCbu } from '../../../src/domain/parties/bank-accounts/cbu.ts';
import { isValidClabe } from '../../../src/domain/parties/bank-accounts/clabe.ts';
import { isValidCnpj, isValidCpf } from '../../../src/domain/parties/bank-accounts/cpf-cnpj.ts';
import { isValidE164 } from '../../../src/domain/parties/bank-accounts/e164.ts';
import { isValidIban, normaliseIban } from '../../../src/domain/parties/bank-accounts/iban.ts';
import { isValidIfsc } from '../../../src/domain/parties/bank-accounts/ifsc.ts';
import { isValidNuban } from '../../../src/domain/parties/bank-accounts/nuban.ts';
import { isValidSortCode } from '../../../src/domain/parties/bank-accounts/sort-code.ts';
import { vectors } from '../../support/parties/vectors.ts';

const checks = {
  iban: isValidIban,
  routingNumber: isValidRoutingNumber,
  clabe: isValidClabe,
  cpf: isValidCpf,
  cnpj: isValidCnpj,
  cbu: isValidCbu,
  ifsc: isValidIfsc,
  bic: isValidBic,
  bsb: isValidBsb,
  sortCode: isValidSortCode,
  e164: isValidE164,
} as const;

describe.each(Object.keys(checks) as (keyof typeof checks)[])('%s', (scheme) => {
  it.each(vectors[scheme].valid)('accepts %s', (text) => {
    expect(checks[scheme](text)).toBe(true);
  });

  it.each(vectors[scheme].invalid)('refuses %j', (text) => {
    expect(checks[scheme](text)).toBe(false);
  });

  it('answers any text without throwing, and ends where the text ends', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof checks[scheme](text)).toBe('boolean');
      }),
    );
    expect(checks[scheme](`${vectors[scheme].valid[0]}\n`)).toBe(false);
  });
});

describe('a single mistyped digit', () => {
  const caught = ['iban', 'routingNumber', 'clabe', 'cpf', 'cbu'] as const;

  it.each(caught)('is caught in every place of a valid %s', (scheme) => {
    for (const text of vectors[scheme].valid) {
      for (let i = 0; i < text.length; i += 1) {
        const digit = text[i] ?? '';
        if (!/[0-9]/.test(digit)) continue;
        for (const other of '0123456789'.replace(digit, '')) {
          const mistyped = text.slice(0, i) + other + text.slice(i + 1);
          expect(checks[scheme](mistyped), mistyped).toBe(false);
        }
      }
    }
  });
});

describe('nuban', () => {
  it('depends on the bank, not on the account number alone', () => {
    expect(isValidNuban('011', '0000014579')).toBe(true);
    expect(isValidNuban('011', '0000014578')).toBe(false);
    expect(isValidNuban('012', '0000014579')).toBe(false);
  });

  it.each([
    ['11', '0000014579'],
    ['000011', '0000014579'],
    ['011', '000014579'],
    ['011', '000001457A'],
  ])('refuses the form of %s %s', (bankCode, accountNumber) => {
    expect(isValidNuban(bankCode, accountNumber)).toBe(false);
  });
});

describe('IBAN check digits', () => {
  it('are refused where they are congruent but never issued', () => {
    // 97 is 00 modulo 97: of the two, only the one between 02 and 98 can be real.
    const digitsOf = (bban: string): string[] =>
      Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0')).filter((digits) =>
        isValidIban(`DE${digits}${bban}`),
      );
    for (let account = 0; account < 200; account += 1) {
      const bban = `37040044${String(account).padStart(10, '0')}`;
      const found = digitsOf(bban);
      expect(found).toHaveLength(1);
      expect(Number(found[0])).toBeGreaterThanOrEqual(2);
      expect(Number(found[0])).toBeLessThanOrEqual(98);
    }
  });
});

describe('canonical forms', () => {
  it('are one for every way of writing the same thing', () => {
    expect(normaliseIban('de89 3704 0044 0532 0130 00')).toBe('DE89370400440532013000');
    expect(normaliseBic('cobadeffxxx')).toBe('COBADEFF');
    expect(normaliseBic('COBADEFF060')).toBe('COBADEFF060');
  });
});
