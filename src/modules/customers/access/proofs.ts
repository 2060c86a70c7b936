import { listPasskeys } from '../../../db/customers/passkey-store.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import { renewToken } from './own-sessions.ts';
import { isPasskeyAnswer, passkeyRequest, type PasskeyAnswer } from './passkeys.ts';
import {
  judgeActCode,
  mailActCode,
  recordFailedProof,
  type ActToProve,
  type StepUpDeps,
} from './step-up.ts';

/** Proofs of acts on one surface: a code that is mailed, or a passkey. */
export function createProofs(deps: StepUpDeps & { readonly origin: string }) {
  return {
    mail: (person: Person, toProve: ActToProve, act: string) =>
      mailActCode(deps, person, toProve, act),
    judge: (person: Person, toProve: ActToProve, typed: string) =>
      judgeActCode(deps, person, toProve, typed),
    /** What the browser is asked for a passkey with, as JSON. */
    async askForPasskey(person: Person, challenge: string): Promise<string> {
      const passkeys = await deps.db.system((tx) => listPasskeys(tx, person.id));
      return passkeyRequest(deps, passkeys, challenge);
    },
    async judgePasskey(person: Person, answer: PasskeyAnswer): Promise<boolean> {
      return deps.db.system(async (tx) => {
        const passkeys = await listPasskeys(tx, person.id);
        const isRight = await isPasskeyAnswer(deps, tx, passkeys, answer);
        if (!isRight) await recordFailedProof(deps, tx, person, 'PASSKEY');
        return isRight;
      });
    },
    /** A new token of the session that an act was proven in; null where it is over. */
    renew: (person: Person): Promise<string | null> =>
      deps.db.system((tx) => renewToken(deps, tx, person)),
  };
}
