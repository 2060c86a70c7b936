import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { approveEndUser } from '../approve-end-user.ts';
import type { PaymentHarness } from '../payment-harness.ts';
import { someAddress } from '../sample-networks.ts';

/** What a VASP was asked. */
interface Told {
  readonly method: string;
  readonly id: string;
  readonly body: Record<string, unknown>;
}

type Answer = (id: string) => { readonly status: number; readonly body: string };

/** The answer of a VASP that says so of every transfer. */
export const says =
  (status: string): Answer =>
  (id) => ({ status: 200, body: JSON.stringify({ transferId: id, status }) });

/** A VASP that speaks the provider's protocol: what it was told, and what it answers. */
export function createVasp() {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = request.url?.split('/').at(-1) ?? '';
      const text = Buffer.concat(chunks).toString('utf8');
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      vasp.told.push({ method: request.method ?? '', id, body });
      const { status, body: answered } = vasp.answer(id);
      response.writeHead(status).end(answered);
    });
  });
  const vasp = {
    told: [] as Told[],
    answer: says('PENDING'),
    /** Begins to answer; where. */
    async listen(): Promise<string> {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    },
    close: () => server.close(),
  };
  return vasp;
}

/** Gives the payer what a transfer must say of them, and has them approved anew. */
export async function completePayer(harness: PaymentHarness, lastName: string): Promise<void> {
  const { endUserId } = harness.payer;
  const done = await harness.ask({
    ...{ method: 'PATCH', url: `/end-users/${endUserId}` },
    body: {
      individual: {
        ...{ firstName: 'Ada', lastName },
        taxIds: [{ country: 'DE', number: '12345678901' }],
      },
      address: { line1: 'Samplestrasse 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
    },
  });
  expect(done.statusCode, done.body).toBe(200);
  await approveEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now());
}

/** An end-user of whom nothing but a name is known. */
export async function addNameless(harness: PaymentHarness): Promise<string> {
  const made = await harness.ask({
    ...{ method: 'POST', url: '/end-users' },
    body: { type: 'INDIVIDUAL', individual: { firstName: 'Grace', lastName: 'Sample' } },
  });
  const { id } = made.json<{ id: string }>();
  await approveEndUser(harness.database.db, harness.scope, id, harness.clock.now());
  return id;
}

/** A wallet that a host of that name keeps, or its owner alone. */
export async function registerWallet(
  harness: PaymentHarness,
  host?: string,
  endUserId = harness.payer.endUserId,
): Promise<string> {
  const kept =
    host === undefined
      ? { ownership: 'SELF_HOSTED' }
      : { ownership: 'HOSTED', vasp: { name: host, country: 'DE' } };
  const made = await harness.ask({
    ...{ method: 'POST', url: '/wallets' },
    body: { endUserId, network: 'BASE', address: someAddress(), ...kept },
  });
  expect(made.statusCode, made.body).toBe(201);
  return made.json<{ id: string }>().id;
}
