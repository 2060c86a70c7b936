import { Card } from '../../../src/web/kit/parts/card.tsx';
import { Chip, type Tone } from '../../../src/web/kit/parts/chip.tsx';
import { CodeBlock } from '../../../src/web/kit/parts/code-block.tsx';
import { EmptyState } from '../../../src/web/kit/parts/empty-state.tsx';
import { SelectField, TextField } from '../../../src/web/kit/parts/field.tsx';
import { Figures } from '../../../src/web/kit/parts/figures.tsx';
import { Filters } from '../../../src/web/kit/parts/filters.tsx';
import { Facts } from '../../../src/web/kit/parts/facts.tsx';
import { Form } from '../../../src/web/kit/parts/form.tsx';
import { Frame, type NavGroup } from '../../../src/web/kit/parts/frame.tsx';
import { Gate } from '../../../src/web/kit/parts/gate.tsx';
import { LiveRegion } from '../../../src/web/kit/parts/live-region.tsx';
import { Money } from '../../../src/web/kit/parts/money.tsx';
import { PageHead } from '../../../src/web/kit/parts/page-head.tsx';
import { SecondStep } from '../../../src/web/kit/parts/second-step.tsx';
import { ProgressSteps } from '../../../src/web/kit/parts/progress-steps.tsx';
import { Table } from '../../../src/web/kit/parts/table.tsx';
import { Timeline } from '../../../src/web/kit/parts/timeline.tsx';
import type { Children } from '../../../src/web/kit/parts/types.ts';
import type { FieldProblem } from '../../../src/web/kit/forms/form-rules.ts';

const NAV: readonly NavGroup[] = [
  {
    title: 'Money',
    items: [
      { href: '/home', text: 'Home' },
      { href: '/payments', text: 'Payments', count: 2 },
      { href: '/balances', text: 'Balances' },
      { href: '/end-users', text: 'End-users' },
    ],
  },
  {
    title: 'Build',
    items: [
      { href: '/keys', text: 'API keys' },
      { href: '/webhooks', text: 'Webhooks' },
      { href: '/requests', text: 'Request log' },
    ],
  },
  {
    title: 'Company',
    items: [
      { href: '/going-live', text: 'Going live' },
      { href: '/team', text: 'Team' },
      { href: '/audit', text: 'Audit log' },
      { href: '/settings', text: 'Settings' },
    ],
  },
];

/** A page of a user who is logged in, in test. */
export const Framed = (props: {
  readonly current: string;
  readonly token: string;
  readonly children: Children;
}) => (
  <Frame
    who="Demo Partner Ltd"
    nav={NAV}
    current={props.current}
    environment={{ now: 'test', hrefs: { test: '/home', live: '/live/home' } }}
    idleMinutes={30}
    logOut={{ action: '/logout', token: props.token }}
  >
    {props.children}
  </Frame>
);

const ROWS: readonly (readonly [string, Tone, string, string, string, string, string])[] = [
  ['pay_01m7…vq0000', 'ok', 'Completed', '1250.00', 'EUR', 'SEPA', '<script>alert(1)</script>'],
  ['pay_01m7…vq0001', 'moving', 'Sent', '10.06', 'EUR', 'ACH', 'inv-20932'],
  ['pay_01m7…vq0002', 'ok', 'Completed', '99000', 'JPY', 'FPS', 'inv-20933'],
  ['pay_01m7…vq0003', 'wait', 'On hold', '7.500', 'KWD', 'SEPA', 'inv-20934'],
  ['pay_01m7…vq0005', 'moving', 'Processing', '1250.00', 'EUR', 'FPS', 'inv-20936'],
  ['pay_01m7…vq0006', 'back', 'Returned', '10.06', 'EUR', 'SEPA', 'inv-20937'],
  ['pay_01m7…vq0008', 'bad', 'Failed', '7.500', 'KWD', 'FPS', 'a\'b"c&d'],
  ['pay_01m7…vq0009', 'none', 'Canceled', '312.40', 'GBP', 'SEPA', 'inv-20940'],
];

export const Payments = ({ token }: { readonly token: string }) => (
  <Framed current="/payments" token={token}>
    <PageHead title="Payments" about="Newest first. 2 need attention.">
      <a class="button button-plain" href="/payments.csv">
        Export CSV
      </a>
    </PageHead>
    <div class="card card-flush">
      <Filters action="/payments">
        <SelectField
          name="status"
          label="Status"
          options={[
            { value: '', text: 'Any' },
            { value: 'COMPLETED', text: 'Completed' },
          ]}
        />
        <TextField name="search" label="Search" type="search" />
      </Filters>
      <Table
        label="Payments"
        rows={ROWS}
        keyOf={([id]) => id}
        hrefOf={([id]) => `/payments/${encodeURIComponent(id)}`}
        columns={[
          { title: 'Payment', cell: ([id]) => <code>{id}</code> },
          { title: 'Status', cell: ([, tone, text]) => <Chip tone={tone} text={text} /> },
          {
            title: 'Amount',
            isNumber: true,
            cell: ([, , , amount, currency]) => <Money amount={amount} currency={currency} />,
          },
          { title: 'Rail', cell: (row) => row[5] },
          { title: 'External ID', isMuted: true, cell: (row) => row[6] },
          { title: 'Created (UTC)', isMuted: true, cell: () => '2026-11-21 14:02:10' },
        ]}
      />
    </div>
  </Framed>
);

