/** On pages of the test environment: no one's passport belongs there. */
export const NoRealDocuments = () => (
  <p class="notice">This is a test. Do not upload documents of real people.</p>
);
