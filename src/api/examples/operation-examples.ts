import { BALANCE_EXAMPLES } from './balance-examples.ts';
import { BANK_ACCOUNT_EXAMPLES } from './bank-account-examples.ts';
import { DEPOSIT_EXAMPLES } from './deposit-examples.ts';
import { END_USER_EXAMPLES } from './end-user-examples.ts';
import { KYC_EXAMPLES } from './kyc-examples.ts';
import type { ExampleTable } from './operation-example.ts';
import { PAYMENT_BATCH_EXAMPLES } from './payment-batch-examples.ts';
import { PAYMENT_EXAMPLES } from './payment-examples.ts';
import { QUOTE_EXAMPLES } from './quote-examples.ts';
import { REFERENCE_EXAMPLES } from './reference-examples.ts';
import { SANDBOX_EXAMPLES } from './sandbox-examples.ts';
import { WALLET_EXAMPLES } from './wallet-examples.ts';
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts';

/** An example, or several, of every operation of the document. They tell of one made-up partner's day. */
export const OPERATION_EXAMPLES: ExampleTable = {
  ...END_USER_EXAMPLES,
  ...KYC_EXAMPLES,
  ...BANK_ACCOUNT_EXAMPLES,
  ...WALLET_EXAMPLES,
  ...QUOTE_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...PAYMENT_BATCH_EXAMPLES,
  ...DEPOSIT_EXAMPLES,
  ...BALANCE_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...SANDBOX_EXAMPLES,
  ...REFERENCE_EXAMPLES,
};
