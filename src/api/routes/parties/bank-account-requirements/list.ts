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
        summary: 'What a bank account in a country needs',
        description:
          'One row for each open rail to the country and each kind of holder, the first rail of a currency ' +
          'being the default one. `schema` is JSON Schema 2020-12 of the body of POST /bank-accounts ' +
          'without `endUserId`: a form can be built from it, and its example is accepted. ' +
          'Without limit all rows come in one answer.',
        tags: ['Bank accounts'],
        querystring: staticListQuery({
          country: CountryCode("The account's country, ISO 3166-1 alpha-2."),
          currency: Type.Optional(
            Type.String({
              pattern: '^[A-Z]{3}$',
              'x-error': { pattern: 'unsupported_currency' },
              description: 'Only this currency, ISO 4217.',
              examples: ['EUR'],
            }),
          ),
          rail: Type.Optional(
            Type.Enum(RAILS, {
              type: 'string',
              description: 'Only this rail.',
              examples: ['SEPA'],
            }),
          ),
          holderType: Type.Optional(HolderType),
        }),
        response: {
          200: listOf(BankAccountRequirements, 'What accounts in the country need.'),
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
