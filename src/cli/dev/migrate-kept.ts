import { ForeignSchema, migrate, type MigrateOptions } from '../../db/schema/migrate.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';

/**
 * Brings the database of a data folder to the newest schema.
 * @throws PlainError where the folder is of an earlier schema that nothing leads on from.
 */
export async function migrateKept(
  url: string,
  folder: string,
  options?: MigrateOptions,
): Promise<void> {
  try {
    await migrate(url, () => undefined, options);
  } catch (error) {
    if (!(error instanceof ForeignSchema)) throw error;
    throw new PlainError(
      `${folder} holds data of an earlier, unreleased schema (${error.migration}): ` +
        'delete the folder and start again.',
    );
  }
}
