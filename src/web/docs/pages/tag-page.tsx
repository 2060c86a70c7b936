import { OperationSection } from '../parts/operation.tsx';
import type { ShownTag } from '../reference/reference.ts';
import type { Page, Site } from '../site-model.ts';

/** Every operation of one tag. */
export const tagPage = (site: Site, tag: ShownTag): Page => ({
  title: tag.name,
  description: tag.description,
  body: (
    <div class="reference">
      <div class="reference-head">
        <h1>{tag.name}</h1>
        <p class="lead">{tag.description}</p>
      </div>
      {tag.operations.map((operation) => (
        <OperationSection key={operation.id} site={site} operation={operation} />
      ))}
    </div>
  ),
});
