import { pairCases, pairCount, singleCases } from './cases.ts'
import { type FuzzResult, fuzz } from './fuzz.ts'
import { report } from './report.ts'

/**
 * `npm run fuzz -- compose [--minutes 10] [--seed 1]`: sends hostile values of every compose
 * attribute to the built service, first alone, then in pairs. Exits with 1 if a response is
 * improper, `/health` takes longer than 200 ms or the service grows beyond 400 MiB.
 */
const [what] = process.argv.slice(2)
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const minutes = option('minutes', 10)
const seed = option('seed', 1)
if (what !== 'compose' || !(minutes > 0) || !Number.isInteger(seed)) {
  console.error('npm run fuzz -- compose [--minutes 10] [--seed 1]')
  process.exit(2)
}

const result = await fuzz(allCases(), performance.now() + minutes * 60_000)
console.log(report(result))
console.log(`Seed ${seed}; ${pairCount()} pairs of attributes in all.`)
for (const finding of result.findings.slice(0, 100))
  console.log(`finding: ${finding.slice(0, 500)}`)
process.exitCode = isGood(result) ? 0 : 1

function* allCases() {
  yield* singleCases()
  yield* pairCases(seed)
}

function isGood({ findings, health, memory }: FuzzResult): boolean {
  return findings.length === 0 && health.slowest <= 200 && memory.most <= 400
}
