/**
 * Folders whose unit tests share processes and loaded modules. They change nothing outside of their
 * own file.
 */
export const sharingFolders = ['functions', 'cli', 'web', 'openapi']

/** Folders whose test files use SQLite and run on Node 24, because Node 20 has none. */
export const sqliteFolders = ['adapters/sqlite', 'local/sqlite']

/** The tiers of test files, told by the end of their names. CONTRIBUTING.md says which is which. */
export type Tier = 'unit' | 'engine' | 'timing'

/** Returns the tier of a test file. */
export function tierOf(path: string): Tier {
  const [, tier] = /\.(engine|timing)\.test\.ts$/.exec(path) ?? []
  return tier === 'engine' || tier === 'timing' ? tier : 'unit'
}
