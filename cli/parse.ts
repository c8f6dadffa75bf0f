import { type CAC, cac } from 'cac'
import { nearest } from '../functions/compose/nearest.ts'
import { CliFailure, wrongUsage } from './failure.ts'

/** A command's arguments and flags, as its help shows them. */
export interface Usage {
  /** For example `<name> [...services]`. */
  args: string
  /** For example `-a, --all` or `--tail <lines>`. A flag with `<...x>` may be repeated. */
  flags: Readonly<Record<string, string>>
}

export interface Parsed {
  args: Record<string, string | string[] | undefined>
  flags: Record<string, string | string[] | boolean | undefined>
}

/**
 * Parses the arguments of one command. Values keep their text. The underlying parser would turn
 * `0123` into 123, take the word after a switch as its value, and take a value that starts with a
 * dash as a flag. It therefore gets every value behind a marker, and words before flags.
 */
export function parseArguments(name: string, argv: readonly string[], usage: Usage): Parsed {
  const parser = cac('cli')
  const command = parser.command(`${name} ${usage.args}`.trim())
  for (const flag of Object.keys(usage.flags)) command.option(flag.replace('<...', '<'), '')
  const { words, flags } = sortOut(argv, flagKinds(usage))
  parser.parse(['', '', name, ...words.map(mask), ...flags], { run: false })
  refuseOdd(parser)
  return { args: readArgs(parser), flags: readFlags(parser, usage) }
}

/**
 * Splits a command line behind the words of its required arguments: the flags before, and the
 * words with everything behind them. One `--` right behind those words is dropped.
 */
export function splitVerbatim(argv: readonly string[], usage: Usage) {
  const kinds = flagKinds(usage)
  const required = usage.args.split(' ').filter((word) => word.startsWith('<')).length
  const own: string[] = []
  const words: string[] = []
  let at = 0
  for (let isLiteral = false; at < argv.length && words.length < required; ) {
    const text = argv[at] ?? ''
    const isFlag = !isLiteral && /^-./.test(text) && text !== '--'
    const taken = isFlag && kinds.get(text) === 'value' ? 2 : 1
    if (isFlag) own.push(...argv.slice(at, at + taken))
    else if (text === '--' && !isLiteral) isLiteral = true
    else words.push(text)
    at += taken
  }
  const rest = argv.slice(argv[at] === '--' ? at + 1 : at)
  return { own, rest: [...words, ...rest] }
}

const mask = (text: string) => `=${text}`
const unmask = (text: unknown) => String(text).slice(1)

type Kind = 'switch' | 'value'

function flagKinds({ flags }: Usage): Map<string, Kind> {
  const kinds = new Map<string, Kind>()
  for (const flag of Object.keys(flags)) {
    const kind = flag.includes('<') ? 'value' : 'switch'
    for (const name of flag.replace(/ <.*/, '').split(', ')) kinds.set(name, kind)
  }
  return kinds
}

function sortOut(argv: readonly string[], kinds: Map<string, Kind>) {
  const words: string[] = []
  const flags: string[] = []
  const rest = [...argv]
  for (let text = rest.shift(); text !== undefined; text = rest.shift()) {
    if (text === '--') return { words: [...words, ...rest], flags }
    if (!/^-./.test(text)) {
      words.push(text)
      continue
    }
    const letters = togetherIn(text, kinds)
    if (letters) {
      flags.push(...letters)
      continue
    }
    const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
    flags.push(flagText(name, value, kinds, rest))
  }
  return { words, flags }
}

/** Splits `-it` into `-i -t` if both are switches. */
function togetherIn(text: string, kinds: Map<string, Kind>): string[] | undefined {
  if (!/^-[A-Za-z]{2,}$/.test(text)) return undefined
  const letters = [...text.slice(1)].map((letter) => `-${letter}`)
  return letters.every((letter) => kinds.get(letter) === 'switch') ? letters : undefined
}

function flagText(
  name: string,
  value: string | undefined,
  kinds: Map<string, Kind>,
  rest: string[],
) {
  const kind = kinds.get(name)
  if (!kind) {
    const isLong = (flag: string) => flag.startsWith('--')
    const meant = isLong(name) ? nearest(name, [...kinds.keys()].filter(isLong)) : undefined
    throw wrongUsage(`unknown flag ${name}`, meant && `did you mean ${meant}?`)
  }
  if (kind === 'switch') {
    if (value !== undefined) throw wrongUsage(`${name} does not accept a value`)
    return name
  }
  const given = value ?? (/^-./.test(rest[0] ?? '') ? undefined : rest.shift())
  if (given === undefined) throw wrongUsage(`${name} needs a value`)
  return `${name}=${mask(given)}`
}

function refuseOdd(parser: CAC): void {
  const command = parser.matchedCommand
  if (!command) throw new TypeError('the command was not declared')
  const missing = command.args.filter((arg, at) => arg.required && at >= parser.args.length)
  if (missing.length > 0) {
    throw wrongUsage(`missing argument: ${missing.map(({ value }) => `<${value}>`).join(' ')}`)
  }
  const most = command.args.some((arg) => arg.variadic) ? Infinity : command.args.length
  const odd = parser.args.slice(most).map((text) => JSON.stringify(unmask(text)))
  if (odd.length > 0) throw wrongUsage(`too many arguments: ${odd.join(', ')}`)
  try {
    command.checkUnknownOptions()
    command.checkOptionValue()
  } catch (error) {
    throw new CliFailure(2, (error as Error).message, { cause: error })
  }
}

function readArgs(parser: CAC): Parsed['args'] {
  const declared = parser.matchedCommand?.args ?? []
  const read = declared.map(({ value, variadic }, at) => {
    const texts = parser.args.slice(at).map(unmask)
    return [value, variadic ? texts : texts[0]] as const
  })
  return Object.fromEntries(read)
}

function readFlags(parser: CAC, usage: Usage): Parsed['flags'] {
  const flags: Parsed['flags'] = {}
  Object.keys(usage.flags).forEach((text, at) => {
    const option = parser.matchedCommand?.options[at]
    if (!option) return
    const value = parser.options[option.name]
    const values = [value].flat().filter((one) => one !== undefined)
    // The underlying parser reads `--no-stream` as `stream` set to false.
    if (option.negated) flags[negatedName(option.name)] = values.includes(false)
    else if (option.isBoolean) flags[option.name] = values.includes(true)
    else if (text.includes('<...')) flags[option.name] = values.map(unmask)
    else if (values.length > 1) throw wrongUsage(`${text.split(' ')[0]} can be used only once`)
    else if (values.length === 1) flags[option.name] = unmask(values[0])
  })
  return flags
}

const negatedName = (name: string) => `no${name.charAt(0).toUpperCase()}${name.slice(1)}`
