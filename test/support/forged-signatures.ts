import type { ApprovalRow } from '../../src/db/approvals/approval-store.ts';
import type { DecisionSignature } from '../../src/db/approvals/approval-signature-store.ts';
import type { SystemTransaction } from '../../src/db/client/database.ts';
import { newId } from '../../src/db/client/new-id.ts';
import {
  decisionDocument,
  type Decision,
  type DecisionStep,
} from '../../src/domain/approvals/decision.ts';
import { decisionChallenge } from '../../src/modules/approvals/signatures/decision-challenge.ts';
import { decisionOf } from '../../src/modules/approvals/signatures/judge-signatures.ts';
import type { OperatorKeysFile } from '../../src/server/config/operator-keys-config.ts';
import { putPasskey } from './forgeries.ts';
import {
  createTestAuthenticator,
  createTestFileKey,
  type OddAssertion,
  type TestAuthenticator,
} from './test-authenticator.ts';

const ORIGIN = 'https://ops.example';
const authenticator = () => createTestAuthenticator(ORIGIN);

/** The keys of a platform. The file does not name the former one of ben's, nor the attacker's own. */
const ADA = authenticator();
const BEN = authenticator();
const SAM = authenticator();
const FORMER = authenticator();
const OWN = [authenticator(), authenticator()] as const;
const BENS_FILE = createTestFileKey();
const OWN_FILE = createTestFileKey();

/** By operator: ada and ben decide, sam supports, and the attacker added mallory. */
export type Cast = Readonly<Record<'ada' | 'ben' | 'sam' | 'mallory', string>>;

/** The file of operator keys. */
export function keysFileOf({ ada, ben, sam }: Cast): OperatorKeysFile {
  const entry = (operator: string, key: TestAuthenticator, role: 'COMPLIANCE' | 'SUPPORT') => ({
    ...{ operator, role, credentialId: key.credentialId.toString('base64url') },
    publicKey: key.publicKey.toString('base64url'),
  });
  return {
    origin: ORIGIN,
    keys: [
      entry(ada, ADA, 'COMPLIANCE'),
      entry(ben, BEN, 'COMPLIANCE'),
      entry(sam, SAM, 'SUPPORT'),
    ],
    fileKeys: [{ operator: ben, role: 'COMPLIANCE', publicKey: BENS_FILE.publicKey }],
  };
}

/** One way to make signatures up for an approval whose rows are written. */
interface Way {
  readonly what: string;
  /** Who decided, as the rows say: ada and ben, unless others are named. */
  readonly by?: readonly [first: keyof Cast, second: keyof Cast];
  /** What else the attacker writes first. */
  readonly before?: (tx: SystemTransaction, cast: Cast) => Promise<unknown>;
  readonly signatures: (approval: ApprovalRow, cast: Cast) => readonly DecisionSignature[];
  /** Why it does not count, in the words of the log. */
  readonly why: string;
}

const SOMETHING_ELSE = 'signed as something else';
const UNKNOWN_KEY = 'signed with a key that is not in the operator keys file';
const NOT_SIGNED = 'is not signed';

const REASON = 'x';
const decided = (approval: ApprovalRow, step: DecisionStep, operatorId: string): Decision =>
  decisionOf(approval, { step, operatorId, reason: REASON });

const signed = (
  key: TestAuthenticator,
  decision: Decision,
  odd: OddAssertion = {},
): DecisionSignature => ({
  ...key.assert(decisionChallenge(decision), odd),
  ...{ step: decision.step, operatorId: decision.operatorId, reason: decision.reason },
});
const proposal = (approval: ApprovalRow, { ada }: Cast, odd: OddAssertion = {}) =>
  signed(ADA, decided(approval, 'PROPOSE', ada), odd);
const approvalBy = (approval: ApprovalRow, { ben }: Cast, odd: OddAssertion = {}) =>
  signed(BEN, decided(approval, 'APPROVE', ben), odd);

/** What both operators sign in the console. */
export const genuine = (
  approval: ApprovalRow,
  cast: Cast,
  odd: OddAssertion = {},
): readonly DecisionSignature[] => [proposal(approval, cast, odd), approvalBy(approval, cast, odd)];

/** Both signed, and something else: the attacker got hold of what they signed before. */
const ofAnother = (what: string, change: Partial<ApprovalRow>): Way => ({
  what: `with both operators' signatures of another ${what}`,
  signatures: (approval, cast) => genuine({ ...approval, ...change }, cast),
  why: SOMETHING_ELSE,
});

const oddly = (what: string, odd: OddAssertion): Way => ({
  what: `with both operators' signatures ${what}`,
  signatures: (approval, cast) => genuine(approval, cast, odd),
  why: SOMETHING_ELSE,
});

/** The first step is right; the second one is made of something else. */
const withSecond = (
  what: string,
  why: string,
  second: (approval: ApprovalRow, cast: Cast) => DecisionSignature,
  more: Pick<Way, 'by' | 'before'> = {},
): Way => ({
  ...{ what, why, ...more },
  signatures: (approval, cast) => [proposal(approval, cast), second(approval, cast)],
});

const byFile = (
  key: typeof BENS_FILE,
  document: string,
  step: DecisionStep,
  operatorId: string,
): DecisionSignature => ({
  ...{ step, operatorId, reason: REASON, credentialId: key.credentialId },
  ...{ authenticatorData: null, clientData: null, signature: key.sign(document) },
});

