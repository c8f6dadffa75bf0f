import { expect, test } from 'vitest'
import { z } from 'zod'
import { check } from './issues.ts'

const schema = z.strictObject({
  name: z.string().min(1).max(4).optional(),
  note: z.string().max(2).nullable().default(null),
  count: z.int().min(1).max(5).default(1),
  share: z.number().gt(0).lt(1).optional(),
  level: z.enum(['low', 'mid', 'high']).optional(),
  tags: z
    .array(z.string().regex(/^[a-z]+$/, 'must be small letters'))
    .min(1)
    .max(2)
    .optional(),
  stop: z.union([z.boolean(), z.array(z.string().min(2)).min(1)]).optional(),
  target: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('local'), path: z.string() }),
      z.strictObject({ kind: z.literal('s3'), bucket: z.string().min(3) }),
      z.strictObject({ kind: z.literal('sftp') }),
    ])
    .optional(),
  overlays: z.record(z.string().regex(/^[a-z]+$/, 'must be small letters'), z.string()).optional(),
  short: z.record(z.string().max(2), z.string()).optional(),
  at: z.iso.datetime().optional(),
  url: z.url().optional(),
})

function messageOf(value: unknown, where: 'body' | 'query' = 'body'): string {
  try {
    check(schema, value, where)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('it was accepted')
}

test('words only the issues that it names, of however many', () => {
  const message = messageOf({ stop: Array.from({ length: 200_000 }, () => 1) })
  expect(message.split('; ').length).toBeLessThanOrEqual(10)
})

const fields = Object.keys(schema.shape).join(', ')

test.each([
  [{ name: '' }, 'body.name: must have 1 to 4 characters'],
  [{ name: 1 }, 'body.name: must be a string of 1 to 4 characters'],
  [{ note: 'abc' }, 'body.note: must have at most 2 characters'],
  [{ note: 1 }, 'body.note: must be a string of at most 2 characters or null'],
  [{ count: 6 }, 'body.count: must be a whole number from 1 to 5'],
  [{ count: 1.5 }, 'body.count: must be a whole number from 1 to 5'],
  [{ count: '1' }, 'body.count: must be a whole number from 1 to 5'],
  [{ share: 1 }, 'body.share: must be a number above 0 and below 1'],
  [{ level: 'top' }, 'body.level: must be "low", "mid" or "high"'],
  [{ tags: [] }, 'body.tags: must have 1 to 2 entries'],
  [{ tags: {} }, 'body.tags: must be a list of 1 to 2 entries'],
  [{ tags: ['a', 'B'] }, 'body.tags[1]: must be small letters'],
  [{ stop: 'all' }, 'body.stop: must be true or false or a list of at least 1 entry'],
  [{ stop: ['ab', 'c'] }, 'body.stop[1]: must have at least 2 characters'],
  [{ stop: [] }, 'body.stop: must have at least 1 entry'],
  [{ target: 's3' }, 'body.target: must be an object with the kind "local", "s3" or "sftp"'],
  [{ target: {} }, 'body.target.kind: must be "local", "s3" or "sftp"'],
  [{ target: { kind: 'ftp' } }, 'body.target.kind: must be "local", "s3" or "sftp"'],
  [{ target: { kind: 'local' } }, 'body.target.path: is required'],
  [{ target: { kind: 's3', bucket: 'a' } }, 'body.target.bucket: must have at least 3 characters'],
  [
    { target: { kind: 's3', bucket: 'abc', x: 1 } },
    'body.target: unknown field "x"; allowed: kind, bucket',
  ],
  [{ overlays: { Prod: '' } }, 'body.overlays.Prod: the name must be small letters'],
  [{ short: { prod: '' } }, 'body.short.prod: the name must be a string of at most 2 characters'],
  [{ at: 'now' }, 'body.at: must be a time as RFC 3339, such as 2026-06-01T12:00:00Z'],
  [{ url: 'x' }, 'body.url: must be a URL, such as https://stacks.example.org'],
  [{ x: 1, y: 2 }, `body: unknown field "x", "y"; allowed: ${fields}`],
  [null, 'body: must be an object'],
])('%j: %s', (value, message) => {
  expect(messageOf(value)).toBe(message)
})

test('names up to ten problems and never what was sent', () => {
  const secret = 'hunter2'
  const text = messageOf({ level: secret, stop: Array(20).fill(7), target: secret })
  expect(text.split('; ')).toHaveLength(10)
  expect(text).not.toContain(secret)
})

test('names a place once, with the first of its problems', () => {
  const twice = z.object({
    image: z
      .string()
      .max(4)
      .regex(/^[a-z]+$/, 'must be small letters'),
  })
  expect(() => check(twice, { image: 'A b c' }, 'body')).toThrow(
    /^body\.image: must have at most 4 characters$/,
  )
})

test('a parameter is not called a field', () => {
  expect(messageOf({ x: '1' }, 'query')).toBe(`query: unknown parameter "x"; allowed: ${fields}`)
})
