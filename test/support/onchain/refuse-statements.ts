import type { Database } from '../../../src/db/client/database.ts';
import type { StatementValues } from '../../../src/db/client/prepared-statement.ts';

/** A database of which those statements of the system fail that `refusal` gives an error for. */
export const refuseStatements = (
  db: Database,
  refusal: (text: string, values: StatementValues | undefined) => Error | null,
): Database => ({
  ...db,
  system: (work) =>
    db.system((tx) =>
      work({
        ...tx,
        query: <Row extends object>(text: string, values?: StatementValues) => {
          const refused = refusal(text, values);
          return refused === null ? tx.query<Row>(text, values) : Promise.reject(refused);
        },
      }),
    ),
});
