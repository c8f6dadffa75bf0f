import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import type { PageName } from '../core/ports/pages.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { cachedHeaders, serve, unchangedPage } from '../kit/page.ts'

const files: Record<string, PageName> = {
  'init.js': 'init.js',
  'page.css': 'page.css',
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'swagger-ui.css': 'swagger-ui.css',
}

export default endpoint({
  summary: 'Get a file of the explorer',
  access: 'public',
  path: z.object({
    file: z.string().meta({ description: 'Name of the file', examples: ['init.js'] }),
  }),
  produces: 'text/*',
  otherResponses: unchangedPage,
  responseHeaders: cachedHeaders,
  errors: { 404: 'The explorer has no such file' },

  async run({ path, request }, { pages }: Needs<'pages'>) {
    const name = Object.hasOwn(files, path.file) ? files[path.file] : undefined
    if (!name) throw notFound('the explorer has no such file')
    const ifNoneMatch = request.headers['if-none-match']
    return serve(await pages.find(name), { ifNoneMatch, seconds: 3600 })
  },
})
