import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { openStack } from '../support/e2e/stack.ts';
import { metricsIn, readPanelQueries, readRules } from '../support/server/observability.ts';
import { readScrape, scrape } from '../support/server/scrape.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

const stack = openStack();

it('every process is live and ready, and exports what alerts and dashboard name', async () => {
  await stack.untilReady();
  const urls = Object.entries(stack.state().monitorUrls);
  expect(urls.map(([part]) => part).sort()).toEqual(
    ['api', 'chain', 'console', 'dashboard', 'sandbox', 'worker'].sort(),
  );
  const exported = new Set<string>();
  for (const [part, url] of urls) {
    if (url === null) continue;
    for (const probe of ['live', 'ready']) {
      const answered = await until(`${part} to be ${probe}`, async () => {
        const answer = await fetch(`${url}/${probe}`).catch(() => null);
        return answer?.status === 200 ? answer : null;
      });
      expect(await answered.json(), part).toEqual({ checks: expect.anything() as unknown });
    }
    const { names } = await scrape(url);
    expect(names, part).toContain('process_cpu_seconds_total');
    for (const name of names) exported.add(name);
  }
  const named = [...readRules().map(({ expr }) => expr), ...readPanelQueries()].flatMap(metricsIn);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

it('a payment is counted where it is accepted, claimed, sent, settled and told of', async () => {
  await stack.untilReady();
  const { api = null, worker = null } = stack.state().monitorUrls;
  // Where API and worker are two processes, each counts what it does.
  const read = async () =>
    readScrape(
      (await Promise.all([...new Set([api ?? '', worker ?? ''])].map(scrape)))
        .map(({ text }) => text)
        .join('\n'),
    );
  const before = await read();
  const receiver = await startReceiver();
  const endpoint = await stack.call<{ id: string }>('POST', '/webhook-endpoints', {
    url: receiver.url,
  });
  const id = await stack.pay(await stack.addBeneficiary(), '30.00');
  await stack.untilPayment(id, 'COMPLETED');
  await until('the last webhook', () =>
    receiver.received.find(({ body }) => body.includes('payment.completed') && body.includes(id)),
  );
  const counted: readonly (readonly [string, ...string[]])[] = [
    ['causeway_payments_accepted_total', 'environment="test"'],
    ['causeway_payments_finished_total', 'environment="test"', 'outcome="COMPLETED"'],
    ['causeway_bank_calls_total', 'environment="test"', 'call="SEND"', 'result="SETTLED"'],
    ['causeway_webhook_attempts_total', 'environment="test"', 'result="DELIVERED"'],
    ['causeway_payment_request_seconds_count', 'status="2xx"'],
    ['causeway_payment_claim_seconds_count', 'environment="test"'],
    ['causeway_payment_settle_seconds_count', 'environment="test"'],
    ['causeway_webhook_first_attempt_seconds_count', 'environment="test"'],
  ];
  // A batch of deliveries is counted once it is recorded, which its receiver does not see.
  await until('all of it counted', async () => {
    const now = await read();
    const isCounted = counted.every((series) => now.sum(...series) > before.sum(...series));
    return isCounted ? true : null;
  });
  const after = await read();
  expect(after.sum('causeway_progress_read_success')).toBe(1);
  expect(after.text).toMatch(/^causeway_worker_polling\{queue="payments-test"\} 1$/m);
  await stack.call('DELETE', `/webhook-endpoints/${endpoint.body.id}`);
  await receiver.close();
});

it('a login that is refused is counted for its surface', async () => {
  await stack.untilReady();
  const { dashboardUrl, monitorUrls } = stack.state();
  const failed = async () =>
    (await scrape(monitorUrls['dashboard'] ?? '')).sum(
      'causeway_logins_failed_total',
      'surface="dashboard"',
    );
  const before = await failed();
  const { host, port } = new URL(dashboardUrl);
  const sent = request({
    ...{ host: '127.0.0.1', port, path: '/login/code', method: 'POST' },
    headers: { host, origin: dashboardUrl, 'content-type': 'application/x-www-form-urlencoded' },
  });
  sent.end('code=12345678');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  await until('the failure counted', async () => ((await failed()) > before ? true : null));
});
