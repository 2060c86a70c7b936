import { Type } from 'typebox';
import { closeDays, firstStatementDay } from '../../../../modules/ledger/balances/close-days.ts';
import { statementSummary } from '../../../../modules/ledger/balances/statement-json.ts';
import { lastClosedDay } from '../../../../domain/ledger/statement-day.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { BalanceStatementSummary, DayText } from '../../../schemas/balance-statement.ts';
import { UnitFilter } from '../../../schemas/common.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { readDays } from './read-days.ts';

const LIST = 'balance-statements';

/** GET /balance-statements: the closed days of a currency. */
export function listBalanceStatements(app: App, deps: HttpDeps): void {
  app.get(
    '/balance-statements',
    {
      config: { permission: 'balances:read' },
      schema: {
        operationId: 'listBalanceStatements',
        summary: 'List daily statements',
        description:
          'Lists the closed days of a currency, newest first, starting with the day of its first booking. A day closes five minutes after it ends in UTC.',
        tags: ['Balances'],
        querystring: listQuery({
          currency: UnitFilter('The currency or asset of the balance.'),
          from: Type.Optional(DayText('The first day.')),
          to: Type.Optional(DayText('The last day.')),
        }),
        response: {
          200: listOf(BalanceStatementSummary, 'Statements without their entries, newest first.'),
          ...errorResponses(['invalid_cursor', 'unsupported_currency']),
        },
      },
    },
    async ({ scope, query }) => {
      const { currency } = query;
      const asked = readDays(query);
      const page = pageRequest(query, LIST);
      const first = await firstStatementDay(deps, scope, currency);
      const last = Math.min(
        lastClosedDay(deps.clock.now()),
        asked.to ?? Number.MAX_SAFE_INTEGER,
        page.before === null ? Number.MAX_SAFE_INTEGER : Number(page.before) - 1,
      );
      const from = Math.max(first ?? Number.MAX_SAFE_INTEGER, asked.from ?? 0);
      const start = Math.max(from, last - page.limit + 1);
      if (start > last) return listAnswer({ items: [], next: null }, LIST, statementSummary);
      const days = await closeDays(deps, scope, currency, start - 1, last);
      const items = days
        .slice(1)
        .map((closing, index) => ({
          ...{ scope, currency, day: closing.day, closing },
          opening: days[index] ?? closing,
        }))
        .toReversed();
      const next = start > from ? BigInt(start) : null;
      return listAnswer({ items, next }, LIST, statementSummary);
    },
  );
}
