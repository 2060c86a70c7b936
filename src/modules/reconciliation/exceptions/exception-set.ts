import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import type { ActContent } from './propose-exception-act.ts';

/** One exception of a set: the act that was approved about it, and the version of its payment. */
export interface SetItem {
  readonly exceptionId: string;
  readonly version: number;
  /** Names the rule too. */
  readonly content: ActContent;
}

/** An item as the content of the approval holds it: one line of JSON with sorted keys. */
export function writeSetItem({ exceptionId, version, content }: SetItem): string {
  const whole: ActContent = { ...content, exceptionId, version };
  const sorted = Object.entries(whole).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

/** The items that two operators approved, in their order. */
export function readSetItems({ content }: Pick<ApprovalRow, 'content'>): readonly SetItem[] {
  return [content['items'] ?? []].flat().map((text) => {
    const { exceptionId, version, ...own } = JSON.parse(String(text)) as ActContent;
    return { exceptionId: String(exceptionId), version: Number(version), content: own };
  });
}

/** Whether the act would do now exactly what was approved. */
export const isSameItem = (one: SetItem, other: SetItem): boolean =>
  writeSetItem(one) === writeSetItem(other);
