import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AddressFinding } from '../../../src/domain/parties/screening/address-screening.ts';
import { ScreeningError } from '../../../src/domain/parties/screening/screening-provider.ts';
import { askSandboxAddresses } from '../../../src/adapters/screening/sandbox-addresses.ts';
import { makeOwnEntity } from '../../support/own-entity.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { SAMPLE_NETWORK, someAddress } from '../../support/sample-networks.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

const MIXED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** What the provider says next; 'SANDBOX': as it does in dev. */
let verdict: AddressFinding['verdict'] | 'SILENT' | 'SANDBOX' = 'SANDBOX';
let asked = 0;

let harness: PaymentHarness;
let live: Payer;
beforeAll(async () => {
  harness = await createPaymentHarness({
    addressScreening: {
      async test(question) {
        asked += 1;
        if (verdict === 'SILENT') throw new ScreeningError('SCREENING_UNREACHABLE');
        if (verdict === 'SANDBOX') return askSandboxAddresses(question);
        return { verdict, listVersion: 'sample-1' };
      },
      live: askSandboxAddresses,
    },
  });
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
});
afterAll(() => harness.close());
beforeEach(() => {
  verdict = 'SANDBOX';
  asked = 0;
});

const order = (more: object = {}) => ({
  ...{ endUserId: harness.payer.endUserId, network: 'BASE', address: someAddress() },
  ownership: 'SELF_HOSTED',
  ...more,
});
const add = (more: object = {}, by: { token?: string; key?: string } = {}) =>
  harness.ask({ method: 'POST', url: '/wallets', body: order(more), ...by });
const eventsOf = async (id: string) => {
  const rows = await harness.rows<{ told: string }>(
    `SELECT resource_version || ' ' || type AS told FROM events WHERE resource_id = $1 ORDER BY seq`,
    [id],
  );
  return rows.map(({ told }) => told);
};
const wallets = () => harness.rows('SELECT FROM wallets');

