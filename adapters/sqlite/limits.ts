import type { Item, Key, Value } from '../store/item.ts'
import { Refusal } from './refusal.ts'

/** Bytes of one item, its names included. */
const itemMax = 400 * 1024
/** Bytes of the keys of the table and of its index. */
const keysMax = { pk: 2048, sk: 1024, gsi1pk: 2048, gsi1sk: 1024 } as const

const keyNames = ['pk', 'sk'] as const
const indexNames = ['gsi1pk', 'gsi1sk'] as const

/** @throws Refusal if DynamoDB would refuse these keys */
export function checkKey(key: Key): void {
  for (const name of keyNames) checkKeyPart(name, key[name])
}

/** @throws Refusal if DynamoDB would refuse the item */
export function checkItem(item: Item): void {
  checkKey(item)
  for (const name of indexNames) {
    if (item[name] !== undefined) checkKeyPart(name, item[name])
  }
  let size = 0
  for (const [name, value] of Object.entries(item)) {
    if (value === undefined) continue
    checkValue(name, value)
    size += Buffer.byteLength(name) + sizeOf(value)
  }
  if (size > itemMax) throw new Refusal(`an item has ${size} bytes; ${itemMax} are allowed`)
}

function checkKeyPart(name: keyof typeof keysMax, value: unknown): void {
  if (typeof value !== 'string') throw new Refusal(`the key ${name} is not a text`)
  if (value === '') throw new Refusal(`the key ${name} is empty`)
  if (Buffer.byteLength(value) > keysMax[name])
    throw new Refusal(`the key ${name} is longer than ${keysMax[name]} bytes`)
  if (/\p{Surrogate}/u.test(value)) throw new Refusal(`the key ${name} is not valid Unicode`)
}

/** DynamoDB's numbers reach from 1e-130 to just below 1e126, with either sign. */
function checkValue(name: string, value: Value): void {
  if (typeof value !== 'number') return
  const size = Math.abs(value)
  if (!(size < 1e126) || (size !== 0 && size < 1e-130))
    throw new Refusal(`the attribute ${name} is ${value}, which cannot be stored`)
}

/** Returns the bytes of a value as DynamoDB counts them. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  return typeof value === 'number' ? numberSize(value) : value.length
}

/** Two digits take a byte, and each number one more. */
function numberSize(value: number): number {
  const digits = String(Math.abs(value)).replace(/e.*$/, '').replace('.', '')
  return Math.ceil(digits.replace(/^0+|0+$/g, '').length / 2) + 1 + (value < 0 ? 1 : 0)
}
