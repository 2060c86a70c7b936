import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { OWN_ENTITY_IS_ONE } from '../../db/parties/end-user-store.ts';
import { isUniqueViolation } from '../../db/client/unique-violation.ts';
import type { Scope } from '../../domain/scope.ts';
import { setOwnEntity } from '../../modules/parties/end-users/set-own-entity.ts';
import { NewEndUser } from '../../api/schemas/end-user.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { readJson, requireShape } from './json-file.ts';
import { sayRefusal } from './say-refusal.ts';

/** Makes or changes the end-user that is the customer itself, from a file. */
export async function setEntity(
  deps: OpsDeps,
  scope: Scope,
  file: string,
  act: OperatorAct,
): Promise<number> {
  const { type, individual, ...order } = requireShape(NewEndUser, readJson(file), file);
  if (type !== 'BUSINESS' || individual !== undefined) {
    throw new PlainError(`${file} does not describe a BUSINESS.`);
  }
  const { id, version, isNew } = await deps.db
    .write(scope, (tx) => setOwnEntity(deps, tx, scope, order, act))
    .catch(sayWhyNot)
    .catch(sayRefusal);
  const done = isNew ? 'was made' : `is at version ${String(version)}`;
  deps.print(`${id} ${done}: it is ${scope.customerId} itself, ${scope.environment}.`);
  return 0;
}

function sayWhyNot(error: unknown): never {
  if (isUniqueViolation(error, OWN_ENTITY_IS_ONE)) {
    throw new PlainError('Another operator created it at the same time. Run the command again.');
  }
  throw error instanceof Error && 'code' in error && error.code === '23503'
    ? new PlainError('There is no such customer.')
    : error;
}
