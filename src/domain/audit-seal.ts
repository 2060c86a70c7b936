/** A row of the audit log as it is sealed and exported. */
export interface AuditRecord {
  readonly id: bigint;
  /** In UTC, to the microsecond: `2026-01-02T03:04:05.678901Z`. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly customerId: string | null;
  readonly environment: string | null;
  readonly subject: string;
  /** JSON, as PostgreSQL writes it. */
  readonly details: string;
}

/** What a seal says of its rows. */
export interface SealedRows {
  readonly number: bigint;
  readonly firstId: bigint;
  readonly lastId: bigint;
  readonly rows: number;
  /** Of the seal before, in hex. */
  readonly previousHash: string;
  /** As `AuditRecord.at`. */
  readonly sealedAt: string;
}

export interface AuditSeal extends SealedRows {
  /** SHA-256 of `sealedText`, in hex. */
  readonly hash: string;
  /** HMAC-SHA-256 of the hash in hex, in hex. */
  readonly mac: string;
}

/** The previous hash of the first seal. */
export const NO_SEAL_BEFORE = '0'.repeat(64);

/** A row as one line of JSON. Its bytes are what is hashed, and what the export writes. */
export function auditLine(row: AuditRecord): string {
  const { id, details, ...texts } = row;
  const { at, actor, action, customerId, environment, subject } = texts;
  const head = JSON.stringify({
    ...{ id: String(id), at, actor, action, customerId, environment, subject },
  });
  return `${head.slice(0, -1)},"details":${details}}`;
}

/** What a seal is the hash of: the hash before, each row, and the seal's own fields, a line each. */
export function sealedText(seal: SealedRows, lines: readonly string[]): string {
  const own = [seal.number, seal.firstId, seal.lastId, seal.rows, seal.sealedAt].join(' ');
  return [seal.previousHash, ...lines, own, ''].join('\n');
}

/** A seal as one line of JSON, which follows its rows in an export. */
export function sealLine(seal: AuditSeal): string {
  return JSON.stringify({
    ...{ seal: String(seal.number), firstId: String(seal.firstId), lastId: String(seal.lastId) },
    ...{ rows: seal.rows, sealedAt: seal.sealedAt, previousHash: seal.previousHash },
    ...{ hash: seal.hash, mac: seal.mac },
  });
}
