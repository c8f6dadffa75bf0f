/** Characters from the end of a build's output that are kept for the error message. */
const outputKept = 2000

/** Bytes of secrets to look for. A longer search would block the service. */
const searchedMax = 16 * 1024

/** Characters of the shortest line that is hidden, of a secret with several lines. */
const lineMin = 4

/** Collects the end of an output. */
export interface OutputEnd {
  add(text: string): void
  /** Returns the end of the output, with `***` in place of secrets. */
  text(): string
}

/**
 * Returns a collector that hides the values of secrets and their lines. It cannot recognise one
 * that a command has changed. With more than 16 KiB of secrets it returns an empty text.
 */
export function outputEnd(secrets: Iterable<Buffer> = []): OutputEnd {
  const hidden = hiddenTexts([...secrets])
  // As long as the longest secret, so that no rest of one is at the beginning.
  const margin = hidden?.[0]?.length ?? 0
  let kept = ''
  let isCut = false
  return {
    add(text) {
      kept += text
      isCut ||= kept.length > outputKept + margin
      kept = kept.slice(-(outputKept + margin))
    },
    text() {
      if (!hidden) return ''
      // First by as many marks, which keeps the length.
      const masked = hidden.reduce((all, one) => all.replaceAll(one, mark.repeat(one.length)), kept)
      return masked
        .slice(isCut ? margin : 0)
        .slice(-outputKept)
        .replaceAll(marks, '***')
    },
  }
}

/** A character of Unicode's private use area, which no command prints. */
const mark = '\ue000'
const marks = new RegExp(`${mark}+`, 'g')

/** Returns the texts to hide, the longest first, or undefined if they are too many. */
function hiddenTexts(secrets: readonly Buffer[]): string[] | undefined {
  if (secrets.reduce((sum, { length }) => sum + length, 0) > searchedMax) return undefined
  const texts = secrets.flatMap((secret) => {
    const text = secret.toString('utf8').trim()
    const lines = text.split('\n').map((line) => line.trim())
    return [text, ...lines.filter(({ length }) => length >= lineMin)]
  })
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .sort((one, other) => other.length - one.length)
}
