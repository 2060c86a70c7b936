import { findApproval, type ApprovalRow } from '../../../db/approvals/approval-store.ts';
import {
  listSignatures,
  type DecisionSignature,
} from '../../../db/approvals/approval-signature-store.ts';
import type { Database } from '../../../db/client/database.ts';
import type { FoundApiKey } from '../../../db/customers/api-key-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { OperatorKeys } from '../../../domain/approvals/operator-keys.ts';
import { whyUnsigned, type SignedApproval } from '../../approvals/signatures/judge-signatures.ts';

/** Narrows live keys to what operators have signed. */
export interface LiveApprovals {
  /** The key without live access, and without the ranges, that two operators did not sign. */
  honour(key: FoundApiKey): Promise<FoundApiKey>;
}

interface LiveApprovalDeps {
  readonly db: Pick<Database, 'read'>;
  readonly clock: Clock;
  readonly operatorKeys: OperatorKeys;
  /** Hears of each approval that is none: somebody may have written its rows. */
  readonly onUnsigned: (approvalId: string, why: string) => void;
}

/** Approvals whose signatures are remembered, and for how long one that is none is. */
const REMEMBERED_MAX = 10_000;
const REFUSED_MS = 10_000;

/** An approval as it is stored, with its signatures; null where there is none. */
type Stored = {
  readonly approval: ApprovalRow;
  readonly signatures: readonly DecisionSignature[];
} | null;

/** What is known of an approval: that it is signed, or not until a moment. */
interface Known {
  readonly stored: Promise<Stored>;
  /** Of the operators' keys that it was judged by. */
  readonly keysVersion: number;
  readonly approval: Promise<SignedApproval | null>;
  refusedUntil: number | null;
}

/**
 * Looks at the signatures of the approvals that live keys rest on. Each is read once for as long as the process runs, because
 * what an approval says never changes, and judged once for as long as the operators' keys stay. A key costs no statement after
 * that.
 */
export function createLiveApprovals(deps: LiveApprovalDeps): LiveApprovals {
  const known = new Map<string, Known>();

  function find(key: FoundApiKey, id: string): Promise<SignedApproval | null> {
    const now = deps.clock.now().getTime();
    // By whose key it is named: a key of another customer makes nobody's approval unknown.
    const name = `${key.customerId} ${id}`;
    const seen = known.get(name);
    const keysVersion = deps.operatorKeys.version;
    const isFresh = seen !== undefined && (seen.refusedUntil === null || now < seen.refusedUntil);
    if (isFresh && seen.keysVersion === keysVersion) return seen.approval;
    const stored = isFresh ? seen.stored : read(deps.db, key, id);
    const approval = stored.then((found) => judge(deps, id, found));
    const entry: Known = { stored, keysVersion, approval, refusedUntil: null };
    known.delete(name);
    known.set(name, entry);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
    approval.then(
      (signed) => {
        if (signed === null) entry.refusedUntil = now + REFUSED_MS;
      },
      () => {
        if (known.get(name) === entry) known.delete(name);
      },
    );
    return approval;
  }

  async function isSigned(
    key: FoundApiKey,
    id: string,
    isRight: (approval: SignedApproval) => boolean,
  ): Promise<boolean> {
    if (id === '') return false;
    const approval = await find(key, id);
    return approval?.customerId === key.customerId && isRight(approval);
  }

  return {
    async honour(key) {
      if (key.environment !== 'live' || !key.hasLiveAccess) return key;
      const hasLiveAccess = await isSigned(
        key,
        key.liveApproval ?? '',
        ({ action }) => action === 'LIVE_ACCESS',
      );
      const signed = await Promise.all(
        key.approvedRanges.map((range, at) =>
          isSigned(
            key,
            key.rangeApprovals[at] ?? '',
            ({ action, environment, content }) =>
              action === 'ADDRESS' && environment === 'live' && content['range'] === range,
          ),
        ),
      );
      return {
        ...{ ...key, hasLiveAccess },
        approvedRanges: key.approvedRanges.filter((_range, at) => signed[at]),
      };
    },
  };
}

function read(
  db: LiveApprovalDeps['db'],
  { customerId, environment }: FoundApiKey,
  id: string,
): Promise<Stored> {
  return db.read({ customerId, environment }, async (tx) => {
    const approval = await findApproval(tx, id);
    return approval === null ? null : { approval, signatures: await listSignatures(tx, id) };
  });
}

/** An approval that two operators signed; null where they did not. */
async function judge(
  { operatorKeys, onUnsigned }: LiveApprovalDeps,
  id: string,
  found: Stored,
): Promise<SignedApproval | null> {
  const why =
    found?.approval.decision === 'APPROVED'
      ? await whyUnsigned(operatorKeys, found.approval, found.signatures)
      : 'It is not approved.';
  if (why === null) return found?.approval ?? null;
  onUnsigned(id, why);
  return null;
}
