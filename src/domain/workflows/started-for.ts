/**
 * What a workflow was started for: the name of its memo, and of the header that its activities get it by.
 * Values are those of StartedFor in src/domain/workflows/workflow-client.ts.
 */
export const STARTED_FOR = 'requestId';
