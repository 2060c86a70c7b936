import type { RequestOptions } from '../call-options.ts';
import type {
  BalanceStatement,
  BalanceStatementSummary,
  BalanceTransaction,
  FundingInstruction,
} from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Item, Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.balances`: what pays for payments. */
export class Balances extends Resource {
  list(filters?: Query<'listBalances'>, options?: RequestOptions): List<Item<'listBalances'>> {
    return this.api.list('listBalances', { query: filters }, options);
  }
}

/** `causeway.balanceTransactions`: every booking. */
export class BalanceTransactions extends Resource {
  get(balanceTransactionId: string, options?: RequestOptions): Promise<BalanceTransaction> {
    return this.api.send('getBalanceTransaction', { path: { balanceTransactionId } }, options);
  }

  /** The newest first. */
  list(
    filters?: Query<'listBalanceTransactions'>,
    options?: RequestOptions,
  ): List<BalanceTransaction> {
    return this.api.list('listBalanceTransactions', { query: filters }, options);
  }
}

/** A statement as a file: `csv` (RFC 4180), or of a currency `camt.053` (ISO 20022). */
interface StatementFile {
  readonly format: 'csv' | 'camt.053';
}

/** `causeway.balanceStatements`: the bookings of a day. */
export class BalanceStatements extends Resource {
  /** The statement of a currency or asset and a day (`YYYY-MM-DD`, UTC); with a `format` its text. */
  get(currency: string, date: string, options?: RequestOptions): Promise<BalanceStatement>;
  get(currency: string, date: string, options: StatementFile & RequestOptions): Promise<string>;
  get(
    currency: string,
    date: string,
    { format, ...options }: Partial<StatementFile> & RequestOptions = {},
  ): Promise<BalanceStatement | string> {
    const input = { path: { currency, date }, query: { format } };
    return this.api.send('getBalanceStatement', input, options);
  }

  list(
    filters: Query<'listBalanceStatements'>,
    options?: RequestOptions,
  ): List<BalanceStatementSummary> {
    return this.api.list('listBalanceStatements', { query: filters }, options);
  }
}

/** `causeway.fundingInstructions`: how money gets into the balances. */
export class FundingInstructions extends Resource {
  list(
    filters?: Query<'listFundingInstructions'>,
    options?: RequestOptions,
  ): List<FundingInstruction> {
    return this.api.list('listFundingInstructions', { query: filters }, options);
  }
}