describe('POST /wallets', () => {
  it('registers a wallet, ACTIVE once its address is clear, with an event a version', async () => {
    const { endUserId } = harness.payer;
    const answer = await add({ address: MIXED.toLowerCase() });
    expect(answer.statusCode, answer.body).toBe(201);
    const wallet = answer.json<{ id: string; proof: { message: string } }>();
    expect(wallet).toMatchObject({
      ...{ endUserId, network: 'BASE', address: MIXED, ownership: 'SELF_HOSTED', vasp: null },
      ...{ status: 'ACTIVE', provedAt: null, version: 2 },
    });
    for (const part of ['localhost:8080', wallet.id, 'BASE', MIXED]) {
      expect(wallet.proof.message).toContain(part);
    }
    expect(await eventsOf(wallet.id)).toEqual(['1 wallet.created', '2 wallet.activated']);
    expect((await harness.ask({ url: `/wallets/${wallet.id}` })).json()).toEqual(wallet);
    await harness.expectBooksToHold();
  });

  it('the same again answers 200 with the same wallet, in whatever case and however many at once', async () => {
    const address = someAddress();
    const first = await add({ address });
    asked = 0;
    const upper = `0x${address.slice(2).toUpperCase()}`;
    const answers = await Promise.all(
      [address, upper, address].map((one) => add({ address: one })),
    );
    for (const answer of answers) {
      expect([answer.statusCode, answer.json()]).toEqual([200, first.json()]);
    }
    expect(asked).toBe(0);
  });

  it('ten at once make one wallet', async () => {
    const address = someAddress();
    const answers = await Promise.all(Array.from({ length: 10 }, () => add({ address })));
    const ids = new Set(answers.map((answer) => answer.json<{ id: string }>().id));
    const codes = answers.map(({ statusCode }) => statusCode).sort();
    expect([ids.size, codes]).toEqual([1, [...Array<number>(9).fill(200), 201]]);
    expect(await eventsOf([...ids][0] ?? '')).toHaveLength(2);
  });

  it('one address of two owners, or the customer’s own, are wallets apart', async () => {
    const address = someAddress();
    const other = await harness.ask({
      ...{ method: 'POST', url: '/end-users' },
      body: { type: 'INDIVIDUAL', individual: { firstName: 'Grace', lastName: 'Sample' } },
    });
    const { id } = other.json<{ id: string }>();
    const answers = [
      await add({ address }),
      await add({ address, endUserId: id }),
      await add({ address, endUserId: undefined }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
    expect(answers[2]?.json()).toMatchObject({ endUserId: null, status: 'ACTIVE' });
  });

  it('is answered word for word under one Idempotency-Key', async () => {
    const body = order();
    const ask = () => harness.ask({ method: 'POST', url: '/wallets', body, key: 'a wallet' });
    const first = await ask();
    const again = await ask();
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it.each([
    ['ada.eth', 'FORMAT'],
    [MIXED.replace('5aA', '5AA'), 'CHECKSUM'],
    [`0x${'0'.repeat(40)}`, 'ZERO'],
    [`0x${'9'.padStart(40, '0')}`, 'PRECOMPILE'],
    [SAMPLE_NETWORK.assets[0].contract, 'TOKEN'],
    [SAMPLE_NETWORK.hotAddresses[0], 'OURS'],
    [SAMPLE_NETWORK.factory, 'OURS'],
    [SAMPLE_NETWORK.treasury, 'OURS'],
  ])(
    '%s is a 400 invalid_address: %s; no provider is asked, nothing is stored',
    async (address, rule) => {
      const before = await wallets();
      const answer = await add({ address });
      expect(answer.statusCode, answer.body).toBe(400);
      expect(answer.json()).toMatchObject({
        error: 'invalid_address',
        details: [{ path: '/address', code: 'invalid_address', meta: { rule } }],
      });
      expect([asked, await wallets()]).toEqual([0, before]);
    },
  );

  it.each([
    [{ network: 'SOLANA' }, 400, 'unsupported_network'],
    [{ network: 'POLYGON' }, 400, 'unsupported_network'],
    [{ network: 'base' }, 400, 'unsupported_network'],
    [{ ownership: 'HOSTED' }, 400, 'validation_failed'],
    [{ vasp: { name: 'Sample Exchange', country: 'DE' } }, 400, 'validation_failed'],
    [
      { ownership: 'HOSTED', vasp: { name: 'Sample', country: 'ZZ' } },
      ...([400, 'unsupported_country'] as const),
    ],
    [
      { ownership: 'HOSTED', vasp: { name: 'Sample', country: 'KP' } },
      ...([422, 'country_restricted'] as const),
    ],
    [{ endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab' }, 422, 'resource_not_found'],
    [{ status: 'ACTIVE' }, 400, 'validation_failed'],
    [{ address: `0x${'1'.repeat(36)}bad1` }, 422, 'address_blocked'],
  ])('%j is refused', async (more, status, error) => {
    const before = await wallets();
    const answer = await add(more);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([status, error]);
    expect(await wallets()).toEqual(before);
  });

  it('keeps the host of a wallet sealed, and shows it to the customer', async () => {
    const vasp = { name: 'Quizzical Exchange Ltd', country: 'DE' };
    const answer = await add({ ownership: 'HOSTED', vasp });
    expect(answer.json()).toMatchObject({ ownership: 'HOSTED', vasp, proof: null });
    const { id } = answer.json<{ id: string }>();
    const told = await harness.rows(`SELECT body FROM events WHERE resource_id = $1`, [id]);
    const [row] = await harness.rows<{ vasp: Buffer }>('SELECT vasp FROM wallets WHERE id = $1', [
      id,
    ]);
    expect(JSON.stringify(told) + (row?.vasp.toString('latin1') ?? '')).not.toContain('Quizzical');
  });

  it('under review is PENDING until the same request finds it clear, or blocked', async () => {
    verdict = 'REVIEW';
    const [clear, blocked] = [someAddress(), someAddress()];
    const first = await add({ address: clear });
    expect([first.statusCode, first.json<{ status: string }>().status]).toEqual([201, 'PENDING']);
    await add({ address: blocked });
    verdict = 'SILENT';
    expect((await add({ address: clear })).json()).toEqual(first.json());
    verdict = 'CLEAR';
    const then = await add({ address: clear });
    expect([then.statusCode, then.json<{ status: string }>().status]).toEqual([200, 'ACTIVE']);
    verdict = 'BLOCKED';
    const { id, status } = (await add({ address: blocked })).json<{ id: string; status: string }>();
    expect([status, await eventsOf(id)]).toEqual([
      'REJECTED',
      ['1 wallet.created', '2 wallet.rejected'],
    ]);
    verdict = 'CLEAR';
    expect((await add({ address: blocked })).json()).toMatchObject({ id, status: 'REJECTED' });
    await harness.expectBooksToHold();
  });

  it('whose address could not be looked up is a 503, and nothing is stored', async () => {
    verdict = 'SILENT';
    const before = await wallets();
    const answer = await add();
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      ...[503, 'service_unavailable'],
    ]);
    expect(await wallets()).toEqual(before);
  });

  it('of the customer’s own company is not made by a key in live, whatever was stolen with it', async () => {
    const { token } = live;
    const before = await wallets();
    const { id: selfId } = await makeOwnEntity(harness.deps, live.scope);
    for (const endUserId of [undefined, selfId]) {
      const answer = await add({ endUserId }, { token });
      expect(answer.statusCode, answer.body).toBe(403);
      expect(answer.json()).toMatchObject({ error: 'operators_only' });
    }
    expect(await wallets()).toEqual(before);
    expect((await add({ endUserId: live.endUserId }, { token })).statusCode).toBe(201);
  });

  it('is read and changed by its customer alone: the same 404', async () => {
    const { id } = (await add()).json<{ id: string }>();
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const stranger = await harness.addPayer({ customerId, environment: 'test' });
    const signature = `0x${'11'.repeat(65)}`;
    for (const token of [stranger.token, live.token]) {
      const answers = [
        await harness.ask({ url: `/wallets/${id}`, token }),
        await harness.ask({ method: 'POST', url: `/wallets/${id}/disable`, token }),
        await harness.ask({
          ...{ method: 'POST', url: `/wallets/${id}/verify`, token },
          body: { signature },
        }),
      ];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
      const list = await harness.ask({ url: '/wallets', token });
      expect(list.json<{ data: { id: string }[] }>().data.map((row) => row.id)).not.toContain(id);
    }
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('wants wallets:write, reading wallets:read', async () => {
    const scope = { customerId: harness.scope.customerId };
    const key = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { ...scope, scopes: ['wallets:read', 'corridors:read'] }),
    );
    const { token } = key;
    expect((await add({}, { token })).statusCode).toBe(403);
    expect((await harness.ask({ url: '/wallets', token })).statusCode).toBe(200);
    expect((await harness.ask({ url: '/networks', token })).statusCode).toBe(200);
  });
});

describe('GET /wallets', () => {
  it('lists by end-user, status and network, newest first', async () => {
    const ids = [(await add()).json<{ id: string }>().id, (await add()).json<{ id: string }>().id];
    await harness.ask({ method: 'POST', url: `/wallets/${ids[0] ?? ''}/disable` });
    const list = async (query: string) => {
      const answer = await harness.ask({ url: `/wallets?${query}` });
      return answer.json<{ data: { id: string }[] }>().data.map(({ id }) => id);
    };
    const { endUserId } = harness.payer;
    expect((await list(`endUserId=${endUserId}&network=BASE`)).slice(0, 2)).toEqual(ids.reverse());
    expect((await list('status=DISABLED')).slice(0, 1)).toEqual([ids[1]]);
    expect(await list('network=POLYGON')).toEqual([]);
  });
});

describe('POST /wallets/{id}/disable', () => {
  it('is for good, the same however often, and the address can be given anew', async () => {
    const address = someAddress();
    const { id } = (await add({ address })).json<{ id: string }>();
    const disable = () => harness.ask({ method: 'POST', url: `/wallets/${id}/disable` });
    const answers = await Promise.all(Array.from({ length: 10 }, disable));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ status: 'DISABLED', version: 3, proof: null });
    expect((await eventsOf(id)).at(-1)).toBe('3 wallet.disabled');
    const anew = await add({ address });
    expect([anew.statusCode, anew.json<{ id: string }>().id === id]).toEqual([201, false]);
    expect((await disable()).json()).toEqual(answers[0]?.json());
    await harness.expectBooksToHold();
  });
});
