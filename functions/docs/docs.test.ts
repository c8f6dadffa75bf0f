import { describe, expect, test } from 'vitest'
import { memoryPages } from '../../adapters/memory/pages.ts'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import explorer from './explorer.ts'
import file from './file.ts'
import openapiJson from './openapi-json.ts'
import openapiYaml from './openapi-yaml.ts'

const page = (text: string, contentType: string) => ({ text, contentType, etag: `"${text}"` })
const pages = memoryPages({
  'openapi.json': page('{}', 'application/json; charset=utf-8'),
  'openapi.yaml': page('{}', 'application/yaml; charset=utf-8'),
  'index.html': page('<html>', 'text/html; charset=utf-8'),
  'init.js': page('init', 'text/javascript; charset=utf-8'),
})

describe.each([
  ['openapi.json', openapiJson, '{}', 'application/json; charset=utf-8'],
  ['openapi.yaml', openapiYaml, '{}', 'application/yaml; charset=utf-8'],
  ['docs', explorer, '<html>', 'text/html; charset=utf-8'],
] as const)('GET /%s', (_name, endpoint, text, contentType) => {
  test('200: without a credential, cacheable for five minutes', async () => {
    const response = await get(endpoint)
    expect(response).toMatchObject({ statusCode: 200, body: text })
    expect(response.headers).toMatchObject({
      'Content-Type': contentType,
      'Cache-Control': 'public, max-age=300',
      'X-Request-Id': 'r1',
    })
  })

  test('304: the caller has it already', async () => {
    const response = await get(endpoint, { 'if-none-match': `"old", W/"${text}"` })
    expect(response).toMatchObject({ statusCode: 304, body: '' })
    expect(response.headers.ETag).toBe(`"${text}"`)
  })

  test('404: this installation lacks the file', async () => {
    const response = await endpoint.with(memoryPorts({ pages: memoryPages() }))(event({}))
    expect(response.statusCode).toBe(404)
  })
})

describe('GET /docs', () => {
  test('200: the page may load, run and call nothing of another origin', async () => {
    const policy = (await get(explorer)).headers['Content-Security-Policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })
})

describe('GET /docs/{file}', () => {
  test('200: a file of the explorer', async () => {
    expect(await get(file, {}, { file: 'init.js' })).toMatchObject({
      statusCode: 200,
      body: 'init',
    })
  })

  test.each(['index.html', 'openapi.json', '../package.json', 'constructor'])(
    '404: %s is not one of them',
    async (name) => {
      expect((await get(file, {}, { file: name })).statusCode).toBe(404)
    },
  )
})

const get = (endpoint: Pick<Endpoint, 'with'>, headers = {}, path = {}) =>
  endpoint.with(memoryPorts({ pages }))(event(headers, path))

function event(headers: Record<string, string>, pathParameters: Record<string, string> = {}) {
  return {
    routeKey: 'GET /',
    rawPath: '/',
    rawQueryString: '',
    headers,
    pathParameters,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'r1',
      http: { method: 'GET', path: '/', sourceIp: '127.0.0.1', userAgent: 'test' },
    },
  }
}
