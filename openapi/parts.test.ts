import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exampleOf } from './example.ts'
import { schemaBook } from './schemas.ts'

describe('the schema book', () => {
  test('replaces a schema that has an ID with a reference to a component', () => {
    const book = schemaBook()
    const Shelf = z.object({ place: z.string() }).meta({ id: 'ShelfOfTest' })
    expect(book.output(z.array(Shelf).max(5))).toEqual({
      type: 'array',
      maxItems: 5,
      items: { $ref: '#/components/schemas/ShelfOfTest' },
    })
    expect(Object.keys(book.components)).toEqual(['ShelfOfTest'])
  })

  test('rejects two different schemas with the same ID', () => {
    const book = schemaBook()
    const Twice = z.object({ size: z.number().default(3) }).meta({ id: 'TwiceOfTest' })
    book.input(Twice)
    expect(() => book.output(Twice)).toThrow('TwiceOfTest')
  })

  test('keeps the default of a query parameter', () => {
    const lines = z.string().transform(Number).default(100).meta({ type: 'integer', default: 100 })
    expect(schemaBook().input(lines)).toEqual({ type: 'integer', default: 100 })
  })

  test('allows additional properties in responses, but not in strict request bodies', () => {
    const book = schemaBook()
    expect(book.output(z.object({}))).toEqual({ type: 'object', properties: {} })
    expect(book.input(z.strictObject({}))).toMatchObject({ additionalProperties: false })
  })
})

describe('examples', () => {
  test('have realistic values', () => {
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

  test('fails if no known word matches a pattern, so an explicit example is needed', () => {
    expect(() => exampleOf({ type: 'string', pattern: '^§$' }, {}, 'sign')).toThrow('no example')
  })
})
