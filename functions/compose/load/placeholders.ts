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
  readonly #words = new Map<string, string>()
  readonly #secret = new Set<string>()

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

  /** Returns the word for an expression. `isSecret`: its value comes from a secret file. */
  put(expression: string, isSecret = false): string {
    const word =
      this.#words.get(expression) ?? `${this.#prefix}${this.#expressions.push(expression) - 1}z`
    this.#words.set(expression, word)
    if (isSecret) this.#secret.add(word)
    return word
  }

  /** Returns whether a text depends on a value from a secret file. */
  isSecretIn(text: string): boolean {
    return (text.match(this.#pattern) ?? []).some((word) => this.#secret.has(word))
  }

  /** Returns whether an expression has a word. */
  hides(expression: string): boolean {
    return this.#words.has(expression)
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
