import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOutageHarness, MINUTE_MS } from '../../support/webhooks/outage-harness.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

let opened: WebhookHarness;
let outage: Awaited<ReturnType<typeof createOutageHarness>>;
beforeAll(async () => {
  opened = await createWebhookHarness();
  outage = await createOutageHarness(opened);
});
afterAll(async () => {
  await outage.close();
  await opened.close();
});

it('first attempts go out in version order whatever is answered, and so does what was put off', async () => {
  const { harness, receiver, clock, respond } = outage;
  let run = 0;
  // What one of the next requests is answered with, in turn.
  const answers = fc.array(fc.constantFrom(204, 204, 500, 503, 302), {
    minLength: 1,
    maxLength: 40,
  });
  const versionsOf = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(answers, versionsOf, async (statuses, versions) => {
      run += 1;
      receiver.received.length = 0;
      let answered = 0;
      receiver.answer = (_request, response) => {
        const status = statuses[answered++ % statuses.length] ?? 204;
        setTimeout(() => response.writeHead(status).end(), answered % 3);
      };
      for (let version = 1; version <= 6; version += 1) {
        for (const [n, last] of versions.entries()) {
          if (version <= last) await harness.record(`pay_${String(run)}_${String(n)}`, version);
        }
      }
      await outage.pass(1_000);
      const seen = new Set<string>();
      const firstOnes = receiver.received.filter(({ id }) => !seen.has(id) && seen.add(id));
      expectInOrder(firstOnes);

      // From here on all is accepted: whatever is left comes within a minute, each in its order.
      respond(503);
      await harness.record(`pay_${String(run)}_last`);
      await outage.pass(1_000);
      receiver.received.length = 0;
      respond(204);
      clock.advance(1_000);
      await outage.pass(MINUTE_MS);
      const counts = await outage.statusCounts();
      expect(Object.keys(counts)).toEqual(['DELIVERED']);
    }),
    { numRuns: 12, seed: 11 },
  );
});

function expectInOrder(requests: readonly { readonly body: string }[]): void {
  const last = new Map<string, number>();
  for (const { body } of requests) {
    const { resource } = JSON.parse(body) as { resource: { id: string; version: number } };
    expect(resource.version, resource.id).toBe((last.get(resource.id) ?? 0) + 1);
    last.set(resource.id, resource.version);
  }
}
