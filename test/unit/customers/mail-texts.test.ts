import { describe, expect, it } from 'vitest';
import {
  code,
  facts,
  moment,
  oneLine,
  text,
} from '../../../src/modules/customers/mail/mail-text.ts';
import { renderMail, type MailContents } from '../../../src/modules/customers/mail/render-mail.tsx';
import {
  MAIL_TEXTS,
  type MailFacts,
  type MailKind,
} from '../../../src/modules/customers/mail/texts/mail-texts.ts';

const AT = new Date('2026-11-22T10:05:00.000Z');
const URL = 'http://dashboard.localhost:8081/x';
const KEY = { keyId: 'key_1', keyName: 'Payroll <b>', environment: 'test', url: URL } as const;
const REQUEST = { requestId: 'acr_1', url: URL };

const SAMPLES: { readonly [Kind in MailKind]: MailFacts<Kind> } = {
  LOGIN_CODE: { code: '40417263', site: 'dashboard.localhost:8081', minutes: 5 },
  STEP_UP_CODE: { code: '40417263', act: 'create an API key', minutes: 5 },
  NEW_DEVICE: { at: AT, browser: 'Firefox on Linux', sessionsUrl: URL },
  PASSKEY_CHANGED: { change: 'added', at: AT, settingsUrl: URL },
  INVITATION: { company: 'Sample & Partner', role: 'DEVELOPER', url: URL, endsAt: AT },
  ADDRESS_TO_VERIFY: { url: URL, endsAt: AT },
  ADDRESS_CHANGE_ASKED: { at: AT, url: URL, endsAt: AT },
  ADDRESS_CHANGED: { at: AT },
  ROLE_CHANGED: { role: 'VIEWER', company: 'Sample & Partner', at: AT },
  REQUEST_RECEIVED: REQUEST,
  REQUEST_DECLINED: REQUEST,
  KEY_CREATED: KEY,
  KEY_ROTATED: { ...KEY, oldEndsAt: AT },
  KEY_REVOKED: KEY,
  KEY_EXPIRING: { ...KEY, days: 7, endsAt: AT },
  RANGE_DECIDED: { ...KEY, range: '203.0.113.0/24', isApproved: true },
  LIVE_ACCESS_DECIDED: { decision: 'APPROVED', url: URL },
  CUSTOMER_SUSPENDED: { at: AT },
  ENDPOINT_DISABLED: { endpointId: 'whe_1', environment: 'live', reason: 'FAILING', url: URL },
  PAYMENTS_WAITING: { count: 2, environment: 'live', url: URL },
  OPS_REQUEST_RECEIVED: REQUEST,
  OPS_REQUEST_WAITING: { ...REQUEST, days: 2 },
  OPS_APPROVAL_WAITING: { approvalId: 'apr_1', what: 'live access', url: URL },
  OPS_PAYMENTS_STUCK: { count: 2, url: URL },
  OPS_DECISION_WAITING: { what: 'live access', count: 2, url: URL },
  OPS_MONEY_WAITING: { what: 'deposits', count: 2, url: URL },
  OPS_OVERDUE: {
    items: [
      { what: 'Payments', count: 2, isMore: false, examples: ['pay_1', 'pay_2'] },
      { what: 'Credits', count: 10_000, isMore: true, examples: ['cr_1'] },
    ],
    url: URL,
  },
  OPS_OPERATOR_ADDED: { operatorId: 'opr_1', role: 'ADMIN', isConfirmed: false, url: URL },
};

const render = (kind: MailKind): MailContents =>
  renderMail(
    (MAIL_TEXTS[kind] as (given: unknown) => Parameters<typeof renderMail>[0])(SAMPLES[kind]),
  );

const KINDS = Object.keys(SAMPLES) as MailKind[];

describe('a mail to people', () => {
  it.each(KINDS)('%s says what it said before', (kind) => {
    expect(render(kind)).toMatchSnapshot();
  });

  it.each(KINDS)(
    '%s has no picture, script, style or foreign address, and no code in its subject',
    (kind) => {
      const { subject, html } = render(kind);
      expect(html).not.toMatch(/<(img|script|style|link|iframe|form)|style=|src=/i);
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
      expect(links.filter((url) => url !== URL)).toEqual([]);
      expect(subject).not.toMatch(/[0-9<>]/);
      expect(subject).toMatch(/^.{10,60}$/);
    },
  );

  it('holds what others typed as one line that is text, whatever it is', () => {
    const typed = 'Acme\r\nBcc: x@y.example\u2028\u202etxt.exe<img src=x onerror=1>';
    const { text: plain, html } = renderMail({
      subject: 'A mail',
      blocks: [facts(['Company', typed]), text(`of ${oneLine(typed)}.`)],
    });
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
    expect(plain.split('\n')).toHaveLength(4);
    expect(plain).not.toMatch(/[\r\u2028\u202e]/);
    expect(oneLine('x'.repeat(500))).toHaveLength(200);
  });

  it('shows digits in halves, and moments in UTC', () => {
    expect(renderMail({ subject: 'A mail', blocks: [code('40417263')] }).text).toContain(
      '4041 7263',
    );
    expect(moment(AT)).toBe('November 22, 2026, 10:05 UTC');
  });
});
