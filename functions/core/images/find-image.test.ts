import { expect, test } from 'vitest'
import { findImage } from './find-image.ts'

const digest = `sha256:${'d'.repeat(64)}`
const image = (first: string, tags: string[], digests: string[] = []) => ({
  id: `sha256:${first.padEnd(64, '0')}`,
  tags,
  digests,
  size: 1,
  createdAt: '2026-06-01T12:00:00.000Z',
  containers: 0,
})
const nginx = image('0d1e2f', ['nginx:1.29', 'nginx:latest'], [`nginx@${digest}`])
const unnamed = image('0d1eff', [])
/** Its name is also the beginning of the ID of another image. */
const odd = image('aaaa', ['0d1eff:latest', 'registry.example.org:5000/team/app:1'])
const all = [nginx, unnamed, odd]

test.each([
  ['nginx', nginx],
  ['nginx:1.29', nginx],
  ['docker.io/library/nginx:1.29', nginx],
  [`nginx@${digest}`, nginx],
  [`nginx:1.29@${digest}`, nginx],
  [nginx.id, nginx],
  [nginx.id.slice('sha256:'.length), nginx],
  ['0d1e2', nginx],
  ['sha256:0d1ef', unnamed],
  ['0d1eff', odd],
  ['registry.example.org:5000/team/app:1', odd],
  ['nginx:2', undefined],
  [`other@${digest}`, undefined],
  ['team/app:1', undefined],
  ['bbbb', undefined],
])('%s', (named, expected) => expect(findImage(named, all)).toBe(expected))

test('400: the ids of several images begin with it', () => {
  expect(() => findImage('0d1e', all)).toThrow(
    expect.objectContaining({
      status: 400,
      message: 'id: several images begin with 0d1e, give more of the id',
    }),
  )
})
