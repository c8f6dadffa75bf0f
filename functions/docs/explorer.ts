import { pageEndpoint } from '../kit/page.ts'
import { pagePolicy } from './page-policy.ts'

export default pageEndpoint({
  summary: 'Explore and try this API in a browser',
  description:
    'A page of the service itself, with nothing from elsewhere. Credentials are entered in it and kept in its memory only.',
  name: 'index.html',
  produces: 'text/html',
  headers: pagePolicy,
})
