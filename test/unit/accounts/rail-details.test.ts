import { describe, expect, it } from 'vitest';

import { checkDetails } from '../../../src/domain/accounts/rail-details.ts';
import type { Rail } from '../../../src/domain/corridors/rail.ts';

const place = (country: string) => ({ country, holderType: 'INDIVIDUAL' }) as const;

function problemsOf(rail: Rail, country: string, details: Record<string, unknown>): string[] {
  const checked = checkDetails(rail, place(country), details);
  return checked.ok ? [] : checked.problems.map(({ path, code }) => `${path} ${code}`);
}

describe('SEPA details', () => {
  it('take one canonical form, however they are written', () => {
    const canonical = {
      ok: true,
      normalised: { iban: 'DE89370400440532013000', bic: 'COBADEFF' },
      last4: '3000',
    };
    const spaced = { bic: 'cobadeffxxx', iban: 'de89 3704 0044 0532 0130 00' };
    const checked = checkDetails('SEPA', place('DE'), spaced);
    expect(checked).toEqual(canonical);
    expect(JSON.stringify(checked)).toBe(JSON.stringify(canonical));
  });

  it('need no BIC', () => {
    expect(problemsOf('SEPA', 'NL', { iban: 'NL91ABNA0417164300' })).toEqual([]);
  });

  it('are refused where the IBAN belongs to another country', () => {
    expect(problemsOf('SEPA', 'FR', { iban: 'NL91ABNA0417164300' })).toEqual([
      '/details/iban country_mismatch',
    ]);
  });

  it('name a wrong IBAN once, not its country too', () => {
    expect(problemsOf('SEPA', 'FR', { iban: 'NL91ABNA0417164301' })).toEqual([
      '/details/iban invalid_iban',
    ]);
  });
});

describe('ACH details', () => {
  const right = {
    routingNumber: '021000021',
    accountNumber: '000123456789',
    accountType: 'CHECKING',
  };

  it('keep the leading zeros of an account number', () => {
    expect(checkDetails('ACH', place('US'), right)).toEqual({
      ok: true,
      normalised: right,
      last4: '6789',
    });
  });

  it('are told all their problems at once', () => {
    const wrong = { routingNumber: '021000022', accountNumber: '123', accountType: 'checking' };
    expect(problemsOf('ACH', 'US', { ...wrong, 'a/b~c': 1 })).toEqual([
      '/details/routingNumber invalid_routing_number',
      '/details/accountNumber invalid_account_number',
      '/details/accountType invalid_account_type',
      '/details/a~1b~0c unknown_field',
    ]);
    expect(problemsOf('ACH', 'US', {})).toEqual([
      '/details/routingNumber required',
      '/details/accountNumber required',
      '/details/accountType required',
    ]);
  });

  it('are not coerced from numbers', () => {
    expect(problemsOf('ACH', 'US', { ...right, accountNumber: 123456 })).toEqual([
      '/details/accountNumber invalid_account_number',
    ]);
  });
});

describe('FPS details', () => {
  it('tolerate the usual ways to write a sort code', () => {
    for (const sortCode of ['123456', '12-34-56', '12 34 56']) {
      expect(checkDetails('FPS', place('GB'), { sortCode, accountNumber: '12345678' })).toEqual({
        ok: true,
        normalised: { sortCode: '123456', accountNumber: '12345678' },
        last4: '5678',
      });
    }
  });

  it('refuse a wrong length', () => {
    expect(problemsOf('FPS', 'GB', { sortCode: '12345', accountNumber: '1234567' })).toEqual([
      '/details/sortCode invalid_sort_code',
      '/details/accountNumber invalid_account_number',
    ]);
  });
});

describe('all details', () => {
  it('take nothing from the prototype of an object', () => {
    const inherited = Object.create({ iban: 'NL91ABNA0417164300' }) as Record<string, unknown>;
    expect(problemsOf('SEPA', 'NL', inherited)).toEqual(['/details/iban required']);
    const hostile = JSON.parse('{"iban":"NL91ABNA0417164300","__proto__":"x"}') as Record<
      string,
      unknown
    >;
    expect(problemsOf('SEPA', 'NL', hostile)).toEqual(['/details/__proto__ unknown_field']);
  });

  it('never see their values in a problem', () => {
    const planted = '99887766554433221100';
    const details = { iban: planted, bic: planted, routingNumber: planted };
    const text = JSON.stringify(checkDetails('SEPA', place('DE'), details));
    expect(text).not.toContain(planted);
  });
});
