import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { acceptsEncoding, acceptsHtml } from './accepts.ts'
import type { Exchange } from './exchange.ts'
import { pageHeaders } from './web-policy.ts'

/** A response of the browser UI. */
export interface WebResponse {
  statusCode: number
  headers: Record<string, string>
  body: string | Buffer
}

export interface WebFiles {
  /** Returns the response to a request for the page or one of its assets, or undefined. */
  find(exchange: Exchange): Promise<WebResponse> | WebResponse | undefined
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
}

const unpack = promisify(gunzip)

interface WebOptions {
  /** Where the build is. */
  directory?: URL
  /** Where pages open feeds, if not at the address of the service. */
  feedsUrl?: string
}

/**
 * Returns the browser UI of a build: the page for every address of a person, and its assets.
 * Returns undefined if it was not built.
 */
export function webFiles(options: WebOptions = {}): WebFiles | undefined {
  const { directory = builtDirectory(), feedsUrl } = options
  const page = new URL('index.html', directory)
  if (!existsSync(page)) return undefined
  const parts = readFileSync(page, 'utf8').split('{nonce}')
  const assets = new URL('assets/', directory)
  const names = new Set(readdirSync(assets))
  return {
    find(exchange) {
      const { method, headers } = exchange.incoming
      if (method !== 'GET' && method !== 'HEAD') return undefined
      const { path } = exchange.target
      const asset = /^\/assets\/([A-Za-z0-9._-]+)$/.exec(path)?.[1]
      if (asset !== undefined) return findAsset(assets, names, asset, exchange)
      if (/^\/(?:api|assets)(?:\/|$)/.test(path) || !acceptsHtml(headers.accept)) return undefined
      const nonce = randomBytes(16).toString('base64')
      const body = parts.join(nonce)
      return { statusCode: 200, headers: pageHeaders(exchange.id, nonce, feedsUrl), body }
    },
  }
}

/** Returns `web/` beside the bundled program, or that of the last build for a run from source. */
function builtDirectory(): URL {
  const beside = new URL('web/', import.meta.url)
  return existsSync(beside) ? beside : new URL('../../../dist/web/', import.meta.url)
}

function findAsset(
  folder: URL,
  names: ReadonlySet<string>,
  name: string,
  exchange: Exchange,
): Promise<WebResponse> | undefined {
  const plain = names.has(name) && !/\.(?:br|gz)$/.test(name)
  if (!plain && !names.has(`${name}.gz`)) return undefined
  const accepted = exchange.incoming.headers['accept-encoding']
  const encodings = plain ? [] : ['br', 'gzip'].filter((one) => acceptsEncoding(accepted, one))
  return readAsset(folder, { name, plain, encoding: encodings[0] }, exchange)
}

async function readAsset(
  folder: URL,
  { name, plain, encoding }: { name: string; plain: boolean; encoding: string | undefined },
  { id, incoming }: Exchange,
): Promise<WebResponse> {
  const etag = `"${name}${encoding ? `.${encoding}` : ''}"`
  const headers: Record<string, string> = {
    'X-Request-Id': id,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ETag: etag,
    ...(plain ? {} : { Vary: 'Accept-Encoding' }),
  }
  if (isKnown(incoming.headers['if-none-match'], etag))
    return { statusCode: 304, headers, body: '' }
  headers['Content-Type'] = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  if (encoding) headers['Content-Encoding'] = encoding
  const packed = encoding === 'br' ? '.br' : '.gz'
  const bytes = await readFile(new URL(plain ? name : name + packed, folder))
  return { statusCode: 200, headers, body: plain || encoding ? bytes : await unpack(bytes) }
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}
