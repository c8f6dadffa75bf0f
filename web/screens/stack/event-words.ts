import { lengthOf } from '../../parts/format-time.ts'
import { t } from '../../text/text.ts'
import { factsOf, type ShownEvent } from './event-log.ts'

/** Returns the entry of a table, or undefined if it has none. */
const wordIn = (table: Readonly<Record<string, string>>, word: unknown): string | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

/** Returns what happened, in words: "Deploy: create shop-web-1". */
export function wordsOf({ kind, details }: ShownEvent): string {
  const [subject = '', ...rest] = kind.split('.')
  const [verb = '', part] = rest
  const operation = subject === 'stack' ? wordIn(t.stack.kinds, verb) : undefined
  if (operation === undefined) return wordIn(t.stack.eventWords, kind) ?? plain(kind)
  if (part === 'begun') return t.stack.operationBegun(operation)
  if (part === 'ended')
    return `${operation}: ${wordIn(t.stack.deploymentStates, details.status) ?? details.status}`
  if (part !== 'step') return t.stack.operationAsked(operation)
  const action = wordIn(t.stack.actionWords, details.action) ?? details.action
  return `${operation}: ${action} ${details.name}`
}

/** Returns an unknown kind as readable text. */
function plain(kind: string): string {
  const words = kind.replace(/[._-]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the details of an event as text: "exit code 137 · 1.2 s". */
export const factWordsOf = (event: ShownEvent): string =>
  factsOf(event)
    .flatMap(([name, value]) => wordsOfFact(event, name, value) ?? [])
    .join(' · ')

/** Returns a text with the usual twelve digits of each image id. */
const shortIds = (text: string) => text.replace(/(sha256:[0-9a-f]{12})[0-9a-f]{52}/g, '$1')

/** Details of a step that the words of the event contain already. */
const inWords = new Set(['action', 'kind', 'name'])
/** Details that are shown without their name. */
const valueOnly = new Set(['image', 'health', 'error', 'container', 'environment'])

function wordsOfFact({ kind }: ShownEvent, name: string, value: string): string | undefined {
  const isStep = kind.endsWith('.step')
  if (name === 'ms') return lengthOf(Number(value))
  if (name === 'outcome') return value === 'succeeded' ? undefined : wordIn(t.audit.outcomes, value)
  if (name === 'service' || (isStep && inWords.has(name))) return undefined
  if (valueOnly.has(name)) return shortIds(value)
  if (name === 'status') return isStep ? wordIn(t.stack.stepStates, value) : undefined
  return `${wordIn(t.stack.factWords, name) ?? name.replaceAll('_', ' ')} ${value}`
}
