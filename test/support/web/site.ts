import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { OperatorKeys } from '../../../src/domain/approvals/operator-keys.ts';
import { createSoftwareKeys } from '../../../src/modules/approvals/signatures/software-keys.ts';
import { createProofs } from '../../../src/modules/customers/access/proofs.ts';
import { createHttpLogger } from '../../../src/api/logger.ts';
import type { Client } from '@temporalio/client';
import { findPerson } from '../../../src/modules/customers/access/sessions.ts';
import { registerConsole } from '../../../src/web/console/register-console.ts';
import type { DashboardDeps } from '../../../src/web/dashboard/dashboard-deps.ts';
import { registerDashboard } from '../../../src/web/dashboard/register-dashboard.ts';
import type { LoginProvider } from '../../../src/domain/customers/access/login-provider.ts';
import type { Surface } from '../../../src/domain/customers/access/rights.ts';
import type { WorkflowClient } from '../../../src/domain/workflows/workflow-client.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { contentsRow } from '../../../src/modules/customers/mail/mail-rows.ts';
import { buildWebApp } from '../../../src/web/kit/web-app.ts';
import type { StrangerShare } from '../../../src/web/kit/web-deps.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { countStatements } from './count-statements.ts';
import { createTestClock, type TestClock } from '../test-clock.ts';
import { logIn } from '../test-people.ts';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { createTestVault } from '../test-vault.ts';
import { hiddenFields, openSiteClient, type SiteAnswer } from './site-client.ts';

export interface SiteOptions {
  /** What the test needs of Temporal; everything else of it is out of reach. */
  readonly workflows?: Partial<WorkflowClient>;
  /** OPS_PASSKEY=required; otherwise operators may go without. */
  readonly operatorsNeedPasskeys?: boolean;
  /** Gets each line of the log; silent where it is left out. */
  readonly onLogLine?: (line: string) => void;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  readonly temporal?: Client;
  /** Over which tokens come and go; none where it is left out. */
  readonly networks?: DashboardDeps['networks'];
  /** What decisions are signed with: software keys, where it is left out. */
  readonly operatorKeys?: OperatorKeys;
  /** What its people log in with beside code and passkey, made for the URL that leads back; nothing, where it is left out. */
  readonly provider?: (redirectUrl: string) => LoginProvider;
  /** Whether strangers have the limits of a process; otherwise a site answers as many in a second as a test sends. */
  readonly limitsStrangers?: boolean;
  /** A database that the test has filled, and its clock; the test closes it. */
  readonly on?: { readonly database: TestDatabase; readonly clock: TestClock };
}

const MANY = 1_000_000;
const UNLIMITED: Readonly<Record<StrangerShare, number>> = {
  ...{ ASKS: MANY, CODES: MANY, PASSKEYS: MANY },
};

/**
 * The dashboard or the console as its process serves it, on a port and a database of its own, with mails in the
 * table and the clock in the test's hands.
 */
