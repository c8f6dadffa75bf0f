import { describe, expect, test } from 'vitest'
import { docs, knownValues, namedBelow } from '../../../web/parts/editor/compose-docs.ts'
import { hoverAt, optionsAt } from '../../../web/parts/editor/compose-help.ts'
import { keysOf, meaningOf, type Schema } from '../../../web/parts/editor/schema-walk.ts'
import { composeSchema } from './compose-schema.mjs'

const schema = (await composeSchema()) as Schema

/** Returns the labels at `|` in a text. */
const labels = (text: string) =>
  optionsAt(schema, text.replace('|', ''), text.indexOf('|'))?.options.map(({ label }) => label)

describe('completion', () => {
  test('knows every attribute of a service, and says what most of them do', () => {
    const found = optionsAt(schema, 'services:\n  web:\n    ', 21)
    expect(found?.options.length).toBeGreaterThan(85)
    expect(found?.options.find(({ label }) => label === 'image')).toMatchObject({
      kind: 'key',
      holds: 'value',
      about: expect.stringContaining('Image to run'),
    })
    expect(found?.options.filter(({ about }) => !about)).toEqual([])
    expect(found).toMatchObject({ from: 21, column: 4 })
  })

  test('leaves out keys that are written already', () => {
    expect(labels('services:\n  web:\n    image: a\n    |\n    restart: always\n')).not.toContain(
      'image',
    )
    expect(labels('services:\n  web:\n    image: a\n    |\n    restart: always\n')).not.toContain(
      'restart',
    )
  })

  test('works in a document that cannot be parsed', () => {
    expect(labels('services:\n  web: {[\n    ima|')).toContain('image')
  })

  test('follows references and choices', () => {
    expect(labels('services:\n  web:\n    build:\n      |')).toContain('dockerfile')
    expect(labels('services:\n  web:\n    deploy:\n      resources:\n        |')).toEqual([
      'limits',
      'reservations',
    ])
    expect(labels('services:\n  web:\n    ports:\n      - |')).toContain('published')
  })

  test('knows the words of values', () => {
    expect(labels('services:\n  web:\n    restart: |')).toContain('unless-stopped')
    expect(labels('services:\n  web:\n    privileged: |')).toEqual(['true', 'false'])
    const condition = 'services:\n  web:\n    depends_on:\n      db:\n        condition: |'
    expect(labels(condition)).toContain('service_healthy')
  })

  test('offers the names of the file', () => {
    const text =
      'services:\n  db:\n    image: a\n  web:\n    depends_on:\n      - |\nvolumes:\n  data:\n'
    expect(labels(text)).toEqual(expect.arrayContaining(['db', 'web']))
    const volumes = text.replace('depends_on', 'volumes')
    expect(labels(volumes)).toContain('data')
  })
})

test('hover says what a key means and what it may be', () => {
  const text = 'services:\n  web:\n    restart: always\n'
  expect(hoverAt(schema, text, text.indexOf('start:'))).toMatchObject({
    about: expect.stringContaining('restarts'),
    values: expect.arrayContaining(['always']),
  })
  expect(hoverAt(schema, text, text.indexOf('web'))).toBeUndefined()
})

describe('the descriptions', () => {
  const known = (pattern: string) => {
    const path = pattern === '' ? [] : pattern.split('.').map((name) => (name === '*' ? 'a' : name))
    return keysOf(schema, meaningOf(schema, [...path, '-'])).concat(
      keysOf(schema, meaningOf(schema, path)),
    )
  }

  test.each(Object.entries(docs))('%s: each describes a key of the schema', (pattern, lines) => {
    const names = known(pattern).map(({ name }) => name)
    expect(Object.keys(lines).filter((name) => !names.includes(name))).toEqual([])
    for (const line of Object.values(lines)) expect(line).toMatch(/^[A-Z`].*\.$|^tcp or udp\.$/)
  })

  test('known values and names belong to keys of the schema', () => {
    for (const pattern of [...Object.keys(knownValues), ...Object.keys(namedBelow)]) {
      const path = pattern.split('.')
      const names = known(path.slice(0, -1).join('.')).map(({ name }) => name)
      expect(names, pattern).toContain(path.at(-1))
    }
  })
})
