import { describe, expect, test } from 'vitest'
import { filePages, pageFiles } from './pages.ts'

describe('the pages', () => {
  test('all exist, each with its type and its own ETag', async () => {
    const pages = filePages()
    const { 'agent.mjs': _built, ...ours } = pageFiles()
    const found = await Promise.all(
      Object.keys(ours).map((name) => pages.find(name as keyof typeof ours)),
    )
    expect(found.map((page) => page?.contentType.split(';')[0])).toEqual([
      'application/json',
      'application/yaml',
      'text/html',
      'text/javascript',
      'text/css',
      'text/css',
      'text/javascript',
    ])
    expect(new Set(found.map((page) => page?.etag)).size).toBe(7)
  })

  test('keep their ETag across restarts', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => filePages().find('openapi.json')))
    expect(one?.etag).toMatch(/^"[\w-]{22}"$/)
    expect(one?.etag).toBe(two?.etag)
  })
})
