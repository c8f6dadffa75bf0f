import { seedOfDay } from '../harness/properties.ts'
import { pairCases, pairCount, singleCases } from './cases.ts'
import { type FuzzResult, fuzz } from './fuzz.ts'
import { runProperties } from './properties.ts'
import { report } from './report.ts'

/**
 * `npm run fuzz -- compose [--minutes 10] [--seed 1]`: sends hostile values of every compose
 * attribute to the built service, first alone, then in pairs. Exits with 1 if a response is
 * improper, `/health` takes longer than 200 ms or the service grows beyond 400 MiB.
 *
 * `npm run fuzz -- properties [--seed 20261128]`: runs the property tests with cases of their own,
 * by default those of the day, and prints their seed.
 */
const [what] = process.argv.slice(2)
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const minutes = option('minutes', 10)
const seed = option('seed', what === 'properties' ? seedOfDay() : 1)
if (!['compose', 'properties'].includes(what ?? '') || !(minutes > 0) || !Number.isInteger(seed)) {
  console.error('npm run fuzz -- compose [--minutes 10] [--seed 1]')
  console.error('npm run fuzz -- properties [--seed 1]')
  process.exit(2)
}
process.exitCode = what === 'compose' ? await fuzzCompose() : runProperties(seed)

async function fuzzCompose(): Promise<number> {
  const result = await fuzz(allCases(), performance.now() + minutes * 60_000)
  console.log(report(result))
  console.log(`Seed ${seed}; ${pairCount()} pairs of attributes in all.`)
  for (const finding of result.findings.slice(0, 100))
    console.log(`finding: ${finding.slice(0, 500)}`)
  return isGood(result) ? 0 : 1
}

function* allCases() {
  yield* singleCases()
  yield* pairCases(seed)
}

function isGood({ findings, health, memory }: FuzzResult): boolean {
  return findings.length === 0 && health.slowest <= 200 && memory.most <= 400
}
