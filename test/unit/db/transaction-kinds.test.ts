import { expectTypeOf, it } from 'vitest';
import type {
  AnyTransaction,
  ScopedTransaction,
  SystemTransaction,
} from '../../../src/db/client/database.ts';

// The compiler judges these: `npm run check:types` turns red where they do not hold.
it('a transaction of one scope and one of the system do not pass for each other', () => {
  expectTypeOf<SystemTransaction>().not.toExtend<ScopedTransaction>();
  expectTypeOf<ScopedTransaction>().not.toExtend<SystemTransaction>();
  expectTypeOf<AnyTransaction>().not.toExtend<ScopedTransaction>();
  expectTypeOf<Pick<ScopedTransaction, 'query'>>().not.toExtend<AnyTransaction>();
});
