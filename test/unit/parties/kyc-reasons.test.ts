import { describe, expect, it } from 'vitest';
import { publicReasons } from '../../../src/domain/parties/kyc/kyc-reasons.ts';

const codes = (given: readonly string[]) => publicReasons(given).map((reason) => reason.code);

describe('what the outside learns of a reason', () => {
  it.each(['SANCTIONS_HIT', 'WATCHLIST_MATCH', 'PEP', 'ADVERSE_MEDIA', 'sanctioned_person'])(
    '%s leaves as COMPLIANCE_DECLINED',
    (code) => {
      expect(codes([code])).toEqual(['COMPLIANCE_DECLINED']);
    },
  );

  it('several compliance reasons leave as one', () => {
    expect(codes(['SANCTIONS_HIT', 'PEP', 'DOCUMENT_UNREADABLE'])).toEqual([
      'COMPLIANCE_DECLINED',
      'DOCUMENT_UNREADABLE',
    ]);
  });

  it('a code that is not known leaves as OTHER, for it might name a list', () => {
    expect(codes(['OFAC_SDN_1234'])).toEqual(['OTHER']);
  });

  it('a code that is ours alone leaves as OTHER where a provider says it', () => {
    expect(codes(['DATA_CHANGED', 'data_changed'])).toEqual(['OTHER']);
  });

  it('the end-user is told what can be mended', () => {
    expect(publicReasons(['DOCUMENT_UNREADABLE'])[0]?.retryable).toBe(true);
  });
});
