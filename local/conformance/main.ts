import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from './cases.ts'
import { compareHashes } from './hashes.ts'
import { known } from './known.ts'
import { runCase } from './run-case.ts'

// npm run conformance -- cases [FILE]: a line per failure, last `N passed, N failed`.
// Exits with 1 when a case fails that docs/compose.md does not list, with 2 when it was not called as above.

// npm run conformance -- hashes [FILE]: the same for config hashes.

const [command, argument] = process.argv.slice(2)
const directory = process.env.COMPOSE_CASES ?? '../shared/compose'
if (command === 'cases') runCases(argument ?? join(directory, 'cases.json'))
else if (command === 'hashes') runHashes(argument ?? join(directory, 'hashes.json'))
else usage()

function runCases(file: string): void {
  const cases = readCases(file)
  let failed = 0
  let unexpected = 0
  for (const test of cases) {
    const failure = runCase(test)
    if (failure === undefined) continue
    failed += 1
    const reason = known[test.id]
    if (reason === undefined) unexpected += 1
    console.log(`${test.id}: ${failure}${reason === undefined ? '' : ` (known: ${reason})`}`)
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  process.exitCode = unexpected > 0 ? 1 : 0
}

function runHashes(file: string): void {
  const { passed, failures } = compareHashes(file)
  for (const failure of failures) console.log(failure)
  console.log(`${passed} passed, ${failures.length} failed`)
  process.exitCode = failures.length > 0 ? 1 : 0
}

function readCases(file: string): Case[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`cannot read the cases: ${error instanceof Error ? error.message : error}`)
    process.exit(2)
  }
}

function usage(): void {
  const later = command === 'projects' ? 'projects: not there yet\n' : ''
  console.error(`${later}usage: npm run conformance -- cases [FILE] | hashes [FILE]`)
  process.exitCode = 2
}
