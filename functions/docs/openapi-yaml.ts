import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { serve } from '../kit/page.ts'

export default endpoint({
  summary: 'Read this description as YAML',
  description: 'The same description as `/openapi.json`. It may be cached for 5 minutes.',
  access: 'public',
  produces: 'application/yaml',
  also: { 304: 'It has not changed since the one with the ETag in If-None-Match' },
  fails: { 404: 'This installation lacks the file' },

  async run({ request }, { pages }: Needs<'pages'>) {
    const ifNoneMatch = request.headers['if-none-match']
    return serve(await pages.find('openapi.yaml'), { ifNoneMatch, seconds: 300 })
  },
})
