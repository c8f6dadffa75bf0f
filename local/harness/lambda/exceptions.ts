/** A scenario, or a test of one, that is not run with functions in front of the service. */
export interface Exception {
  /** The file in `local/scenarios`, without its ending. */
  file: string
  /** The name of the test; all of the file without it. */
  test?: string
  reason: string
}

/** What cannot pass with functions in front of the service. */
export const exceptions: readonly Exception[] = [
  ...['cloud-functions', 'killed-functions', 'two-sidecars'].map((file) => ({
    file,
    reason: 'it deploys functions itself',
  })),
  ...['forged-backups', 'forged-labels', 'owners'].map((file) => ({
    file,
    reason: 'it calls handlers in its own process',
  })),
  { file: 'damaged-data', reason: 'it damages keys in files; those of functions are in the store' },
  { file: 'shared-keys', reason: 'it decides where the keys are' },
  { file: 'lost-server', reason: 'a backup of the service contains keys in files' },
  { file: 'upgrade', reason: 'functions of one release do not start on a store of another' },
  { file: 'processes', reason: 'it gives each process its role' },
  { file: 'clock', reason: 'it changes the clock of the process that responds' },
  { file: 'skewed-clocks', reason: 'it changes the clock of the process that responds' },
  { file: 'agent-clock', reason: 'it changes the clock of the process that responds' },
  { file: 'killed-sweeps', reason: 'it kills the process that responds' },
  {
    file: 'backup-targets',
    test: 'a backup for another key changes nothing and is reported',
    reason: 'the identity for backups is in the store, not in a file',
  },
]

const pathOf = (file: string) => `local/scenarios/${file}.engine.test.ts`

/** The files that are not run. */
export const exceptFiles = exceptions.filter(({ test }) => !test).map(({ file }) => pathOf(file))

/** Returns why a test is not run, or undefined if it is. */
export const reasonAgainst = (path: string, name: string): string | undefined =>
  exceptions.find(({ file, test }) => test === name && path.endsWith(pathOf(file)))?.reason
