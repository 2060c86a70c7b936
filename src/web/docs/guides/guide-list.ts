import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A page of Markdown that partners read. */
interface GuideEntry {
  /** Its part of an address. */
  readonly slug: string;
  /** Its file below `docs/`. */
  readonly file: string;
  /** What navigation calls it. */
  readonly title: string;
  /** One sentence for the first page. */
  readonly says: string;
}

interface GuideGroup {
  readonly title: string;
  readonly guides: readonly GuideEntry[];
}

const guide = (slug: string, file: string, title: string, says: string): GuideEntry => ({
  slug,
  file,
  title,
  says,
});

/** Every guide, in the order of navigation. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      guide(
        'quickstart',
        'guides/quickstart.md',
        'Quickstart',
        'Ten requests, from nothing to a verified webhook.',
      ),
      guide(
        'client',
        'client.md',
        'TypeScript client',
        'Typed, without dependencies, and safe to send again.',
      ),
      guide(
        'sandbox',
        'sandbox.md',
        'Sandbox',
        'Amounts and names that make banks and providers misbehave.',
      ),
      guide('api-keys', 'api-keys.md', 'API keys', 'Scopes, addresses, rotation.'),
      guide('going-live', 'going-live.md', 'Going live', 'What it takes from test to real money.'),
    ],
  },
  {
    title: 'Pay',
    guides: [
      guide(
        'payments',
        'payments.md',
        'Payments',
        'Making, checking, scheduling and canceling them.',
      ),
      guide(
        'payment-states',
        'payment-states.md',
        'States of a payment',
        'Where a payment stands, and where its money is.',
      ),
      guide(
        'idempotency',
        'guides/idempotency.md',
        'Idempotency',
        'How to send again without paying twice.',
      ),
      guide(
        'quotes',
        'fx-and-quotes.md',
        'Rates and quotes',
        'Two currencies, priced to the last cent.',
      ),
      guide('batches', 'batches.md', 'Batches', 'A thousand payments with one request.'),
      guide(
        'failures',
        'failures.md',
        'Why payments fail',
        'Every reason, and what to do about it.',
      ),
    ],
  },
  {
    title: 'Recipients',
    guides: [
      guide(
        'end-users',
        'end-users.md',
        'End-users',
        'The people and businesses that are paid for.',
      ),
      guide('kyc', 'kyc.md', 'KYC', 'How an end-user is approved.'),
      guide(
        'bank-accounts',
        'bank-accounts.md',
        'Bank accounts',
        'What an account needs, country by country.',
      ),
      guide('corridors', 'corridors.md', 'Corridors', 'Where money can go, over which rails.'),
      guide('wallets', 'wallets.md', 'Wallets and networks', 'Payments in USDC, EURC and USDT.'),
    ],
  },
  {
    title: 'Your money',
    guides: [
      guide(
        'money',
        'money-rules.md',
        'Money and rounding',
        'Who bears what, and which way a cent is rounded.',
      ),
      guide('balances', 'balances.md', 'Balances', 'Transactions and daily statements.'),
      guide('funding', 'funding.md', 'Funding', 'How a balance is filled.'),
      guide('deposits', 'deposits.md', 'Deposits', 'Tokens that come in.'),
    ],
  },
  {
    title: 'Webhooks',
    guides: [
      guide(
        'webhooks',
        'webhooks.md',
        'Webhooks',
        'What is sent, when, how often and in which order.',
      ),
      guide(
        'verify-webhooks',
        'verify-webhooks.md',
        'Verify webhooks',
        'Receivers in six languages, ready to copy.',
      ),
      guide(
        'listen',
        'listen.md',
        'On your own machine',
        'Webhooks in your terminal as they arrive.',
      ),
    ],
  },
];

/** A guide and its text. */
export interface Guide extends GuideEntry {
  readonly markdown: string;
}

/** Reads every guide, from the folder `docs` beside `src`. */
export function readGuides(): readonly Guide[] {
  return GUIDE_GROUPS.flatMap(({ guides }) => guides).map((entry) => ({
    ...entry,
    markdown: readFileSync(
      fileURLToPath(new URL(`../../../../docs/${entry.file}`, import.meta.url)),
      'utf8',
    ),
  }));
}
