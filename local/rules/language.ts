import type { Source } from './source.ts'
import { spokenIn } from './spoken.ts'

/** Columns of a line of a comment or of prose. */
const columnsMax = 100

/** Words that stand for a person without need, or that belong to no technical text. */
const banned = /\b(he|his|him|himself|nobody|somebody|anew|the own)\b/i
/** A sentence that begins with its object: "Who goes ends a pull", "Of two deploys one runs". */
const inverted = /(?:^|[.:;] )(?:Who|Of) [a-z]/

/** Texts in which such a word is right, with the reason. */
const allowed: Record<string, string> = {
  'local/rules/language.ts': 'the words themselves',
  'local/rules/language.test.ts': 'examples of each offence',
}

/** Returns the banned words, inverted sentences and long lines of a program's texts. */
export function languageOffences({ path, text }: Source): string[] {
  if (path in allowed) return []
  return spokenIn(text).flatMap(({ kind, text: words, line, lines }) => {
    // A string without a space is data, such as the name of a user.
    const isProse = kind === 'comment' || words.includes(' ')
    const offences = isProse ? offencesOf(words) : []
    const isLong = kind === 'comment' && lines.some((one) => one.length > columnsMax)
    if (isLong) offences.push(`longer than ${columnsMax} columns`)
    return offences.map((offence) => `${path}:${line}: ${kind}: ${offence}`)
  })
}

/** Returns the same of a page of Markdown; tables, code and links may be as long as they are. */
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
