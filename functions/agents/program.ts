import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { serve } from '../kit/page.ts'

export default endpoint({
  summary: 'Read the agent program',
  description: 'One file for Node.js 20.19 or newer, of the same version as the service.',
  access: 'public',
  produces: 'text/javascript',
  also: { 304: 'It has not changed since the one with the ETag in If-None-Match' },
  fails: { 404: 'This installation lacks the file' },

  async run({ request }, { pages }: Needs<'pages'>) {
    const ifNoneMatch = request.headers['if-none-match']
    return serve(await pages.find('agent.mjs'), { ifNoneMatch, seconds: 300 })
  },
})
