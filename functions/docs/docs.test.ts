import { describe, expect, test } from 'vitest'
import { memoryPages } from '../../adapters/testing/memory/pages.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import explorer from './explorer.ts'
import file from './file.ts'
import openapiJson from './openapi-json.ts'
import openapiYaml from './openapi-yaml.ts'

const page = (text: string, contentType: string) => ({ text, contentType, etag: `"${text}"` })
const pages = memoryPages({
  'openapi.json': page('{}', 'application/json'),
  'openapi.yaml': page('{}', 'application/yaml; charset=utf-8'),
  'index.html': page('<html>', 'text/html; charset=utf-8'),
  'init.js': page('init', 'text/javascript; charset=utf-8'),
})

describe.each([
  ['openapi.json', openapiJson, '{}', 'application/json'],
  ['openapi.yaml', openapiYaml, '{}', 'application/yaml; charset=utf-8'],
  ['docs', explorer, '<html>', 'text/html; charset=utf-8'],
] as const)('GET /%s', (_name, endpoint, text, contentType) => {
  test('200: without a credential, cacheable for five minutes', async () => {
    const answer = await call(endpoint, { ports: memoryPorts({ pages }) })
    expect(answer).toMatchObject({ status: 200, text })
    expect(answer.headers).toMatchObject({
      'content-type': contentType,
      'cache-control': 'public, max-age=300',
    })
  })

  test('304: the caller has the current version', async () => {
    const headers = { 'if-none-match': `"old", W/"${text}"` }
    const answer = await call(endpoint, { headers, ports: memoryPorts({ pages }) })
    expect(answer).toMatchObject({ status: 304, text: '' })
    expect(answer.headers.etag).toBe(`"${text}"`)
  })

  test('400: an unknown query parameter', async () => {
    expect((await call(endpoint, { query: { format: 'xml' } })).status).toBe(400)
  })

  test('404: the file is not part of this installation', async () => {
    expect((await call(endpoint)).status).toBe(404)
  })
})

describe('GET /docs', () => {
  test('200: restricts the page to its own origin', async () => {
    const { headers } = await call(explorer, { ports: memoryPorts({ pages }) })
    const policy = headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })
})

describe('GET /docs/{file}', () => {
  const get = (name: string) => call(file, { path: { file: name }, ports: memoryPorts({ pages }) })

  test('200: returns a file of the explorer', async () => {
    expect(await get('init.js')).toMatchObject({ status: 200, text: 'init' })
  })

  test.each(['index.html', 'openapi.json', '../package.json', 'constructor'])(
    '404: %s is not a file of the explorer',
    async (name) => {
      expect((await get(name)).status).toBe(404)
    },
  )
})
