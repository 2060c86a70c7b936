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
        'tutorials/quickstart.md',
        'Quickstart',
        'Ten requests, from nothing to a verified webhook.',
      ),
      guide(
        'first-payout',
        'tutorials/first-payout.md',
        'Follow a payout',
        'Timeline, a failure, an unknown outcome, and a wallet.',
      ),
      guide(
        'first-deposit',
        'tutorials/first-deposit.md',
        'Receive a first deposit',
        'Tokens come in, and a bank payment goes out.',
      ),
      guide(
        'client',
        'reference/client.md',
        'TypeScript client',
        'Typed, without dependencies, and safe to retry.',
      ),
      guide(
        'sandbox',
        'reference/sandbox.md',
        'Sandbox',
        'Amounts and names that trigger failures.',
      ),
      guide('api-keys', 'reference/api-keys.md', 'API keys', 'Scopes, addresses, rotation.'),
      guide(
        'going-live',
        'how-to/onboard-and-go-live.md',
        'Going live',
        'From a request for access to real money.',
      ),
      guide('glossary', 'reference/glossary.md', 'Glossary', 'The terms of these pages.'),
    ],
  },
  {
    title: 'Pay',
    guides: [
      guide(
        'payments',
        'how-to/make-payments.md',
        'Payments',
        'Create, check, schedule, batch and cancel payments.',
      ),
      guide(
        'payment-states',
        'reference/payment-states.md',
        'Payment states',
        'The states of a payment, and where its money is.',
      ),
      guide(
        'idempotency',
        'reference/idempotency.md',
        'Idempotency',
        'Repeat a request without paying twice.',
      ),
      guide(
        'quotes',
        'reference/fx-and-quotes.md',
        'Rates and quotes',
        'Rates, quotes, fees, and payments in two currencies.',
      ),
      guide(
        'failures',
        'reference/failures.md',
        'Why payments fail',
        'Every failure code, and what to do.',
      ),
    ],
  },
  {
    title: 'Recipients',
    guides: [
      guide(
        'end-users',
        'how-to/manage-end-users.md',
        'End-users and KYC',
        'Register, check, change, close and erase the people and businesses that you pay for.',
      ),
      guide(
        'corridors',
        'reference/corridors.md',
        'Bank accounts and corridors',
        'Where money can go, over which rails, and what an account needs.',
      ),
      guide('wallets', 'reference/wallets.md', 'Wallets', 'Payments in USDC, EURC and USDT.'),
    ],
  },
  {
    title: 'Your money',
    guides: [
      guide(
        'money',
        'explanation/money-rules.md',
        'Money and rounding',
        'Who pays what, and how amounts are rounded.',
      ),
      guide(
        'balances',
        'reference/balances.md',
        'Balances and funding',
        'Transactions, daily statements, and funding by bank transfer.',
      ),
      guide(
        'deposits',
        'how-to/receive-deposits.md',
        'Deposits',
        'Receive tokens, pay them on, and refund them.',
      ),
    ],
  },
  {
    title: 'Webhooks',
    guides: [
      guide('webhooks', 'reference/webhooks.md', 'Webhooks', 'Events, order, retries and replays.'),
      guide(
        'verify-webhooks',
        'how-to/verify-webhooks.md',
        'Verify webhooks',
        'Receivers in five languages, and webhooks on your own machine.',
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
