import { runScenario } from './e2e/run-scenario.ts'
import type { Scenario } from './e2e/scenario.ts'

/**
 * Runs recorded scenarios of docker compose with the service: a line for each that fails or is left out, with the reason, and the
 * numbers last. Gives the exit code: 1 when one failed. `only` narrows them to those whose id contains it.
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
