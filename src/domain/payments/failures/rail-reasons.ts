import { BANK_WORDS } from './bank-words.ts';
import { FAILURES, type FailureCode, type FailureEntry } from './failure-catalogue.ts';
import { ISO_RETURN_REASONS, ISO_STATUS_REASONS } from './iso-reasons.ts';
import { NACHA_REASONS } from './nacha-reasons.ts';
import type { OutcomeReason } from './outcome-reason.ts';
import { reasonTable, type ReasonTable } from './reason-table.ts';

/** What the rail of a network says of a transfer that was not made. */
const CHAIN_WORDS = reasonTable({
  transfer_voided: 'VOIDED',
  transfer_reverted: 'REVERTED',
  quote_expired: 'QUOTE_EXPIRED',
});

/** Whether a payment was rejected before it left, or came back: some rails' codes differ in meaning. */
type OutcomeKind = 'REJECTED' | 'RETURNED';

const TABLES: Readonly<Record<OutcomeKind, readonly ReasonTable[]>> = {
  REJECTED: [ISO_STATUS_REASONS, ISO_RETURN_REASONS, NACHA_REASONS, BANK_WORDS, CHAIN_WORDS],
  RETURNED: [ISO_RETURN_REASONS, ISO_STATUS_REASONS, NACHA_REASONS, BANK_WORDS],
};

/**
 * What looks like a code. Anything else is prose, which may name a person; a longer run of digits may be
 * an account number. 35 characters: ISO 20022 Max35Text of a proprietary reason.
 */
const CODE = /^(?!.*[0-9]{5})[A-Z0-9_-]{1,35}$/;

/** One of our own reasons, without a bank. */
export function reasonNamed(code: FailureCode, railCode: string | null = null): OutcomeReason {
  const { category, message, retryable, action }: FailureEntry = FAILURES[code];
  return { code, category, message, retryable, action, railCode };
}

/** The bank's own code, where that is what it wrote; null for prose, and for what may be an account number. */
export const codeText = (given: string | null): string | null =>
  given !== null && CODE.test(given) ? given : null;

/** The reason that a bank gave, as the partner reads it: `unspecified` where it is none that we know. */
export function reasonOf(given: string | null, kind: OutcomeKind): OutcomeReason {
  const railCode = codeText(given);
  const code = railCode === null ? 'unspecified' : codeOf(railCode, kind);
  // Which list a party is on, or who asked, is not told.
  const isTold = FAILURES[code].category !== 'COMPLIANCE';
  return reasonNamed(code, isTold ? railCode : null);
}

/** `reason` is the bank's code under its older name. */
export function returnReason(given: string | null) {
  const why = reasonOf(given, 'RETURNED');
  return { reason: why.railCode, ...why };
}

function codeOf(railCode: string, kind: OutcomeKind): FailureCode {
  for (const table of TABLES[kind]) {
    const code = table.get(railCode);
    if (code !== undefined) return code;
  }
  return 'unspecified';
}

/** The codes of rails that are told of a reason, in alphabetical order; none for reasons of compliance. */
export function railCodesOf(code: FailureCode): string[] {
  if (FAILURES[code].category === 'COMPLIANCE') return [];
  const tables = new Set(Object.values(TABLES).flat());
  const all = [...tables].flatMap((table) =>
    [...table].flatMap(([railCode, reason]) => (reason === code ? [railCode] : [])),
  );
  return [...new Set(all)].sort();
}
