import { expect, test } from 'vitest'
import { encodedField } from '../build-session/protocol-buffers.ts'
import { traceReader } from './build-trace.ts'

const text = (field: number, value: string) => encodedField(field, Buffer.from(value))
const vertex = (digest: string, name: string) =>
  encodedField(1, Buffer.concat([text(1, digest), text(3, name)]))
const log = (digest: string, output: string) =>
  encodedField(3, Buffer.concat([text(1, digest), text(4, output)]))
const warning = (short: string) =>
  encodedField(4, Buffer.concat([text(1, 'sha256:a'), text(3, short), text(4, 'more')]))
const sent = (...parts: Buffer[]) => Buffer.concat(parts).toString('base64')

test('returns the output of RUN commands alone', () => {
  const read = traceReader()
  expect(read(sent(vertex('a', '[2/3] RUN make'), vertex('b', 'https://nas/x'))).output).toBe('')
  expect(read(sent(log('a', 'one\n'), log('b', 'secret\n'), log('a', 'two\n')))).toEqual({
    output: 'one\ntwo\n',
    warnings: [],
    lookups: [],
    bases: [],
  })
})

test('returns the images that are looked up and used', () => {
  const digest = `sha256:${'0f'.repeat(32)}`
  const names = [
    '[internal] load metadata for docker.io/library/busybox:latest',
    '[linux/amd64 internal] load metadata for nas/tools:1',
    `[one 1/2] FROM docker.io/library/busybox:latest@${digest}`,
    `FROM nas/tools@${digest}`,
    `docker-image://docker.io/docker/dockerfile:1@${digest}`,
    '[two 1/2] FROM docker.io/library/busybox:latest',
    `[two 2/2] RUN echo FROM nas/other@${digest}`,
    `[two 2/2] RUN [internal] load metadata for nas/other`,
  ]
  expect(traceReader()(sent(...names.map((name) => vertex('a', name))))).toMatchObject({
    lookups: ['docker.io/library/busybox:latest', 'nas/tools:1'],
    bases: [
      `docker.io/library/busybox:latest@${digest}`,
      `nas/tools@${digest}`,
      `docker.io/docker/dockerfile:1@${digest}`,
      'docker.io/library/busybox:latest',
    ],
  })
})

test('returns warnings', () => {
  const read = traceReader()
  const { warnings } = read(sent(warning('MaintainerDeprecated: (line 2)'), warning('JSONArgs')))
  expect(warnings).toEqual(['MaintainerDeprecated: (line 2)', 'JSONArgs'])
})

test.each(['', '!', sent(Buffer.from([0x0a, 0xff, 0xff])), sent(Buffer.alloc(30, 0xff))])(
  'reads nothing from %j',
  (aux) => {
    expect(traceReader()(aux)).toEqual({ output: '', warnings: [], lookups: [], bases: [] })
  },
)
