/** Requests per second far above what one machine does: the caps are meant for shared clusters. */
const UNCAPPED = 100_000;

/**
 * Dynamic configuration of the development server, under the key names of server 1.29.
 * The defaults cap a single namespace at 2,400 and matching at 1,200 requests per second.
 */
export const TEMPORAL_DYNAMIC_CONFIG: Readonly<Record<string, number | boolean>> = {
  'frontend.rps': UNCAPPED,
  'frontend.namespaceRPS': UNCAPPED,
  'frontend.namespaceRPS.visibility': UNCAPPED,
  'frontend.namespaceCount': 20_000,
  'frontend.persistenceMaxQPS': UNCAPPED,
  'history.rps': UNCAPPED,
  'history.persistenceMaxQPS': UNCAPPED,
  'history.timerProcessorMaxPollRPS': 1000,
  'history.transferProcessorMaxPollRPS': 1000,
  'history.visibilityProcessorMaxPollRPS': 1000,
  'matching.rps': UNCAPPED,
  'matching.persistenceMaxQPS': UNCAPPED,
  'worker.persistenceMaxQPS': UNCAPPED,
  'worker.schedulerNamespaceStartWorkflowRPS': 1000,
  'system.visibilityPersistenceMaxReadQPS': UNCAPPED,
  'system.visibilityPersistenceMaxWriteQPS': UNCAPPED,
  // A worker gets the activity that it just scheduled in the same answer.
  'system.enableActivityEagerExecution': true,
  // Several partitions only cost forwarding while one server holds them all.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

/** How long closed workflows stay visible, in days; start-dev itself has no flag and takes one. */
export const RETENTION_DAYS = 7;
