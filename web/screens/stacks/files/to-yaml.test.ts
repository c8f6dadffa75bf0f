import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { toYaml } from './to-yaml.ts'

const model = {
  name: 'shop',
  services: {
    web: {
      image: 'nginx:1.29@sha256:9f86d081',
      command: ['sh', '-c', 'echo "a: b" # no comment', ''],
      environment: { EMPTY: '', NULL: null, YES: 'yes', NUMBER: '8080', TIME: '12:30:00' },
      ports: [{ target: 80, published: '8080' }, { target: 443 }],
      labels: { 'traefik.http.routers.web.rule': 'Host(`a.example`)' },
      script: 'one\ntwo\n\nthree\n',
      noEnd: 'one\ntwo',
      twoEnds: 'one\n\n',
      spaces: ' one \n two ',
      tabs: 'a\tb\nc',
      lists: [[1, 2], [], [{ a: [true] }]],
      nothing: {},
    },
  },
  odd: { '- a': '- b', 'a: b': '*x', '#': '&y', true: '!z', '': '|', '1e3': '0x1' },
}

test('YAML parsers read the same value as from the JSON', () => {
  for (const version of ['1.1', '1.2'] as const) {
    expect(parse(toYaml(model), { version })).toEqual(model)
  }
})

test('looks as people write it', () => {
  expect(
    toYaml({ services: { web: { image: 'a:1', ports: [{ target: 80 }], command: ['x'] } } }),
  ).toBe('services:\n  web:\n    image: a:1\n    ports:\n    - target: 80\n    command:\n    - x\n')
})

test('a long row of separators is written at once', () => {
  // With a pattern that tries every way to split the row, this would never end.
  const banner = `echo ${'='.repeat(200)} start!`
  expect(parse(toYaml({ banner }))).toEqual({ banner })
})
