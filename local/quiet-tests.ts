/**
 * The test files that measure time or race a short deadline, each with the promise that a busy
 * machine would break. They run after all other tests, one at a time.
 */
export const quietTests: Record<string, string> = {
  'adapters/node/compose-worker/composer.test.ts':
    'a compose file may take 1.5 s to read, and other files wait for it only so long',
  'adapters/node/store-supervisor/outage.test.ts': 'a call to a store that hangs fails within 3 s',
  'local/fuzz/fuzz.test.ts': 'the health check answers within a second during hostile requests',
  'local/harness/fault-proxy.test.ts': 'measures the latency and rate that the proxy adds',
  'local/hostile.test.ts': 'a hostile compose file may take 1.5 s to read, the next one is read',
  'local/journeys/session.test.ts':
    'tabs that start together wait half a second for the refresh of another one',
  'local/scenarios/agent-deadlines.test.ts':
    'calls to the Engine time out after 2.5 s here, and only those that hang may',
  'local/scenarios/agent-engine.test.ts':
    'calls to a healthy host answer within 1.5 s while another one hangs',
  'local/scenarios/agent-faults.test.ts':
    'a reset is seen within a second, and a deploy transfers a megabyte per second',
  'local/scenarios/agent-machine.test.ts':
    'a host answers within 15 s after its line dropped to 1 Mbit/s during a backup',
  'local/scenarios/agents.test.ts': 'a host is offline within a second of losing its agent',
  'local/scenarios/fan-out.test.ts': 'a hundred dead hosts delay an answer by less than 5 s',
  'local/scenarios/feeds.test.ts': 'a revoked permission ends a feed within 5 s',
  'local/scenarios/outage.test.ts':
    'every route fails within 3 s of an outage and works within 2 s of its end',
}

/**
 * The test files that wait for the end of leases and for deadlines of 5 s and more, each with the
 * promise that a very busy machine would break. They run two at a time, after all other tests but
 * those of `quietTests`.
 */
export const waitingTests: Record<string, string> = {
  'local/scenarios/access.test.ts': 'a change in one process takes effect in the other within 5 s',
  'local/scenarios/crash.test.ts': 'a deploy has ended within 30 s of the next start',
  'local/scenarios/exec.test.ts': 'a command has ended within 5 s of the loss of its connection',
  'local/scenarios/killed-verbs.test.ts': 'leases of ten seconds pass between processes',
  'local/scenarios/killed-work.test.ts': 'killed work has ended within 30 s of the next start',
  'local/scenarios/paused-holder.test.ts': 'leases of ten seconds pass between processes',
  'local/scenarios/processes.test.ts': 'a host is reached within 30 s of the death of a process',
  'local/scenarios/rolling-upgrade.test.ts': 'a process is taken for dead after 20 s of silence',
}

/**
 * Folders whose test files share processes and loaded modules. Their tests change nothing outside
 * of their own file.
 */
export const sharingFolders = ['functions', 'cli', 'web', 'openapi']

/** Folders whose test files use SQLite and run on Node 24, because Node 20 has none. */
export const sqliteFolders = ['adapters/sqlite', 'local/sqlite']
