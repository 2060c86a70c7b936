import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readFundingAccountsFile } from '../../../src/server/config/funding-accounts-file.ts';
import { FUNDING, fundingAccounts } from '../../../src/server/config/funding-config.ts';
import { readSettings } from '../../../src/server/config/settings.ts';
import { currencyCodes } from '../../../src/domain/money/currencies.ts';
import { keepFundingAccounts } from '../../../src/cli/dev/keep-funding-accounts.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-accounts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OWN = {
  ...{ currency: 'EUR', rail: 'SEPA', country: 'DE', holderName: 'Sample Payments Ltd' },
  account: { iban: 'DE89 3704 0044 0532 0130 00' },
};

const lines = (...accounts: object[]) => {
  const read = readFundingAccountsFile({ accounts });
  return read.ok ? [] : read.lines;
};

describe('the file of our accounts', () => {
  it('gives them in canonical form', () => {
    expect(readFundingAccountsFile({ accounts: [OWN] })).toEqual({
      ok: true,
      accounts: [
        {
          ...{ currency: 'EUR', rail: 'SEPA', holderName: 'Sample Payments Ltd', bankName: null },
          account: { iban: 'DE89370400440532013000' },
        },
      ],
    });
  });

  it.each([
    [{ ...OWN, currency: 'XXX' }, 'row 1 of accounts: currency must be an ISO 4217 code'],
    [{ ...OWN, country: 'ZZ' }, 'row 1 of accounts: country must be an ISO 3166-1 alpha-2 code'],
    [{ ...OWN, rail: 'PIGEON' }, 'row 1 of accounts: rail must be the name of a rail'],
    [{ ...OWN, account: { iban: 'DE89370400440532013001' } }, 'account must be right: iban'],
    [{ ...OWN, account: { iban: OWN.account.iban, pin: '1' } }, 'no such field'],
    [{ ...OWN, extra: 1 }, 'row 1 of accounts: extra is no known field'],
    [{ ...OWN, holderName: '' }, 'row 1 of accounts: holderName'],
  ])('%j is refused by row and field', (row, told) => {
    expect(lines(row).join('\n')).toContain(told);
  });

  it('has one account a currency and rail', () => {
    expect(lines(OWN, OWN)).toEqual([
      'row 2 of accounts: rail must be in one row only with this currency',
    ]);
  });

  it('unset gives made-up accounts of every currency to test, and none to live', () => {
    const { test, live } = fundingAccounts(readSettings(FUNDING, {}));
    expect(test.map(({ currency }) => currency)).toEqual(currencyCodes());
    expect(live).toEqual([]);
  });

  it('of the local run is one that live can read', () => {
    const file = keepFundingAccounts(folder);
    const { live } = fundingAccounts(readSettings(FUNDING, { LIVE_FUNDING_ACCOUNTS_FILE: file }));
    expect(live.map(({ currency }) => currency)).toEqual(currencyCodes());
  });

  it('that is no JSON stops the start, and names its variable', () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, 'not json');
    expect(() => readSettings(FUNDING, { TEST_FUNDING_ACCOUNTS_FILE: file })).toThrow(
      'TEST_FUNDING_ACCOUNTS_FILE',
    );
  });
});
