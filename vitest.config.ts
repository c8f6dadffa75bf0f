import { defineConfig } from 'vitest/config'
import { clientExecutable, executableTests } from './local/harness/client-executable.ts'
import {
  laggingProject,
  laggingScenarios,
  laggingScenariosProject,
  laggingTests,
  onLaggingStore,
} from './local/harness/lagging-tests.ts'
import { exceptFiles } from './local/harness/lambda/exceptions.ts'
import { onNode24 } from './local/harness/node-24.ts'
import { paced } from './local/harness/pace.ts'
import { otherEngine } from './local/test/other-engine-run.mjs'
import { leftOutFiles } from './local/test/second-ring.mjs'
import { LongestFirst } from './local/test/sequencer.ts'
import { isolatedTests, sqliteFolders } from './local/test/tiers.ts'
import { workers } from './local/test/workers.mjs'

/** Where another Engine runs, these tests cannot reach Debian's mirrors. */
const unreachable = process.env[otherEngine] === undefined ? [] : ['packaging/!(build)/**']
const never = ['**/node_modules/**', 'dist/**', 'data/**', ...unreachable, ...leftOutFiles()]
const engine = '*.engine.test.ts'
const timing = '*.timing.test.ts'
const higherTiers = [`**/${engine}`, `**/${timing}`]

const journeys = [`local/journeys/**/${engine}`]
const onSqlite = sqliteFolders.map((folder) => `${folder}/**/${engine}`)

const countsProcessorTime = 'local/test/count-processor-time.ts'

/** What all tests have in common. The timeouts only end a test that hangs: promises are asserted. */
const common = {
  pool: 'forks',
  testTimeout: paced(240_000),
  hookTimeout: paced(240_000),
  expect: { poll: { timeout: paced(15_000) } },
  setupFiles: countsProcessorTime,
} as const

/** For tests that start services: some of them are in another world. */
const inWorld = [countsProcessorTime, 'local/harness/lived-in/move-in.ts']

/** The tiers run one after another. */
const first = { maxWorkers: workers.unit, sequence: { groupOrder: 0 } }
const second = { maxWorkers: workers.journeys, sequence: { groupOrder: 1 } }
const third = { maxWorkers: workers.engine, sequence: { groupOrder: 2 } }
const last = { maxWorkers: workers.timing, sequence: { groupOrder: 3 } }

/** Returns whether a project is asked for by name. Some run only then. */
const isNamed = (project: string) => process.argv.some((word) => word.endsWith(project))

/** Takes two minutes, and its deadlines are those of a store on a machine that is not busy. */
const lagging = {
  test: {
    ...common,
    ...third,
    globalSetup: ['local/harness/lagging-tests.ts'],
    name: laggingProject,
    include: laggingTests,
    env: onLaggingStore,
  },
}

/** Takes as long as all scenarios, most of which also run on the usual store. */
const laggingScenariosTier = {
  test: {
    ...common,
    ...third,
    globalSetup: ['local/harness/lagging-tests.ts'],
    setupFiles: [countsProcessorTime, 'local/harness/on-lagging-store.ts'],
    name: laggingScenariosProject,
    include: [laggingScenarios],
  },
}

const functionsProject = 'scenarios-functions'

/** Takes as long as all scenarios, with a process for each function that is called. */
const functionsTier = {
  test: {
    ...common,
    ...second,
    globalSetup: ['local/harness/lambda/unpacked-functions.ts'],
    setupFiles: [countsProcessorTime, 'local/harness/lambda/behind-functions.ts'],
    name: functionsProject,
    include: [`local/scenarios/**/${engine}`],
    exclude: [...never, ...exceptFiles],
  },
}

export default defineConfig({
  test: {
    globalSetup: ['local/harness/store.ts', 'local/harness/lived-in/foreign-projects.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          ...first,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...never, ...higherTiers, ...isolatedTests],
          // Files share a process, which loads each module once. Half their time was imports.
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          ...first,
          name: 'unit-isolated',
          include: isolatedTests,
          exclude: never,
        },
      },
      {
        test: {
          ...common,
          ...second,
          globalSetup: ['local/harness/client-executable.ts'],
          name: 'engine-executable',
          include: executableTests,
          exclude: never,
          env: { CLI_EXECUTABLE: clientExecutable },
        },
      },
      {
        test: {
          ...common,
          ...second,
          name: 'engine-browser',
          setupFiles: inWorld,
          include: journeys,
          exclude: never,
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          ...second,
          pool: onNode24,
          globalSetup: ['local/harness/node-24.ts'],
          name: 'engine-node-24',
          include: onSqlite,
          exclude: never,
        },
      },
      ...(isNamed(laggingProject) ? [lagging] : []),
      ...(isNamed(laggingScenariosProject) ? [laggingScenariosTier] : []),
      ...(isNamed(functionsProject) ? [functionsTier] : []),
      {
        test: {
          ...common,
          // They wait for the Engine and for the store most of the time.
          ...third,
          name: 'engine',
          setupFiles: inWorld,
          include: [`**/${engine}`],
          exclude: [...never, ...journeys, ...onSqlite],
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          ...last,
          name: 'timing',
          setupFiles: inWorld,
          include: [`**/${timing}`],
          exclude: never,
        },
      },
    ],
  },
})
