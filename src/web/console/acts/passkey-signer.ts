import type { FastifyRequest } from 'fastify';
import { listPasskeys } from '../../../db/customers/passkey-store.ts';
import { decisionChallenge } from '../../../modules/approvals/signatures/decision-challenge.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import type { DecisionSigner } from '../../../modules/approvals/signatures/decision-signer.ts';
import { readAssertion } from '../../../modules/customers/access/passkeys.ts';
import { PASSKEY_PROOF_FIELD, SIGNED_ID_FIELD } from '../../kit/forms/proof.ts';
import { operatorOf } from '../../kit/person.ts';
import { sentFormOf } from '../../kit/sent-form-of.ts';
import type { ConsoleDeps } from '../console-deps.ts';

/** A decision has to be signed first: what the operator's authenticator is to be asked. */
export class SignatureWanted extends Error {
  override readonly name = 'SignatureWanted';

  readonly approvalId: string;
  readonly challenge: string;
  /** What came was no signature of it. */
  readonly isWrong: boolean;

  constructor(approvalId: string, challenge: string, isWrong: boolean) {
    super('a decision has to be signed');
    this.approvalId = approvalId;
    this.challenge = challenge;
    this.isWrong = isWrong;
  }
}

/**
 * Signs with what the operator's authenticator answered, which the form holds. Throws SignatureWanted where it holds none, or
 * none of this decision: nothing of the act is kept then.
 */
export function passkeySigner(
  { operatorKeys, clock }: Pick<ConsoleDeps, 'operatorKeys' | 'clock'>,
  request: FastifyRequest,
): DecisionSigner {
  const form = sentFormOf(request);
  const given = (field: string): string => form.texts.get(field)?.[0] ?? '';
  const named = given(SIGNED_ID_FIELD);
  return {
    operatorKeys,
    ...(isId(ID_PREFIXES.approval, named) ? { approvalId: named } : {}),
    async sign(tx, decision) {
      const challenge = decisionChallenge(decision);
      const text = given(PASSKEY_PROOF_FIELD);
      if (text === '') throw new SignatureWanted(decision.approvalId, challenge, false);
      const passkeys = await listPasskeys(tx, operatorOf(request).id);
      const site = { origin: operatorKeys.origin, clock };
      const assertion = await readAssertion(site, tx, passkeys, { text, challenge });
      if (assertion === null) throw new SignatureWanted(decision.approvalId, challenge, true);
      form.isProven = true;
      return assertion;
    },
  };
}
