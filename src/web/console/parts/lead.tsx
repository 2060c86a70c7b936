/** Where something stands, why, and what comes next: the first sentences of its page. */
export const Lead = ({ sentences }: { readonly sentences: readonly string[] }) => (
  <section class="lead" aria-label="Summary">
    {sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
  </section>
);
