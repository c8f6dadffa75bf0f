/**
 * Returns a SHA-256 digest (FIPS 180-4) that takes its input in pieces. Without TLS a page has no
 * `crypto.subtle`, and that one needs the whole input at once.
 */
export function streamedSha256() {
  const state = new Uint32Array(initial)
  const block = new Uint8Array(64)
  let used = 0
  let length = 0

  function update(bytes: Uint8Array): void {
    length += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(64 - used, bytes.length - at)
      block.set(bytes.subarray(at, at + count), used)
      used += count
      at += count
      if (used === 64) {
        mix(state, block)
        used = 0
      }
    }
  }

  function digest(): Uint8Array<ArrayBuffer> {
    const bits = length * 8
    const padding = new Uint8Array((used < 56 ? 56 : 120) - used + 8)
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

/** The first 32 bits of the fractional part of a root of each of the first primes. */
function roots(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = []
  for (let next = 2; primes.length < count; next += 1) {
    if (primes.every((prime) => next % prime !== 0)) primes.push(next)
  }
  return primes.map((prime) => ((root(prime) % 1) * 2 ** 32) >>> 0)
}

const initial = roots(8, Math.sqrt)
const constants = Uint32Array.from(roots(64, Math.cbrt))
const schedule = new Uint32Array(64)
const rotateRight = (word: number, by: number) => (word >>> by) | (word << (32 - by))
const at = (words: Uint32Array, index: number) => words[index] as number

function mix(state: Uint32Array, block: Uint8Array): void {
  const view = new DataView(block.buffer, block.byteOffset)
  for (let i = 0; i < 16; i += 1) schedule[i] = view.getUint32(i * 4)
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [at(schedule, i - 15), at(schedule, i - 2)]
    const s0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3)
    const s1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10)
    schedule[i] = at(schedule, i - 16) + s0 + at(schedule, i - 7) + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ]
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + at(constants, i) + at(schedule, i)) | 0
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (const [index, word] of mixed.entries()) state[index] = at(state, index) + word
}
