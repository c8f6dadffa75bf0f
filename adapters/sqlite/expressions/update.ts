import type { Item, Value } from '../../store/item.ts'
import { Refusal } from '../refusal.ts'
import { type Operand, operandValue, readAttribute, readOperand, type Subject } from './operand.ts'
import { Tokens } from './tokens.ts'

/** Returns the attributes that an update gives to an item, from their values before. */
export type Assign = (subject: Subject) => Partial<Item>

type Compute = (subject: Subject) => Value

/**
 * Returns what an update describes: `#name = operand`, separated by commas, where an operand may
 * have `+` or `-` and a second one.
 *
 * @throws Refusal if it has anything else, sets a key, or sets an attribute twice
 */
export function parseUpdate(text: string): Assign {
  const tokens = new Tokens(text)
  const changes = new Map<string, Compute>()
  do {
    const name = readAttribute(tokens)
    if (name === 'pk' || name === 'sk') throw new Refusal(`an update cannot set the key ${name}`)
    if (changes.has(name)) throw new Refusal(`an update sets ${name} twice`)
    tokens.expect('=')
    changes.set(name, readValue(tokens))
  } while (tokens.takeIf(','))
  if (!tokens.isAtEnd) throw tokens.unexpected('a comma or the end')
  return (subject) =>
    Object.fromEntries([...changes].map(([name, compute]) => [name, compute(subject)]))
}

function readValue(tokens: Tokens): Compute {
  const left = readOperand(tokens)
  const sign = tokens.takeIf('+') ? 1 : tokens.takeIf('-') ? -1 : undefined
  if (sign === undefined) return (subject) => presentOf(left, subject)
  const right = readOperand(tokens)
  return (subject) => sum(presentOf(left, subject), presentOf(right, subject), sign)
}

function presentOf(operand: Operand, subject: Subject): Value {
  const value = operandValue(operand, subject)
  if (value === undefined) throw new Refusal(`the item has no attribute ${operand.name}`)
  return value
}

/** DynamoDB calculates with decimals. Doubles give the same result for safe integers. */
function sum(one: Value, other: Value, sign: 1 | -1): number {
  const result = Number(one) + sign * Number(other)
  const areNumbers = typeof one === 'number' && typeof other === 'number'
  if (areNumbers && [one, other, result].every(Number.isSafeInteger)) return result
  throw new Refusal('only whole numbers can be added and subtracted')
}
