import { Type } from 'typebox';
import { checkCurrency } from '../../../../modules/parties/bank-accounts/judge-bank-account.ts';
import type { Corridor as Way } from '../../../../domain/payments/corridors/corridor.ts';
import type { CorridorTable } from '../../../../domain/payments/corridors/corridor-table.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { checkCountry } from '../../../../modules/parties/end-users/check-end-user.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { staticListAnswer } from '../../../static-lists.ts';
import { Corridor, CorridorStatus } from '../../../schemas/corridor.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { CountryCode } from '../../../schemas/person.ts';

const Query = listQuery({
  country: Type.Optional(
    CountryCode('Returns only corridors to this country, a two-letter ISO 3166-1 code.'),
  ),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      'x-error': { pattern: 'unsupported_currency' },
      description: 'A three-letter ISO 4217 currency code.',
      examples: ['EUR'],
    }),
  ),
  rail: Type.Optional(
    Type.String({
      pattern: '^[A-Z][A-Z0-9_]{1,29}$',
      description: 'Returns only corridors on this rail.',
      examples: ['SEPA'],
    }),
  ),
  status: Type.Optional(CorridorStatus),
});

const LIMIT_DEFAULT = '20';

/** GET /corridors: where money can go, in which currencies, over which rails, and on what terms. */
export function listCorridors(app: App, { corridors }: HttpDeps): void {
  const rows = corridors.all.map((way) => viewCorridor(way, corridors));
  app.get(
    '/corridors',
    {
      config: { permission: 'corridors:read' },
      schema: {
        operationId: 'listCorridors',
        summary: 'List corridors',
        description:
          'Lists where you can send money, ordered by country and currency. The default rail of each currency comes first. A value that no source states is null. `sources` names the source of each value.',
        tags: ['Reference'],
        querystring: Query,
        response: {
          200: listOf(Corridor, 'The corridors.'),
          ...errorResponses(['unsupported_country', 'unsupported_currency', 'invalid_cursor']),
        },
      },
    },
    async ({ query }) => {
      const { country, currency, rail, status, limit = LIMIT_DEFAULT, cursor } = query;
      const problems = [
        ...checkCountry(country, '/query/country'),
        ...(currency === undefined ? [] : checkCurrency(currency, '/query/currency')),
      ];
      if (problems.length > 0) throw refuseProblems(problems);
      const wanted = rows.filter(
        (row) =>
          (country === undefined || row.country === country) &&
          (currency === undefined || row.currency === currency) &&
          (rail === undefined || row.rail === rail) &&
          (status === undefined || row.status === status),
      );
      const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
      return staticListAnswer(wanted, page, 'corridors') as never;
    },
  );
}

function viewCorridor({ sources, ...way }: Way, corridors: CorridorTable) {
  const { country, currency, rail, ...terms } = way;
  const open = corridors.to(country, currency).find(({ status }) => status === 'ACTIVE');
  return { country, currency, rail, isDefault: open?.rail === rail, ...terms, sources };
}
