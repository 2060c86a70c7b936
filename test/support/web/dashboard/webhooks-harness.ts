import { recordEvent } from '../../../../src/db/webhooks/event-store.ts';
import type { UserRole } from '../../../../src/domain/customers/access/user-rights.ts';
import type { Environment, Scope } from '../../../../src/domain/scope.ts';
import { createWebhookEndpoint } from '../../../../src/modules/webhooks/create-webhook-endpoint.ts';
import { drainEndpoint } from '../../../../src/modules/webhooks/drain-endpoint.ts';
import { openWebhookClient } from '../../../../src/modules/webhooks/safe-fetch.ts';
import { addCustomer } from '../../test-customer.ts';
import { addTestUser } from '../../test-people.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { startSite } from '../site.ts';

/** The dashboard of a customer with one user of each role, and a receiver of webhooks. */
export async function startWebhookSite() {
  const [site, receiver] = await Promise.all([startSite('dashboard'), startReceiver()]);
  const { clock, vault, people } = site;
  const { db } = site.database;
  // Receivers judge a signature by their own clock, so this one starts at the present.
  clock.advance(Date.now() - clock.now().getTime());
  const customerId = await db.system((tx) => addCustomer(tx));
  const scopeOf = (environment: Environment): Scope => ({ customerId, environment });
  const logInAs = async (role: UserRole, id = customerId) =>
    site.logIn((await addTestUser(people, id, role)).id);
  const owner = await logInAs('OWNER');

  const harness = {
    ...{ site, receiver, db, customerId, scopeOf, logInAs, owner },
    addEndpoint: (environment: Environment = 'test', types?: string[]) =>
      db.write(scopeOf(environment), (tx) =>
        createWebhookEndpoint({ vault, clock }, tx, scopeOf(environment), {
          ...{ url: receiver.url, types: types ?? ['*'] },
        }),
      ),
    record: (resourceId: string, version = 1) =>
      db.write(scopeOf('test'), (tx) =>
        recordEvent(
          tx,
          scopeOf('test'),
          {
            ...{ type: 'payment.updated', resourceType: 'payment', resourceId },
            ...{ resourceVersion: version, data: { id: resourceId, version } },
          },
          clock.now(),
        ),
      ),
    drain: (endpointId: string) =>
      drainEndpoint(
        {
          ...{ db, vault, clock, random: () => 0.5, openClient: openWebhookClient },
          ...{ allowLoopbackInTest: true, dashboardUrl: site.origin },
          limits: { runMs: 20_000, lingerMs: 10 },
        },
        {
          ...{ scope: scopeOf('test'), endpointId, isSlowQueue: true },
          signal: new AbortController().signal,
        },
      ),
    /** What was audited of a subject, oldest first. */
    audited: async (subject: string) =>
      (
        await db.system((tx) =>
          tx.query<{ actor: string; action: string }>(
            'SELECT actor, action FROM audit_log WHERE subject = $1 ORDER BY id',
            [subject],
          ),
        )
      ).map(({ action }) => action),
    /** Does an act with its second step. */
    async prove(
      page: string,
      action: string,
      fields: Readonly<Record<string, string | readonly string[]>> = {},
      cookie = owner,
    ) {
      const second = await site.submit(page, action, fields, cookie);
      return second.status === 200 ? site.confirm(second, action, cookie) : second;
    },
    async close() {
      await Promise.all([site.close(), receiver.close()]);
    },
  };
  return harness;
}

export type WebhookSite = Awaited<ReturnType<typeof startWebhookSite>>;
