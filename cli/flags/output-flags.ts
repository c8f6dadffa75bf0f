import { wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import type { OutputForm } from '../output/structured.ts'
import { choiceOf } from './choice.ts'

export const outputs = ['table', 'json', 'yaml', 'name'] as const

/** The values of the flags that choose a form of output. */
export interface OutputValues {
  output?: string
  json?: string
  jq?: string
  quiet?: boolean
}

/**
 * Returns the form of output that a command line names before it is parsed: failures of parsing are
 * printed as JSON too.
 */
export function chosenOutput(argv: readonly string[], { env }: Pick<Io, 'env'>) {
  const end = argv.indexOf('--')
  const own = argv.slice(0, end < 0 ? undefined : end)
  const at = own.findLastIndex((text) => /^--output(=|$)/.test(text))
  if (at >= 0) return own[at]?.split('=')[1] ?? own[at + 1]
  return own.some((text) => /^(-q|--quiet)$/.test(text)) ? 'name' : env.CLI_OUTPUT
}

/**
 * Returns the form of output that flags choose, or CLI_OUTPUT if none does. Throws wrong usage for
 * flags that do not fit.
 */
export function outputForm(flags: OutputValues, { env }: Pick<Io, 'env'>): OutputForm {
  const { output, json, jq, quiet } = flags
  const chosen = choiceOf('--output', output, outputs)
  const fields = json?.split(',').map((field) => field.trim())
  if (fields?.includes('')) {
    throw wrongUsage('--json: name the fields to print, such as --json name,status')
  }
  if (jq === '') throw wrongUsage('--jq is empty')
  const others = [fields && '--json', jq !== undefined && '--jq'].filter(Boolean)
  if (others.length > 0) {
    const form = quiet ? 'name' : (chosen ?? 'json')
    const flag = quiet ? '--quiet' : `--output ${form}`
    if (form !== 'json') throw wrongUsage(`${others[0]} and ${flag}: use only one`)
    return { output: 'json', ...(fields && { fields }), ...(jq !== undefined && { jq }) }
  }
  if (!quiet) {
    const usual = choiceOf('CLI_OUTPUT', env.CLI_OUTPUT || undefined, outputs)
    return { output: chosen ?? usual ?? 'table' }
  }
  if (chosen !== undefined && chosen !== 'name') {
    throw wrongUsage(`--quiet and --output ${chosen}: use only one`)
  }
  return { output: 'name' }
}