export async function startSite(
  surface: Surface,
  {
    workflows = {},
    operatorsNeedPasskeys = false,
    onLogLine,
    trustedProxies = [],
    temporal,
    networks = { test: [], live: [] },
    operatorKeys,
    provider,
    limitsStrangers = false,
    on,
  }: SiteOptions = {},
) {
  const database = on?.database ?? (await createTestDatabase());
  const clock = on?.clock ?? createTestClock();
  const vault = createTestVault();
  const { db, statements } = countStatements(
    surface === 'dashboard' ? database.dashboard : database.people,
  );
  const port = await freePort();
  const host = `${surface}.localhost:${String(port)}`;
  const origin = `http://${host}`;
  const mailIds: string[] = [];
  const dispatchMail = (id: string) => {
    mailIds.push(id);
  };
  const client = new Proxy(workflows, {
    get: (given, name) =>
      Reflect.get(given, name) ?? (() => Promise.reject(new Error('Temporal is out of reach'))),
  }) as WorkflowClient;
  const wakes = {
    run: (_name: string, work: () => Promise<void>) => {
      work().catch(() => undefined);
    },
  };
  const pages = {
    ...{ db, vault, clock, dispatchMail, workflows: client },
    ...{ corridors: createCorridorTable(), networks, wakes },
    ...{ dashboardUrl: origin, opsUrl: origin, apiUrl: 'http://localhost:8080' },
    kycApprovalDays: { test: 0, live: 0 },
    temporalUi: { url: 'http://temporal.example', namespace: 'default' },
    operatorKeys: operatorKeys ?? createSoftwareKeys(vault),
    getClient: (): Client => {
      if (temporal === undefined) throw new Error('Temporal is out of reach');
      return temporal;
    },
    provider: provider?.(`${origin}/login/provider/callback`) ?? null,
    isCompanyCheckServed: true,
    webhookAllowLoopbackInTest: true,
  };
  const app = await buildWebApp(
    {
      ...{ surface, origin, vault, clock, trustedProxies },
      ...(limitsStrangers ? {} : { strangersPerSecond: UNLIMITED }),
      ...(onLogLine === undefined
        ? {}
        : { logger: createHttpLogger('trace', { write: onLogLine }) }),
      findPerson: (token, isUse) =>
        findPerson({ vault, clock, operatorsNeedPasskeys }, db, surface, token, isUse),
      proofs: createProofs({ ...pages, origin }),
    },
    (web) => {
      if (surface === 'dashboard') registerDashboard(web, pages);
      else registerConsole(web, pages);
    },
  );
  await app.listen({ host: '127.0.0.1', port });
  const visitors = openSiteClient({ host, port });

  /** Step-up renews a session's token: who names the cookie from before is the same browser. */
  const renewed = new Map<string, string>();
  const latest = (cookie: string): string => {
    const next = renewed.get(cookie);
    return next === undefined ? cookie : latest(next);
  };
  function keepRenewed(cookie: string, headers: IncomingHttpHeaders): void {
    const name = SESSION_COOKIES[surface];
    const made = headers['set-cookie']?.find((line) => line.startsWith(`${name}=`));
    const pair = made?.split(';', 1)[0] ?? `${name}=`;
    const old = cookie.split('; ').find((one) => one.startsWith(`${name}=`));
    if (pair === `${name}=` || old === undefined || old === pair) return;
    renewed.set(cookie, cookie.replace(old, pair));
  }

  async function ask(
    path: string,
    headers: OutgoingHttpHeaders = {},
    body?: string,
  ): Promise<SiteAnswer> {
    const cookie = latest(String(headers.cookie ?? ''));
    const answer = await visitors.ask(path, { ...headers, cookie }, body);
    keepRenewed(cookie, answer.headers);
    return answer;
  }

  /** Posts as a browser does, from a page of the surface. */
  const post = (path: string, fields: URLSearchParams, cookie = '') =>
    ask(
      path,
      {
        ...{ cookie, origin, 'sec-fetch-site': 'same-origin' },
        'content-type': 'application/x-www-form-urlencoded',
      },
      fields.toString(),
    );

  /** The text of the mail that was written last, with the code that it holds. */
  async function lastMail() {
    const id = mailIds.at(-1) ?? '';
    const [row] = await database.people.system((tx) =>
      tx.query<{ kind: string; contents: Buffer | null }>(
        'SELECT kind, contents FROM mails WHERE id = $1',
        [id],
      ),
    );
    if (row === undefined || row.contents === null)
      throw new Error('no mail was written, or it was sent');
    const text = vault.open(row.contents, contentsRow(id)).toString();
    return { kind: row.kind, text, code: /\b\d{4} ?\d{4}\b/.exec(text)?.[0] ?? '' };
  }

  return {
    ...{ database, clock, vault, app, host, origin, port, mailIds, ask, post, lastMail },
    hiddenFields,
    people: { people: database.people, vault, clock },
    /** SQL statements so far, those that open and end transactions included. */
    statements,
    /** The Cookie header of a browser in which that person is logged in. */
    logIn: (personId: string) =>
      logIn({ people: database.people, vault, clock }, surface, personId),
    get: (path: string, cookie = '') => ask(path, { cookie }),
    /** Opens a page, fills in its form for `action`, and sends it. Lists are given as arrays. */
    async submit(
      page: string,
      action: string,
      fields: Readonly<Record<string, string | readonly string[]>>,
      cookie = '',
    ): Promise<SiteAnswer> {
      const opened = await ask(page, { cookie });
      const sent = hiddenFields(opened.body, action);
      for (const [name, texts] of Object.entries(fields)) {
        for (const text of [texts].flat()) sent.append(name, text);
      }
      return post(action, sent, cookie);
    },
    /** Answers a second step with the code from its mail. */
    async confirm(second: SiteAnswer, action: string, cookie = ''): Promise<SiteAnswer> {
      const fields = hiddenFields(second.body, action);
      fields.append('proof', (await lastMail()).code);
      return post(action, fields, cookie);
    },
    async close() {
      visitors.close();
      await app.close();
      if (on === undefined) await database.close();
    },
  };
}

export type Site = Awaited<ReturnType<typeof startSite>>;
