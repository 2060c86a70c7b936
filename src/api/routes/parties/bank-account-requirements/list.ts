import { Type } from 'typebox';
import { checkCurrency } from '../../../../modules/parties/bank-accounts/judge-bank-account.ts';
import { RAILS } from '../../../../domain/payments/corridors/rail.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { checkCountry } from '../../../../modules/parties/end-users/check-end-user.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { accountSchema } from '../../../requirements/account-schema.ts';
import { BankAccountRequirements, HolderType } from '../../../schemas/bank-account.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, staticListQuery } from '../../../schemas/list.ts';
import { CountryCode } from '../../../schemas/person.ts';
import { staticListAnswer } from '../../../static-lists.ts';

const HOLDER_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const;

/** GET /bank-account-requirements */
export function listBankAccountRequirements(app: App, { corridors }: HttpDeps): void {
  app.get(
    '/bank-account-requirements',
    {
      config: { permission: 'bank-accounts:read' },
      schema: {
        operationId: 'listBankAccountRequirements',
        summary: 'List the fields that a bank account needs',
        description:
          'Lists one row for each open rail to the country and each holder type. The first rail of a currency is its default. `schema` is a JSON Schema (2020-12) of the body of POST /bank-accounts without `endUserId`. You can build a form from it, and the API accepts its example. Without `limit`, one answer holds all rows.',
        tags: ['Bank accounts'],
        querystring: staticListQuery({
          country: CountryCode('The country of the account, as a two-letter ISO 3166-1 code.'),
          currency: Type.Optional(
            Type.String({
              pattern: '^[A-Z]{3}$',
              'x-error': { pattern: 'unsupported_currency' },
              description: 'Returns only rails for this currency, a three-letter ISO 4217 code.',
              examples: ['EUR'],
            }),
          ),
          rail: Type.Optional(
            Type.Enum(RAILS, {
              title: 'Rail',
              type: 'string',
              description: 'Returns only this rail.',
              examples: ['SEPA'],
            }),
          ),
          holderType: Type.Optional(HolderType),
        }),
        response: {
          200: listOf(BankAccountRequirements, 'The requirements for accounts in the country.'),
          ...errorResponses(['unsupported_country', 'unsupported_currency', 'invalid_cursor']),
        },
      },
    },
    async ({ query }) => {
      const { country, currency, rail } = query;
      const problems = [
        ...checkCountry(country, '/query/country'),
        ...(currency === undefined ? [] : checkCurrency(currency, '/query/currency')),
      ];
      if (problems.length > 0) throw refuseProblems(problems);
      const rows = corridors.all
        .filter(
          (way) =>
            way.country === country &&
            way.status === 'ACTIVE' &&
            (currency === undefined || way.currency === currency) &&
            (rail === undefined || way.rail === rail),
        )
        .flatMap((way) =>
          (query.holderType === undefined ? HOLDER_TYPES : [query.holderType]).map(
            (holderType) => ({
              ...{ country, currency: way.currency, rail: way.rail, holderType },
              schema: accountSchema(way, holderType),
            }),
          ),
        );
      return staticListAnswer(rows, query, 'bank-account-requirements');
    },
  );
}
