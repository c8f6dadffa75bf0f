import { describe, expect, test } from 'vitest'
import fc from '../../../local/harness/properties.ts'
import type { Tree } from '../yaml/tree.ts'
import { interpolate } from './interpolate.ts'
import { substitute } from './template.ts'

const variables: Record<string, string> = { SET: 'here', EMPTY: '', PORT: '80' }
const lookup = (name: string) => variables[name]

describe('text with variables', () => {
  test.each([
    ['plain', 'plain'],
    ['$SET', 'here'],
    ['${SET}', 'here'],
    ['$SET-x ${SET}x', 'here-x herex'],
    ['[$UNSET]', '[]'],
    ['$$SET $$', '$SET $'],
    ['$$$SET', '$here'],
    ['cost: 5$ $ $}', 'cost: 5$ $ $}'],
    ['$1', '$1'],
    ['${SET:-other} ${EMPTY:-other} ${UNSET:-other}', 'here other other'],
    ['${SET-other} ${EMPTY-other} ${UNSET-other}', 'here  other'],
    ['${SET:+yes} ${EMPTY:+yes} ${UNSET:+yes}', 'yes  '],
    ['${SET+yes} ${EMPTY+yes} ${UNSET+yes}', 'yes yes '],
    ['${SET:?m} ${SET?m} ${EMPTY?m}', 'here here '],
    ['${A:-${B:-${SET}}}', 'here'],
    ['${A:-$SET and ${EMPTY:-more}}', 'here and more'],
    ['${A:-{"json": {"a": 1}}}', '{"json": {"a": 1}}'],
    ['${A:-b:-c?d}', 'b:-c?d'],
    ['${A:-}', ''],
    ['${SET:-${broken}', 'error'],
  ])('%s → %s', (text, result) => {
    if (result === 'error') expect(() => substitute(text, lookup)).toThrow('invalid interpolation')
    else expect(substitute(text, lookup)).toBe(result)
  })

  test.each(['${', '${}', '${ SET}', '${SET }', '${SET!}', '${1}', '${SET', '${SET:=x}'])(
    'rejects %s',
    (text) => expect(() => substitute(text, lookup)).toThrow('invalid interpolation format'),
  )

  test.each([
    ['${EMPTY:?say why}', 'required variable EMPTY is missing a value: say why'],
    ['${UNSET?need $SET}', 'required variable UNSET is missing a value: need here'],
    ['${UNSET:?}', 'required variable UNSET is missing a value'],
  ])('rejects %s with a message', (text, message) => {
    expect(() => substitute(text, lookup)).toThrow(message)
  })

  test('reports unset variables, except in an unused default', () => {
    const unset: string[] = []
    substitute('$A ${B} ${SET:-$C} ${D:-$E}', lookup, (name) => unset.push(name))
    expect(unset).toEqual(['A', 'B', 'E'])
  })

  test('returns a text whose dollars were doubled unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'${}:-?+AB ') }), (text) => {
        expect(substitute(text.replaceAll('$', '$$$$'), lookup)).toBe(text)
      }),
    )
  })

  test('rejects deep nesting without a stack overflow', () => {
    const nested = '${A:-'.repeat(5000) + '}'.repeat(5000)
    expect(() => substitute(nested, lookup)).toThrow('invalid interpolation format')
  })
})

describe('a tree with variables', () => {
  const run = (tree: Tree, warnings: string[] = []) =>
    interpolate(tree, { lookup, warn: (message) => warnings.push(message) })

  test('substitutes values, never keys', () => {
    expect(run({ services: { app: { labels: { $SET: '$SET' } } } })).toEqual({
      services: { app: { labels: { $SET: 'here' } } },
    })
  })

  test('converts to numbers and booleans where the model has them', () => {
    const service = { scale: '${N:-3}', cpus: '0.5', tty: 'true', init: 'yes', labels: ['$PORT'] }
    expect(run({ services: { app: service } })).toEqual({
      services: { app: { scale: 3, cpus: 0.5, tty: true, init: true, labels: ['80'] } },
    })
  })

  test('warns about booleans of older YAML and about unset variables', () => {
    const warnings: string[] = []
    run({ services: { app: { tty: 'off', image: '$NO' } } }, warnings)
    expect(warnings).toEqual([
      '"off" for a boolean is no longer in YAML: please write false',
      'The "NO" variable is not set. Defaulting to a blank string.',
    ])
  })

  test.each([
    [{ services: { app: { tty: 'maybe' } } }, 'services.app.tty: failed to cast'],
    [{ services: { app: { scale: '$SET' } } }, 'services.app.scale: failed to cast'],
    [{ services: { app: { cpus: '' } } }, 'services.app.cpus: failed to cast'],
    [
      { services: { app: { ports: ['80', '${'] } } },
      'services.app.ports[1]: invalid interpolation',
    ],
    [{ name: '${X:?no name}' }, 'name: required variable X is missing a value: no name'],
  ])('rejects with the path: %j', (tree, message) => {
    expect(() => run(tree as Tree)).toThrow(
      expect.objectContaining({ kind: 'interpolation', message: expect.stringContaining(message) }),
    )
  })
})
