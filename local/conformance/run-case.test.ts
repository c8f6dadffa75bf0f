import { expect, test } from 'vitest'
import { runCase } from './run-case.ts'

const base = { id: 'own/1', env: {} }

test('a case of each kind passes', () => {
  const cases: Parameters<typeof runCase>[0][] = [
    { ...base, kind: 'interpolate', input: '${A:-b}', expect: { value: 'b' } },
    {
      ...base,
      kind: 'interpolate',
      model: { a: '$B' },
      env: { B: 'c' },
      expect: { model: { a: 'c' } },
    },
    { ...base, kind: 'dotenv', files: { '.env': 'A=1' }, expect: { vars: { A: '1' } } },
    {
      ...base,
      kind: 'short-syntax',
      stage: 'service.ports[]',
      input: '80',
      expect: { value: [{ mode: 'ingress', protocol: 'tcp', target: 80 }] },
    },
    {
      ...base,
      kind: 'merge',
      base: { services: { a: { image: 'x' } } },
      override: { services: { a: { image: 'y' } } },
      expect: { model: { services: { a: { image: 'y' } } } },
    },
    { ...base, kind: 'load', stage: 'schema', model: { services: {} }, expect: { valid: true } },
    {
      ...base,
      kind: 'load',
      stage: 'full',
      compose_files: ['compose.yaml'],
      files: { 'compose.yaml': 'name: own\nsecrets: {s: {file: ./s}}' },
      options: { normalize: false },
      expect: { project: { name: 'own', services: {}, secrets: { s: { file: '${WD}/s' } } } },
    },
    {
      ...base,
      kind: 'invalid',
      stage: 'full',
      compose_files: ['compose.yaml'],
      files: { 'compose.yaml': 'name: own\nservers: {}' },
      expect: { error: 'not allowed', error_class: 'schema' },
    },
  ]
  expect(cases.map(runCase)).toEqual(cases.map(() => undefined))
})

test('a failing case reports the result and the expectation', () => {
  expect(runCase({ ...base, kind: 'interpolate', input: 'a', expect: { value: 'b' } })).toBe(
    'the result: got "a", expected "b"',
  )
  expect(
    runCase({
      ...base,
      kind: 'interpolate',
      input: '${',
      expect: { error: 'x', error_class: 'yaml' },
    }),
  ).toContain('interpolation (invalid interpolation format), expected yaml: x')
  expect(
    runCase({
      ...base,
      kind: 'interpolate',
      input: 'a',
      expect: { error: 'x', error_class: 'yaml' },
    }),
  ).toBe('accepted, expected yaml: x')
})
