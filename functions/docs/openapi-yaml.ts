import { pageEndpoint } from '../kit/page.ts'

export default pageEndpoint({
  summary: 'Get this description as YAML',
  description: 'The same description as `/openapi.json`. It may be cached for 5 minutes.',
  name: 'openapi.yaml',
  produces: 'application/yaml',
})
