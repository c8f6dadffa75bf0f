import { wrongUsage } from '../failure.ts'

/** Returns the number given with `--revision`. Throws a `CliFailure` if it is not a number. */
export function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text))
    throw wrongUsage(`--revision ${JSON.stringify(text)}: must be a number`)
  return Number(text)
}
