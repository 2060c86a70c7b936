import { findApproval } from '../../../db/approvals/approval-store.ts';
import { listSignatures } from '../../../db/approvals/approval-signature-store.ts';
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

/** What is known of an approval: that it is signed, or not until a moment. */
interface Known {
  readonly approval: Promise<SignedApproval | null>;
  refusedUntil: number | null;
}

/**
 * Looks at the signatures of the approvals that live keys rest on, each once for as long as the process runs: what an approval
 * says never changes. A key costs no statement after that.
 */
export function createLiveApprovals(deps: LiveApprovalDeps): LiveApprovals {
  const known = new Map<string, Known>();

  function find(key: FoundApiKey, id: string): Promise<SignedApproval | null> {
    const now = deps.clock.now().getTime();
    // By whose key it is named: a key of another customer makes nobody's approval unknown.
    const name = `${key.customerId} ${id}`;
    const seen = known.get(name);
    if (seen !== undefined && (seen.refusedUntil === null || now < seen.refusedUntil)) {
      return seen.approval;
    }
    const entry: Known = { approval: readSigned(deps, key, id), refusedUntil: null };
    known.delete(name);
    known.set(name, entry);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
    entry.approval.then(
      (approval) => {
        if (approval === null) entry.refusedUntil = now + REFUSED_MS;
      },
      () => known.delete(name),
    );
    return entry.approval;
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

/** An approval that two operators signed; null where they did not. */
async function readSigned(
  { db, operatorKeys, onUnsigned }: LiveApprovalDeps,
  { customerId, environment }: FoundApiKey,
  id: string,
): Promise<SignedApproval | null> {
  const found = await db.read({ customerId, environment }, async (tx) => {
    const approval = await findApproval(tx, id);
    return approval === null ? null : { approval, signatures: await listSignatures(tx, id) };
  });
  const why =
    found?.approval.decision === 'APPROVED'
      ? await whyUnsigned(operatorKeys, found.approval, found.signatures)
      : 'It is not approved.';
  if (why === null) return found?.approval ?? null;
  onUnsigned(id, why);
  return null;
}
