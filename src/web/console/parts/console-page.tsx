import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorRight } from '../../../domain/customers/access/operator-rights.ts';
import type { Operator } from '../../../domain/customers/access/person.ts';
import { SESSION_LIVES } from '../../../domain/customers/access/session-life.ts';
import { Frame, type NavGroup } from '../../kit/parts/frame.tsx';
import type { Children } from '../../kit/parts/types.ts';
import { operatorOf } from '../../kit/person.ts';
import { sendPage } from '../../kit/send-page.ts';
import { hasRight } from './act-links.tsx';

interface Item {
  readonly href: string;
  readonly text: string;
  /** `see` where it names none. An operator without it does not see the link. */
  readonly right?: OperatorRight;
}

const NAV: readonly { readonly title: string; readonly items: readonly Item[] }[] = [
  {
    title: 'Work',
    items: [
      { href: '/', text: 'Inbox' },
      { href: '/requests', text: 'Requests' },
      { href: '/reviews', text: 'Reviews' },
      { href: '/approvals', text: 'Approvals' },
    ],
  },
  {
    title: 'Money',
    items: [
      { href: '/payments', text: 'Payments' },
      { href: '/reconciliation', text: 'Reconciliation' },
      { href: '/reconciliation/exceptions', text: 'Exceptions' },
      { href: '/release', text: 'Release' },
    ],
  },
  {
    title: 'People',
    items: [
      { href: '/customers', text: 'Customers' },
      { href: '/mails', text: 'Unsent emails' },
      { href: '/operators', text: 'Operators' },
      { href: '/audit', text: 'Audit log', right: 'see-audit-log' },
      { href: '/settings', text: 'Settings', right: 'write-own-sessions' },
    ],
  },
];

const navOf = (operator: Operator): readonly NavGroup[] =>
  NAV.map(({ title, items }) => ({
    title,
    items: items.filter(({ right = 'see' }) => hasRight(operator, right)),
  })).filter(({ items }) => items.length > 0);

/** Answers with a page of an operator; its status is the reply's, 200 unless it says otherwise. */
export function sendConsolePage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: {
    readonly title: string;
    /** The href of the sidebar's item that it belongs to. */
    readonly current: string;
    readonly body: Children;
  },
) {
  const operator = operatorOf(request);
  const body = (
    <Frame
      who={`${operator.name}, ${operator.role.toLowerCase()}`}
      nav={navOf(operator)}
      current={page.current}
      idleMinutes={SESSION_LIVES.console.idleMinutes}
      logOut={{ action: '/log-out', token: reply.newForm('/log-out') }}
    >
      {page.body}
    </Frame>
  );
  return sendPage(reply, { title: page.title, body, theme: operator.theme });
}
