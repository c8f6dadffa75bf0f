import { wrongUsage } from '../failure.ts'

/**
 * Returns what `--map` says, from the name of a host in the product to a host of the service.
 * Throws wrong usage for another form.
 *
 * @param what the word for a host in the product, such as `<server>`
 */
export function mapOf(pairs: readonly string[], what: string): Map<string, string> {
  return new Map(
    pairs.map((pair): [string, string] => {
      const at = pair.lastIndexOf('=')
      if (at > 0 && at < pair.length - 1) return [pair.slice(0, at), pair.slice(at + 1)]
      throw wrongUsage(
        `--map ${JSON.stringify(pair)}: must be ${what}=<host>, such as 'NAS (basement)=nas'`,
      )
    }),
  )
}
