import { describe, expect, it } from 'vitest';

import { checkDetails } from '../../../src/domain/parties/bank-accounts/rail-details.ts';
import { RAIL_FIELDS } from '../../../src/domain/parties/bank-accounts/rail-fields.ts';
import { isWritten } from '../../../src/domain/parties/bank-accounts/written-form.ts';
import { RAILS } from '../../../src/domain/payments/corridors/rail.ts';
import type { Rail } from '../../../src/domain/payments/corridors/rail.ts';

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

describe('NIP details', () => {
  const nip = (bankCode: string, accountNumber = '0000014579') =>
    checkDetails('NIP', place('NG'), { bankCode, accountNumber });

  it('are judged by bank code and number together', () => {
    expect(nip('011')).toMatchObject({ ok: true, last4: '4579' });
    expect(problemsOf('NIP', 'NG', { bankCode: '012', accountNumber: '0000014579' })).toEqual([
      '/details/accountNumber invalid_account_number',
    ]);
  });

  it('take the five digits of other institutions for the six that begin with 9', () => {
    const right = Array.from('0123456789', (digit) => nip('50211', `000001457${digit}`));
    const taken = right.flatMap((checked) => (checked.ok ? [checked.normalised] : []));
    expect(taken).toMatchObject([{ bankCode: '950211' }]);
  });

  it('refuse a routing code of the switch', () => {
    expect(nip('000011').ok).toBe(false);
  });
});

describe('SWIFT details', () => {
  const bic = 'COBADEFF';

  it('want the IBAN where the country has one', () => {
    expect(problemsOf('SWIFT', 'DE', { bic, accountNumber: '532013000' })).toEqual([
      '/details/iban required',
      '/details/accountNumber unknown_field',
    ]);
  });

  it('want an account number where there are no IBANs, as printed', () => {
    const details = { bic: 'cobausffxxx', accountNumber: '12-345 678' };
    expect(checkDetails('SWIFT', place('US'), details)).toMatchObject({
      ok: true,
      normalised: { accountNumber: '12345678', bic: 'COBAUSFF' },
    });
  });

  it('take exactly one of the two where both are in use', () => {
    const iban = 'RU0304452522540817810538091310419';
    const number = { accountNumber: '40817810538091310419' };
    const russian = { bic: 'COBARUMM' };
    expect(problemsOf('SWIFT', 'RU', { ...russian, iban })).toEqual([]);
    expect(problemsOf('SWIFT', 'RU', { ...russian, ...number })).toEqual([]);
    expect(problemsOf('SWIFT', 'RU', russian)).toEqual(['/details/iban required']);
    expect(problemsOf('SWIFT', 'RU', { ...russian, ...number, iban })).toEqual([
      '/details/accountNumber not_allowed',
    ]);
  });

  it("refuse a bank of another country, but not of the country's territories", () => {
    const iban = 'FR1420041010050500013M02606';
    expect(problemsOf('SWIFT', 'FR', { iban, bic })).toEqual(['/details/bic country_mismatch']);
    expect(problemsOf('SWIFT', 'FR', { iban, bic: 'SAMPREFF' })).toEqual([]);
    expect(problemsOf('SWIFT', 'RE', { iban, bic: 'SAMPREFF' })).toEqual([]);
  });
});

describe('an IBAN in accountNumber', () => {
  const us = { bic: 'COBAUSFF' };
  const russian = 'RU0304452522540817810538091310419';

  it.each([
    ['SWIFT', 'US', { ...us, accountNumber: 'IR062960000000100324200001' }],
    ['SWIFT', 'US', { ...us, accountNumber: 'ir06 2960-0000 0010 0324 2000 01' }],
    ['SWIFT', 'US', { ...us, accountNumber: 'IBAN IR062960000000100324200001' }],
    ['SWIFT', 'US', { ...us, accountNumber: 'DE89370400440532013000' }],
    ['SWIFT', 'RU', { bic: 'COBARUMM', accountNumber: 'DE89370400440532013000' }],
    ['FPS', 'GB', { sortCode: '123456', accountNumber: 'DE89370400440532013000' }],
  ] as const)('%s in %s: %j is of another country', (rail, country, details) => {
    expect(problemsOf(rail, country, details)).toEqual(['/details/accountNumber country_mismatch']);
  });

  it("of the account's own country belongs into iban", () => {
    const checked = checkDetails('SWIFT', place('RU'), {
      ...{ bic: 'COBARUMM', accountNumber: russian },
    });
    expect(checked).toMatchObject({
      ok: false,
      problems: [{ path: '/details/accountNumber', code: 'invalid_account_number' }],
    });
    expect(JSON.stringify(checked)).toMatch(/send it as iban/);
    expect(JSON.stringify(checked)).not.toContain(russian);
  });

  it('with a wrong check digit is a number like any other', () => {
    const accountNumber = 'DE88370400440532013000';
    expect(problemsOf('SWIFT', 'US', { ...us, accountNumber })).toEqual([]);
  });
});

