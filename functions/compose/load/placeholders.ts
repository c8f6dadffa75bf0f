import { createHash } from 'node:crypto'

/**
 * Words that stand for expressions such as `${DB_PASSWORD:-x}` while a project is loaded for a
 * caller who may not see values. They consist of letters and digits, so that no stage takes them
 * apart, and occur in no file of the stack. `restore` puts the expressions back.
 */
export class Placeholders {
  /** Whether every expression is hidden, or only those whose variables have hidden values. */
  readonly hidesAll: boolean
  /** Whether variables listed without a value get one, even if all expressions are hidden. */
  readonly fillsIn: boolean
  readonly #prefix: string
  readonly #pattern: RegExp
  readonly #expressions: string[] = []
  readonly #hidden = new Set<string>()
  readonly #words = new Map<string, string>()
  /** Secret word → from where its value is; see `originsIn`. */
  readonly #secret = new Map<string, string>()

  constructor(
    files: Record<string, string>,
    { hidesAll, fillsIn = false }: { hidesAll: boolean; fillsIn?: boolean },
  ) {
    this.hidesAll = hidesAll
    this.fillsIn = fillsIn
    const texts = Object.values(files)
    let number = 0
    while (texts.some((text) => text.includes(`hidden${number}x`))) number += 1
    this.#prefix = `hidden${number}x`
    this.#pattern = new RegExp(`${this.#prefix}(\\d+)z`, 'g')
  }

  /**
   * Returns the word for an expression.
   *
   * @param origin from where its value is, if that is secret
   */
  put(expression: string, origin = ''): string {
    const known = JSON.stringify([expression, origin])
    const word =
      this.#words.get(known) ?? `${this.#prefix}${this.#expressions.push(expression) - 1}z`
    this.#words.set(known, word)
    this.#hidden.add(expression)
    if (origin !== '') this.#secret.set(word, origin)
    return word
  }

  /** Returns the word for an expression whose variables, also those of defaults, have values. */
  putUse(expression: string, values: readonly (string | undefined)[]): string {
    return this.put(expression, joinOrigins(values.map((value) => this.originsIn(value ?? ''))))
  }

  /** Returns whether a text depends on a value from a secret file. */
  isSecretIn(text: string): boolean {
    return this.originsIn(text) !== ''
  }

  /**
   * Returns from where the secret values in a text are; empty if it has none. The same expression
   * shows another value, if that is from elsewhere.
   */
  originsIn(text: string): string {
    const words = this.isIn(text) ? (text.match(this.#pattern) ?? []) : []
    return joinOrigins(words.map((word) => this.#secret.get(word) ?? ''))
  }

  /** Returns whether an expression has a word. */
  hides(expression: string): boolean {
    return this.#hidden.has(expression)
  }

  /** Returns whether a text depends on an expression. */
  isIn(text: string): boolean {
    return text.includes(this.#prefix)
  }

  /** Returns whether a text begins with an expression, so that a path may be absolute. */
  begins(text: string): boolean {
    return text.startsWith(this.#prefix)
  }

  /** Returns a text with the expressions in place of their words. */
  restore(text: string): string {
    if (!this.isIn(text)) return text
    return text.replaceAll(this.#pattern, (word, index) => this.#expressions[Number(index)] ?? word)
  }
}

/** Joins origins into a text that does not grow, however often variables refer to each other. */
export function joinOrigins(origins: readonly string[]): string {
  const all = [...new Set(origins)].filter((origin) => origin !== '')
  if (all.length < 2) return all[0] ?? ''
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}
