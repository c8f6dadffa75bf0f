import { ownEntry } from '../../../../data/own-entry.ts'
import { flags, otherNames, withoutField } from './run-flags.ts'
import { CommandError, splitCommand } from './split-command.ts'

/** A parsed `docker run` command. */
export interface RunCommand {
  /** Flags by their long name, in order. The value of a flag without one is `true`. */
  given: readonly (readonly [name: string, value: string | true])[]
  image: string
  command: readonly string[]
  /** Unknown flags, and flags that have no counterpart in a compose file. */
  dropped: readonly string[]
}

/**
 * Reads a `docker run` command.
 *
 * @throws CommandError if the text is not such a command, or names no image
 */
export function readCommand(text: string): RunCommand {
  const words = splitCommand(text.trim().replace(/^[$#]\s+/, ''))
  const start = words.findIndex((word) => word === 'run' || word === 'create')
  const isRun = start > 0 && words.slice(0, start).some((word) => /^(?:docker|podman)$/.test(word))
  if (!isRun) throw new CommandError('verb')
  const given: [string, string | true][] = []
  const dropped: string[] = []
  let at = start + 1
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('-') || word === '-') break
    if (word === '--') {
      at += 1
      break
    }
    for (const flag of flagsOf(word)) {
      const name = ownEntry(otherNames, flag.name) ?? flag.name
      const kind = flags.get(name)
      if (withoutField.has(name)) dropped.push(`--${name}`)
      else if (!takesValue(name)) given.push([name, flag.value === 'false' ? 'false' : true])
      else {
        if (flag.value === undefined) at += 1
        const value = flag.value ?? words[at] ?? ''
        if (kind) given.push([name, value])
        else dropped.push(`--${name} ${value}`)
      }
    }
  }
  const [image, ...command] = words.slice(at)
  if (image === undefined) throw new CommandError('image')
  return { given, image, command, dropped }
}

/** Returns whether a flag has a value. An unknown flag most likely does. */
function takesValue(name: string): boolean {
  if (withoutField.has(name)) return false
  const kind = flags.get(name)
  if (kind?.as === 'nothing') return kind.takesValue
  return kind?.as !== 'switch'
}

/** Returns the flags of one word: `--name=web`, `-dit`, `-p8080:80`. */
function flagsOf(word: string): { name: string; value?: string }[] {
  if (word.startsWith('--')) {
    const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
    return [{ name, ...(value !== undefined && { value }) }]
  }
  const found: { name: string; value?: string }[] = []
  for (let at = 1; at < word.length; at += 1) {
    const name = word[at] ?? ''
    const rest = word.slice(at + 1).replace(/^=/, '')
    if (!takesValue(ownEntry(otherNames, name) ?? name)) found.push({ name })
    else return [...found, { name, ...(rest !== '' && { value: rest }) }]
  }
  return found
}
