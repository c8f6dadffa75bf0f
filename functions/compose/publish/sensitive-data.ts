/** Sensitive data that was found in a text. */
export interface SensitiveData {
  /** What it is, such as `GitHub token`. */
  what: string
  /** The name that it is assigned to, if the line has one. */
  key: string
  value: string
  /** The line that it begins in, from 1. */
  line: number
}

/** Characters of a value that are shown. */
const valueMax = 8192

/** Values found in one text. A text with more is sensitive in any case. */
const foundMax = 50

/**
 * What is looked for. Each pattern reads a text in one pass: a repetition is bounded, or cannot
 * begin in the middle of what it repeats.
 */
const patterns: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'AWS access key ID',
    /(?<![A-Z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  ],
  ['AWS secret key', /aws.{0,20}["'][0-9a-zA-Z/+]{40}["']/gi],
  [
    'AWS secret key',
    /secret_?access_?key["']?\s{0,4}[=:]\s{0,4}["']?([0-9a-zA-Z/+]{40})(?![\w/+=])/gi,
  ],
  ['GitHub token', /(?<![\w])(?:gh[pousr]_\w{36,251}|github_pat_\w{22,244})(?![\w])/g],
  ['JSON Web Token', /(?<![\w-])ey[\w-]{10,}\.ey[\w-]{10,}\.[\w-]{10,}/g],
  ['private key', /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g],
]

/**
 * Returns the credentials that a text has: keys of AWS, tokens of GitHub, JSON Web Tokens and
 * private keys. Others are not recognized.
 */
export function sensitiveData(text: string): SensitiveData[] {
  const found: SensitiveData[] = []
  for (const [what, pattern] of patterns) {
    for (const matched of text.matchAll(pattern)) {
      const match = matched[1] ?? matched[0]
      const index = matched.index + matched[0].lastIndexOf(match)
      if (found.length === foundMax) return found
      const value = what === 'private key' ? keyAt(text, index) : match
      found.push({ what, ...placeOf(text, index), value: value.slice(0, valueMax) })
    }
  }
  return found
}

/** Returns a private key up to the end of its last line. */
function keyAt(text: string, index: number): string {
  const rest = text.slice(index, index + valueMax)
  return /^[\s\S]*?-----END [A-Z0-9 ]{0,40}-----/.exec(rest)?.[0] ?? rest
}

function placeOf(text: string, index: number): Pick<SensitiveData, 'key' | 'line'> {
  const before = text.slice(0, index)
  const start = before.slice(Math.max(before.lastIndexOf('\n') + 1, index - 200))
  const key = /([\w.-]{1,100})["']?\s{0,8}[=:]\s{0,8}["']?$/.exec(start)?.[1] ?? ''
  return { key, line: before.split('\n').length }
}
