import { createHash } from 'node:crypto'

/** Gives each secret of an estate a name that it can be found under. */
export interface SecretNames {
  /** Returns the reference to a secret field, such as `{from: 'SOURCE_SHOP_PASSWORD'}`. */
  referTo(kind: string, name: string, field: string): { from: string }
  /** Returns the reference to a secret file of a stack. */
  referToFile(stack: string, path: string): { from: string }
  /** Returns the names that were given, in that order. */
  all(): string[]
}

/** The longest name that a reference may have. */
const longest = 200
/** Characters of a digest behind a name: as many as it takes that no two names meet. */
const digestLength = 12

/**
 * Returns what gives secrets their names. A name depends on its thing alone, so that it stays when
 * others make or delete things. Where the name of a thing has signs that a variable cannot have, or
 * that could be those between words, a digest of the exact words tells it from others.
 */
export function secretNames(): SecretNames {
  const given = new Set<string>()
  const refer = (from: string) => {
    given.add(from)
    return { from }
  }
  return {
    referTo(kind, name, field) {
      const plain = plainName(kind, name, field)
      const isClear = /^[A-Za-z0-9]+$/.test(name) && plain.length <= longest
      return refer(isClear ? plain : withDigest(plain, [kind, name, field]))
    },
    // A file can have the name of a field.
    referToFile: (stack, path) =>
      refer(withDigest(plainName('stack', stack, path), ['stack', stack, 'files', path])),
    all: () => [...given],
  }
}

const plainName = (...words: string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')

function withDigest(plain: string, words: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest('hex')
  const end = digest.slice(0, digestLength).toUpperCase()
  return `${plain.slice(0, longest - digestLength - 1)}_${end}`
}
