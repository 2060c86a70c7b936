import { expect, it } from 'vitest';
import { decisionDocument, type Decision } from '../../../src/domain/approvals/decision.ts';

const DECISION: Decision = {
  ...{ step: 'APPROVE', approvalId: 'apr_1', operatorId: 'opr_1', customerId: 'cus_1' },
  ...{ environment: 'live', action: 'FX_COVER', subjectId: 'fxp_1', subjectVersion: 3 },
  content: { reference: 'T-1', items: ['a', 'b'] },
  reason: 'as agreed',
};

it('a document says all of a decision, on lines of their own, whatever order its content is stored in', () => {
  const text = `{
  "form": "causeway decision by file key",
  "step": "APPROVE",
  "approvalId": "apr_1",
  "operatorId": "opr_1",
  "customerId": "cus_1",
  "environment": "live",
  "action": "FX_COVER",
  "subjectId": "fxp_1",
  "subjectVersion": 3,
  "content": {
    "items": [
      "a",
      "b"
    ],
    "reference": "T-1"
  },
  "reason": "as agreed"
}
`;
  expect(decisionDocument(DECISION)).toBe(text);
  const { items, reference } = DECISION.content;
  const stored = { items, reference } as Decision['content'];
  expect(decisionDocument({ ...DECISION, content: stored })).toBe(text);
});

it('a document hides no character, and says what it was', () => {
  const reference = 'T-\u202e1\u200b\\u202e\n\u{1f600}é';
  const text = decisionDocument({ ...DECISION, content: { reference } });
  expect(text).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(text)).toMatchObject({ content: { reference } });
});
