import { Refusal } from '../refusal.ts'
import { compare } from './compare.ts'
import { type Operand, operandValue, readAttribute, readOperand, type Subject } from './operand.ts'
import { Tokens } from './tokens.ts'

/** Returns whether a condition holds. */
export type Test = (subject: Subject) => boolean

type Comparison = (order: number | undefined) => boolean

/** The order is undefined if a value is missing, or if both have different types. */
const comparisons: Readonly<Record<string, Comparison>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order !== undefined && order < 0,
  '<=': (order) => order !== undefined && order <= 0,
  '>': (order) => order !== undefined && order > 0,
  '>=': (order) => order !== undefined && order >= 0,
}

/**
 * Returns the test that a condition describes. It has this part of DynamoDB's language: `AND`,
 * `OR`, `NOT`, brackets, comparisons, `IN`, `begins_with`, `attribute_exists` and
 * `attribute_not_exists`.
 *
 * @throws Refusal if it has anything else
 */
export function parseCondition(text: string): Test {
  const tokens = new Tokens(text)
  const test = readAlternatives(tokens)
  if (!tokens.isAtEnd) throw tokens.unexpected('AND, OR or the end')
  return test
}

function readAlternatives(tokens: Tokens): Test {
  const tests = [readConjunction(tokens)]
  while (tokens.takeIf('OR')) tests.push(readConjunction(tokens))
  return (subject) => tests.some((test) => test(subject))
}

function readConjunction(tokens: Tokens): Test {
  const tests = [readNegation(tokens)]
  while (tokens.takeIf('AND')) tests.push(readNegation(tokens))
  return (subject) => tests.every((test) => test(subject))
}

function readNegation(tokens: Tokens): Test {
  if (!tokens.takeIf('NOT')) return readSingle(tokens)
  const test = readNegation(tokens)
  return (subject) => !test(subject)
}

function readSingle(tokens: Tokens): Test {
  if (tokens.takeIf('(')) {
    const test = readAlternatives(tokens)
    tokens.expect(')')
    return test
  }
  if (/^[a-z]/i.test(tokens.next ?? '')) return readFunction(tokens)
  return readComparison(tokens)
}

function readFunction(tokens: Tokens): Test {
  const name = tokens.take()
  tokens.expect('(')
  const attribute = readAttribute(tokens)
  const test = testOf(name, attribute, tokens)
  tokens.expect(')')
  return test
}

function testOf(name: string, attribute: string, tokens: Tokens): Test {
  if (name === 'attribute_exists') return ({ item }) => item?.[attribute] !== undefined
  if (name === 'attribute_not_exists') return ({ item }) => item?.[attribute] === undefined
  if (name !== 'begins_with') throw new Refusal(`the SQLite store does not know ${name}()`)
  tokens.expect(',')
  const beginning = readOperand(tokens)
  return (subject) => {
    const [value, start] = [subject.item?.[attribute], operandValue(beginning, subject)]
    if (typeof start !== 'string') throw new Refusal('begins_with() needs a text')
    return typeof value === 'string' && value.startsWith(start)
  }
}

function readComparison(tokens: Tokens): Test {
  const left = readOperand(tokens)
  if (tokens.takeIf('IN')) return readList(left, tokens)
  const comparison = comparisons[tokens.next ?? '']
  if (!comparison) throw tokens.unexpected('a comparison')
  tokens.take()
  const right = readOperand(tokens)
  return (subject) => comparison(orderOf(left, right, subject))
}

function readList(left: Operand, tokens: Tokens): Test {
  tokens.expect('(')
  const choices = [readOperand(tokens)]
  while (tokens.takeIf(',')) choices.push(readOperand(tokens))
  tokens.expect(')')
  return (subject) => choices.some((choice) => orderOf(left, choice, subject) === 0)
}

function orderOf(left: Operand, right: Operand, subject: Subject): number | undefined {
  const [one, other] = [operandValue(left, subject), operandValue(right, subject)]
  return one === undefined || other === undefined ? undefined : compare(one, other)
}
