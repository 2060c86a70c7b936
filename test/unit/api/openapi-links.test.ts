import { beforeAll, describe, expect, it } from 'vitest';
import { readOpenApi } from '../../support/api/openapi-document.ts';

type Operations = Awaited<ReturnType<typeof readOpenApi>>['operations'];

/** Named by a currency and a day, and not by an id. */
const NATURAL = ['currency', 'date'];

let operations: Operations;
beforeAll(async () => {
  ({ operations } = await readOpenApi());
});

const allLinks = () =>
  operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { links = {}, content }]) =>
      Object.entries(links).map(([key, link]) => {
        const [example] = Object.values(content?.['application/json']?.examples ?? {});
        return { name: `${name} ${status}`, operation, key, link, body: example?.value };
      }),
    ),
  );

const pathOf = (operation: Operations[number]['operation']): string[] =>
  (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);

describe('the links of the document', () => {
  it('lead to operations that are there, and fill their whole path', () => {
    const byId = new Map(operations.map(({ operation }) => [operation.operationId, operation]));
    expect(allLinks().length).toBeGreaterThan(50);
    for (const { name, key, link } of allLinks()) {
      expect([name, link.operationId]).toEqual([name, key]);
      const target = byId.get(link.operationId);
      expect([name, key, target === undefined]).toEqual([name, key, false]);
      if (target === undefined) continue;
      expect([name, key, Object.keys(link.parameters)]).toEqual([name, key, pathOf(target)]);
    }
  });

  it('find a value in the example of the answer, or in the path that was asked for', () => {
    for (const { name, operation, key, link, body } of allLinks()) {
      for (const [parameter, expression] of Object.entries(link.parameters)) {
        const [, place = '', rest = ''] =
          /^\$(response\.body#|request\.path\.)(.+)$/.exec(expression) ?? [];
        const found =
          place === 'request.path.'
            ? pathOf(operation).includes(rest) && rest
            : rest
                .slice(1)
                .split('/')
                .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], body);
        expect([name, key, parameter, typeof found]).toEqual([name, key, parameter, 'string']);
      }
    }
  });

  it('lead to every operation that takes the id of a resource', () => {
    const reached = new Set(allLinks().map(({ link }) => link.operationId));
    const missing = operations
      .filter(({ operation }) => pathOf(operation).length > 0)
      .filter(({ operation }) => !reached.has(operation.operationId))
      .map(({ name }) => name);
    expect(missing).toEqual([]);
    const filled = new Set(allLinks().flatMap(({ link }) => Object.keys(link.parameters)));
    const named = new Set(operations.flatMap(({ operation }) => pathOf(operation)));
    expect([...named].filter((name) => !filled.has(name))).toEqual([]);
    for (const name of NATURAL) expect(named).toContain(name);
  });

  it('start where a resource is made: its creation leads to reading it', () => {
    const links = Object.fromEntries(
      operations.map(({ operation }) => [operation.operationId, operation.responses['201']?.links]),
    );
    expect(links['createPayment']).toMatchObject({
      getPayment: { parameters: { paymentId: '$response.body#/id' } },
      cancelPayment: { parameters: { paymentId: '$response.body#/id' } },
    });
    expect(links['replayWebhooks']).toMatchObject({
      getWebhookReplay: {
        parameters: {
          webhookEndpointId: '$response.body#/webhookEndpointId',
          webhookReplayId: '$response.body#/id',
        },
      },
    });
  });
});
