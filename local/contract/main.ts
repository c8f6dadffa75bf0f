import { spawnSync } from 'node:child_process'
import { ArgumentError, parseArguments } from './arguments.ts'
import { findProblem, storeEnvironment } from './check-store.ts'

const contract = 'adapters/testing/contract/stores.engine.test.ts'

/**
 * `npm test -- contract --endpoint URL`: runs the store's contract on any store with DynamoDB's
 * API. Each test makes two tables there and deletes them. Exits with 1 if a test fails, and with 2
 * if the store cannot be used.
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
  const vitest = ['vitest', 'run', '--project', 'engine', '-t', 'stores in DynamoDB', contract]
  const { status } = spawnSync('npx', vitest, { stdio: 'inherit' })
  return status === 0 ? 0 : 1
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
