import { describe, expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import { logSplitter } from './log-lines.ts'

const time = (count: number) => `2026-11-21T10:00:00.${String(count).padStart(9, '0')}Z`

/** Returns the messages in which the Engine sends lines: at most 16 KiB each, with a time. */
function messagesOf(lines: string[]): Buffer[] {
  return lines.flatMap((line, count) => {
    const bytes = Buffer.from(`${line}\n`)
    const parts: Buffer[] = []
    for (let at = 0; at < bytes.length; at += 16384) parts.push(bytes.subarray(at, at + 16384))
    return parts.map((part) => Buffer.concat([Buffer.from(`${time(count)} `), part]))
  })
}

function framed(message: Buffer, stream = 1): Buffer {
  const header = Buffer.alloc(8)
  header[0] = stream
  header.writeUInt32BE(message.length, 4)
  return Buffer.concat([header, message])
}

function split(form: 'raw' | 'multiplexed', bytes: Buffer, cuts: number[]) {
  const splitter = logSplitter(form)
  let rest = bytes
  const lines = cuts.flatMap((cut) => {
    const chunk = rest.subarray(0, cut)
    rest = rest.subarray(cut)
    return splitter.push(chunk)
  })
  return [...lines, ...splitter.push(rest), ...splitter.end()]
}

describe.each(['raw', 'multiplexed'] as const)('a %s log', (form) => {
  const sent = (lines: string[]) =>
    Buffer.concat(messagesOf(lines).map((one) => (form === 'raw' ? one : framed(one))))
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('x'.repeat(16383), 'x'.repeat(16384), 'ü'.repeat(20_000), '漢'.repeat(11_000)),
  )

  test('has the same lines and times, however its bytes are split', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(fc.nat(9000)), (lines, cuts) => {
        const clean = lines.map((one) => one.replace(/[\r\n]/g, ''))
        expect(split(form, sent(clean), cuts)).toEqual(
          clean.map((text, count) => ({ stream: 'stdout', time: time(count), line: text })),
        )
      }),
    )
  })

  test('splits an overlong line between two characters', () => {
    const lines = split(form, sent(['漢'.repeat(200_000)]), [])
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.map(({ line: text }) => text).join('')).toBe('漢'.repeat(200_000))
  })

  test('returns an incomplete last line at the end', () => {
    const bytes = sent(['one', 'two'])
    const cut = form === 'raw' ? bytes.subarray(0, -1) : framed(Buffer.from(`${time(0)} one`))
    expect(split(form, cut, []).at(-1)?.line).toBe(form === 'raw' ? 'two' : 'one')
  })
})

test('keeps split lines of both streams apart', () => {
  const part = (text: string, stream: number) => framed(Buffer.from(`${time(0)} ${text}`), stream)
  const bytes = Buffer.concat([
    part('out ', 1),
    part('error ', 2),
    part('end\n', 1),
    part('x\n', 2),
  ])
  expect(split('multiplexed', bytes, []).map(({ stream, line }) => `${stream} ${line}`)).toEqual([
    'stdout out end',
    'stderr error x',
  ])
})

test('strips carriage returns of a terminal', () => {
  const bytes = Buffer.from(`${time(0)} one\r\n${time(1)} two\r\n`)
  expect(split('raw', bytes, []).map(({ line }) => line)).toEqual(['one', 'two'])
})
