import { expect, test } from 'vitest'
import type { Platform } from '../../compose/snapshot.ts'
import type { ImageManifest } from '../records/image-manifest.ts'
import { compareImage, type RunningImage } from './compare-image.ts'

const digest = (letter: string) => `sha256:${letter.repeat(64)}`
const amd64: Platform = { os: 'linux', architecture: 'amd64' }
const arm64: Platform = { os: 'linux', architecture: 'arm64', variant: 'v8' }
const tag = { registry: 'docker.io', repository: 'library/nginx', tag: '1' }
const [config, newConfig, child, newChild, index, newIndex] = [...'012345'].map(digest) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

const image = (of: string): ImageManifest => ({ kind: 'image', config: of })
const indexOf = (...images: [Platform, string][]): ImageManifest => ({
  kind: 'index',
  images: images.map(([platform, one]) => ({ platform, digest: one })),
})
const running = (id: string, ...digests: string[]): RunningImage => ({
  id,
  digests: digests.map((one) => `nginx@${one}`),
  platform: amd64,
})

interface Case {
  title: string
  local: RunningImage
  now: string
  stored: Record<string, ImageManifest>
  expected: string
  reads: number
}

const cases: Case[] = [
  {
    title: 'the tag has the digest that was pulled',
    local: running(config, index),
    now: index,
    stored: {},
    expected: 'same',
    reads: 0,
  },
  {
    title: 'the tag has another image for one platform',
    local: running(config, child),
    now: newChild,
    stored: { [newChild]: image(newConfig) },
    expected: 'newer',
    reads: 1,
  },
  {
    title: 'the same image was pushed with another form of manifest',
    local: running(config, child),
    now: newChild,
    stored: { [newChild]: image(config) },
    expected: 'same',
    reads: 1,
  },
  {
    title: 'the index was pushed again for another platform',
    local: running(config, index),
    now: newIndex,
    stored: { [newIndex]: indexOf([arm64, digest('9')], [amd64, child]), [child]: image(config) },
    expected: 'same',
    reads: 2,
  },
  {
    title: 'the index was pushed again, and the host keeps images in containerd',
    local: running(index, index),
    now: newIndex,
    stored: {
      [newIndex]: indexOf([amd64, child], [arm64, digest('9')]),
      [child]: image(config),
      [index]: indexOf([amd64, child]),
    },
    expected: 'same',
    reads: 3,
  },
  {
    title: 'the index has another image for the platform, and the host keeps images in containerd',
    local: running(index, index),
    now: newIndex,
    stored: {
      [newIndex]: indexOf([amd64, newChild]),
      [newChild]: image(newConfig),
      [index]: indexOf([amd64, child]),
    },
    expected: 'newer',
    reads: 3,
  },
  {
    title: 'the image was pulled by the digest of its platform',
    local: running(config, child),
    now: newIndex,
    stored: { [newIndex]: indexOf([amd64, child]) },
    expected: 'same',
    reads: 1,
  },
  {
    title: 'the tag has nothing for the platform any more',
    local: running(config, index),
    now: newIndex,
    stored: { [newIndex]: indexOf([arm64, digest('9')]) },
    expected: 'no image for its platform',
    reads: 1,
  },
  {
    title: 'a digest of another repository counts for nothing',
    local: { ...running(config), digests: [`ghcr.io/other/nginx@${index}`] },
    now: index,
    stored: { [index]: image(newConfig) },
    expected: 'newer',
    reads: 1,
  },
]

test.each(cases)('$title', async ({ local, now, stored, expected, reads }) => {
  const read: string[] = []
  const registry = {
    digestOf: async () => ({ state: 'missing' as const }),
    manifest: async (_tag: unknown, one: string) => {
      read.push(one)
      return stored[one]
    },
  }
  const { signal } = new AbortController()
  const by = { registry, account: undefined, signal }
  expect(await compareImage(local, now, tag, by)).toBe(expected)
  expect(read).toHaveLength(reads)
})
