import { existsSync } from 'node:fs'

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))

/**
 * Returns the program and the arguments of a process that the kernel kills when this process ends,
 * however it ends. A killed test run leaves no such process. The process ID, signals and the exit
 * code are those of `program`. Without util-linux it returns what it is given.
 *
 * ```ts
 * spawn(...boundToParent('docker-registry', ['serve', config]))
 * ```
 */
export function boundToParent(program: string, words: readonly string[]): [string, string[]] {
  if (!setpriv) return [program, [...words]]
  return [setpriv, ['--pdeathsig', 'KILL', '--', program, ...words]]
}
