/** Gives each secret of an estate a name that it can be found under. */
export interface SecretNames {
  /** Returns the reference to a secret, such as `{from: 'SOURCE_SHOP_PASSWORD'}`. */
  referTo(...words: string[]): { from: string }
  /** Returns the names that were given, in that order. */
  all(): string[]
}

/** The longest name that a reference may have. */
const longest = 200

export function secretNames(): SecretNames {
  const given = new Set<string>()
  return {
    referTo(...words) {
      const plain = words
        .join('_')
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, '_')
      const from = firstFree(plain.slice(0, longest - 5), given)
      given.add(from)
      return { from }
    },
    all: () => [...given],
  }
}

/** Two names, such as `a-b` and `a_b`, can be the same without their other signs. */
function firstFree(name: string, given: ReadonlySet<string>): string {
  for (let at = 1; ; at += 1) {
    const numbered = at === 1 ? name : `${name}_${at}`
    if (!given.has(numbered)) return numbered
  }
}
