import { beforeAll, describe, expect, it } from 'vitest';
import { isValidE164 } from '../../../src/domain/parties/bank-accounts/e164.ts';
import { readAddress } from '../../../src/domain/onchain/address.ts';
import { parseAmount } from '../../../src/domain/money/amount.ts';
import { readOpenApi, type DocumentedSchema } from '../../support/api/openapi-document.ts';

let document: Awaited<ReturnType<typeof readOpenApi>>['document'];
beforeAll(async () => {
  ({ document } = await readOpenApi());
});

/** Every schema of the document by the pointer that leads to it. */
function schemasIn(value: unknown, at: string): [string, DocumentedSchema][] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([name, one]) => schemasIn(one, `${at}/${name}`));
  return [[at, value], ...below];
}

const isAmount = ({ anyOf = [] }: DocumentedSchema) =>
  anyOf.some(({ type, format }) => type === 'number' && format === 'double');

it('the document says that a deposit address with a destination needs its end-user', () => {
  const { NewDepositAddress } = document.components.schemas;
  const said = NewDepositAddress?.properties?.['endUserId']?.description;
  expect(said).toContain('Required with `bankAccountId` or `walletId`.');
});

it('the document says the form of a text that is checked beyond its schema', () => {
  const { NewEndUser, NewWallet } = document.components.schemas;
  const phone = NewEndUser?.properties?.['phone']?.description ?? '';
  const [, least, most] = /`\+` and ([0-9]+) to ([0-9]+) digits/.exec(phone) ?? [];
  const counts = [...Array(20).keys()].filter((count) => isValidE164(`+${'4'.repeat(count)}`));
  expect([counts[0], counts.at(-1)]).toEqual([Number(least), Number(most)]);

  const address = NewWallet?.properties?.['address']?.description ?? '';
  const [, digits] = /`0x` and ([0-9]+) hexadecimal digits/.exec(address) ?? [];
  expect(readAddress(`0x${'5'.repeat(Number(digits))}`).ok).toBe(true);

  const rates = document.paths['/api/v1/fx-rates']?.['get']?.parameters ?? [];
  for (const name of ['base', 'quote']) {
    const said = rates.find((one) => one.name === name)?.description;
    expect([name, said]).toEqual([name, expect.stringContaining('3 or 4 capital letters')]);
  }
});

describe('what the document says of amounts that are sent', () => {
  it('is how much each may be', () => {
    const amounts = schemasIn(document, '').filter(([, schema]) => isAmount(schema));
    expect(amounts.length).toBeGreaterThan(6);
    for (const [at, { description = '' }] of amounts) {
      const [, limit = ''] = /Greater than 0 and less than ([0-9]+),/.exec(description) ?? [];
      const below = String(BigInt(limit) - 1n);
      expect([at, parseAmount(limit, 'EUR')]).toEqual([at, { ok: false, problem: 'too_large' }]);
      expect([at, parseAmount(below, 'EUR').ok]).toEqual([at, true]);
    }
  });
});
