/** A sentence that is read first; nothing where there is none. */
export const Warning = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p>
      <strong>{text}</strong>
    </p>
  );
