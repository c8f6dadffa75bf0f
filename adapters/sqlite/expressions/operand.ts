import { must } from '../../../functions/compose/must.ts'
import type { Item, Value } from '../../store/item.ts'
import type { Tokens } from './tokens.ts'

/** The item that an expression is about, undefined if there is none, and the values it names. */
export interface Subject {
  item: Item | undefined
  values: Readonly<Record<string, Value | undefined>>
}

/** An attribute (`#name`) or a value (`:name`). */
export interface Operand {
  kind: 'attribute' | 'value'
  name: string
}

/**
 * Reads an attribute or a value.
 *
 * @throws Refusal if the next token is neither
 */
export function readOperand(tokens: Tokens): Operand {
  const mark = tokens.next?.[0]
  if (mark !== '#' && mark !== ':') throw tokens.unexpected('#name or :name')
  return { kind: mark === '#' ? 'attribute' : 'value', name: tokens.take().slice(1) }
}

/** @throws Refusal if the next token is no attribute */
export function readAttribute(tokens: Tokens): string {
  if (tokens.next?.[0] !== '#') throw tokens.unexpected('#name')
  return tokens.take().slice(1)
}

/** Returns the value of an operand, or undefined if the item does not have that attribute. */
export const operandValue = (
  { kind, name }: Operand,
  { item, values }: Subject,
): Value | undefined => (kind === 'attribute' ? item?.[name] : must(values[name], `value :${name}`))
