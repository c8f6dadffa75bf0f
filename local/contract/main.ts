import { spawnSync } from 'node:child_process'
import { ArgumentError, parseArguments } from './arguments.ts'
import { findProblem, storeEnvironment } from './check-store.ts'

const contract = 'adapters/testing/contract/stores.engine.test.ts'
const killSuite = 'local/store-kills/store-kills.engine.test.ts'

/**
 * `npm test -- contract --endpoint URL`: runs the store's contract on any store with DynamoDB's
 * API, then kills processes that write to it. Each test makes two tables there and deletes them.
 * Exits with 1 if a test fails, and with 2 if the store cannot be used.
 */
async function main(words: readonly string[]): Promise<number> {
  const options = parseArguments(words)
  const environment = storeEnvironment(options)
  Object.assign(process.env, environment)
  const problem = await findProblem(options)
  if (problem) {
    console.error(problem)
    return 2
  }
  console.log(`Running the contract of stores on ${options.endpoint}, region ${options.region}`)
  const passed = [runTests(contract)]
  if (options.kills > 0) {
    console.log(`Killing ${options.kills} processes that write to it`)
    process.env.TEST_KILLS = String(options.kills)
    passed.push(runTests(killSuite))
  }
  return passed.every(Boolean) ? 0 : 1
}

/** Runs the tests of a file that are about a store with DynamoDB's API. */
function runTests(file: string): boolean {
  const vitest = ['vitest', 'run', '--project', 'engine', '-t', 'stores in DynamoDB', file]
  return spawnSync('npx', vitest, { stdio: 'inherit' }).status === 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
