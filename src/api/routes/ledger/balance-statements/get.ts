import { Readable } from 'node:stream';
import { Type } from 'typebox';
import {
  statementEntries,
  type BalanceStatement,
} from '../../../../modules/ledger/balances/balance-statement.ts';
import { closeDays, firstStatementDay } from '../../../../modules/ledger/balances/close-days.ts';
import {
  camt053Entries,
  camt053Statement,
} from '../../../../modules/ledger/balances/statement-camt053.ts';
import { writeStatementCsv } from '../../../../modules/ledger/balances/statement-csv.ts';
import { writeStatementJson } from '../../../../modules/ledger/balances/statement-json.ts';
import { Refusal, refuseField } from '../../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { closesAt, dayText, readDay } from '../../../../domain/ledger/statement-day.ts';
import { isStablecoin } from '../../../../domain/money/currencies.ts';
import type { Scope } from '../../../../domain/scope.ts';
import { writeCamt053 } from '../../../../modules/ledger/balances/camt053-writer.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { BalanceStatement as Statement, DayText } from '../../../schemas/balance-statement.ts';
import { UnitFilter } from '../../../schemas/common.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { noSuchDay } from './read-days.ts';

const FORMATS = ['json', 'csv', 'camt.053'] as const;
type Format = (typeof FORMATS)[number];

const CONTENT: Readonly<Record<Format, { readonly type: string; readonly extension: string }>> = {
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
  csv: { type: 'text/csv; charset=utf-8; header=present', extension: 'csv' },
  'camt.053': { type: 'application/xml; charset=utf-8', extension: 'xml' },
};

/** GET /balance-statements/:currency/:date: one day, in one of three forms, as it is read. */
export function getBalanceStatement(app: App, deps: HttpDeps): void {
  app.get(
    '/balance-statements/:currency/:date',
    {
      config: { permission: 'balances:read' },
      schema: {
        operationId: 'getBalanceStatement',
        summary: 'Read a daily statement',
        description:
          'Returns the opening balance, every booking, and the closing balance. Holds are not bookings. If an answer is cut off, discard it and send the request again.',
        tags: ['Balances'],
        params: Type.Object({
          currency: UnitFilter('The currency or asset of the balance.'),
          date: DayText('The day of the statement, in UTC (YYYY-MM-DD).'),
        }),
        querystring: Type.Object(
          {
            format: Type.Optional(
              Type.Enum(FORMATS, {
                title: 'StatementFormat',
                type: 'string',
                description:
                  'The format of the answer: `csv` (RFC 4180) or, for a currency, `camt.053` (ISO 20022, camt.053.001.08). Default: JSON.',
                examples: ['json'],
              }),
            ),
          },
          { additionalProperties: false },
        ),
        response: {
          200: {
            description: 'The statement.',
            content: {
              'application/json': { schema: Statement },
              'text/csv': { schema: Type.String() },
              'application/xml': { schema: Type.String() },
            },
          },
          ...errorResponses(['unsupported_currency', 'statement_not_closed']),
        },
      },
    },
    async ({ scope, params, query }, reply) => {
      const { format = 'json' } = query;
      if (format === 'camt.053' && isStablecoin(params.currency)) throw refuseFormat();
      const statement = await openStatement(deps, scope, params);
      const { type, extension } = CONTENT[format];
      const name = `${scope.environment}-${statement.currency}-${dayText(statement.day)}`;
      void reply
        .header('content-type', type)
        .header('content-disposition', `attachment; filename="${name}.${extension}"`);
      return reply.send(Readable.from(write(deps, statement, format)) as never);
    },
  );
}

/** An amount there has a code of ISO 4217 (ActiveCurrencyCode). */
const refuseFormat = (): Refusal =>
  refuseField('invalid_parameter', '/query/format', 'camt.053 has no assets: ask for JSON or CSV.');

async function openStatement(
  deps: HttpDeps,
  scope: Scope,
  { currency, date }: { readonly currency: string; readonly date: string },
): Promise<BalanceStatement> {
  const day = readDay(date);
  if (day === null) throw refuseProblems([noSuchDay('/path/date')]);
  const first = requireFound(await firstStatementDay(deps, scope, currency));
  if (day < first) return requireFound<BalanceStatement>(null);
  if (deps.clock.now() < closesAt(day)) {
    const message = `The day is not closed yet. Read the statement after ${closesAt(day).toISOString()}.`;
    throw new Refusal('statement_not_closed', message);
  }
  const [opening, closing] = await closeDays(deps, scope, currency, day - 1, day);
  if (opening === undefined || closing === undefined) throw new Error('the day was not closed');
  return { scope, currency, day, opening, closing };
}

function write({ db }: HttpDeps, statement: BalanceStatement, format: Format) {
  const entries = statementEntries(db, statement);
  if (format === 'csv') return writeStatementCsv(statement, entries);
  if (format === 'json') return writeStatementJson(statement, entries);
  return writeCamt053(camt053Statement(statement), camt053Entries(entries));
}
