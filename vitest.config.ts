import { defineConfig } from 'vitest/config'
import { clientExecutable, executableTests } from './local/harness/client-executable.ts'
import { onNode24 } from './local/harness/node-24.ts'
import { quietTests, sharingFolders, sqliteFolders, waitingTests } from './local/quiet-tests.ts'

const quiet = Object.keys(quietTests)
const waiting = Object.keys(waitingTests)
const never = ['**/node_modules/**', 'dist/**', 'data/**']

const onSqlite = sqliteFolders.map((folder) => `${folder}/**/*.test.ts`)
const journeys = ['local/journeys/**/*.test.ts']
const pure = sharingFolders.map((folder) => `${folder}/**/*.test.ts`)

/** What all tests have in common. The timeouts only end a test that hangs: promises are asserted. */
const common = {
  pool: 'forks',
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 15_000 } },
} as const

/** The projects that keep both processors busy. */
const busy = { maxWorkers: 2, sequence: { groupOrder: 0 } }

export default defineConfig({
  test: {
    globalSetup: ['local/harness/store.ts'],
    projects: [
      {
        test: {
          ...common,
          ...busy,
          name: 'pure',
          include: pure,
          exclude: [...never, ...quiet, ...waiting],
          // Files share a process, which loads each module once. Half their time was imports.
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          ...busy,
          globalSetup: ['local/harness/client-executable.ts'],
          name: 'as the executable',
          include: executableTests,
          env: { CLI_EXECUTABLE: clientExecutable },
        },
      },
      {
        test: {
          ...common,
          ...busy,
          name: 'in a browser',
          include: journeys,
          exclude: [...never, ...quiet],
        },
      },
      {
        test: {
          ...common,
          ...busy,
          pool: onNode24,
          globalSetup: ['local/harness/node-24.ts'],
          name: 'on Node 24',
          include: onSqlite,
          exclude: [...never, ...quiet],
        },
      },
      {
        test: {
          ...common,
          name: 'together',
          include: ['**/*.test.ts'],
          exclude: [...never, ...quiet, ...waiting, ...pure, ...onSqlite, ...journeys],
          // They wait for the Engine and for the store most of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'in pairs',
          include: waiting,
          exclude: never,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          include: quiet,
          exclude: never,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
