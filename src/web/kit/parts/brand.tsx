/** The name, with the logo before it. Where no first page belongs to it, it is no link. */
export const Brand = ({ href }: { readonly href: string | null }) =>
  href === null ? (
    <span class="brand">
      <Name />
    </span>
  ) : (
    <a class="brand" href={href}>
      <Name />
    </a>
  );

const Name = () => (
  <>
    <svg viewBox="0 0 22 12" width="22" height="12" aria-hidden="true" focusable="false">
      <rect class="brand-far" x="0" y="7" width="6" height="4" rx="2" />
      <rect class="brand-middle" x="8" y="4" width="6" height="4" rx="2" />
      <rect class="brand-near" x="16" y="1" width="6" height="4" rx="2" />
    </svg>
    Causeway
  </>
);
