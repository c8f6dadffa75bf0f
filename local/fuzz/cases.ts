import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { type Attribute, attributes } from './attributes.ts'
import { type HostileValue, hostileValues } from './values.ts'

/** A compose file with one or two hostile values. */
export interface FuzzCase {
  name: string
  class: string
  compose: string
}

interface Choice {
  attribute: Attribute
  value: HostileValue
}

/** Characters available for values in a file of 1 MiB. */
const roomMax = 1_000_000
/** The limit for pairs. Smaller, because thousands of files have to be sent. */
const pairRoom = 60_000

const classes = ['number', 'list', 'mapping', 'text'] as const

/** Yields each hostile value of each attribute alone, ordered by class. */
export function* singleCases(): Generator<FuzzCase> {
  for (const kind of classes) {
    for (const one of choices()) if (one.attribute.class === kind) yield caseOf([one], roomMax)
  }
}

/** Yields every pair of attributes once. The seed determines the values and the order. */
export function* pairCases(seed: number): Generator<FuzzCase> {
  const random = randomFrom(seed)
  const all = attributes()
  const pairs = all.flatMap((_, one) =>
    Array.from({ length: all.length - one - 1 }, (__, next) => [one, one + next + 1] as const),
  )
  for (let left = pairs.length; left > 0; left -= 1) {
    const index = Math.floor(random() * left)
    const pair = present(pairs[index])
    pairs[index] = present(pairs[left - 1])
    const chosen = pair.map((at) => choose(present(all[at]), random))
    yield caseOf(chosen, pairRoom)
  }
}

/** Returns the number of pairs of attributes. */
export const pairCount = () => (attributes().length * (attributes().length - 1)) / 2

const choices = (): Choice[] =>
  attributes().flatMap((attribute) =>
    hostileValues[attribute.class].map((value) => ({ attribute, value })),
  )

function choose(attribute: Attribute, random: () => number): Choice {
  const values = hostileValues[attribute.class]
  return { attribute, value: present(values[Math.floor(random() * values.length)]) }
}

function caseOf(chosen: readonly Choice[], room: number): FuzzCase {
  const tree: Record<string, unknown> = {
    services: { a: { image: 'x' }, b: { image: 'x', scale: chosen.length > 1 ? 100 : 1 } },
  }
  for (const { attribute, value } of chosen) {
    put(tree, attribute.path, value.make(attribute, room / chosen.length))
  }
  return {
    name: chosen
      .map(({ attribute, value }) => `${attribute.path.join('.')} = ${value.name}`)
      .join(', '),
    class: chosen
      .map(({ attribute }) => attribute.class)
      .sort()
      .join(' and '),
    compose: JSON.stringify(tree),
  }
}

/** Sets the value at a path. Replaces values of the wrong type on the way. */
function put(tree: Record<string, unknown>, path: Attribute['path'], value: unknown): void {
  let at: Json = tree
  for (const [depth, part] of path.entries()) {
    if (depth === path.length - 1) at[part] = value
    else {
      const wanted = typeof path[depth + 1] === 'number' ? [] : {}
      const there = at[part]
      const fits =
        typeof there === 'object' &&
        there !== null &&
        Array.isArray(there) === Array.isArray(wanted)
      at[part] = fits ? there : wanted
      at = at[part]
    }
  }
}

/**
 * Returns a random number generator for 0 to 1 that repeats itself for the same seed (mulberry32).
 */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
