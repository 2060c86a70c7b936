/**
 * HTML that our own renderers have made: Markdown without HTML of its own, and highlighted code. Both escape all
 * text. Nothing else may come in here.
 */
export const Html = (props: { readonly class?: string; readonly html: string }) => (
  <div class={props.class} dangerouslySetInnerHTML={{ __html: props.html }} />
);

/** The same within a sentence. */
export const HtmlText = (props: { readonly class?: string; readonly html: string }) => (
  <span class={props.class} dangerouslySetInnerHTML={{ __html: props.html }} />
);
