import { entryXml, statementXml } from './statement-reading.ts';

const [head = '', tail = ''] = statementXml('|').split('|');

/** Entries or transactions that one chunk holds. */
export const PER_CHUNK = 100;

/** A statement of so many entries, made as they are asked for: the file never exists as a whole. */
export async function* statementOf(
  entries: number,
  onChunk: () => void = () => undefined,
): AsyncGenerator<string> {
  yield head;
  for (let start = 0; start < entries; start += PER_CHUNK) {
    let text = '';
    for (let index = start; index < Math.min(start + PER_CHUNK, entries); index += 1) {
      text += entryXml(`CW${String(index).padStart(26, '0')}01`, '12.34');
    }
    onChunk();
    yield text;
  }
  yield tail;
}

/** A statement of one batch booking with so many transactions, made as they are asked for. */
export async function* batchOf(
  transactions: number,
  onChunk: () => void = () => undefined,
): AsyncGenerator<string> {
  yield `${head}<Ntry><Amt Ccy="EUR">${transactions}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls>`;
  for (let index = 0; index < transactions; index += PER_CHUNK) {
    onChunk();
    yield '<TxDtls><Amt Ccy="EUR">1</Amt></TxDtls>'.repeat(PER_CHUNK);
  }
  yield `</NtryDtls></Ntry>${tail}`;
}
