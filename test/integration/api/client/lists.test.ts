import { describe, expect, it } from 'vitest';
import { answer, besideApi, hangUp } from '../../../support/api/client/scripted-api.ts';

const page = (ids: readonly string[], nextCursor: string | null) =>
  answer(200, { data: ids.map((id) => ({ id })), hasMore: nextCursor !== null, nextCursor });

describe('a list', () => {
  it('gives every item of every page, each page asked for with the filters and its cursor', async () => {
    const acts = [page(['a', 'b'], 'one'), hangUp, page([], 'two'), page(['c'], null)];
    await besideApi(acts, async ({ causeway, received }) => {
      const ids: string[] = [];
      const list = causeway.payments.list({ status: 'SENT', limit: 2 });
      expect(received).toEqual([]);
      for await (const { id } of list) ids.push(id);
      expect(ids).toEqual(['a', 'b', 'c']);
      expect(received.map(({ url }) => url.split('?')[1])).toEqual([
        'status=SENT&limit=2',
        ...['one', 'one', 'two'].map((cursor) => `status=SENT&limit=2&cursor=${cursor}`),
      ]);
    });
  });

  it('reads no page that is not needed', async () => {
    await besideApi([page(['a', 'b'], 'one')], async ({ causeway, received }) => {
      for await (const { id } of causeway.payments.list()) if (id === 'b') break;
      expect(received).toHaveLength(1);
      const one = await causeway.payments.list({ cursor: 'two' }).page();
      expect(one).toEqual({ data: [{ id: 'a' }, { id: 'b' }], hasMore: true, nextCursor: 'one' });
      expect(received.at(-1)?.url).toBe('/api/v1/payments?cursor=two');
    });
  });

  it('that does not come to its end is an error, and no shorter list', async () => {
    const cut = answer(200, { data: [], hasMore: true, nextCursor: null });
    for (const acts of [[cut], [page([], 'one'), page([], 'one')]]) {
      await besideApi(acts, async ({ causeway }) => {
        const readAll = async () => {
          for await (const _ of causeway.payments.list()) continue;
        };
        await expect(readAll()).rejects.toThrow('no cursor leads to them');
      });
    }
  });
});
