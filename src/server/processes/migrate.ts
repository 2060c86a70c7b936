import { runMain } from '../runtime/run-main.ts';
import { readOwnerUrl } from '../config/database-config.ts';
import { readEnvironment } from '../config/environment.ts';
import { ForeignSchema, migrate } from '../../db/schema/migrate.ts';
import { connectLazily, readTemporalSettings } from '../../adapters/temporal/connect.ts';
import { registerSearchAttributes } from '../../adapters/temporal/register-search-attributes.ts';
import { PlainError } from '../runtime/plain-error.ts';

runMain(async () => {
  const env = readEnvironment(process.env, 'migrate');
  const applied = await migrate(readOwnerUrl(env), console.log).catch((error: unknown) => {
    throw error instanceof ForeignSchema ? new PlainError(error.message) : error;
  });
  console.log(
    applied.length === 0 ? 'schema: up to date' : `schema: applied ${applied.join(', ')}`,
  );
  const client = connectLazily(readTemporalSettings(env));
  const added = await registerSearchAttributes(client);
  console.log(
    added.length === 0
      ? 'search attributes: up to date'
      : `search attributes: registered ${added.join(', ')}`,
  );
  await client.connection.close();
  return 0;
});
