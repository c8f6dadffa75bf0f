import { resolve } from 'node:path'

/** The command line of the program. */
export interface RestoreArguments {
  from: string
  identity: string
  /** Used instead of `SERVICE_DATA_DIR`. */
  data: string | undefined
  force: boolean
  /** Checks the backup and exits. */
  check: boolean
}

/** The command line to restore a copy of a shared store. */
export interface CopyArguments {
  copy: string
  /** Used instead of `SERVICE_DATA_DIR`. */
  data: string | undefined
}

/** Invalid usage: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const usage = `Restores a lost service from a system backup into a new data directory and an empty store.

  npm run restore -- --from DIR --identity FILE [--data DIR] [--check] [--force]

  --from DIR       the backup: a directory with its manifest.json.age, copied from the backup target
  --identity FILE  the copy of backup-identity.txt that you keep elsewhere
  --data DIR       the new data directory; defaults to SERVICE_DATA_DIR, else ./data
  --check          read and check everything without changing anything
  --force          move the existing files of the data directory into a directory inside of it

  npm run restore -- --copy DIR [--data DIR]

  --copy DIR       a directory of <data>/store-copies: its items are written to an empty table of a
                   store that was not started by the service

Stop the service first. The program reads the same configuration variables as the service.
`

const taking = new Set(['from', 'identity', 'data', 'copy'])

/**
 * Parses the command line. Returns `help` if requested.
 *
 * @throws `UsageError` if it is not valid
 */
export function parseArguments(argv: readonly string[]): RestoreArguments | CopyArguments | 'help' {
  const given: Record<string, string> = {}
  const words = [...argv]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--help' || word === '-h') return 'help'
    const [, name = '', joined] = /^--([a-z]+)(?:=(.*))?$/s.exec(word) ?? []
    const isFlag = (name === 'force' || name === 'check') && joined === undefined
    if (!isFlag && !taking.has(name)) throw new UsageError(`${word}: unknown flag`)
    if (Object.hasOwn(given, name)) throw new UsageError(`--${name} can be used only once`)
    const value = isFlag ? 'true' : (joined ?? words.shift())
    if (!value) throw new UsageError(`--${name} needs a value`)
    given[name] = value
  }
  const { from, identity, data, force, check, copy } = given
  if (copy) {
    if (from || identity || force || check)
      throw new UsageError('--copy can be combined with --data only')
    return { copy: resolve(copy), data: data && resolve(data) }
  }
  if (!from) throw new UsageError('--from is required: the directory of the backup')
  if (!identity) throw new UsageError('--identity is required: the file that decrypts the backup')
  return {
    from: resolve(from),
    identity: resolve(identity),
    data: data && resolve(data),
    force: force !== undefined,
    check: check !== undefined,
  }
}
