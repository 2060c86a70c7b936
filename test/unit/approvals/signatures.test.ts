import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/domain/approvals/decision.ts';
import { decisionChallenge } from '../../../src/modules/approvals/signatures/decision-challenge.ts';
import {
  decisionOf,
  whyUnsigned,
  type SignedApproval,
} from '../../../src/modules/approvals/signatures/judge-signatures.ts';
import type { OperatorKeys } from '../../../src/domain/approvals/operator-keys.ts';
import { keysOfFile } from '../../../src/server/runtime/open-operator-keys.ts';
import { SOFTWARE_KEYS } from '../../support/software-signing.ts';

const APPROVAL: SignedApproval = {
  ...{ id: 'apr_1', customerId: 'cus_1', environment: 'live', action: 'ADDRESS' },
  ...{ subjectId: 'alw_1', subjectVersion: 1, contentHash: Buffer.alloc(32, 7) },
  content: { apiKeyId: 'key_1', range: '203.0.113.0/24' },
  ...{ proposedBy: 'opr_ada', decidedBy: 'opr_ben', takenUpAt: null },
  ...{ reason: 'as agreed', decisionReason: 'as agreed' },
};

const sign = (approval: SignedApproval, step: Decision['step'], operatorId: string) => {
  const by = { step, operatorId, reason: 'as agreed' };
  const challenge = decisionChallenge(decisionOf(approval, by));
  return { ...by, ...(SOFTWARE_KEYS.sign?.(operatorId, challenge) ?? never()) };
};
const never = (): never => {
  throw new Error('software keys sign');
};
const PROPOSED = sign(APPROVAL, 'PROPOSE', 'opr_ada');
const APPROVED = sign(APPROVAL, 'APPROVE', 'opr_ben');
const why = (approval: SignedApproval, signatures: unknown, keys: OperatorKeys = SOFTWARE_KEYS) =>
  whyUnsigned(keys, approval, signatures as (typeof PROPOSED)[]);

describe('an approval', () => {
  it('counts where two operators have signed all of it', async () => {
    expect(await why(APPROVAL, [PROPOSED, APPROVED])).toBeNull();
    const { range, apiKeyId } = APPROVAL.content;
    const takenUp = { ...APPROVAL, reason: 'handed in by a user', takenUpAt: new Date(0) };
    expect(await why(takenUp, [PROPOSED, APPROVED])).toBeNull();
    const reordered = { ...APPROVAL, content: { range, apiKeyId } } as SignedApproval;
    expect(await why(reordered, [APPROVED, PROPOSED])).toBeNull();
  });

  it.each([
    ['nobody signed', APPROVAL, []],
    ['one operator signed', APPROVAL, [PROPOSED]],
    ['only the other one signed', APPROVAL, [APPROVED]],
    ['the one signed both steps', APPROVAL, [PROPOSED, sign(APPROVAL, 'APPROVE', 'opr_ada')]],
    [
      'one person is both',
      { ...APPROVAL, decidedBy: 'opr_ada' },
      [PROPOSED, sign(APPROVAL, 'APPROVE', 'opr_ada')],
    ],
    [
      'the proposal was signed as an approval',
      APPROVAL,
      [PROPOSED, { ...PROPOSED, step: 'APPROVE' }],
    ],
    [
      'another key signed in the name of the second',
      APPROVAL,
      [PROPOSED, { ...sign(APPROVAL, 'APPROVE', 'opr_eve'), operatorId: 'opr_ben' }],
    ],
    ['another approval was signed', { ...APPROVAL, id: 'apr_2' }, [PROPOSED, APPROVED]],
    ['another version was signed', { ...APPROVAL, subjectVersion: 2 }, [PROPOSED, APPROVED]],
    ['another subject was signed', { ...APPROVAL, subjectId: 'alw_2' }, [PROPOSED, APPROVED]],
    ['another customer was signed', { ...APPROVAL, customerId: 'cus_2' }, [PROPOSED, APPROVED]],
    ['another environment was signed', { ...APPROVAL, environment: 'test' }, [PROPOSED, APPROVED]],
    ['another kind was signed', { ...APPROVAL, action: 'LIVE_ACCESS' }, [PROPOSED, APPROVED]],
    [
      'another range was signed',
      { ...APPROVAL, content: { ...APPROVAL.content, range: '198.51.100.0/24' } },
      [PROPOSED, APPROVED],
    ],
    ['the proposal has another reason', { ...APPROVAL, reason: 'as told' }, [PROPOSED, APPROVED]],
    [
      'the approval has another reason',
      { ...APPROVAL, decisionReason: 'as told' },
      [PROPOSED, APPROVED],
    ],
    ['the approval has no reason', { ...APPROVAL, decisionReason: null }, [PROPOSED, APPROVED]],
    ['another reason was signed', APPROVAL, [PROPOSED, { ...APPROVED, reason: 'as told' }]],
    [
      'a bit of the signature is another',
      APPROVAL,
      [PROPOSED, { ...APPROVED, signature: flipped(APPROVED.signature) }],
    ],
    [
      'the authenticator did not verify its user',
      APPROVAL,
      [PROPOSED, { ...APPROVED, authenticatorData: unverified(APPROVED.authenticatorData) }],
    ],
  ] as const)('is none where %s', async (_what, approval, signatures) => {
    expect(await why(approval, signatures)).toMatch(/sign|decide/);
  });

  it('is none by keys of another pepper', async () => {
    const file = keysOfFile({ origin: SOFTWARE_KEYS.origin, keys: [] });
    expect(await why(APPROVAL, [PROPOSED, APPROVED], file)).toContain(
      'not in the operator keys file',
    );
  });

  it('counts by a file that names both keys, and only with the role that the file gives', async () => {
    const keys = (role: 'COMPLIANCE' | 'SUPPORT') =>
      keysOfFile({
        origin: SOFTWARE_KEYS.origin,
        keys: [PROPOSED, APPROVED].map(({ operatorId, credentialId }) => ({
          ...{ operator: operatorId, role, credentialId: credentialId.toString('base64url') },
          publicKey:
            SOFTWARE_KEYS.find(operatorId, credentialId)?.publicKey.toString('base64url') ?? '',
        })),
      });
    expect(await why(APPROVAL, [PROPOSED, APPROVED], keys('COMPLIANCE'))).toBeNull();
    expect(await why(APPROVAL, [PROPOSED, APPROVED], keys('SUPPORT'))).toContain(
      'without that right',
    );
  });

  it('from before decisions were signed counts as the file names it, with that content alone', async () => {
    const before = [{ approval: 'apr_1', contentHash: '07'.repeat(32) }];
    const keys = keysOfFile({ origin: SOFTWARE_KEYS.origin, keys: [], before });
    expect(await why(APPROVAL, [], keys)).toBeNull();
    expect(await why({ ...APPROVAL, contentHash: Buffer.alloc(32, 8) }, [], keys)).not.toBeNull();
    const bound = keysOfFile({
      ...{ origin: SOFTWARE_KEYS.origin, keys: [] },
      before: before.map((one) => ({ ...one, customer: 'cus_1', environment: 'live' as const })),
    });
    expect(await why(APPROVAL, [], bound)).toBeNull();
    expect(await why({ ...APPROVAL, customerId: 'cus_2' }, [], bound)).not.toBeNull();
    expect(await why({ ...APPROVAL, environment: 'test' }, [], bound)).not.toBeNull();
  });
});

function flipped(signature: Buffer): Buffer {
  const other = Buffer.from(signature);
  other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
  return other;
}

function unverified(data: Buffer): Buffer {
  const other = Buffer.from(data);
  other[32] = 0x01;
  return other;
}
