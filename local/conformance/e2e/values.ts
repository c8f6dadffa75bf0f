import { present } from '../../../adapters/testing/present.ts'
import type { Expression } from './expression.ts'

/** The values of names in the expressions of a scenario. */
export interface Names {
  project: string
  directory: string
  /** The image that stands in for `nginx`. */
  server: string
  /** Returns the value of a variable that the scenario expects its environment to define. */
  variable(name: string): string
}

/** Returns the text of an expression. Throws if it has none. */
export function textOf(expression: Expression, names: Names): string {
  switch (expression.kind) {
    case 'text':
      return expression.text
    case 'number':
      return String(expression.value)
    case 'name':
      return names.variable(expression.name)
    case 'joined':
      return expression.parts.map((part) => textOf(part, names)).join('')
    case 'call':
      return called(expression, names)
  }
}

function called({ name, args, of }: Extract<Expression, { kind: 'call' }>, names: Names): string {
  const owner = of?.kind === 'name' ? `${of.name}.${name}` : name
  const texts = args.map((one) => textOf(one, names))
  if (owner === 's.Project') return names.project
  if (owner === 's.Dir') return names.directory
  if (owner === 'filepath.Join') return texts.join('/')
  if (owner === 'fmt.Sprintf') {
    const rest = texts.slice(1)
    return present(texts[0]).replace(/%[sdv]/g, () => rest.shift() ?? '')
  }
  throw new Error(`${owner} is unknown`)
}