describe('other details', () => {
  it.each([
    ['PIX', 'BR', { key: '529.982.247-25' }, { key: '52998224725' }],
    ['PIX', 'BR', { key: '12.abc.345/01de-35' }, { key: '12ABC34501DE35' }],
    ['PIX', 'BR', { key: 'Ada@Example.com' }, { key: 'ada@example.com' }],
    ['PIX', 'BR', { key: '+Ada@Example.com' }, { key: '+ada@example.com' }],
    ['PIX', 'BR', { key: '+55 11 91234-5678' }, { key: '+5511912345678' }],
    ['PIX', 'BR', { key: '+55 (11) 91234-5678' }, { key: '+5511912345678' }],
    ['PIX', 'BR', { key: '+55\u00a011\u00a091234-5678' }, { key: '+5511912345678' }],
    [
      'SEPA',
      'DE',
      { iban: 'DE89\u00a03704\u00a00044\u202f0532\u202f0130 00' },
      { iban: 'DE89370400440532013000' },
    ],
    [
      'SEPA',
      'DE',
      { iban: 'DE89370400440532013000', bic: 'COBA\u00a0DE\u202fFF' },
      { bic: 'COBADEFF' },
    ],
    [
      'MOBILE_MONEY',
      'KE',
      { operator: 'MPESA', phone: '+254\u00a0712\u202f345678' },
      { phone: '+254712345678' },
    ],
    [
      'PROMPTPAY',
      'TH',
      { proxyType: 'MOBILE', proxy: '081\u00a0234\u202f5678' },
      { proxy: '+66812345678' },
    ],
    [
      'TEF',
      'CL',
      {
        bankCode: '001',
        accountNumber: '0001\u00a023456',
        accountType: 'VISTA',
        taxId: '12\u00a0345\u202f678-5',
      },
      { taxId: '123456785' },
    ],
    [
      'ACH_CO',
      'CO',
      {
        bankCode: '1007',
        accountNumber: '00012345678',
        accountType: 'SAVINGS',
        taxId: '1\u00a0012\u202f345 678',
      },
      { taxId: '1012345678' },
    ],
    [
      'BECS_NZ',
      'NZ',
      { accountNumber: '01-0001-0000000-00' },
      { accountNumber: '0100010000000000' },
    ],
    [
      'BECS_NZ',
      'NZ',
      { accountNumber: '12-3456-7890123-45' },
      { accountNumber: '1234567890123045' },
    ],
    [
      'BECS_NZ',
      'NZ',
      { accountNumber: '12-3456-7890123-045' },
      { accountNumber: '1234567890123045' },
    ],
    ['PROMPTPAY', 'TH', { proxyType: 'MOBILE', proxy: '081-234-5678' }, { proxy: '+66812345678' }],
    ['MOBILE_MONEY', 'KE', { operator: 'MPESA', phone: '+254 712 345678' }, { operator: 'MPESA' }],
    ['IMPS', 'IN', { ifsc: 'hdfc0000001', accountNumber: '5010 0123 4567' }, {}],
    ['CCE', 'PE', { cci: '011-366-000100032542-21' }, { cci: '01136600010003254221' }],
  ] as const)('%s in %s: %j is taken', (rail, country, details, normalised) => {
    expect(checkDetails(rail, place(country), details)).toMatchObject({ ok: true, normalised });
  });

  it.each([
    ['PIX', 'BR', { key: '52998224724' }, '/details/key invalid_pix_key'],
    ['PIX', 'BR', { key: '+5' }, '/details/key invalid_pix_key'],
    ['PIX', 'BR', { key: '+55 (11) 91234-5678-9012-3456' }, '/details/key invalid_pix_key'],
    ['PIX', 'BR', { key: '+55 (11) 91234-5678 ext' }, '/details/key invalid_pix_key'],
    ['PIX', 'BR', { key: '.ada.@example.com' }, '/details/key invalid_pix_key'],
    ['PIX', 'BR', { key: 'ada@-example.com' }, '/details/key invalid_pix_key'],
    ['PIX', 'BR', { key: 'ada@example.1' }, '/details/key invalid_pix_key'],
    [
      'BECS_NZ',
      'NZ',
      { accountNumber: '12-3456-7890123-4' },
      '/details/accountNumber invalid_account_number',
    ],
    [
      'PROMPTPAY',
      'TH',
      { proxyType: 'EWALLET', proxy: '0812345678' },
      '/details/proxy invalid_proxy',
    ],
    [
      'MOBILE_MONEY',
      'KE',
      { operator: 'MPESA', phone: '+255712345678' },
      '/details/phone invalid_phone',
    ],
    [
      'MOBILE_MONEY',
      'KE',
      { operator: 'PIGEON', phone: '+254712345678' },
      '/details/operator invalid_operator',
    ],
    ['UPI', 'IN', { vpa: 'ada' }, '/details/vpa invalid_vpa'],
    [
      'FAST',
      'SG',
      { bic: 'COBADEFF', accountNumber: '123456789' },
      '/details/bic country_mismatch',
    ],
  ] as const)('%s in %s: %j is refused', (rail, country, details, problem) => {
    expect(problemsOf(rail, country, details)).toEqual([problem]);
  });

  it('are judged in a moment, whatever is sent', () => {
    const hostile = [
      'a'.repeat(60_000),
      ' '.repeat(60_000),
      `${'-'.repeat(60_000)}!`,
      '1 '.repeat(30),
      `+${'1'.repeat(38)}${' ('.repeat(19)}`,
      `${'a.'.repeat(19)}a@${'a-'.repeat(19)}`,
    ];
    const started = performance.now();
    for (const text of hostile) {
      for (const rail of RAILS) {
        const { fields } = RAIL_FIELDS[rail](place('FR'));
        for (const field of Object.values(fields)) isWritten(field, text);
      }
    }
    // What backtracks takes hours.
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
