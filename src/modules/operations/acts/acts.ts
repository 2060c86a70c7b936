import { ACCESS_REQUEST_ACTS } from './access-request-acts.ts';
import { ADDRESS_ACTS } from './address-acts.ts';
import { APPROVAL_ACTS } from './approval-acts.ts';
import { CHAIN_ACTS } from './chain-acts.ts';
import { CUSTOMER_ACTS } from './customer-acts.ts';
import { DEPOSIT_ACTS } from './deposit-acts.ts';
import { EXCEPTION_DESK_ACTS } from './exception-acts.ts';
import { FX_ACTS } from './fx-acts.ts';
import { KYC_ACTS } from './kyc-acts.ts';
import { LIVE_ACCESS_ACTS } from './live-access-acts.ts';
import type { ActEntry } from './operator-act.ts';
import { PAYMENT_ACTS } from './payment-acts.ts';
import { PERSON_ACTS } from './person-acts.ts';
import { RECONCILIATION_ACTS } from './reconciliation-acts.ts';
import { RELEASE_ACTS } from './release-acts.ts';
import { SCREENING_ACTS } from './screening-acts.ts';
import { WALLET_ACTS } from './wallet-acts.ts';

/** Every act of operators. The console's forms, the commands of `ops`, and docs/reference/operator-acts.md come from it. */
export const ACTS: readonly ActEntry[] = [
  ...[...PAYMENT_ACTS, ...RELEASE_ACTS, ...RECONCILIATION_ACTS, ...EXCEPTION_DESK_ACTS],
  ...[...SCREENING_ACTS, ...WALLET_ACTS, ...DEPOSIT_ACTS, ...KYC_ACTS],
  ...[...CUSTOMER_ACTS, ...LIVE_ACCESS_ACTS, ...ADDRESS_ACTS],
  ...[...ACCESS_REQUEST_ACTS, ...PERSON_ACTS],
  ...[...CHAIN_ACTS, ...FX_ACTS, ...APPROVAL_ACTS],
];
