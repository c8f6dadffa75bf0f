import { resolve } from 'node:path'

/** The command line of the program. */
export interface RestoreWords {
  from: string
  identity: string
  /** Used instead of `SERVICE_DATA_DIR`. */
  data: string | undefined
  force: boolean
  /** Checks the backup and exits. */
  check: boolean
}

/** Invalid usage: exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const usage = `Restores a service that was lost from a system backup, into a new data directory and an empty store.

  npm run restore -- --from DIR --identity FILE [--data DIR] [--check] [--force]

  --from DIR       the backup: the directory that holds its manifest.json.age, copied from wherever it was kept
  --identity FILE  the copy of backup-identity.txt that you keep elsewhere
  --data DIR       the new data directory; SERVICE_DATA_DIR unless given, else ./data
  --check          reads and checks everything, and changes nothing
  --force          what is in the data directory is moved into a directory inside of it; nothing is deleted

The service must not run meanwhile. Configuration is taken from the same variables as the service's.
`

const taking = new Set(['from', 'identity', 'data'])

/**
 * Parses the command line. Returns `help` if requested.
 *
 * @throws `UsageError` if it is not valid
 */
export function readWords(argv: readonly string[]): RestoreWords | 'help' {
  const given: Record<string, string> = {}
  const words = [...argv]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--help' || word === '-h') return 'help'
    const [, name = '', joined] = /^--([a-z]+)(?:=(.*))?$/s.exec(word) ?? []
    const isFlag = (name === 'force' || name === 'check') && joined === undefined
    if (!isFlag && !taking.has(name)) throw new UsageError(`${word}: there is no such flag`)
    if (name in given) throw new UsageError(`--${name} is there twice`)
    const value = isFlag ? 'true' : (joined ?? words.shift())
    if (!value) throw new UsageError(`--${name}: a value is missing`)
    given[name] = value
  }
  const { from, identity, data, force, check } = given
  if (!from) throw new UsageError('--from is missing: the directory of the backup')
  if (!identity) throw new UsageError('--identity is missing: the file that decrypts the backup')
  return {
    from: resolve(from),
    identity: resolve(identity),
    data: data && resolve(data),
    force: force !== undefined,
    check: check !== undefined,
  }
}
