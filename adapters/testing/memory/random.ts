import { createHash } from 'node:crypto'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Random } from '../../../functions/core/ports/random.ts'

/**
 * Returns bytes and ids that are the same for the same seed. Ids sort in the order of their
 * creation.
 */
export function memoryRandom(clock: Clock, seed = 'seed'): Random {
  let drawn = 0
  let made = 0
  const bytes = (count: number) => {
    const blocks: Buffer[] = []
    for (let length = 0; length < count; length += 32) {
      blocks.push(createHash('sha256').update(`${seed}:${drawn++}`).digest())
    }
    return new Uint8Array(Buffer.concat(blocks).subarray(0, count))
  }
  return {
    bytes,
    id() {
      const time = Math.floor(clock.now()).toString(16).padStart(12, '0')
      const count = (made++ & 0xfff).toString(16).padStart(3, '0')
      const tail = Buffer.from(bytes(8))
      tail.writeUInt8((tail.readUInt8(0) & 0x3f) | 0x80)
      const hex = `${time}7${count}${tail.toString('hex')}`
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
  }
}
