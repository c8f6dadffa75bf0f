import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hasCode } from '../../functions/core/errors.ts'
import { SourceFailure } from '../../functions/core/ports/source-reader.ts'

/** The oldest version that is used. */
const oldest = [2, 39] as const

/**
 * Checks that git is there.
 *
 * @throws SourceFailure `unavailable`
 */
export async function checkInstalled(path = process.env.PATH): Promise<void> {
  const env = { PATH: path ?? '/usr/bin:/bin', LC_ALL: 'C' }
  const { stdout } = await promisify(execFile)('prlimit', ['--core=0', '--', 'git', '--version'], {
    env,
    timeout: 10_000,
    cwd: '/',
  }).catch((error) => {
    // 127: the program that it limits is missing.
    if (!hasCode(error, 'ENOENT', '127')) throw error
    throw missing('git (or prlimit, of util-linux) is not installed where the service runs')
  })
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(stdout) ?? []).map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return
  throw missing(`git ${major}.${minor}, which is installed where the service runs, is too old`)
}

const missing = (why: string) =>
  new SourceFailure('unavailable', `${why}: install git ${oldest.join('.')} or newer`)
