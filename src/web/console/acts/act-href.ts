import { pageOf, type ActEntry } from '../../../modules/operations/acts/operator-act.ts';

/** The form of an act about one subject. Throws where the act has no page. */
export function hrefOf(act: Pick<ActEntry, 'name' | 'page'>, id: string): string {
  const path = pageOf(act);
  if (path === null) throw new Error(`${act.name} has no page`);
  return path.replace(/:[A-Za-z]+/, encodeURIComponent(id));
}
