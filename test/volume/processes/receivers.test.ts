import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { newWebhookSecret } from '../../../src/vault/webhook-signatures/signature.ts';
import { hasProgram, needsProgram } from '../../support/needs-program.ts';
import { until } from '../../support/until.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';
import {
  genuineWebhooks,
  hostileWebhooks,
  type SentWebhook,
} from '../../support/webhooks/hostile-webhooks.ts';
import { LANGUAGES, removeBuilt } from '../../support/webhooks/languages.ts';
import type { ReceiverSettings } from '../../support/webhooks/start-program.ts';

afterAll(removeBuilt);

const urlOf = (port: number) => `http://127.0.0.1:${String(port)}/hooks`;

async function post(port: number, { headers, body }: SentWebhook): Promise<number> {
  const answer = await fetch(urlOf(port), { method: 'POST', headers, body });
  return answer.status;
}

for (const language of LANGUAGES) {
  describe(`the receiver in ${language.name}`, () => {
    const { needs } = language;
    beforeAll(() => (needs === undefined || hasProgram(needs) ? language.build?.() : undefined));
    beforeEach((context) => {
      if (needs !== undefined) needsProgram(context, needs);
    });

    /** Runs the work beside a receiver that answers. */
    async function beside<Made>(
      settings: ReceiverSettings,
      work: (taken: () => string[]) => Promise<Made>,
    ): Promise<Made> {
      const receiver = language.start(settings);
      try {
        await until(`the receiver in ${language.name}`, async () => {
          if (receiver.hasEnded()) throw new Error('the receiver has ended');
          return fetch(urlOf(settings.port)).catch(() => null);
        });
        return await work(receiver.taken);
      } finally {
        await receiver.stop();
      }
    }

    it('takes what the engine sends, before, during and after a rotation', async () => {
      const harness = await startEndpointHarness();
      try {
        const port = await freePort();
        const { id, secret: first } = await harness.addEndpoint({
          ...{ url: urlOf(port), types: ['payment.updated'] },
        });
        const rotate = async (overlapHours: number) => {
          const path = `/webhook-endpoints/${id}/rotate-secret`;
          return String((await harness.call('POST', path, { overlapHours })).json['secret']);
        };
        let resources = 0;
        /** Has the engine send one event; answers what its log says, and what the receiver took. */
        const deliver = async (taken: () => string[]) => {
          const before = taken().length;
          await harness.record(`pay_${String((resources += 1))}`);
          await harness.drain(id);
          const list = await harness.call('GET', `/webhook-endpoints/${id}/deliveries`);
          const [newest] = list.json['data'] as { status: string; lastStatusCode: number }[];
          const lines = () => taken().slice(before);
          if (newest?.status === 'DELIVERED') await until('its line', () => lines()[0]);
          return { status: newest?.status, code: newest?.lastStatusCode, lines: lines() };
        };
        const delivered = {
          ...{ status: 'DELIVERED', code: 204 },
          lines: [expect.stringMatching(/^evt_\w+ payment\.updated$/) as string],
        };

        const second = await beside({ port, secrets: first }, async (taken) => {
          expect(await deliver(taken)).toEqual(delivered);
          const rotated = await rotate(24);
          // Two signatures; this receiver has not heard of the new secret.
          expect(await deliver(taken)).toEqual(delivered);
          return rotated;
        });
        await beside({ port, secrets: second }, async (taken) => {
          expect(await deliver(taken)).toEqual(delivered);
        });
        const third = await rotate(0);
        await beside({ port, secrets: `${second} ${third}` }, async (taken) => {
          expect(await deliver(taken)).toEqual(delivered);
        });
        await beside({ port, secrets: `${first} ${second}` }, async (taken) => {
          expect(await deliver(taken)).toEqual({ status: 'PENDING', code: 401, lines: [] });
        });
      } finally {
        await harness.close();
      }
    });

    it('takes what is genuine and nothing else', async () => {
      const [port, secret] = [await freePort(), newWebhookSecret(randomBytes)];
      const secrets = `${newWebhookSecret(randomBytes)} ${secret}`;
      await beside({ port, secrets }, async (taken) => {
        const judge = async (webhooks: Record<string, SentWebhook>) => {
          const verdicts: Record<string, number> = {};
          for (const [what, webhook] of Object.entries(webhooks)) {
            verdicts[what] = await post(port, webhook);
          }
          return verdicts;
        };
        const all = (webhooks: Record<string, SentWebhook>, status: number) =>
          Object.fromEntries(Object.keys(webhooks).map((what) => [what, status]));

        const hostile = hostileWebhooks(secret);
        expect(await judge(hostile)).toEqual(all(hostile, 401));
        expect(taken()).toEqual([]);
        const genuine = genuineWebhooks(secret);
        expect(await judge(genuine)).toEqual(all(genuine, 204));
        await expect.poll(taken).toHaveLength(Object.keys(genuine).length);
      });
    });

    it.each(['', 'whsec_'])('takes nothing where its secret is %j', async (secrets) => {
      const port = await freePort();
      const receiver = language.start({ port, secrets });
      try {
        const timestamp = String(Math.floor(Date.now() / 1_000));
        const body = '{"id":"evt_1","type":"ping"}';
        // The empty secret, with which any sender can sign.
        const digest = createHmac('sha256', '')
          .update(`evt_1.${timestamp}.${body}`)
          .digest('base64');
        const headers = {
          'webhook-id': 'evt_1',
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${digest}`,
        };
        const outcome = await until('an end or an answer', async () =>
          receiver.hasEnded() ? 'ended' : post(port, { headers, body }).catch(() => null),
        );
        expect(['ended', 500]).toContain(outcome);
        expect(receiver.taken()).toEqual([]);
      } finally {
        await receiver.stop();
      }
    });
  });
}