export const WAYS: readonly Way[] = [
  { what: 'without signatures', signatures: () => [], why: `The proposal ${NOT_SIGNED}` },
  {
    what: "with the proposer's signature alone",
    signatures: (approval, cast) => [proposal(approval, cast)],
    why: `The approval ${NOT_SIGNED}`,
  },
  {
    what: "with the approver's signature alone",
    signatures: (approval, cast) => [approvalBy(approval, cast)],
    why: `The proposal ${NOT_SIGNED}`,
  },
  ofAnother('approval', { id: newId('apr') }),
  ofAnother('version', { subjectVersion: 99 }),
  ofAnother('subject', { subjectId: 'alw_other' }),
  ofAnother('customer', { customerId: 'cus_other' }),
  ofAnother('environment', { environment: 'test' }),
  ofAnother('action', { action: 'KYC_OVERRIDE' }),
  ofAnother('content', { content: { range: '198.51.100.0/24' } }),
  oddly('made on another site', { origin: 'https://ops.example.evil.example' }),
  oddly('made without verifying the user', { flags: 0x01 }),
  oddly('made while adding a passkey', { type: 'webauthn.create' }),
  withSecond("with the proposer's signature as the approver's", UNKNOWN_KEY, (approval, cast) => ({
    ...proposal(approval, cast),
    ...{ step: 'APPROVE', operatorId: cast.ben },
  })),
  withSecond("with the proposer's key in the approver's name", UNKNOWN_KEY, (approval, { ben }) =>
    signed(ADA, decided(approval, 'APPROVE', ben)),
  ),
  withSecond(
    "with the approver's signature of a proposal",
    SOMETHING_ELSE,
    (approval, { ben }) => ({
      ...signed(BEN, decided(approval, 'PROPOSE', ben)),
      step: 'APPROVE',
    }),
  ),
  withSecond("with the approver's login", SOMETHING_ELSE, (_approval, { ben }) => ({
    ...BEN.assert(Buffer.alloc(32, 7).toString('base64url')),
    ...{ step: 'APPROVE', operatorId: ben, reason: REASON },
  })),
  withSecond('with another reason than was signed', SOMETHING_ELSE, (approval, cast) => ({
    ...approvalBy(approval, cast),
    reason: 'y',
  })),
  withSecond(
    "with their own key under the approver's credential",
    SOMETHING_ELSE,
    (approval, { ben }) => ({
      ...signed(OWN[1], decided(approval, 'APPROVE', ben)),
      credentialId: BEN.credentialId,
    }),
  ),
  withSecond(
    'with a passkey that the file does not name any more',
    UNKNOWN_KEY,
    (approval, { ben }) => signed(FORMER, decided(approval, 'APPROVE', ben)),
    { before: (tx, { ben }) => addOnce(tx, ben, FORMER) },
  ),
  {
    what: 'with keys of their own, inserted as passkeys of both',
    before: async (tx, { ada, ben }) => {
      await addOnce(tx, ada, OWN[0]);
      await addOnce(tx, ben, OWN[1]);
    },
    signatures: (approval, { ada, ben }) => [
      signed(OWN[0], decided(approval, 'PROPOSE', ada)),
      signed(OWN[1], decided(approval, 'APPROVE', ben)),
    ],
    why: UNKNOWN_KEY,
  },
  withSecond(
    'with the key of an account that they added and confirmed',
    UNKNOWN_KEY,
    (approval, { mallory }) => signed(OWN[1], decided(approval, 'APPROVE', mallory)),
    { by: ['ada', 'mallory'] },
  ),
  withSecond(
    'with the key of an operator whose role they changed in the row',
    'without that right in the operator keys file',
    (approval, { sam }) => signed(SAM, decided(approval, 'APPROVE', sam)),
    {
      by: ['ada', 'sam'],
      before: (tx, { sam }) =>
        tx.query(`UPDATE operators SET role = 'COMPLIANCE' WHERE id = $1`, [sam]),
    },
  ),
  withSecond('with a file key of their own', UNKNOWN_KEY, (approval, { ben }) =>
    byFile(OWN_FILE, decisionDocument(decided(approval, 'APPROVE', ben)), 'APPROVE', ben),
  ),
  withSecond(
    "with a file key's signature of another approval",
    SOMETHING_ELSE,
    (approval, { ben }) => {
      const other = { ...approval, id: newId('apr') };
      return byFile(BENS_FILE, decisionDocument(decided(other, 'APPROVE', ben)), 'APPROVE', ben);
    },
  ),
  withSecond("with a file key's signature of a proposal", SOMETHING_ELSE, (approval, { ben }) =>
    byFile(BENS_FILE, decisionDocument(decided(approval, 'PROPOSE', ben)), 'APPROVE', ben),
  ),
  withSecond(
    "with a file key's signature under the approver's passkey",
    SOMETHING_ELSE,
    (approval, { ben }) => ({
      ...byFile(BENS_FILE, decisionDocument(decided(approval, 'APPROVE', ben)), 'APPROVE', ben),
      credentialId: BEN.credentialId,
    }),
  ),
  withSecond(
    "with a passkey's signature under the approver's file key",
    SOMETHING_ELSE,
    (approval, cast) => ({
      ...approvalBy(approval, cast),
      credentialId: BENS_FILE.credentialId,
    }),
  ),
];

/** A credential is stored once. */
async function addOnce(
  tx: SystemTransaction,
  operatorId: string,
  key: TestAuthenticator,
): Promise<void> {
  const known = await tx.query('SELECT FROM passkeys WHERE credential_id = $1', [key.credentialId]);
  if (known.length === 0) await putPasskey(tx, operatorId, key);
}
