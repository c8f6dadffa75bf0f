import { Refusal } from '../refusal.ts'

const token = /\s*(?:([#:]\w+|<=|>=|<>|[=<>(),+-]|[A-Za-z_]+)|(\S))/y

/** Reads the tokens of an expression one after the other. */
export class Tokens {
  readonly #text: string
  readonly #tokens: readonly string[]
  #at = 0

  /** @throws Refusal if the text has a character that no token has */
  constructor(text: string) {
    this.#text = text
    this.#tokens = [...text.trim().matchAll(new RegExp(token, 'gy'))].map(([, word, other]) => {
      if (word === undefined) throw new Refusal(`unexpected "${other}" in "${text}"`)
      return word
    })
  }

  get next(): string | undefined {
    return this.#tokens[this.#at]
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** Takes the next token if it is this one. Returns whether it was. */
  takeIf(wanted: string): boolean {
    if (this.next !== wanted) return false
    this.#at += 1
    return true
  }

  /** @throws Refusal at the end of the text */
  take(): string {
    const found = this.next
    if (found === undefined) throw this.unexpected()
    this.#at += 1
    return found
  }

  /** @throws Refusal if the next token is another one */
  expect(wanted: string): void {
    if (!this.takeIf(wanted)) throw this.unexpected(`"${wanted}"`)
  }

  unexpected(wanted = 'something else'): Refusal {
    const found = this.next === undefined ? 'the end' : `"${this.next}"`
    return new Refusal(`expected ${wanted} instead of ${found} in "${this.#text}"`)
  }
}
