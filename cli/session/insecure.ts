import { wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'

/**
 * Returns whether `--insecure` or CLI_INSECURE turns off the check of certificates. Throws wrong
 * usage for a variable that says neither yes nor nothing.
 */
export function isInsecure(flags: { insecure?: boolean }, { env }: Pick<Io, 'env'>): boolean {
  if (flags.insecure) return true
  const text = env.CLI_INSECURE
  if (!text) return false
  if (text === '1' || text === 'true') return true
  throw wrongUsage(
    `CLI_INSECURE ${JSON.stringify(text)}: must be 1 or true`,
    'unset it to check certificates',
  )
}
