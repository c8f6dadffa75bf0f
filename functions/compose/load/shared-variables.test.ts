import { expect, test } from 'vitest'
import { resolveModel } from '../show/resolve.ts'
import { secretUses } from '../show/secret-uses.ts'
import { composeInput } from '../testing/compose-input.ts'
import { load } from './load.ts'

const shared = { A: 'one', B: 'two' }
const web = (lines: string) => `services:\n  web:\n    image: nginx\n    ${lines}\n`

test.each<[what: string, env: string | undefined, values: object]>([
  ['a set alone', undefined, { A: 'one', B: 'two', C: '' }],
  ['.env over a set', 'B=own\nC=3\n', { A: 'one', B: 'own', C: '3' }],
  ['.env that refers to a set', 'C=$A-$B\nB=own\n', { A: 'one', B: 'own', C: 'one-two' }],
  ['an empty value of .env', 'A=\n', { A: '', B: 'two', C: '' }],
])('variables: %s', (_, env, values) => {
  const compose = web('environment: {A: "$A", B: "${B}", C: "${C:-}"}')
  const files = { 'compose.yaml': compose, ...(env !== undefined && { '.env': env }) }
  const { project } = load(composeInput(files, { shared }))
  expect(project.services.web?.environment).toEqual(values)
})

test('values are taken as they are, and no file has them', () => {
  const files = { 'compose.yaml': web('environment: {A: "$A"}'), '.env': 'X=1\n' }
  const input = composeInput(files, { shared: { A: '$X "y" # z' } })
  expect(load(input).project.services.web?.environment).toEqual({ A: '$X "y" # z' })
  const named = { 'compose.yaml': web('env_file: .env'), '.env': 'X=1\n' }
  const { project } = load(composeInput(named, { shared }))
  expect(project.services.web?.environment).toEqual({ X: '1' })
})

test('a variable that a service lists without a value is taken from a set', () => {
  const files = { 'compose.yaml': web('environment: [A]') }
  const { project } = load(composeInput(files, { shared }))
  expect(project.services.web?.environment).toEqual({ A: 'one' })
})

test('the model without values has none of a set', () => {
  const files = { 'compose.yaml': web('environment: {A: "$A"}\n    labels: [b=$B]') }
  const model = resolveModel(composeInput(files, { shared }), { showsValues: false })
  const { web: shown } = (model as { services: Record<string, object> }).services
  expect(shown).toMatchObject({ environment: { A: '$A' }, labels: { b: '$B' } })
})

test('a use of a set in a label is found, and one in the environment is none', () => {
  const files = { 'compose.yaml': web('environment: {A: "$A"}\n    labels: [b=$B]') }
  const found = secretUses([composeInput(files, { shared, secret: [] })])
  expect(found.map(({ text }) => text)).toEqual(['$B'])
})

test('a use through .env that the caller wrote is found too', () => {
  const files = { 'compose.yaml': web('labels: [b=$OWN]'), '.env': 'OWN=x-$B\n' }
  expect(secretUses([composeInput(files, { shared, secret: [] })])).toHaveLength(1)
})
