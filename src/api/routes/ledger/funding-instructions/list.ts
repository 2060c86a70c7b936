import { Type } from 'typebox';
import { checkCurrency } from '../../../../modules/parties/bank-accounts/judge-bank-account.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { printedReference } from '../../../../domain/ledger/funding/creditor-reference.ts';
import { keepReferences } from '../../../../modules/ledger/funding/keep-references.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { staticListAnswer } from '../../../static-lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { FundingInstruction } from '../../../schemas/funding.ts';
import { listOf, staticListQuery } from '../../../schemas/list.ts';

const Query = staticListQuery({
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{3}$',
      'x-error': { pattern: 'unsupported_currency' },
      description: 'A three-letter ISO 4217 currency code.',
      examples: ['EUR'],
    }),
  ),
});

/** GET /funding-instructions: where a customer has money sent to, and under which reference. */
export function listFundingInstructions(app: App, deps: HttpDeps): void {
  app.get(
    '/funding-instructions',
    {
      config: { permission: 'balances:read' },
      schema: {
        operationId: 'listFundingInstructions',
        summary: 'List funding instructions',
        description:
          'Lists the accounts to pay into and your reference for each currency. Money that arrives with your reference is credited to `available`. A currency that cannot be paid in is not listed. Your references never change.',
        tags: ['Balances'],
        querystring: Query,
        response: {
          200: listOf(FundingInstruction, 'The funding instructions, ordered by currency.'),
          ...errorResponses(['unsupported_currency', 'invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const { currency } = query;
      const problems = currency === undefined ? [] : checkCurrency(currency, '/query/currency');
      if (problems.length > 0) throw refuseProblems(problems);
      const accounts = deps.settings.fundingAccounts[scope.environment].filter(
        (account) => currency === undefined || account.currency === currency,
      );
      const currencies = accounts.map((account) => account.currency);
      const references = await keepReferences(deps, scope, currencies);
      const rows = accounts.map(({ currency: of, rail, account, holderName, bankName }) => {
        const reference = references.get(of);
        if (reference === undefined) throw new Error(`${of} was left without a reference`);
        const printed = printedReference(reference);
        return { currency: of, rail, account, holderName, bankName, reference, printed };
      });
      const ordered = rows.toSorted((a, b) =>
        a.currency < b.currency ? -1 : Number(a.currency > b.currency),
      );
      return staticListAnswer(ordered, query, 'funding-instructions');
    },
  );
}
