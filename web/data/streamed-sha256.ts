/**
 * Returns a SHA-256 digest (FIPS 180-4) that takes its input in pieces. `crypto.subtle` would need
 * the whole input at once, and a page without TLS does not have it. Names are those of the
 * standard.
 */
export function streamedSha256() {
  const state = new Uint32Array(initialState)
  const block = new Uint8Array(64)
  /** Bytes in `block` that wait for the block to be full. */
  let filled = 0
  /** Bytes so far. */
  let length = 0

  function update(bytes: Uint8Array): void {
    length += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(64 - filled, bytes.length - at)
      block.set(bytes.subarray(at, at + count), filled)
      filled += count
      at += count
      if (filled === 64) {
        compress(state, block)
        filled = 0
      }
    }
  }

  function digest(): Uint8Array<ArrayBuffer> {
    const bits = length * 8
    const padding = new Uint8Array((filled < 56 ? 56 : 120) - filled + 8)
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(padding.length - 4, bits % 2 ** 32)
    update(padding)
    const result = new DataView(new ArrayBuffer(32))
    for (const [index, word] of state.entries()) result.setUint32(index * 4, word)
    return new Uint8Array(result.buffer)
  }

  const hex = () => [...digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('')

  return { update, digest, hex }
}

/** Returns the first 32 bits of the fractional part of a root, for each of the first primes. */
function roots(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next += 1) {
    if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  }
  return primes.map((prime) => ((root(prime) % 1) * 2 ** 32) >>> 0)
}

const initialState = roots(8, Math.sqrt)
const constants = Uint32Array.from(roots(64, Math.cbrt))
const schedule = new Uint32Array(64)
const rotateRight = (word: number, by: number) => (word >>> by) | (word << (32 - by))
/** The index is always within the array. */
const at = (words: Uint32Array, index: number) => words[index] as number

/** Updates the state with one block of 64 bytes (FIPS 180-4, section 6.2.2). */
function compress(state: Uint32Array, block: Uint8Array): void {
  const view = new DataView(block.buffer, block.byteOffset)
  for (let i = 0; i < 16; i += 1) schedule[i] = view.getUint32(i * 4)
  for (let i = 16; i < 64; i += 1) {
    const [w15, w2] = [at(schedule, i - 15), at(schedule, i - 2)]
    const s0 = rotateRight(w15, 7) ^ rotateRight(w15, 18) ^ (w15 >>> 3)
    const s1 = rotateRight(w2, 17) ^ rotateRight(w2, 19) ^ (w2 >>> 10)
    schedule[i] = at(schedule, i - 16) + s0 + at(schedule, i - 7) + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ]
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(schedule, i)) | 0
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  const compressed = [a, b, c, d, e, f, g, h]
  for (const [index, word] of compressed.entries()) state[index] = at(state, index) + word
}
