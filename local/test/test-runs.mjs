import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProcess, namesIn, textOf } from '../setup/processes.mjs'

/** Each test run on this machine has a file here, named after its process. */
export const lockDirectory = '/tmp/container-stacks-tests.lock'

/**
 * Registers this process as a test run until it exits. Returns the process IDs of other runs that
 * are alive. Two runs that start at once each see the other. The file of a killed run does not
 * count, even if another process has its ID now, and is removed.
 */
export function registerRun(directory = lockDirectory) {
  const own = findProcess(process.pid)
  if (!own) throw new Error('/proc does not list this process')
  mkdirSync(directory, { recursive: true })
  // Runs of other accounts register here too.
  if (process.getuid?.() === 0) chmodSync(directory, 0o1777)
  const file = join(directory, `${process.pid}`)
  writeFileSync(file, own.started)
  process.once('exit', () => rmSync(file, { force: true }))
  return namesIn(directory)
    .map(Number)
    .filter((pid) => pid !== process.pid && isRun(directory, pid))
}

/** @type {(directory: string, pid: number) => boolean} */
function isRun(directory, pid) {
  const file = join(directory, `${pid}`)
  const found = findProcess(pid)
  // Another run may have created its file and not written to it yet.
  if (found && ['', found.started].includes(textOf(file))) return true
  rmSync(file, { force: true })
  return false
}
