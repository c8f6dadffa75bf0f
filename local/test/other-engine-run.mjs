import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { userCache } from '../../packaging/contents/places.mjs'
import { runWithEngine, unpackEngine } from '../setup/other-engine.mjs'

/** The environment variables that a run on another Engine has: its name, and a file for counts. */
export const otherEngine = 'CONTAINER_STACKS_OTHER_ENGINE'
export const countsFile = 'CONTAINER_STACKS_TEST_COUNTS'

/** What a run of all tests also tries on a newer Engine: what the service is for. */
const mainTests = [
  'adapters/docker/engine.engine',
  'local/scenarios/adopt.engine',
  'local/scenarios/backups.engine',
  'local/scenarios/build.engine',
  'local/scenarios/main-job.engine',
  'local/scenarios/restore.engine',
]

/**
 * Runs tests on another Engine. Prints why if it cannot be had. Returns how many passed and failed:
 * one failed if the run ended without a result.
 *
 * @param {string} name one of `otherEngines`
 * @param {string[]} words the program of the tests and its arguments
 */
export function runOnEngine(name, words) {
  const problem = unpackEngine(name)
  if (problem) {
    console.error(`Docker Engine ${name}: ${problem}`)
    return { passed: 0, failed: 1 }
  }
  console.log(`\nRunning tests on Docker Engine ${name}`)
  // The run has a /tmp of its own.
  mkdirSync(userCache, { recursive: true })
  const folder = mkdtempSync(join(userCache, 'counts-'))
  const file = join(folder, 'counts.json')
  const { DOCKER_HOST: _, ...environment } = process.env
  try {
    runWithEngine(name, [process.execPath, ...words], {
      ...environment,
      [otherEngine]: name,
      [countsFile]: file,
    })
    /** @type {{ passed: number, failed: number }} */
    const counts = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : { passed: 0, failed: 1 }
    return counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs the most important tests on the newest Engine that can be had. Debian's `sid` may have a
 * newer one by now than the tests know.
 *
 * @param {string} program of the tests
 */
export function runMainTests(program) {
  const problem = unpackEngine('28')
  if (problem) console.log(`Docker Engine 28: ${problem}. Docker Engine 26 takes its place`)
  return runOnEngine(problem ? '26' : '28', [program, ...mainTests])
}
