import { expect, test } from 'vitest'
import { referencesOf } from './references.ts'

const empty = { files: [], binds: [], images: [] }

test.each([
  [
    'include: [a/compose.yaml, {path: [b.yaml, ./c.yaml]}]',
    { files: ['a/compose.yaml', 'b.yaml', './c.yaml'] },
  ],
  [
    'services: {a: {env_file: [x.env, {path: ./y.env}], label_file: z}}',
    { files: ['x.env', './y.env', 'z'] },
  ],
  [
    'services: {a: {build: ./app, extends: {file: base.yaml, service: b}}}',
    { files: ['./app', 'base.yaml'] },
  ],
  ['services: {a: {build: {context: "https://git.example/a.git"}, image: b}}', { images: ['b'] }],
  ['services: {a: {build: git@git.example:a/b.git}}', {}],
  ['secrets: {a: {file: ./s}}\nconfigs: {b: {file: c}, d: {content: x}}', { files: ['./s', 'c'] }],
  [
    'services: {a: {volumes: ["./d:/d", "../e:/e:ro", data:/x, /abs:/y, "~/z:/z"]}}',
    { binds: ['./d', '../e'] },
  ],
  [
    'services: {a: {volumes: [{type: bind, source: ./f, target: /f}, {type: volume, source: v}]}}',
    { binds: ['./f'] },
  ],
  ['services: {a: {env_file: "${DIR}/x.env", volumes: ["${DIR}/x:/x"]}}', {}],
  ['services: [1, 2]\nincludes: x', {}],
])('%s', (text, found) => {
  expect(referencesOf(text)).toEqual({ ...empty, ...found })
})

test('throws for a text that is not YAML', () => {
  expect(() => referencesOf('services: [}')).toThrow()
})
