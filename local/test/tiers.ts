/**
 * Unit test files that need a process of their own: they change its clock, its environment or its
 * handlers. All others share processes and loaded modules, and leave nothing changed.
 */
export const isolatedTests = [
  'adapters/agent/liveness.test.ts',
  'adapters/agent/window.test.ts',
  'adapters/docker/state/volume-sizes.test.ts',
  'adapters/docker/transport/connect.test.ts',
  'adapters/dynamo/client.test.ts',
  'adapters/net/outbound.test.ts',
  'adapters/node/compose-worker/queue.test.ts',
  'adapters/node/hosts/agents.test.ts',
  'adapters/node/process/scheduler.test.ts',
  'adapters/node/store-supervisor/java.test.ts',
  'adapters/sidecar/feeds/recheck-permissions.test.ts',
  'adapters/store/deadline.test.ts',
  'adapters/testing/memory/audit-turns.test.ts',
  'local/test/tiers.test.ts',
  'web/data/clock.test.ts',
  'web/parts/format-percent.test.ts',
  'web/parts/format-time.test.ts',
  'web/screens/stack/update-sentence.test.ts',
  'web/screens/updates/when-text.test.ts',
]

/** Folders whose test files use SQLite and run on Node 24, because Node 20 has none. */
export const sqliteFolders = ['adapters/sqlite', 'local/sqlite']

/** The tiers of test files, by the end of their names: docs/contributing/testing.md. */
export type Tier = 'unit' | 'engine' | 'timing'

/** Returns the tier of a test file. */
export function tierOf(path: string): Tier {
  const [, tier] = /\.(engine|timing)\.test\.ts$/.exec(path) ?? []
  return tier === 'engine' || tier === 'timing' ? tier : 'unit'
}
