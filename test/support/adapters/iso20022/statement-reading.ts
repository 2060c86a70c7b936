import { readFileSync } from 'node:fs';
import type { StatementLimits } from '../../../../src/adapters/iso20022/camt053.ts';
import { parseCamt053 } from '../../../../src/adapters/iso20022/camt053.ts';
import { StatementUnreadable } from '../../../../src/domain/reconciliation/statement-unreadable.ts';
import type { LinePart, StatementPart } from '../../../../src/adapters/iso20022/statement-parts.ts';

export const fixture = (name: string): Buffer =>
  readFileSync(new URL(`./fixtures/${name}`, import.meta.url));

/** Cuts bytes into pieces of a given size, as a network might. */
export async function* inPieces(
  bytes: Uint8Array,
  size = bytes.length,
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

export async function readAll(
  source: string | Uint8Array,
  { size, limits }: { size?: number; limits?: Partial<StatementLimits> } = {},
): Promise<StatementPart[]> {
  const { parts, error } = await readUntilError(source, { size, limits });
  if (error !== null) throw error;
  return parts;
}

/** Everything that came before the file could not be read on, and why it could not. */
export async function readUntilError(
  source: string | Uint8Array,
  { size, limits }: { size?: number; limits?: Partial<StatementLimits> } = {},
): Promise<{ parts: StatementPart[]; error: StatementUnreadable | null }> {
  const parts: StatementPart[] = [];
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  try {
    for await (const part of parseCamt053(inPieces(bytes, size), limits)) parts.push(part);
  } catch (error) {
    if (!(error instanceof StatementUnreadable)) throw error;
    return { parts, error };
  }
  return { parts, error: null };
}

export const linesOf = (parts: StatementPart[]): LinePart[] =>
  parts.filter((part) => part.kind === 'line');

/** A version 08 statement around some entries. */
export function statementXml(entries: string): string {
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S-1</Id><Acct><Id><Othr><Id>A-1</Id></Othr></Id><Ccy>EUR</Ccy></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
}

export function entryXml(reference: string, amount: string, more = ''): string {
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${more}<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`;
}
