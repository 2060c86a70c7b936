import { Type } from 'typebox';
import { integer } from './setting-types.ts';

const DAYS_MAX = 3_650;

/**
 * Five years: the longest that Article 26(2) of Regulation (EU) 2024/1624 lets customer information go
 * without being brought up to date, where the risk is not higher (then one year).
 */
const LIVE_DAYS = 1_825;

function approvalDays(prefix: 'TEST' | 'LIVE', days: number) {
  return integer(`${prefix}_KYC_APPROVAL_DAYS`, [0, DAYS_MAX], {
    default: days,
    unit: 'days',
    description:
      'how long a KYC approval holds before the end-user is verified again; an earlier end that the provider states wins. 0: only such an end',
  });
}

/** How long what the KYC provider approved may stand, and how long documents wait for it. */
export const KYC = Type.Object({
  approvalDays: Type.Object({
    test: approvalDays('TEST', 0),
    live: approvalDays('LIVE', LIVE_DAYS),
  }),
  documentDays: integer('KYC_DOCUMENT_DAYS', [1, 365], {
    default: 30,
    unit: 'days',
    description:
      'how long a document that an end-user has submitted waits for a KYC provider that does not take it; then it is erased. One that is taken is erased at once, one that is not submitted with its link',
  }),
});
