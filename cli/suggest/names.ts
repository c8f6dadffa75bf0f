import { nearest } from '../../functions/compose/nearest.ts'
import { type Kind, kindAt, type Names } from '../complete/names.ts'
import { type ApiFailure, type CliFailure, withHint } from '../failure.ts'
import { shortList } from '../folder/short-list.ts'
import { clean } from '../output/text.ts'
import type { Parsed } from '../parse.ts'

/** A command line: the words of the command, and the values of its arguments and flags. */
interface CommandLine extends Parsed {
  words: string
}

/**
 * Returns a "not found" failure with a hint at the name that was probably meant, or the same
 * failure if no name is similar. Hosts are few, so they are listed then.
 *
 * @param names returns the existing names, or none if the service does not answer
 */
export async function suggestNames(
  error: ApiFailure,
  line: CommandLine,
  names: Names,
): Promise<CliFailure> {
  const { host } = line.flags
  const [first] = Object.values(line.args)
  const options = {
    host: typeof host === 'string' ? host : undefined,
    stack: typeof first === 'string' ? first : undefined,
  }
  for (const { kind, value } of namesIn(line)) {
    const known = await names(kind, options)
    if (known.length === 0 || known.includes(value)) continue
    const meant = nearest(value, known)
    if (meant !== undefined) return withHint(error, `did you mean ${clean(meant)}?`)
    if (kind === 'hosts') return withHint(error, `hosts: ${shortList(known)}`)
  }
  return error
}

/** Returns the names in a command line with their kinds, those of flags first. */
function namesIn({ words, args, flags }: CommandLine) {
  const named: { kind: Kind; value: string }[] = []
  const add = (kind: Kind | undefined, value: Parsed['flags'][string]) => {
    for (const one of [value].flat())
      if (kind && typeof one === 'string') named.push({ kind, value: one })
  }
  for (const [flag, value] of Object.entries(flags)) add(kindAt({ flag: `--${flag}` }), value)
  for (const [argument, value] of Object.entries(args))
    add(kindAt({ command: words, argument }), value)
  return named
}
