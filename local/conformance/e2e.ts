import { runScenario } from './e2e/run-scenario.ts'
import type { Scenario } from './e2e/scenario.ts'

/**
 * Runs recorded docker compose scenarios against the service. Prints a line for each that fails or
 * is skipped, with the reason, and the totals last. Returns the exit code: 1 if one failed.
 *
 * @param only runs only the scenarios whose ID contains it
 */
export async function runScenarios(scenarios: readonly Scenario[], only = ''): Promise<number> {
  const count = { passed: 0, failed: 0, leftOut: 0 }
  for (const scenario of scenarios) {
    if (!scenario.id.includes(only)) continue
    const verdict = await runScenario(scenario).catch((error: Error) => ({ failed: error.message }))
    if ('passed' in verdict) count.passed += 1
    else if ('failed' in verdict) {
      count.failed += 1
      console.log(`${scenario.id}: ${verdict.failed}`)
    } else {
      count.leftOut += 1
      console.log(`${scenario.id}: left out: ${verdict.leftOut}`)
    }
  }
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.leftOut} left out`)
  return count.failed > 0 ? 1 : 0
}
