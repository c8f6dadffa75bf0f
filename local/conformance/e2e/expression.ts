import { present } from '../../../adapters/testing/present.ts'
/**
 * An expression of a scenario: a text, a number, a name, a call (perhaps on the result of another
 * call), or several expressions joined by an operator.
 */
export type Expression =
  | { kind: 'text'; text: string }
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'call'; name: string; args: Expression[]; of?: Expression }
  | { kind: 'joined'; operator: string; parts: Expression[] }

const tokens = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|[A-Za-z_][\w]*|\d+|[()+*,.{}[\]:&])/gy

/**
 * Parses a Go expression.
 *
 * @throws for other syntax
 */
export function readExpression(text: string): Expression {
  const words = [...text.matchAll(tokens)].map(([, word]) => present(word))
  if (words.join('').replace(/\s/g, '') !== text.replace(/\s/g, '')) {
    throw new Error(`cannot read ${text}`)
  }
  const reader = new Reader(words)
  const found = reader.joined()
  if (!reader.done()) throw new Error(`cannot read ${text}`)
  return found
}

class Reader {
  readonly #words: string[]
  #at = 0

  constructor(words: string[]) {
    this.#words = words
  }

  done = () => this.#at >= this.#words.length

  joined(): Expression {
    const parts = [this.#chain()]
    let operator = ''
    while (['+', '*'].includes(this.#words[this.#at] ?? '')) {
      operator = present(this.#words[this.#at++])
      parts.push(this.#chain())
    }
    return parts.length === 1 ? present(parts[0]) : { kind: 'joined', operator, parts }
  }

  /** Parses a name with dots, its arguments, and calls on the result. */
  #chain(): Expression {
    let found = this.#term()
    while (this.#words[this.#at] === '.') {
      this.#at += 1
      const name = this.#words[this.#at++] ?? ''
      if (this.#words[this.#at] === '(')
        found = { kind: 'call', name, args: this.#args(), of: found }
      else found = { kind: 'name', name: `${found.kind === 'name' ? found.name : ''}.${name}` }
    }
    return found
  }

  #term(): Expression {
    const word = this.#words[this.#at++] ?? ''
    if (word.startsWith('"')) return { kind: 'text', text: JSON.parse(word) }
    if (word.startsWith('`')) return { kind: 'text', text: word.slice(1, -1) }
    if (/^\d/.test(word)) return { kind: 'number', value: Number(word) }
    if (!/^[A-Za-z_]/.test(word)) throw new Error(`unexpected ${word}`)
    return this.#words[this.#at] === '('
      ? { kind: 'call', name: word, args: this.#args() }
      : { kind: 'name', name: word }
  }

  #args(): Expression[] {
    const args: Expression[] = []
    this.#at += 1
    while (this.#words[this.#at] !== ')') {
      if (this.done()) throw new Error('a parenthesis is not closed')
      args.push(this.joined())
      if (this.#words[this.#at] === ',') this.#at += 1
    }
    this.#at += 1
    return args
  }
}