export const Payment = ({
  token,
  version,
}: {
  readonly token: string;
  readonly version: number;
}) => (
  <Framed current="/payments" token={token}>
    <PageHead
      title={<Money amount="1250.00" currency="EUR" />}
      trail={{ href: '/payments', text: 'Payments', here: 'pay_01m7y71j9ffev8ndxzafvqhs4a' }}
    >
      <Chip tone="moving" text="Sent" />
    </PageHead>
    <div class="columns">
      <div>
        <Card title="Where the money is" aside="At the bank since 14:02:11">
          <ProgressSteps at="At the bank" />
        </Card>
        <LiveRegion id="timeline" everyMs={200} says="The timeline has changed.">
          <Card title="Timeline" aside={`version ${String(version)}`}>
            <Timeline
              steps={[
                {
                  state: 'done',
                  title: 'Accepted',
                  detail: 'funds reserved',
                  time: '14:02:10.412 · v1 · API key deploy',
                },
                {
                  state: 'done',
                  title: 'Sent to the bank',
                  detail: (
                    <>
                      attempt 1, <code>CW01M7…A01</code>
                    </>
                  ),
                  time: '14:02:10.655 · v2 · +0.2 s',
                },
                {
                  state: 'now',
                  title: 'Taken on by the bank',
                  detail: 'waiting for its confirmation',
                  time: '14:02:11.020 · v3 · +0.4 s',
                },
                { state: 'next', title: 'Completed', time: 'expected by 14:05' },
                { state: 'next', title: "On the bank's statement", time: 'expected by 18:00' },
              ]}
            />
            <a href="/timeline">All versions</a>
          </Card>
        </LiveRegion>
        <Card title="The same with the API">
          <CodeBlock
            id="curl"
            text={
              'curl https://api.example/api/v1/payments/pay_01m7y71j9ffev8ndxzafvqhs4a \\\n' +
              '  -H "Authorization: Bearer $CAUSEWAY_KEY"'
            }
          />
        </Card>
      </div>
      <div>
        <Card title="Facts">
          <Facts
            facts={[
              ['Rail', 'SEPA'],
              ['End-user', <a href="/end-users/x">eu_01m7…k2</a>],
              ['Account', 'DE •••• 3000'],
              ['Finality', 'None yet'],
            ]}
          />
        </Card>
        <Card title="Webhook deliveries" aside={<a href="/webhooks">All</a>} isFlush>
          <Table
            label="Webhook deliveries"
            rows={['payment.sent', 'payment.processing']}
            keyOf={(type) => type}
            columns={[
              { title: 'Event', cell: (type) => type },
              { title: 'Answer', isNumber: true, cell: () => <Chip tone="ok" text="Delivered" /> },
            ]}
          />
        </Card>
        <Card title="Where it is unknown">
          <ProgressSteps at="Beneficiary" isUnknown />
        </Card>
      </div>
    </div>
  </Framed>
);

export const Webhooks = ({ token }: { readonly token: string }) => (
  <Framed current="/webhooks" token={token}>
    <PageHead title="Webhooks" />
    <EmptyState
      title="No endpoint yet"
      action={{ href: '/webhooks/new', text: 'Add an endpoint' }}
      command={'curl -X POST https://api.example/api/v1/webhook-endpoints'}
    >
      An endpoint is told of every change of a payment or a KYC check, signed, in order, for four
      days if it must be.
    </EmptyState>
  </Framed>
);

export const Home = ({ token }: { readonly token: string }) => (
  <Framed current="/home" token={token}>
    <PageHead title="Home" about="The last 30 days.">
      <a class="button" href="/payments/new">
        Create a test payment
      </a>
    </PageHead>
    <Figures
      figures={[
        { name: 'Paid out', value: '342 payments' },
        { name: 'Median time to completed', value: '1.4 s' },
        { name: 'Needs attention', value: '2 payments' },
        { name: 'Webhooks delivered', value: '99.8 %' },
      ]}
    />
  </Framed>
);

/** A form of one field that says what was sent; the only page here that changes something. */
export const Note = (props: {
  readonly token: string;
  readonly note?: string;
  readonly problems?: readonly FieldProblem[];
}) => (
  <Gate>
    <h1>Leave a note</h1>
    <Form action="/notes" token={props.token} submit="Save" problems={props.problems ?? []}>
      <TextField
        name="note"
        label="Your note"
        hint="At most 20 characters."
        value={props.note ?? ''}
        problems={props.problems ?? []}
      />
      <SelectField
        name="kind"
        label="Kind"
        value="b"
        options={[
          { value: 'a', text: 'A' },
          { value: 'b', text: 'B' },
        ]}
      />
    </Form>
  </Gate>
);

export const Confirm = ({ token }: { readonly token: string }) => (
  <Gate>
    <SecondStep
      action="/notes"
      token={token}
      act="Create the live key deploy"
      fields={{ note: ['hidden'], kind: ['a'] }}
    />
  </Gate>
);
