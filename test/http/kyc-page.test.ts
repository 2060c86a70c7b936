import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKycHarness, type KycHarness } from './kyc-harness.ts';

let harness: KycHarness;
beforeAll(async () => {
  harness = await createKycHarness();
});
afterAll(() => harness.close());

async function newLink() {
  const endUserId = await harness.addEndUser('Planted');
  const { id, link } = (await harness.post(`/end-users/${endUserId}/kyc`)).json();
  return { kycCheckId: id as string, path: new URL(link.url as string).pathname };
}

const PROTECTION = {
  'content-security-policy': expect.stringContaining("default-src 'none'"),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

describe('GET /kyc/{token}, the page for the end-user', () => {
  it("a KYC link leads to the provider's page once that is known", async () => {
    const { kycCheckId, path } = await newLink();
    await harness.giveProviderUrl(kycCheckId, 'https://kyc.example/hosted/1');
    const answer = await harness.app.inject(path);
    expect(answer.statusCode).toBe(302);
    expect(answer.headers).toMatchObject({
      ...PROTECTION,
      location: 'https://kyc.example/hosted/1',
    });
  });

  it('a KYC page without a provider link yet asks for patience, and looks again by itself', async () => {
    const { path } = await newLink();
    const answer = await harness.app.inject(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      ...PROTECTION,
      'content-type': 'text/html; charset=utf-8',
    });
    expect(answer.body).toContain('<meta http-equiv="refresh" content="1">');
    expect(answer.body).not.toContain('Planted');
  });

  it('a KYC link is gone after 24 hours: 410', async () => {
    const { kycCheckId, path } = await newLink();
    await harness.giveProviderUrl(kycCheckId, 'https://kyc.example/hosted/2');
    harness.clock.advance(24 * 60 * 60 * 1000);
    const answer = await harness.app.inject(path);
    expect(answer.statusCode).toBe(410);
    expect(answer.headers).toMatchObject(PROTECTION);
    expect(answer.headers.location).toBeUndefined();
  });

  it.each(['nonsense', 'A'.repeat(43), `${'A'.repeat(42)}%00`])(
    'the unknown KYC link %.20s is not found',
    async (token) => {
      const answer = await harness.app.inject(`/kyc/${token}`);
      expect([400, 404]).toContain(answer.statusCode);
    },
  );

  it('an unknown KYC link shows a page, not JSON', async () => {
    const answer = await harness.app.inject(`/kyc/${'A'.repeat(43)}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers).toMatchObject({
      ...PROTECTION,
      'content-type': 'text/html; charset=utf-8',
    });
  });
});
