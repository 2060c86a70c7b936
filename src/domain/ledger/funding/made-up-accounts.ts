import { currencyCodes } from '../../money/currencies.ts';
import type { FundingAccount } from './funding-account.ts';

/** Where the made-up accounts are said to be. */
export const MADE_UP_COUNTRY = 'US';

/** Of the form of a BIC, and no bank's. */
const MADE_UP_BIC = 'SANDUS00XXX';

/**
 * The accounts of the sandbox bank, one for each currency. No real payment reaches them: they are for
 * environments without real money only.
 */
export function madeUpAccounts(): (FundingAccount & { readonly bankName: string })[] {
  return currencyCodes().map((currency) => ({
    currency,
    rail: 'SWIFT',
    account: { accountNumber: `NOSTRO${currency}`, bic: MADE_UP_BIC },
    holderName: 'Causeway Sandbox',
    bankName: 'Sandbox Bank',
  }));
}
