/** Chances that are the same in every run with the same seed, if requests arrive in one order. */
export interface Chances {
  /** Returns a number of at least 0 and less than 1. */
  next(): number
  /** Returns true with this probability, from 0 to 1. */
  happens(probability: number): boolean
}

/** Returns chances by the generator mulberry32. */
export function chancesOf(seed: number): Chances {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, happens: (probability) => next() < probability }
}
