import { expect } from 'vitest';
import type { DrainResult } from '../../../src/modules/webhooks/drain-endpoint.ts';
import { startReceiver } from './receiver.ts';
import type { WebhookHarness } from './webhook-harness.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** One endpoint of a new customer, whose workflow is played on a simulated clock, and its receiver. */
export async function createOutageHarness(harness: WebhookHarness) {
  await harness.beginTest();
  const receiver = await startReceiver();
  const { id } = await harness.addEndpoint(receiver.url);
  const { clock } = harness;

  const respond = (status: number) => {
    receiver.answer = (_request, response) => response.writeHead(status).end();
  };

  return {
    ...{ harness, receiver, id, clock, respond },
    /** Lets time pass: drains now, and each time that the drain before has named. Answers how often. */
    async pass(milliseconds: number): Promise<number> {
      const untilMs = clock.now().getTime() + milliseconds;
      for (let drains = 1; ; drains += 1) {
        const result: DrainResult = await harness.drain(id);
        const leftMs = untilMs - clock.now().getTime();
        const waitMs = result.kind === 'DUE' ? result.waitMs : Infinity;
        clock.advance(Math.min(waitMs, leftMs));
        if (waitMs >= leftMs) return drains;
      }
    },
    async record(resources: number, versions: number): Promise<void> {
      const drafts = Array.from({ length: resources * versions }, (_none, n) =>
        harness.draftOf(`pay_${String(n % resources)}`, 1 + Math.floor(n / resources)),
      );
      await harness.recordAll(drafts);
    },
    async statusCounts(): Promise<Record<string, number>> {
      const counts: Record<string, number> = {};
      for (const { status } of await harness.deliveries(id)) {
        counts[status] = (counts[status] ?? 0) + 1;
      }
      return counts;
    },
    /** The versions of each resource in the order in which they came. */
    versionsReceived(): Map<string, number[]> {
      const versions = new Map<string, number[]>();
      for (const { body } of receiver.received) {
        const { resource } = JSON.parse(body) as { resource: { id: string; version: number } };
        versions.set(resource.id, [...(versions.get(resource.id) ?? []), resource.version]);
      }
      return versions;
    },
    close: () => receiver.close(),
  };
}

const RESOURCES = 20;
const VERSIONS = 5;

/**
 * A receiver that is away for so long, and then back, while nothing new happens: asserts that it has
 * everything within a minute of its return, each once, and in version order.
 */
export async function returnsAfter(opened: WebhookHarness, awayMs: number): Promise<void> {
  const outage = await createOutageHarness(opened);
  try {
    const { harness, receiver, id, respond } = outage;
    respond(503);
    await outage.record(RESOURCES, VERSIONS);
    const drains = await outage.pass(awayMs);
    // It was asked again and again, and no delivery has used up more than its schedule.
    expect(drains).toBeGreaterThan(awayMs / MINUTE_MS);
    for (const { attempts } of await harness.deliveries(id)) expect(attempts).toBeLessThan(10);
    expect(await outage.statusCounts()).toEqual({ PENDING: RESOURCES * VERSIONS });

    receiver.received.length = 0;
    respond(204);
    await outage.pass(MINUTE_MS);
    expect(await outage.statusCounts()).toEqual({ DELIVERED: RESOURCES * VERSIONS });
    expect(receiver.received).toHaveLength(RESOURCES * VERSIONS);
    const inOrder = Array.from({ length: VERSIONS }, (_, index) => index + 1);
    const received = outage.versionsReceived();
    expect(received.size).toBe(RESOURCES);
    for (const [resource, order] of received) expect(order, resource).toEqual(inOrder);
  } finally {
    await outage.close();
  }
}
