import { startLaggingStore } from './lagging-store/lagging-store.ts'

/** The project of tests on a lagging store that also fails. */
export const laggingProject = 'engine-lagging-store'
/** The project of scenarios on such a store. */
export const laggingScenariosProject = 'scenarios-lagging-store'

/** The test files that also run on a lagging store. */
export const laggingTests = [
  'adapters/store/**/*.engine.test.ts',
  'adapters/testing/contract/stores.engine.test.ts',
]

/** The scenarios. */
export const laggingScenarios = 'local/scenarios/**/*.engine.test.ts'

/** The variables of their test run. */
export const onLaggingStore = { TEST_STORE: 'lagging' }

/** The seed of a run. `STORE_SEED=<integer>` chooses other lags and faults. */
const seed = Number(process.env.STORE_SEED ?? 20_261_126)

/** Faults are rare, because each one costs up to a second. */
const rare = { throttled: 0.003, failed: 0.01, lost: 0.01, slow: 0.01 }

/** Starts a lagging store in front of the store of the test run. */
export default async function setup(): Promise<() => Promise<void>> {
  const store = await startLaggingStore({
    behind: () => String(process.env.SERVICE_DYNAMODB_ENDPOINT),
    seed,
    lagMax: 1000,
    faults: rare,
  })
  process.env.TEST_LAGGING_STORE_ENDPOINT = store.endpoint
  process.env.TEST_LAGGING_STORE_SEED = String(seed)
  return store.close
}
