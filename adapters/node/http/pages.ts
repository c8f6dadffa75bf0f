import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Page, PageName, Pages } from '../../../functions/core/ports/pages.ts'
import { onRejection } from '../../../functions/core/promises.ts'

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  yaml: 'application/yaml; charset=utf-8',
}

/**
 * Returns the files of the API description, its explorer and the agent. Each file is read once. A
 * build has them in `pages/` next to the program. When the service runs from source, they come from
 * `openapi/`, the package swagger-ui-dist and the last build.
 */
export function filePages(): Pages {
  const read = new Map<PageName, Promise<Page | undefined>>()
  return {
    find(name) {
      const known = read.get(name)
      if (known) return known
      const page = onRejection(load(name), () => read.delete(name))
      read.set(name, page)
      return page
    },
  }
}

async function load(name: PageName): Promise<Page | undefined> {
  const text = await textOf(pageFiles()[name])
  if (text === undefined) return undefined
  const digest = createHash('sha256').update(text).digest('base64url')
  const type = types[name.split('.').at(-1) as keyof typeof types]
  return { text, contentType: type, etag: `"${digest.slice(0, 22)}"` }
}

/** Returns the text of a file, which a build may have compressed. */
async function textOf(place: URL | string): Promise<string | undefined> {
  const path = place instanceof URL ? fileURLToPath(place) : place
  if (existsSync(path)) return readFile(path, 'utf8')
  if (!existsSync(`${path}.br`)) return undefined
  return (await unpack(await readFile(`${path}.br`))).toString('utf8')
}

const unpack = promisify(brotliDecompress)

/** Returns the location of each file, from which a build copies it into `pages/`. */
export function pageFiles(): Record<PageName, URL | string> {
  const built = new URL('pages/', import.meta.url)
  const bundled = existsSync(built)
  const own = (path: string) => new URL(`../../../openapi/${path}`, import.meta.url)
  const swagger = (file: string) =>
    createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`)
  const at = (name: PageName, source: () => URL | string) =>
    bundled ? new URL(name, built) : source()
  return {
    'openapi.json': at('openapi.json', () => own('openapi.json')),
    'openapi.yaml': at('openapi.yaml', () => own('openapi.yaml')),
    'index.html': at('index.html', () => own('explorer/index.html')),
    'init.js': at('init.js', () => own('explorer/init.js')),
    'page.css': at('page.css', () => own('explorer/page.css')),
    'swagger-ui.css': at('swagger-ui.css', () => swagger('swagger-ui.css')),
    'swagger-ui-bundle.js': at('swagger-ui-bundle.js', () => swagger('swagger-ui-bundle.js')),
    'agent.mjs': at('agent.mjs', () => new URL('../../../dist/agent.js', import.meta.url)),
  }
}
