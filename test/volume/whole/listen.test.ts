import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as send, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import {
  startListening,
  type Listening,
  type PrintedWebhook,
} from '../../support/e2e/listening.ts';
import { openStack } from '../../support/e2e/stack.ts';

const stack = openStack();
beforeAll(() => stack.untilReady());

const started: Listening[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-test-listen-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

const listen = (...args: string[]) => {
  const listening = startListening(stack.folder, ['--port', '0', ...args]);
  started.push(listening);
  return listening;
};

/** Something that an event tells of: answers the id of a new end-user. */
async function happen(): Promise<string> {
  const individual = { firstName: 'Ada', lastName: 'Sample' };
  const { body } = await stack.insist<{ id: string }>('POST', '/end-users', {
    ...{ type: 'INDIVIDUAL', individual },
  });
  return body.id;
}

const isOf =
  (resourceId: string) =>
  ({ event }: PrintedWebhook): boolean =>
    event?.resource.id === resourceId;

const endpointStatus = async (id: string) =>
  (await stack.call('GET', `/webhook-endpoints/${id}`)).status;

const urlOf = async (id: string) =>
  String((await stack.call('GET', `/webhook-endpoints/${id}`)).body['url']);

/** What the engine's log says of the delivery of a resource's event. */
const deliveryOf = (endpointId: string, resourceId: string) =>
  until('the delivery', async () => {
    const { body } = await stack.call<{ data: Delivery[] }>(
      'GET',
      `/webhook-endpoints/${endpointId}/deliveries`,
    );
    return body.data.find(({ resource, attempts }) => resource.id === resourceId && attempts > 0);
  });

interface Delivery {
  readonly resource: { readonly id: string };
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly status: string;
}

/** Where webhooks are handed on to. */
async function withTarget<Made>(
  answer: RequestListener,
  work: (url: string) => Promise<Made>,
): Promise<Made> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await work(`http://127.0.0.1:${String(port)}/hooks`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('npm run listen', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'shows what happens as it happens, and after %s leaves nothing behind',
    async (signal) => {
      const listening = listen('--json', '--types', 'end_user.created');
      const endpointId = await listening.ready();
      const endUserId = await happen();
      const printed = await listening.untilPrinted(isOf(endUserId));
      expect(printed).toMatchObject({
        ...{ verified: true, forwarded: null },
        event: { type: 'end_user.created', resource: { id: endUserId, version: 1 } },
      });
      expect(printed.delayMs).toBeLessThan(600_000);
      expect(await listening.end(signal)).toBe(0);
      expect(await endpointStatus(endpointId)).toBe(404);
      const shown = listening.all();
      expect(shown).not.toContain('whsec_');
      expect(shown).not.toContain(stack.state().testApiKey);
      const types = listening.webhooks().map(({ event }) => event?.type);
      expect(new Set(types)).toEqual(new Set(['end_user.created']));
    },
  );

  it('shows a person time, type, resource, version, delay and data, without colours in a file', async () => {
    const listening = listen('--types', 'end_user.*');
    await listening.ready();
    const endUserId = await happen();
    await until('its text', () => (listening.out().includes(endUserId) ? true : null));
    expect(listening.out()).toMatch(
      new RegExp(
        `\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z  verified  end_user\\.created  ${endUserId} v1  evt_\\w+  after -?\\d+ ms\\n  \\{\\n    "id": "${endUserId}"`,
      ),
    );
    // eslint-disable-next-line no-control-regex -- what colours begin with
    expect(listening.all()).not.toMatch(/\u001b/);
  });

  it('shows a forged webhook as refused, nothing of its body, and forwards it to no target', async () => {
    const forwarded: string[] = [];
    const answer: RequestListener = ({ headers }, response) => {
      forwarded.push(String(headers['webhook-id']));
      response.writeHead(204).end();
    };
    await withTarget(answer, async (target) => {
      const listening = listen('--json', '--types', 'end_user.created', '--forward', target);
      const url = await urlOf(await listening.ready());
      const forge = async (to: string, headers: Record<string, string>) => {
        const request = send(to, { method: 'POST', headers });
        request.end('{"id":"planted","type":"payment.completed"}');
        const [response] = (await once(request, 'response')) as [{ statusCode: number }];
        return response.statusCode;
      };
      const signed = new Webhook(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
      const at = new Date();
      const headers = {
        // The second byte begins a control sequence on many terminals.
        'webhook-id': 'evt_\u009b31m',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': signed.sign('evt_forged', at, '{}'),
      };
      expect(await forge(url, headers)).toBe(401);
      expect(await forge(url, {})).toBe(401);
      expect(await forge(`${url}x`, headers)).toBe(404);
      expect(await forge(new URL('/', url).href, headers)).toBe(404);
      const endUserId = await happen();
      await listening.untilPrinted(isOf(endUserId));
      const refused = listening.webhooks().filter(({ verified }) => !verified);
      expect(refused.map(({ reason }) => reason)).toEqual(['signature_mismatch', 'missing_header']);
      expect(listening.all()).not.toContain('planted');
      expect(listening.all()).not.toContain('\u009b');
      expect(forwarded).not.toContain('evt_\u009b31m');
      expect(forwarded.length).toBeGreaterThan(0);
    });
  });

  it('hands on the very headers and bytes, and answers the engine what the target answered', async () => {
    const secretFile = join(folder, 'secret');
    let secret = '';
    const verified: string[] = [];
    const faults: unknown[] = [];
    const userAgents = new Set<string | undefined>();
    const answer: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        try {
          const headers = request.headers as Record<string, string>;
          userAgents.add(headers['user-agent']);
          const event = new Webhook(secret).verify(Buffer.concat(chunks), headers);
          verified.push((event as { resource: { id: string } }).resource.id);
          // Refused at first, so that the engine sends it again.
          const isFirst = verified.filter((id) => id === verified.at(-1)).length === 1;
          response.writeHead(isFirst ? 500 : 202, { 'content-type': 'text/plain' }).end('as told');
        } catch (error) {
          faults.push(error);
          response.writeHead(401).end();
        }
      });
    };
    await withTarget(answer, async (target) => {
      const args = ['--json', '--types', 'end_user.created', '--forward', target];
      const listening = listen(...args, '--secret-file', secretFile);
      const endpointId = await listening.ready();
      secret = (await readFile(secretFile, 'utf8')).trim();
      expect(secret).toMatch(/^whsec_/);
      expect(statSync(secretFile).mode & 0o777).toBe(0o600);
      const endUserId = await happen();
      const isAnswered = (status: number) => (webhook: PrintedWebhook) =>
        isOf(endUserId)(webhook) && webhook.forwarded?.status === status;
      await listening.untilPrinted(isAnswered(500));
      await listening.untilPrinted(isAnswered(202));
      expect(faults).toEqual([]);
      expect([...userAgents]).toEqual(['Causeway-Webhooks/1']);
      expect(verified.filter((id) => id === endUserId)).toHaveLength(2);
      const delivery = await until('the delivery of the second attempt', async () => {
        const one = await deliveryOf(endpointId, endUserId);
        return one.attempts === 2 ? one : null;
      });
      expect(delivery).toMatchObject({ status: 'DELIVERED', lastStatusCode: 202 });
      const shown = listening.all();
      expect(await listening.end('SIGTERM')).toBe(0);
      expect(shown).not.toContain(secret);
      expect(existsSync(secretFile)).toBe(false);
    });
  });

  it('tells the engine of a target that is not there as 502, and of one that hangs as 504', async () => {
    const gone = listen('--json', '--types', 'end_user.created', '--forward', 'http://127.0.0.1:9');
    const goneId = await gone.ready();
    await withTarget(
      () => undefined,
      async (target) => {
        const slow = listen('--json', '--types', 'end_user.created', '--forward', target);
        const slowId = await slow.ready();
        const endUserId = await happen();
        expect(await gone.untilPrinted(isOf(endUserId))).toMatchObject({
          forwarded: { status: null, error: 'ECONNREFUSED' },
        });
        expect((await deliveryOf(goneId, endUserId)).lastStatusCode).toBe(502);
        expect(await slow.untilPrinted(isOf(endUserId))).toMatchObject({
          forwarded: { status: null, error: 'TIMEOUT' },
        });
        expect((await deliveryOf(slowId, endUserId)).lastStatusCode).toBe(504);
      },
    );
  });

  it('deletes what a killed one left behind, and no endpoint of one that runs', async () => {
    const running = listen('--json', '--types', 'end_user.created');
    const runningId = await running.ready();
    const killed = listen('--types', 'end_user.created');
    const killedId = await killed.ready();
    expect(await killed.end('SIGKILL')).toBeNull();
    expect(await endpointStatus(killedId)).toBe(200);
    const next = listen('--types', 'end_user.created');
    await next.ready();
    expect(next.all()).toContain(`Deleted ${killedId}`);
    expect(await endpointStatus(killedId)).toBe(404);
    expect(await endpointStatus(runningId)).toBe(200);
    await running.untilPrinted(isOf(await happen()));
  });

  it('replays the last hour, or the time that is given', async () => {
    const endUserId = await happen();
    const lastHour = listen('--json', '--types', 'end_user.created', '--replay');
    await lastHour.ready();
    const first = await lastHour.untilPrinted(isOf(endUserId));
    const lastMinutes = listen('--json', '--types', 'end_user.created', '--replay', '30m');
    await lastMinutes.ready();
    const again = await lastMinutes.untilPrinted(isOf(endUserId));
    expect(again.event?.id).toBe(first.event?.id);
    // The first is no part of the second's replay.
    expect(lastHour.webhooks().filter(isOf(endUserId))).toHaveLength(1);
  });

  it('ends, and deletes its endpoint, once no program reads what it prints', async () => {
    const listening = listen('--json', '--types', 'end_user.created');
    const endpointId = await listening.ready();
    listening.stopReading();
    await happen();
    expect(await listening.ended).toBe(0);
    expect(await endpointStatus(endpointId)).toBe(404);
  });

  it('says in a line what the API refuses, and leaves no endpoint', async () => {
    const listening = listen('--types', 'payment.complete');
    expect(await listening.ended).toBe(1);
    expect(listening.error().trim()).toMatch(
      /^POST \/webhook-endpoints was answered 400, validation_failed: .*\/types\/0 .*$/,
    );
  });
});
