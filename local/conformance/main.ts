import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Case } from './cases.ts'
import { runScenarios } from './e2e.ts'
import { compareHashes } from './hashes.ts'
import { known } from './known.ts'
import { compareProjects } from './projects.ts'
import { runCase } from './run-case.ts'

// npm run conformance -- cases [FILE]: prints a line per failure, then `N passed, N failed`.
// Exits with 1 if a case fails that docs/contributing does not list, with 2 for wrong usage.

// npm run conformance -- hashes [FILE]: the same for config hashes.

// npm run conformance -- e2e [FILE] [PART OF A NAME]: the same for scenarios. Also prints the
// skipped ones.

// npm run conformance -- projects DIR: the same for the projects in the subdirectories of DIR, with
// a table. Compares their models with those of docker compose, then starts them both ways and
// compares what runs; --model skips the second part. With --stacks, ours are stacks that the client
// creates from the directories. --write saves the results of docker compose as
// the expectations of projects that have none.

const given = process.argv.slice(2)
const flags = new Set(given.filter((word) => word.startsWith('--')))
const [command, argument, only] = given.filter((word) => !word.startsWith('--'))
const directory = process.env.COMPOSE_CASES ?? '../shared/compose'
if (command === 'cases') runCases(argument ?? join(directory, 'cases.json'))
else if (command === 'hashes') runHashes(argument ?? join(directory, 'hashes.json'))
else if (command === 'projects' && argument !== undefined) await runProjects(argument)
else if (command === 'e2e') {
  process.exitCode = await runScenarios(readFile(argument ?? join(directory, 'e2e.json')), only)
} else usage()

function runCases(file: string): void {
  const cases: Case[] = readFile(file)
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

async function runProjects(parent: string): Promise<void> {
  const ours = flags.has('--stacks') ? 'stack' : 'directory'
  const running = flags.has('--model') ? undefined : ours
  process.exitCode = await compareProjects(parent, { write: flags.has('--write'), running })
}

function readFile<T>(file: string): T[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`cannot read ${file}: ${error instanceof Error ? error.message : error}`)
    process.exit(2)
  }
}

function usage(): void {
  console.error(
    'usage: npm run conformance -- cases [FILE] | hashes [FILE] | e2e [FILE] | projects DIR [--model | --stacks] [--write]',
  )
  process.exitCode = 2
}
