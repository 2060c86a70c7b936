/** NOT_SCANNED: the scanner did not answer, or could not look at the file. */
export type ScanVerdict = 'CLEAN' | 'HARMFUL' | 'NOT_SCANNED';

/** Looks for malware in what end-users upload. It never throws. */
export interface DocumentScanner {
  scan(bytes: Uint8Array): Promise<ScanVerdict>;
}
