import { expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { type Frame, frames } from './frames.ts'

function encoded(stream: 'stdout' | 'stderr', data: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header[0] = stream === 'stderr' ? 2 : 1
  header.writeUInt32BE(data.length, 4)
  return Buffer.concat([header, data])
}

async function decoded(chunks: Buffer[]): Promise<Frame[]> {
  const found: Frame[] = []
  async function* source() {
    yield* chunks
  }
  for await (const frame of frames(source())) found.push(frame)
  return found
}

test('decodes a flood of tiny frames in one chunk', async () => {
  for (const data of [Buffer.alloc(0), Buffer.from('x')]) {
    const frame = encoded('stdout', data)
    const count = Math.floor((4 * 1024 * 1024) / frame.length)
    const found = await decoded([Buffer.concat(Array.from({ length: count }, () => frame))])
    expect(found.length).toBe(count)
  }
})

test('decodes frames however the bytes are split', async () => {
  const frame = fc.record({
    stream: fc.constantFrom('stdout' as const, 'stderr' as const),
    data: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(frame), fc.array(fc.nat(40)), async (sent, cuts) => {
      let rest = Buffer.concat(sent.map(({ stream, data }) => encoded(stream, data)))
      const chunks: Buffer[] = []
      for (const cut of cuts) {
        chunks.push(rest.subarray(0, cut))
        rest = rest.subarray(cut)
      }
      expect(await decoded([...chunks, rest])).toEqual(sent)
    }),
  )
})

test('drops an incomplete frame', async () => {
  const whole = encoded('stderr', Buffer.from('whole'))
  const found = await decoded([whole, encoded('stdout', Buffer.from('cut off')).subarray(0, 12)])
  expect(found).toEqual([{ stream: 'stderr', data: Buffer.from('whole') }])
})
