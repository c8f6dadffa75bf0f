import { pageEndpoint } from '../kit/page.ts'

export default pageEndpoint({
  summary: 'Get this description as JSON',
  description: 'OpenAPI 3.1. It may be cached for 5 minutes.',
  name: 'openapi.json',
  produces: 'application/json',
})
