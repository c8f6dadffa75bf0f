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
  ...['cloud-functions', 'functions-sign-in', 'killed-functions', 'two-sidecars'].map((file) => ({
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
  ...['feeds', 'processes'].map((file) => ({ file, reason: 'it gives each process its role' })),
  { file: 'full-disk', reason: 'it fills the disk of the store, so that no function starts' },
  { file: 'examples', reason: 'its examples expect the end of a deployment in the response' },
  { file: 'clock', reason: 'it changes the clock of the process that responds' },
  { file: 'skewed-clocks', reason: 'it changes the clock of the process that responds' },
  { file: 'agent-clock', reason: 'it changes the clock of the process that responds' },
  { file: 'killed-sweeps', reason: 'it kills the process that responds' },
  {
    file: 'audit',
    test: 'audits rejected attempts, and a scan without a credential does not flood it',
    reason: 'each process of each function records the first refused attempt of a kind',
  },
  {
    file: 'agent-engine',
    test: 'pulls images with credentials, lists them at once, prunes and removes them',
    reason: 'the gateway decodes a slash in the name of an image',
  },
  {
    file: 'agent-engine',
    test: 'reports a host whose Engine hangs, and delays no call to another host',
    reason: 'it has more calls of one function at a time than the emulator has processes',
  },
  ...[
    'one service without a log does not end the log of its stack',
    'a pipe through exec is binary, and ends with its command or with its reader',
  ].map((test) => ({
    file: 'far-machine',
    test,
    reason: 'its shell blocks the process that has the front door',
  })),
  ...[
    ['backup-targets', 'a backup for another key changes nothing and is reported'],
    ['backups', 'backs up a stack consistently while its services are stopped, then restarts them'],
    ['backups', 'the client backs up a volume of a host with an agent'],
  ].map(([file = '', test]) => ({
    file,
    test,
    reason: 'it reads the identity for backups, which is in the store, from a file',
  })),
]

const pathOf = (file: string) => `local/scenarios/${file}.engine.test.ts`

/** The files that are not run. */
export const exceptFiles = exceptions.filter(({ test }) => !test).map(({ file }) => pathOf(file))

/** Returns why a test is not run, or undefined if it is. */
export const reasonAgainst = (path: string, name: string): string | undefined =>
  exceptions.find(({ file, test }) => test === name && path.endsWith(pathOf(file)))?.reason
