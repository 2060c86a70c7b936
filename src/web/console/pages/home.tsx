import {
  COUNTED_MAX,
  readWaiting,
  type WaitingKind,
  type WaitingRow,
} from '../../../db/operations/waiting-store.ts';
import { PageHead } from '../../kit/parts/page-head.tsx';
import type { WebApp } from '../../kit/web-deps.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { sendConsolePage } from '../parts/console-page.tsx';
import { Waiting } from '../parts/list-page.tsx';
import { moment } from '../parts/moments.ts';

/** Each kind in words, and where it is worked on. In the order in which they are shown. */
const KINDS: Readonly<Record<WaitingKind, { readonly text: string; readonly href: string }>> = {
  APPROVAL_NOT_IN_EFFECT: { text: 'Approvals that are not in effect', href: '/approvals' },
  APPROVAL_PROPOSED: { text: 'Approvals that wait for a second operator', href: '/approvals' },
  APPROVAL_HANDED_IN: { text: 'Proposals that were handed in by command', href: '/approvals' },
  ACCESS_REQUEST: { text: 'Requests for access', href: '/requests' },
  ADDRESS_PENDING: { text: 'Addresses of live keys', href: '/requests/addresses' },
  LIVE_REQUEST: { text: 'Requests for live access', href: '/requests/live' },
  SCREENING_CASE: { text: 'Screening hits', href: '/reviews' },
  WALLET_REVIEW: { text: 'Wallets under review', href: '/reviews' },
  DEPOSIT_HELD: { text: 'Deposits whose sender is to be looked at', href: '/reviews' },
  DEPOSIT_BLOCKED: { text: 'Deposits in suspense, from a sender on a list', href: '/reviews' },
  PAYMENT_CONTRADICTED: { text: 'Payments that the bank contradicts', href: '/payments' },
  PAYMENT_UNSURE: {
    text: 'Payments that a network may have paid before a restore',
    href: '/payments',
  },
  PAYMENT_HELD: { text: 'Payments on hold', href: '/payments' },
  LATE_RETURN: { text: 'Money that came back late', href: '/reconciliation' },
  UNMATCHED_CREDIT: { text: 'Unmatched credits', href: '/reconciliation' },
  STATEMENT_REFUSED: {
    text: 'Statements that were refused or cannot be read',
    href: '/reconciliation',
  },
  DEPOSIT_NOT_PAID_ON: { text: 'Deposits that were not paid on in time', href: '/payments' },
  CHAIN_STOP: { text: 'Networks that are stopped', href: '/release' },
  CHAIN_NOT_READ: { text: 'Networks that are not read for deposits', href: '/release' },
  RELEASE_STOP: { text: 'Stops of release in force', href: '/release' },
  MAIL_UNSENT: { text: 'Mails that were not sent', href: '/mails' },
};

const ORDER = Object.keys(KINDS);
const inOrder = (one: WaitingRow, other: WaitingRow): number =>
  ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind);
const countOf = ({ count }: WaitingRow): string =>
  count > COUNTED_MAX ? `more than ${String(COUNTED_MAX)}` : String(count);

/** GET /: all that waits for an operator, with the oldest of each kind. */
export function registerHome(app: WebApp, { db, clock }: ConsoleDeps): void {
  app.get('/', { config: { right: 'see' } }, async (request, reply) => {
    const rows = await db.system((tx) => readWaiting(tx, clock.now()));
    return sendConsolePage(request, reply, {
      title: 'All that waits',
      current: '/',
      body: (
        <>
          <PageHead title="All that waits" about="For an operator, of both environments." />
          <Waiting
            label="All that waits"
            rows={rows.sort(inOrder)}
            keyOf={({ kind }) => kind}
            hrefOf={({ kind }) => KINDS[kind].href}
            columns={[
              { title: 'What', cell: ({ kind }) => KINDS[kind].text },
              { title: 'How many', isNumber: true, cell: countOf },
              { title: 'Oldest since (UTC)', isMuted: true, cell: ({ oldest }) => moment(oldest) },
            ]}
            empty={{ title: 'Nothing waits', text: 'Everything goes on by itself.' }}
          />
        </>
      ),
    });
  });
}
