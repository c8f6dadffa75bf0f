import { spokenIn } from './program-text.ts'
import type { Source } from './source.ts'

/** Columns of a line of comment or prose. */
const columnsMax = 100

/** Gendered words, and words that do not belong in technical texts. */
const banned = /\b(he|his|him|himself|nobody|somebody|anew|the own)\b/i
/** A sentence that begins with its object: "Who goes ends a pull", "Of two deploys one runs". */
const inverted = /(?:^|[.:;] )(?:Who|Of) [a-z]/

/** Files in which such a word is right → the reason. */
const allowed: Record<string, string> = {
  'local/rules/language.ts': 'the words themselves',
  'local/rules/language.test.ts': 'examples of each offence',
}

/**
 * Returns the banned words, inverted sentences and long lines in the comments and strings of a
 * program.
 */
export function languageOffences({ path, text }: Source): string[] {
  if (path in allowed) return []
  return spokenIn(text).flatMap(({ kind, text: words, line, lines }) => {
    // A string without a space is data, such as a user name.
    const isProse = kind === 'comment' || words.includes(' ')
    const offences = isProse ? offencesOf(words) : []
    const isLong = kind === 'comment' && lines.some((one) => one.length > columnsMax)
    if (isLong) offences.push(`longer than ${columnsMax} columns`)
    return offences.map((offence) => `${path}:${line}: ${kind}: ${offence}`)
  })
}

/** Returns the same offences of a Markdown page. Tables, code and links may be long. */
export function proseOffences({ path, text }: Source): string[] {
  let isCode = false
  return text.split('\n').flatMap((line, index) => {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    if (isFence || isCode) return []
    const offences = offencesOf(line.replace(/`[^`]*`/g, '`'))
    const mayBeLong = /^\s*(\||<|\[.*\]:)/.test(line) || !line.trim().includes(' ')
    if (line.length > columnsMax && !mayBeLong) offences.push(`longer than ${columnsMax} columns`)
    return offences.map((offence) => `${path}:${index + 1}: ${offence}`)
  })
}

function offencesOf(words: string): string[] {
  const [word] = banned.exec(words) ?? []
  const [sentence] = inverted.exec(words) ?? []
  return [
    ...(word ? [`the word "${word}"`] : []),
    ...(sentence ? [`a sentence that begins with "${sentence.replace(/^\W+/, '')}…"`] : []),
  ]
}
