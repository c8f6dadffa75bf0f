import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exampleOf } from './example.ts'
import { schemaBook } from './schemas.ts'

describe('schemas', () => {
  test('with an id become a component and a reference', () => {
    const book = schemaBook()
    const Shelf = z.object({ place: z.string() }).meta({ id: 'ShelfOfTest' })
    expect(book.output(z.array(Shelf).max(5))).toEqual({
      type: 'array',
      maxItems: 5,
      items: { $ref: '#/components/schemas/ShelfOfTest' },
    })
    expect(Object.keys(book.components)).toEqual(['ShelfOfTest'])
  })

  test('of two shapes under one id are refused', () => {
    const book = schemaBook()
    const Twice = z.object({ size: z.number().default(3) }).meta({ id: 'TwiceOfTest' })
    book.input(Twice)
    expect(() => book.output(Twice)).toThrow('TwiceOfTest')
  })

  test('of a query say what they are when absent', () => {
    const lines = z.string().transform(Number).default(100).meta({ type: 'integer', default: 100 })
    expect(schemaBook().input(lines)).toEqual({ type: 'integer', default: 100 })
  })

  test('of answers leave room for new fields, strict ones of bodies do not', () => {
    const book = schemaBook()
    expect(book.output(z.object({}))).toEqual({ type: 'object', properties: {} })
    expect(book.input(z.strictObject({}))).toMatchObject({ additionalProperties: false })
  })
})

describe('examples', () => {
  test('read like the real thing', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
        port: { type: 'integer', minimum: 1024 },
      },
      required: ['name'],
    }
    expect(exampleOf(schema, {})).toEqual({
      name: 'shop',
      created_at: '2026-11-21T10:15:30.000Z',
      tags: ['production'],
      port: 1024,
    })
  })

  test('are asked for when no known word fits a pattern', () => {
    expect(() => exampleOf({ type: 'string', pattern: '^§$' }, {}, 'sign')).toThrow('no example')
  })
})
