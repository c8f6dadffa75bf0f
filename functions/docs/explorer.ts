import { pageEndpoint } from '../kit/page.ts'
import { pagePolicy } from './page-policy.ts'

export default pageEndpoint({
  summary: 'Explore and try this API in a browser',
  description:
    'A page that loads nothing from other servers. It keeps the credentials you enter in memory only.',
  name: 'index.html',
  produces: 'text/html',
  headers: pagePolicy,
})
