import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { serve } from '../kit/page.ts'
import { pagePolicy } from './page-policy.ts'

export default endpoint({
  summary: 'Explore and try this API in a browser',
  description:
    'A page of the service itself, with nothing from elsewhere. Credentials are entered in it and kept in its memory only.',
  access: 'public',
  produces: 'text/html',
  also: { 304: 'It has not changed since the one with the ETag in If-None-Match' },
  fails: { 404: 'This installation lacks the file' },

  async run({ request }, { pages }: Needs<'pages'>) {
    const ifNoneMatch = request.headers['if-none-match']
    return serve(await pages.find('index.html'), { ifNoneMatch, seconds: 300, headers: pagePolicy })
  },
})
