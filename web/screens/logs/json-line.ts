import { type Piece, plainText } from './ansi.ts'
import { levelNamed } from './log-levels.ts'

const levelNames = ['level', 'lvl', 'severity', 'log.level', '@l']
const messageNames = ['msg', 'message', 'event', '@m', '@mt']
/** Fields with the time. The viewer shows the time of each line already. */
const timeNames = ['time', 'ts', 'timestamp', '@timestamp', '@t', 'datetime']

/**
 * Returns the pieces of a line that is a JSON object: its level, its message, and the other fields
 * as `name=value`. Undefined for any other line.
 */
export function parseJsonLine(text: string): Piece[] | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}') || trimmed.length > 20_000)
    return undefined
  const fields = tryParse(trimmed)
  if (!fields) return
  const named = (names: readonly string[]) => names.find((name) => Object.hasOwn(fields, name))
  const level = named(levelNames)
  const message = named(messageNames)
  const time = named(timeNames)
  const word = level === undefined ? '' : String(fields[level])
  const kind = levelNamed(word)
  const pieces: Piece[] = []
  if (word)
    pieces.push({ text: `${kind ?? word} `.toUpperCase(), classes: `level-${kind ?? 'info'}` })
  if (message !== undefined) pieces.push({ text: wordsOf(fields[message]), classes: '' })
  for (const [name, value] of Object.entries(fields)) {
    if ([level, message, time].includes(name)) continue
    if (pieces.length > 0) pieces.push({ text: ' ', classes: '' })
    pieces.push({ text: `${name}=`, classes: 'dim' }, { text: wordsOf(value), classes: 'value' })
  }
  return pieces
}

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

const wordsOf = (value: unknown): string =>
  plainText((typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s*\n\s*/g, ' ⏎ '))
