import { type Page, proseOf } from './pages.ts'

/** Words of a sentence that is read at once. */
const wordsMax = 25

/** The sentences of each page that are longer. The numbers only fall; other pages have none. */
export const longSentencesMax: Record<string, number> = {
  'docs/benchmarks.md': 11,
  'docs/compose.md': 1,
  'docs/functions.md': 16,
  'docs/reference/guarantees.md': 51,
}

/**
 * Returns whether people read the page to use or change the service, and not as a record. The page
 * of the client's commands is made from their help.
 */
const isGuide = ({ path }: Page) =>
  /^(docs\/(contributing\/|reference\/)?)?[^/]+\.md$/.test(path) &&
  !/^CHANGELOG|\/cli\.md$/.test(path)

/** Returns the sentences of paragraphs and lists. Code and links are a word each. */
export function sentencesOf(page: Page): string[] {
  const text = proseOf(page)
    .map((line) => line.replace(/^\s*([-*]|\d+\.) /, '\n\n'))
    .join('\n')
  return text
    .split(/\n\s*\n/)
    .filter((block) => !/^\s*[|#<]/.test(block))
    .map((block) => block.replace(/`[^`]*`/g, 'x').replace(/\]\([^)]*\)/g, ']'))
    .flatMap((block) =>
      block
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.!?:]) (?=[[*A-Zx])/),
    )
    .filter((sentence) => sentence !== '')
}

/**
 * Returns the sentences of guides that begin with a clause or a pronoun in place of their subject,
 * such as "What a run left is removed." and "One that failed is sent again."
 */
export const unclearBeginnings = (pages: readonly Page[]): string[] =>
  pages.filter(isGuide).flatMap((page) =>
    sentencesOf(page)
      .filter((sentence) => /^(What [a-z].*[^?]$|One (of|that|which|who|with) )/.test(sentence))
      .map((sentence) => `${page.path}: ${sentence}`),
  )

/** Returns the guides with more long sentences than `most` has for them, with their number. */
export const longSentenceOffences = (
  pages: readonly Page[],
  most: Record<string, number>,
): string[] =>
  pages.filter(isGuide).flatMap((page) => {
    const long = sentencesOf(page).filter((one) => one.split(' ').length > wordsMax)
    const allowed = most[page.path] ?? 0
    if (long.length <= allowed) return []
    return [`${page.path}: ${long.length} sentences of more than ${wordsMax} words, not ${allowed}`]
  })
