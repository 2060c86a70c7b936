import type { StatementOrder } from './bank.ts';

export const STATEMENT_ID = 'BENCH-STMT-1';

const LINES_PER_CHUNK = 200;
/** Whatever the transfers come to; only opening less entries being closing is checked. */
const OPENING_MAJOR = 1_000_000_000n;

/**
 * A camt.053.001.08 as it is asked for, in chunks: first pending lines of others, which move nothing,
 * then one booked line for each reference, so that the last line's payment is reconciled last.
 */
export function* statementChunks(
  { lines, amount }: StatementOrder,
  references: readonly string[],
): Generator<string> {
  const ours = references.slice(0, lines);
  yield (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>' +
    `<Stmt><Id>${STATEMENT_ID}</Id><Acct><Id><Othr><Id>BENCH-EUR</Id></Othr></Id><Ccy>EUR</Ccy></Acct>` +
    balance('OPBD', `${String(OPENING_MAJOR)}.00`) +
    balance('CLBD', closing(amount, ours.length))
  );
  let chunk = '';
  for (let line = 0; line < lines; line += 1) {
    const reference = ours[line - (lines - ours.length)];
    chunk +=
      reference === undefined
        ? entry(`OTHER${String(line).padStart(25, '0')}`, amount, 'PDNG')
        : entry(reference, amount, 'BOOK');
    if ((line + 1) % LINES_PER_CHUNK === 0) {
      yield chunk;
      chunk = '';
    }
  }
  yield `${chunk}</Stmt></BkToCstmrStmt></Document>`;
}

/** Opening less so many times the amount, in whole minor units all the way. */
function closing(amount: string, times: number): string {
  const minor = OPENING_MAJOR * 100n - BigInt(amount.replace('.', '')) * BigInt(times);
  return `${String(minor / 100n)}.${String(minor % 100n).padStart(2, '0')}`;
}

const balance = (type: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>` +
  '<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-01</Dt></Dt></Bal>';

const entry = (reference: string, amount: string, status: string): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>${status}</Cd></Sts>` +
  '<BookgDt><DtTm>2026-01-01T12:00:00Z</DtTm></BookgDt><NtryDtls><TxDtls>' +
  `<Refs><AcctSvcrRef>${reference.slice(-16)}</AcctSvcrRef><EndToEndId>${reference}</EndToEndId></Refs>` +
  `<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>` +
  '<RltdPties><Cdtr><Pty><Nm>Ada Sample</Nm></Pty></Cdtr></RltdPties>' +
  '<RmtInf><Ustrd>Bench payment</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>';
