import { reasonTable } from './reason-table.ts';

/** The words of the contract with a bank over HTTP (docs/reference/bank-contract.md), for banks without a rail's codes. */
export const BANK_WORDS = reasonTable({
  account_not_found: 'ACCOUNT_NOT_FOUND',
  account_invalid: 'ACCOUNT_INVALID',
  account_closed: 'ACCOUNT_CLOSED',
  account_blocked: 'ACCOUNT_BLOCKED',
  account_not_payable: 'ACCOUNT_NOT_PAYABLE',
  account_currency_mismatch: 'CURRENCY_MISMATCH',
  bank_identifier_invalid: 'BANK_NOT_FOUND',
  bank_not_reachable: 'BANK_NOT_REACHABLE',
  beneficiary_name_mismatch: 'NAME_MISMATCH',
  beneficiary_deceased: 'BENEFICIARY_DECEASED',
  beneficiary_refused: 'BENEFICIARY_REFUSED',
  amount_not_allowed: 'AMOUNT_NOT_ALLOWED',
  limit_exceeded: 'LIMIT_EXCEEDED',
  duplicate_payment: 'DUPLICATE',
  settlement_funds_insufficient: 'INSUFFICIENT_FUNDS',
  date_not_accepted: 'CUT_OFF_MISSED',
  bank_unavailable: 'BANK_UNAVAILABLE TEMPORARILY_UNAVAILABLE RAIL_UNAVAILABLE',
  recalled: 'RECALLED',
  compliance_declined: 'COMPLIANCE FRAUD REGULATORY SANCTIONS',
  unspecified: 'UNSPECIFIED',
});
